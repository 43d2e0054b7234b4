"""What reads the patch of a card's corner, whoever it is."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.answer import Answer

Image = NDArray[np.uint8]


class Reads(Protocol):
    """What reads a patch; `vision.decide.FaceReader` does."""

    def read(self, patch: Image) -> Answer:
        """The face that a patch shows, or why none is said."""
        ...
