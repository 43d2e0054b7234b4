"""The one interface of every camera source: frames with a number and the camera's time, every wait with a deadline.

What a frame shows is left to the reader; whether to open a lost camera again is left to the child's loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

QUIET_S = 0.25  # how long a source waits before it says that nothing came
LOST_S = 5.0  # how long nothing may come before the camera counts as lost


@dataclass(frozen=True)
class Frame:
    """`image`: uint8, (rows, columns, 3) BGR or (rows, columns) grey, valid until the next frame is asked for."""

    image: Image
    number: int
    time_s: float


class SourceError(ValueError):
    """The source's name or its files are unusable; trying again would not help."""


class CameraLost(ConnectionError):
    """The camera does not open, or gives no frames any more; opening it again may help."""


class Source(Protocol):
    """What every source offers."""

    def frames(self) -> Iterator[Frame | None]:
        """Frames in order; None about every QUIET_S in which none came, so that the caller's loop goes on turning.

        Ends where a file or folder ends; raises CameraLost after LOST_S without a frame.
        """
        ...

    def close(self) -> None:
        """Give the camera back; `frames` must not be asked for more."""
        ...
