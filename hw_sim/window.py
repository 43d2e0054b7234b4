"""The shoe under the camera: a thread that turns pulls into frames and hands each to the reader.

Time is the camera's: 1/120 s a frame, and no frame is skipped, so the reader's pace is the bench's. Frames are not made
faster than `speed` times real time, between cards not faster than real time. Who pulls, and when, is dealer.py's.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

import cv2
import numpy as np

from hw_sim.mechanism import Stack
from hw_sim.motion import FPS
from hw_sim.outline import Image
from hw_sim.pace import Pace
from hw_sim.scenes import Scene

EMPTY_FRAMES = 4  # between two cards nothing moves for at least so long (the slot shows its floor)

log = logging.getLogger(__name__)


class FrameSink(Protocol):
    """The reader's end: `vision.ring.RingWriter`."""

    def write(self, frame: Image, time_s: float) -> bool: ...


class Window:
    """Owns the scene; `on_left` is called on its thread with each symbol that has left the shoe."""

    def __init__(
        self, stack: Stack, scene: Scene, sink: FrameSink, on_left: Callable[[str], None], seed: int = 0
    ) -> None:
        self._stack, self._scene, self._sink, self._on_left = stack, scene, sink, on_left
        self._wanted: deque[tuple[bool, bool]] = deque()  # pulls asked for: whether the card leaves, with a second one
        self._change = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="window", daemon=True)
        self._ended = False
        self._moving = False
        self._frames = 0
        self._pace = Pace(time.monotonic())
        self.speed = 1.0
        self.double_feeds = 0.0  # of the pulls bring two cards
        self._luck = np.random.default_rng(seed)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends after the frame under way; a reader that takes none cannot hold the process (the thread is a daemon)."""
        with self._change:
            self._ended = True
            self._change.notify_all()
        self._thread.join(1.0)

    def pull(self, leaves: bool = True, two: bool = False) -> None:
        """Ask for the next card to be pulled (`two`: the one after it comes along); it starts when the window has been
        empty long enough."""
        with self._change:
            self._wanted.append((leaves, two))
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
        return self._pace.behind_s

    @property
    def _rate(self) -> float:
        """Of frames while something moves; below 1 only the pauses are longer, no hand is slower."""
        return max(1.0, self.speed)

    def _run(self) -> None:
        cv2.setNumThreads(1)
        still = 0
        try:
            while not self._ended:
                if still >= EMPTY_FRAMES and self._pass():
                    still = 0
                else:
                    still += 1
                    self._show(self._scene.rest(self._frames))
                    self._wait(1.0 if still >= EMPTY_FRAMES else self._rate)
        except Exception:  # top of the thread
            if not self._ended:  # the ring is closed under a frame that its reader never took
                log.exception("the window's thread ended")
                raise

    def _next_card(self) -> tuple[str, bool, str | None] | None:
        """The card that is pulled now, whether it leaves, and one that comes along; None where none is asked for or the
        shoe is empty."""
        with self._change:
            if not self._wanted:
                return None
            (leaves, two), symbol = self._wanted.popleft(), self._stack.pull()
            self._moving = symbol is not None
            if symbol is None:
                return None
            two = two or (leaves and self.double_feeds > 0 and float(self._luck.random()) < self.double_feeds)
            return symbol, leaves, self._stack.join() if two else None

    def _pass(self) -> bool:
        """The frames of one passage, if a card is pulled; it has left the shoe with the last of them."""
        card = self._next_card()
        if card is None:
            return False
        passage = self._scene.start(*card)
        for k, pose in enumerate(passage.poses):
            if self._ended:
                return True
            self._show(self._scene.move(pose, k / FPS, self._frames))
            self._wait(self._rate)
        with self._change:
            (self._stack.leave if passage.leaves else self._stack.go_back)()
            self._moving = False
        if passage.leaves:
            for symbol in (card[0], card[2]):
                if symbol is not None:
                    self._on_left(symbol)
        return True

    def _show(self, frame: Image) -> None:
        self._sink.write(frame, self.time_s)
        self._frames += 1

    def _wait(self, rate: float) -> None:
        """Until the next frame is due at `rate` times real time; a pull ends the wait between cards."""
        wait_s = self._pace.wait_s(time.monotonic(), rate)
        with self._change:
            self._change.wait_for(lambda: self._ended or (not self._moving and bool(self._wanted)), wait_s)
