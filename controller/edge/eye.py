"""How far the reader has looked. What waits for a reading asks this, not the clock on the wall.

A reader that stalls (a busy machine, a stopped process) reads its cards later, but it reads them: a card that a beam
counted is unseen only once pictures taken well after it have been read. Leaves what is waited for to `exit_watch`,
`beams` and `witnesses`.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from vision.messages import Camera, Heartbeat, Message

BLIND_S = 10.0  # a reader that is lost for so long is not waited for: a restarted one is back in less
FRAMES_LEAST = 30  # a camera that drops frames jumps in time; what follows the jump has to be read too
LOOK_S = 0.25  # a reader's heartbeat: before this has passed nothing can have changed


class Mark(NamedTuple):
    """A moment of the reader's: frames and camera seconds read so far."""

    frames: int
    time_s: float


class Eye:
    """Fed with the reader's messages in order, on the loop. Without a camera (never fed) nothing is waited for."""

    def __init__(self) -> None:
        self._camera: str | None = None
        self._since = 0.0
        self._read = Mark(0, 0.0)  # over all children
        self._last: Mark | None = None  # this child's newest

    def watch(self, message: Message) -> None:
        if isinstance(message, Camera):
            if message.state != self._camera:
                self._since = time.monotonic()
            if message.state != "ok":
                self._last = None
            self._camera = message.state
        elif isinstance(message, Heartbeat):
            now = Mark(message.frames, message.time_s)
            if self._last is not None:
                ahead = max(0, now.frames - self._last.frames), max(0.0, now.time_s - self._last.time_s)
                self._read = Mark(self._read.frames + ahead[0], self._read.time_s + ahead[1])
            self._last = now

    def mark(self) -> Mark:
        """Where the reader is now."""
        return self._read

    def past(self, mark: Mark, seconds: float) -> bool:
        """Whether it has read all that it could see up to `seconds` of the camera's time after `mark`."""
        if self._camera is None or self._camera == "ended":
            return True
        if self._camera != "ok":
            return time.monotonic() - self._since >= BLIND_S
        read = self._read
        return read.time_s - mark.time_s >= seconds and read.frames - mark.frames >= FRAMES_LEAST
