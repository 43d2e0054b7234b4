"""The first way of reading by enrolment: how alike two views are, by correlation of their light.

A view is turned into its *relief*, how much lighter or darker each place is than its surroundings, so that neither
exposure nor uneven light is left in it; a template is compared at every small shift. The second way, which fails
differently, is `vision.gradients`; what follows from the figures is left to `vision.deck_reader`.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

_DARK = 1.0  # added to every level: what the sensor's black is worth, so that black stays finite
_DEEPEST = 1.5  # of the surroundings' light: glare is no print


@dataclass(frozen=True)
class ViewShape:
    """How a kind of view is compared: its working size (px), how far it may be off (px), how wide its surroundings are.

    `turned`: a card may lie half turned in it.
    """

    width: int
    height: int
    reach: int
    around: float
    turned: bool

    @property
    def inner(self) -> tuple[int, int]:
        """Height and width of what is compared: a view without its rim of `reach`."""
        return self.height - 2 * self.reach, self.width - 2 * self.reach


def relief(view: Image, shape: ViewShape) -> Floats:
    """A BGR view as its relief at working size: 0 like its surroundings, -1 black, positive lighter."""
    size = (shape.width, shape.height)
    small = cv2.resize(view, size, interpolation=cv2.INTER_AREA) if view.shape[1::-1] != size else view
    light = small.astype(np.float32).mean(axis=2) + _DARK
    around = cv2.GaussianBlur(light, (0, 0), shape.around)
    return np.asarray(np.clip(light / around - 1.0, -1.0, _DEEPEST), np.float32)


def strength(raised: Floats) -> float:
    """How much print there is in a relief: its root mean square."""
    return float(np.sqrt(np.mean(np.square(raised))))


class Likeness:
    """Templates of one shape, compared all at once.

    What all templates have in common (a card's edge, a tray, bare paper) says nothing of which card it is: its
    direction is taken out of the templates and of what is compared with them.
    """

    def __init__(self, templates: Floats, common: Floats, shape: ViewShape) -> None:
        """`templates` n unit rows without any part along `common`, a unit row or zero."""
        self.templates, self.common = templates, common
        self._shape = shape

    @classmethod
    def fit(cls, reliefs: Floats, shape: ViewShape) -> Likeness:
        """Of n reliefs."""
        rows = _flat(reliefs, shape)
        common = _units(rows.mean(axis=0, keepdims=True))[0]
        return cls(_units(rows - (rows @ common)[:, None] * common), common, shape)

    @classmethod
    def plain(cls, reliefs: Floats, shape: ViewShape) -> Likeness:
        """Of reliefs of which nothing is in common: their bare correlation."""
        return cls(_flat(reliefs, shape), np.zeros(shape.inner[0] * shape.inner[1], np.float32), shape)

    def scores(self, raised: Floats) -> Floats:
        """Correlation (-1..1) of a relief with each template, at the shift where it is best."""
        shifted = _shifted(raised, self._shape)
        left = np.sqrt(np.maximum(1.0 - np.square(shifted @ self.common), 1e-3))
        return np.asarray(((self.templates @ shifted.T) / left).max(axis=1), np.float32)


def _flat(reliefs: Floats, shape: ViewShape) -> Floats:
    """The inner parts of n reliefs, each a unit row."""
    reach = shape.reach
    height, width = shape.inner
    inner = reliefs[:, reach : reach + height, reach : reach + width]
    return _units(inner.reshape(len(reliefs), -1))


def _shifted(raised: Floats, shape: ViewShape) -> Floats:
    """The inner part at every shift, each as a unit row."""
    windows = np.lib.stride_tricks.sliding_window_view(raised, shape.inner)
    return _units(windows.reshape(windows.shape[0] * windows.shape[1], -1))


def _units(rows: Floats) -> Floats:
    centred = rows - rows.mean(axis=1, keepdims=True)
    length = np.linalg.norm(centred, axis=1, keepdims=True)
    return np.asarray(centred / np.maximum(length, 1e-6), np.float32)
