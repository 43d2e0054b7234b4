"""Whether another card's paper shows in a photograph beside the card that was read, where the ground is darker than
paper: a whole card of the same size elsewhere, or paper that goes on beyond the card's outline.

The lower of two overlapping cards often shows no index, and its outline is no quadrilateral. What is as bright as the
read card's rim is paper; what of it reaches the picture's side may be the desk, a sheet or a neighbour out of sight,
and says nothing.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CARD_WIDTH_MM
from vision.locate import Contour, Quad

Image = NDArray[np.uint8]

_WIDTH_PX = 110  # of the read card in the picture that is searched
_RIM_MM, _RING_MM = 2.0, (2.0, 5.0)  # where its paper and the ground are measured
_GROUND = 0.72  # of the rim's light at most: lighter ground may be its own light, not paper
_PAPER = 0.6  # of the way from the ground's light to the rim's
_HALO_MM = 1.5  # round the outline: it may be off by so much
_STRIP_MM = 5.0  # of paper at least; a glossy rim is narrower
_LEAST, _MOST = 0.08, 4.0  # of the card's area: paper beyond it, and the paper in one piece
_SOLID = 0.8  # of its hull by cards that overlap; the lustre of a desk is ragged
_SAME_SIZE = (0.6, 1.5)  # of the card's area: another whole card
_FILL, _ASPECTS = 0.88, (1.2, 1.58)  # of its rectangle by a card's blob; calling cards are as 1.67 to 1
_MOST_OF_PICTURE = 0.5  # by the read card: else there is no room for another, and its outline may be too small


def another_paper(image: Image, quad: Quad) -> bool:
    """`quad`: the card that was read."""
    scale = min(1.0, _WIDTH_PX / max(1.0, quad.width))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    mm = quad.width * scale / CARD_WIDTH_MM
    blue, green, red = cv2.split(small)
    light = np.asarray(cv2.GaussianBlur(cv2.min(blue, cv2.min(green, red)), (3, 3), 0), np.uint8)
    own = np.zeros_like(light)
    cv2.fillConvexPoly(own, np.rint(quad.corners * scale).astype(np.int32), 255)
    level = _paper_level(light, own, mm)
    if level is None or cv2.countNonZero(own) > _MOST_OF_PICTURE * own.size:
        return False
    paper = np.asarray(cv2.bitwise_or(cv2.threshold(light, level, 255, cv2.THRESH_BINARY)[1], own), np.uint8)
    outlines = cv2.findContours(paper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[-2]
    return any(_shows_card(outline, own, mm) for outline in outlines)


def _paper_level(light: Image, own: Image, mm: float) -> float | None:
    """What is brighter is paper; None where the ground is too light to tell."""
    light, own = _cut(light, own, (_RING_MM[1] + 1) * mm)
    rim = light[(own > 0) & (_grown(255 - own, _RIM_MM * mm) > 0)]
    near, far = (_grown(own, reach * mm) for reach in _RING_MM)
    ring = light[(far > 0) & (near == 0)]
    if rim.size == 0 or ring.size == 0:
        return None
    paper, ground = float(np.median(rim)), float(np.percentile(ring, 25))
    return ground + _PAPER * (paper - ground) if ground < _GROUND * paper else None


def _shows_card(outline: Contour, own: Image, mm: float) -> bool:
    """Whether this piece of paper is another card, or the read one and another."""
    x, y, width, height = cv2.boundingRect(outline)
    if x <= 1 or y <= 1 or x + width >= own.shape[1] - 1 or y + height >= own.shape[0] - 1:
        return False
    card, area = float(cv2.countNonZero(own)), float(cv2.contourArea(outline))
    if not _LEAST * card < area < _MOST * card:
        return False
    pad = round(_STRIP_MM * mm) + 1
    left, top = max(0, x - pad), max(0, y - pad)
    own = np.ascontiguousarray(own[top : y + height + pad, left : x + width + pad])
    piece = np.zeros_like(own)
    cv2.drawContours(piece, [outline.astype(np.int32)], -1, 255, cv2.FILLED, offset=(-left, -top))
    if cv2.countNonZero(cv2.bitwise_and(piece, own)) == 0:
        return _is_whole(outline, area, card)
    if area < _SOLID * cv2.contourArea(cv2.convexHull(outline)):
        return False
    beyond = cv2.subtract(piece, _grown(own, _HALO_MM * mm))
    strips = cv2.morphologyEx(beyond, cv2.MORPH_OPEN, _disc(_STRIP_MM / 2 * mm))
    sizes = cv2.connectedComponentsWithStats(strips)[2][1:, cv2.CC_STAT_AREA]
    return bool((sizes > _LEAST * card).any())


def _is_whole(outline: Contour, area: float, card: float) -> bool:
    short, long = sorted(cv2.minAreaRect(outline)[1])
    shaped = area > _FILL * short * long and _ASPECTS[0] < long / max(1.0, short) < _ASPECTS[1]
    return shaped and _SAME_SIZE[0] * card < area < _SAME_SIZE[1] * card


def _cut(light: Image, own: Image, margin: float) -> tuple[Image, Image]:
    """Both without what is farther from the card than `margin` px."""
    x, y, width, height = cv2.boundingRect(own)
    left, top = max(0, int(x - margin)), max(0, int(y - margin))
    window = slice(top, int(y + height + margin) + 1), slice(left, int(x + width + margin) + 1)
    return np.ascontiguousarray(light[window]), np.ascontiguousarray(own[window])


def _grown(mask: Image, reach: float) -> Image:
    return np.asarray(cv2.dilate(mask, _disc(reach)), np.uint8)


def _disc(radius: float) -> Image:
    size = 2 * max(1, round(radius)) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)
