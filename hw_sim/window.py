"""The shoe's exit window under the camera: a thread that turns pulls into frames and hands each to the reader.

Time is the camera's: 1/120 s a frame, and no frame is skipped, so the reader's pace is the bench's. Frames are not made
faster than `speed` times real time, between cards not faster than real time. Who pulls, and when, is dealer.py's.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from hw_sim.camera import PX_PER_MM, Camera, Prepared
from hw_sim.faces import Faces
from hw_sim.mechanism import Stack
from hw_sim.motion import FPS, Hand, Passage, Pose, draw_card, withdraw_card
from hw_sim.outline import Image

EMPTY_FRAMES = 4  # between two cards the window shows its floor at least so long
_CATCH_UP_S = 0.25  # what the camera may be behind real time and still make up

log = logging.getLogger(__name__)


class FrameSink(Protocol):
    """The reader's end: `vision.ring.RingWriter`."""

    def write(self, frame: Image, time_s: float) -> bool: ...


@dataclass(frozen=True)
class Moving:
    """A card under way."""

    symbol: str
    card: Prepared
    passage: Passage


class Window:
    """Owns the camera; `on_left` is called on its thread with each symbol that has left the shoe."""

    def __init__(
        self,
        stack: Stack,
        faces: Faces,
        camera: Camera,
        hand: Hand,
        sink: FrameSink,
        on_left: Callable[[str], None],
        rng: np.random.Generator,
    ) -> None:
        self._stack, self._faces, self._camera, self._hand = stack, faces, camera, hand
        self._sink, self._on_left = sink, on_left
        self._wanted: deque[bool] = deque()  # pulls asked for; False: a card that only shows itself
        self._change = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="window", daemon=True)
        self._ended = False
        self._moving = False
        self._frames = 0
        self._due = 0.0
        self._behind_s = 0.0
        self._seed = int(rng.integers(2**62))
        self.speed = 1.0

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends after the frame under way; a reader that takes none cannot hold the process (the thread is a daemon)."""
        with self._change:
            self._ended = True
            self._change.notify_all()
        self._thread.join(1.0)

    def pull(self, leaves: bool = True) -> None:
        """Ask for the next card to be pulled; it starts when the window has been empty long enough."""
        with self._change:
            self._wanted.append(leaves)
            self._change.notify_all()

    @property
    def busy(self) -> bool:
        """A card is in the window or about to be pulled."""
        with self._change:
            return self._moving or bool(self._wanted)

    @property
    def time_s(self) -> float:
        """The camera's clock."""
        return self._frames / FPS

    @property
    def behind_s(self) -> float:
        """How much real time the camera lost in all because frames were not taken in time."""
        return self._behind_s

    def _run(self) -> None:
        cv2.setNumThreads(1)
        self._due = time.monotonic()
        empty = 0
        try:
            while not self._ended:
                moving = self._next_card() if empty >= EMPTY_FRAMES else None
                empty = 0 if moving else empty + 1
                if moving:
                    self._pass(moving)
                else:
                    self._show([], 0.0)
                    self._wait(1.0 if empty >= EMPTY_FRAMES else self.speed)
        except Exception:  # top of the thread
            if not self._ended:  # the ring is closed under a frame that its reader never took
                log.exception("the window's thread ended")
                raise

    def _next_card(self) -> Moving | None:
        """The card that is pulled now, if one is asked for and the shoe holds one."""
        with self._change:
            leaves = self._wanted.popleft() if self._wanted else None
            symbol = self._stack.pull() if leaves is not None else None
            self._moving = symbol is not None
        if symbol is None or leaves is None:
            return None
        rng = np.random.default_rng([self._seed, self._stack.shoes, len(self._stack.dealt)])
        self._camera.reseed(rng)
        card = self._camera.prepare(self._faces.face(symbol, PX_PER_MM))
        return Moving(symbol, card, (draw_card if leaves else withdraw_card)(rng, self._hand))

    def _pass(self, moving: Moving) -> None:
        """The frames of one passage; the card has left the shoe with the last of them."""
        for k, pose in enumerate(moving.passage.poses):
            if self._ended:
                return
            self._show([(moving.card, pose)], k / FPS)
            self._wait(self.speed)
        with self._change:
            (self._stack.leave if moving.passage.leaves else self._stack.go_back)()
            self._moving = False
        if moving.passage.leaves:
            self._on_left(moving.symbol)

    def _show(self, cards: list[tuple[Prepared, Pose]], lamp_s: float) -> None:
        self._sink.write(self._camera.frame(cards, lamp_s, self._frames), self.time_s)
        self._frames += 1

    def _wait(self, rate: float) -> None:
        """Until the next frame is due at `rate` times real time; a pull ends the wait between cards."""
        now = time.monotonic()
        self._due = self._due + 1 / (FPS * rate)
        if now - self._due > _CATCH_UP_S:
            self._behind_s += now - self._due - _CATCH_UP_S
            self._due = now - _CATCH_UP_S
        with self._change:
            self._change.wait_for(
                lambda: self._ended or (not self._moving and bool(self._wanted)), max(0.0, self._due - now)
            )
