"""Frames from another process through `vision.ring`: the simulator's camera. No copy: readers look into the ring."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from vision.ring import RingClosed, RingReader
from vision.sources.base import LOST_S, QUIET_S, CameraLost, Frame


class SharedSource:
    """Raises CameraLost where nobody listens at `path`."""

    def __init__(self, path: Path, lost_s: float = LOST_S) -> None:
        self._path = path
        self._lost_s = lost_s
        try:
            self._ring = RingReader(path)
        except OSError as error:
            raise CameraLost(f"{path}: {error.strerror or error}") from error

    def frames(self) -> Iterator[Frame | None]:
        quiet_s = 0.0
        while quiet_s < self._lost_s:
            try:
                frame = self._ring.read(QUIET_S)
            except RingClosed as error:
                raise CameraLost(f"{self._path}: {error}") from error
            if frame is None:
                quiet_s += QUIET_S
                yield None
            else:
                quiet_s = 0.0
                yield Frame(frame.image, frame.number, frame.time_s)
        raise CameraLost(f"{self._path}: no frame for {self._lost_s:g} s")

    def close(self) -> None:
        self._ring.close()
