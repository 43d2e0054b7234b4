"""A card without print: the cut card's plastic. There is nothing on it to compare; its colour is what was enrolled.

Only a colour that differs from the paper's counts: an over-exposed face is plain and white too.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

_PRINT = 0.03  # relief of a card with print, its root mean square; plastic stays below
_AROUND = 0.25  # of the view's width: what is taken for its surroundings
_SAME = 0.04  # parts of blue, green and red
_FROM_PAPER = 0.06
_MOST, _LEAST = 250.0, 12.0  # levels between which a colour is known


def is_plain(view: Image) -> bool:
    """Whether a view of a card bears no print."""
    small = cv2.resize(view, (32, 48), interpolation=cv2.INTER_AREA).astype(np.float32).mean(axis=2) + 1.0
    around = cv2.GaussianBlur(small, (0, 0), _AROUND * small.shape[1])
    return float(np.sqrt(np.mean(np.square(small / around - 1.0)))) < _PRINT


def colour_of(view: Image) -> Floats:
    """The parts of blue, green and red of a view's light."""
    mean = np.array(cv2.mean(view)[:3], np.float32) + 1.0
    return np.asarray(mean / mean.sum(), np.float32)


def cut_colour(views: Sequence[Image], paper: Floats) -> Floats:
    """The colour of plain cut cards, empty where there are none or they are as white as the paper."""
    if not views:
        return np.zeros(0, np.float32)
    colour = np.asarray(np.median([colour_of(view) for view in views], axis=0), np.float32)
    return colour if float(np.abs(colour - paper).max()) >= _FROM_PAPER else np.zeros(0, np.float32)


def is_cut(view: Image, colour: Floats) -> bool:
    """Whether a view is plain and of the enrolled cut card's colour."""
    level = float(view.mean())
    if colour.size != 3 or not _LEAST <= level <= _MOST or not is_plain(view):
        return False
    return float(np.abs(colour_of(view) - colour).max()) <= _SAME
