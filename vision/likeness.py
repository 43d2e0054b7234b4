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

_FAR = 6  # px of reach, from which on not every shift is tried
_REFINED = 12  # templates whose best shift is looked around then
_DARK = 1.0  # added to every level: what the sensor's black is worth, so that black stays finite
_DEEPEST = 1.5  # of the surroundings' light: glare is no print


@dataclass(frozen=True)
class ViewShape:
    """How a kind of view is compared: its working size (px), how far it may be off (px), how wide its surroundings are.

    `turned`: a card may lie half turned in it; `colour`: the print's redness counts beside its light;
    `soft`: by how much (px) it is blurred, where a card's outline is not found to a hair; `align`: and it is brought
    onto the templates then (`vision.deck_aligned`).
    """

    width: int
    height: int
    reach: int
    around: float
    turned: bool
    colour: bool = False
    soft: float = 0.0
    align: bool = False

    @property
    def inner(self) -> tuple[int, int]:
        """Height and width of what is compared: a view without its rim of `reach`."""
        return self.height - 2 * self.reach, self.width - 2 * self.reach


def relief(view: Image, shape: ViewShape) -> Floats:
    """A BGR view as its relief at working size, 1 or 2 planes x height x width.

    Light: 0 like its surroundings, -1 black, positive lighter. Redness: how much more of its surroundings' red than of
    their green a place gives, so red print is positive and black print 0 whatever the light's colour.
    """
    size = (shape.width, shape.height)
    small = cv2.resize(view, size, interpolation=cv2.INTER_AREA) if view.shape[1::-1] != size else view
    levels = small.astype(np.float32) + _DARK
    if shape.soft:
        levels = np.asarray(cv2.GaussianBlur(levels, (0, 0), shape.soft), np.float32)
    planes = [_raised(levels.mean(axis=2), shape)]
    if shape.colour:
        planes.append(_raised(levels[..., 2], shape) - _raised(levels[..., 1], shape))
    return np.stack(planes)


def _raised(level: Floats, shape: ViewShape) -> Floats:
    around = cv2.GaussianBlur(level, (0, 0), shape.around)
    return np.asarray(np.clip(level / around - 1.0, -1.0, _DEEPEST), np.float32)


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
        rows = _flat(reliefs, shape)
        return cls(rows, np.zeros(rows.shape[1], np.float32), shape)

    def scores(self, raised: Floats) -> Floats:
        """Correlation (-1..1) of a relief with each template, at the shift where it is best.

        Where it may be far off, every other shift is tried, then those around the likeliest templates' best.
        """
        windows = np.lib.stride_tricks.sliding_window_view(raised, self._shape.inner, axis=(1, 2))
        windows = windows.transpose(1, 2, 0, 3, 4)
        if self._shape.reach < _FAR:
            return np.asarray(self._compare(windows).max(axis=1), np.float32)
        coarse = self._compare(windows[::2, ::2])
        best = coarse.max(axis=1)
        wide = windows[::2, ::2].shape[1]
        for at in {int(coarse[k].argmax()) for k in np.argsort(best)[-_REFINED:]}:
            row, column = 2 * (at // wide), 2 * (at % wide)
            near = windows[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
            best = np.maximum(best, self._compare(near).max(axis=1))
        return np.asarray(best, np.float32)

    def best(self, raised: Floats) -> tuple[Floats, NDArray[np.int64]]:
        """Correlation with each template at its best shift of all, and that shift (n x 2, px across and down)."""
        windows = np.lib.stride_tricks.sliding_window_view(raised, self._shape.inner, axis=(1, 2))
        compared = self._compare(windows.transpose(1, 2, 0, 3, 4))
        down, across = np.divmod(compared.argmax(axis=1), windows.shape[2])
        return compared.max(axis=1), np.stack([across, down], axis=1) - self._shape.reach

    def at_rest(self, raised: Floats) -> Floats:
        """The same at no shift."""
        reach = self._shape.reach
        inner = raised[:, reach : raised.shape[1] - reach, reach : raised.shape[2] - reach]
        return np.asarray(self._compare(inner[None, None])[:, 0], np.float32)

    def _compare(self, windows: Floats) -> Floats:
        """Correlations, templates x shifts."""
        shifted = _units(windows.reshape(windows.shape[0] * windows.shape[1], -1))
        left = np.sqrt(np.maximum(1.0 - np.square(shifted @ self.common), 1e-3))
        return np.asarray((self.templates @ shifted.T) / left, np.float32)


def _flat(reliefs: Floats, shape: ViewShape) -> Floats:
    """The inner parts of n reliefs, each a unit row."""
    reach = shape.reach
    height, width = shape.inner
    inner = reliefs[:, :, reach : reach + height, reach : reach + width]
    return _units(inner.reshape(len(reliefs), -1))


def _units(rows: Floats) -> Floats:
    centred = rows - rows.mean(axis=1, keepdims=True)
    length = np.linalg.norm(centred, axis=1, keepdims=True)
    return np.asarray(centred / np.maximum(length, 1e-6), np.float32)
