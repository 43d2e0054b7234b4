"""Whether the card whose index is in view goes on as far as a card does: half a card bears a whole index too.

Looks along two lines across the card, as low on it as the picture shows. How wide it is, `vision.passage` sees.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM, Geometry
from vision.slot import Corner

Image = NDArray[np.uint8]

_FROM_MM = 36.0  # higher up lies the index: a picture that ends above shows nothing of the rest
_MARGIN_MM = 4.0  # of the card's lower edge
_APART_MM = 2.5  # the two lines: print may be dark along one of them
_DARK = 0.6  # of the level half way between floor and paper
_LEAST = 0.02  # of a line's points; a printed card's own white rim is more


def is_part(upright: Image, corner: Corner, geometry: Geometry, level: float) -> bool:
    """`upright`: the BGR frame; `level`: half way from floor to paper. Whether the floor is seen where card must be."""
    scale = geometry.px_per_mm
    in_view = (upright.shape[0] - corner.y) / scale - CARD_WIDTH_MM * max(0.0, corner.along[1]) - 1.0
    lowest = min(CARD_HEIGHT_MM - _MARGIN_MM, in_view)
    if lowest - _APART_MM < _FROM_MM:
        return False
    return all(_bare(upright, corner, scale, down, _DARK * level) for down in (lowest, lowest - _APART_MM))


def _bare(upright: Image, corner: Corner, scale: float, down_mm: float, level: float) -> bool:
    """Whether next to nothing along a line of the card, `down_mm` below its upper edge, is brighter than `level`."""
    along = np.arange(1.0, CARD_WIDTH_MM - 1.0, 0.5)
    x = np.rint(corner.x + scale * (along * corner.along[0] + down_mm * corner.down[0])).astype(int)
    y = np.rint(corner.y + scale * (along * corner.along[1] + down_mm * corner.down[1])).astype(int)
    seen = (x >= 0) & (x < upright.shape[1]) & (y >= 0) & (y < upright.shape[0])
    points = upright[y[seen], x[seen]].max(axis=1)
    return points.size > 0 and float((points > level).mean()) < _LEAST
