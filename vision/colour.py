"""Red or black by measured hue against paper, with a dead band: undecided colour never chooses.

The measure is a ratio of two losses of light, so neither exposure nor blur nor a glyph's thickness changes it: how
much less red than green a glyph takes from the paper's light. What follows from a colour is left to `vision.decide`.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.glyphs import Box

Image = NDArray[np.uint8]

RED_FROM = 0.42  # red inks measured on photographs: 0.6 to 1.1
BLACK_TO = 0.25  # black ones: -0.1 to 0.21 (brown under a warm lamp)
_INK_FROM = 60  # ink that counts, of 255: thinner is paper's noise


def redness(patch: Image, ink: Image, box: Box) -> float:
    """About 0 for black ink (below for green and blue), towards 1 for red, over one glyph's box of a BGR patch.

    `ink` is `vision.glyphs.measure_ink` of the patch. 0.33, undecided, where there is no ink.
    """
    rows, columns = slice(box.y, box.bottom), slice(box.x, box.right)
    weight = ink[rows, columns].astype(np.float32)
    paper = _paper(patch, ink)
    weight[weight < _INK_FROM] = 0.0
    light = patch[rows, columns].astype(np.float32) / paper
    green_lost = float(np.sum(weight * (1.0 - light[..., 1])))
    red_lost = float(np.sum(weight * (1.0 - light[..., 2])))
    if green_lost <= 0.05 * float(weight.sum()):
        return 0.5 * (RED_FROM + BLACK_TO)
    return (green_lost - red_lost) / green_lost


def is_red(value: float) -> bool | None:
    """True: red, False: black, None: undecided."""
    if value >= RED_FROM:
        return True
    return False if value <= BLACK_TO else None


def _paper(patch: Image, ink: Image) -> NDArray[np.float32]:
    """Mean colour of what holds no ink."""
    mean = cv2.mean(patch, (ink < 24).astype(np.uint8))
    return np.maximum(np.array(mean[:3], np.float32), 1.0)
