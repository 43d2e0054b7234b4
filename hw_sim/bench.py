"""A simulated table put together: shoe, window under its camera, panel, sensors, dealer and control of one folder.

The process around it (when it ends, what it leaves behind) is process.py.
"""

from __future__ import annotations

import contextlib
import queue
import secrets
import threading
from dataclasses import replace
from types import TracebackType

import numpy as np

from hw_sim import control
from hw_sim.camera import Camera
from hw_sim.conditions import Conditions
from hw_sim.dealer import Dealer
from hw_sim.decisions import Habits
from hw_sim.decks import STYLES, Style
from hw_sim.faces import DrawnFaces, Faces, FolderFaces
from hw_sim.lines import Json, LineServer
from hw_sim.mechanism import Stack, deck_of, restore, save
from hw_sim.motion import Hand
from hw_sim.options import SimOptions
from hw_sim.panel import PanelProcess
from hw_sim.scenes import BoxScene, Scene, SlotScene
from hw_sim.sensors import Sensors
from hw_sim.window import Window
from vision.ring import RingWriter

RING_SLOTS = 4


class Bench:
    """Made, started and closed by one thread; `end` is set when somebody tells it to end."""

    def __init__(self, options: SimOptions) -> None:
        self.options = options
        self.end = threading.Event()
        self._seed = secrets.randbits(62) if options.seed is None else options.seed
        faces = _faces(options, _style(options, self._seed))
        folder = options.folder
        with contextlib.ExitStack() as opened:
            self.stack = _stack(options, self._generator(1))
            self.panel = PanelProcess(folder / "panel", options.lamps)
            opened.callback(self.panel.close)
            ring = opened.enter_context(RingWriter(folder / "camera.sock", RING_SLOTS))
            self.window = Window(self.stack, self._scene(faces), ring, self._left, self._seed)
            self.sensors = Sensors(folder / "sensors.sock")
            opened.callback(self.sensors.close)
            self._control = LineServer(folder / "control.sock", answer=lambda line: control.answer(self, line))
            opened.callback(self._control.close)
            self._opened = opened.pop_all()
        habits = Habits(options.on_fault, options.confirm, options.check, options.remainder)
        self.dealer = Dealer(options.state, self.stack, self.window, habits, options.speed)
        self.dealer.on_load = self._level
        self._level()
        self.window.speed, self.window.double_feeds = options.speed, options.double_feeds
        self._exits: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._beam = threading.Thread(target=self._interrupt_beam, name="beam", daemon=True)

    def __enter__(self) -> Bench:
        self.panel.start()
        self._beam.start()
        self.window.start()
        self.sensors.start()
        self._control.start()
        self.dealer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End all of it and save the stack."""
        self.dealer.stop()
        self.window.stop()
        save(self.stack, self.options.folder / "stack.json")
        self._exits.put(False)
        self._beam.join(1.0)
        self._opened.close()

    def about(self) -> Json:
        """What this bench was started with, for whoever finds it running."""
        deck = self.options.deck
        return {"game": self.options.game, "deck": None if deck is None else str(deck.resolve())}

    def take_over(self, speed: float, on_fault: str | None, confirm: bool) -> None:
        """A new daemon's options."""
        self.window.speed = self.dealer.speed = speed
        self.dealer.habits = replace(self.dealer.habits, on_fault=on_fault, confirm=confirm)
        self.dealer.poke()

    def _scene(self, faces: Faces) -> Scene:
        camera = Camera(Conditions(), self._generator(2))
        if self.stack.box:
            return BoxScene(self.stack, faces, camera, self._seed)
        return SlotScene(self.stack, faces, camera, Hand(), self._seed)

    def _generator(self, part: int) -> np.random.Generator:
        return np.random.default_rng([self._seed, part])

    def _left(self, symbol: str) -> None:
        """On the window's thread: a card has left the shoe."""
        self._exits.put(True)
        self._level()
        self.dealer.poke()

    def _level(self) -> None:
        """The shoe's light barrier: whether a card lies in it."""
        self.sensors.turn("empty", int(self.stack.empty))

    def _interrupt_beam(self) -> None:
        """Each card on its way out interrupts the exit beam, which takes its time."""
        while self._exits.get():
            self.panel.pulse_exit()


def _style(options: SimOptions, seed: int) -> Style:
    names = list(STYLES)
    return STYLES[options.style or names[seed % len(names)]]


def _faces(options: SimOptions, style: Style) -> Faces:
    if options.deck is None:
        return DrawnFaces(style)
    return FolderFaces(options.deck, style, deck_of(options.game))


def _stack(options: SimOptions, rng: np.random.Generator) -> Stack:
    kept = restore(options.folder / "stack.json", options.game, rng)
    missing, extra = list(options.missing), list(options.extra)
    stack = kept or Stack(options.game, rng, options.decks, options.portion, missing, extra)
    stack.seats = options.seats
    return stack
