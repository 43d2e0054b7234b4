"""What is no face, told apart without enrolment: a card's back, the cut card of any plain colour, a joker by its
letters.

Looks at the upright card as far as it is in view, at VIEW_PX_PER_MM. Says None where it is none of these; a face may
still be there that nobody could read. Plain white or grey paper is never said to be anything: an over-exposed face
looks like it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.answer import Answer
from vision.glyphs import PATCH_HEIGHT, Box, find_boxes

Image = NDArray[np.uint8]

VIEW_PX_PER_MM = 2.0
VIEW_MIN_MM = 30.0  # of the card's width and height must be in view
_MARGIN_MM = 5.0  # edges, corners and a back's white border
_BLOCK_MM = 4.0
_PLAIN_SPREAD = 0.07  # of the level: a block without print, soiled as it may be
_PLAIN_LIGHT = 0.45  # a plain card's light may fall by so much over it
_COLOURED = 0.22  # saturation of a cut card's plastic; paper in warm light stays below
_BUSY = 0.97  # of a back's blocks bear its pattern
_MOST_PRINT = 14  # blobs of print in a corner with letters; a pattern has more
_EVEN, _ONE_INK = 0.62, 0.22  # darkest to lightest block of a back, and how far its blocks' hues differ
_BLOWN_OUT = 250.0  # what is has no print any more
_MOST_NOISE = 14.0  # levels; a fine lattice has more steps than any sensor
_BLACK, _DARKER = 75.0, 0.45  # a black cut card's light at most: levels, and of its ground's light
_BARE = 0.94  # of a cut card's blocks bear nothing: dust may lie on some


def tell(view: Image, any_plain: bool = False) -> Answer | None:
    """`view`: BGR, the card from its top left corner, at VIEW_PX_PER_MM. `any_plain`: whether the table's cut card may
    have no colour."""
    blocks = _blocks(view)
    if blocks is None:
        return None
    mean, level, plain = blocks
    if plain.mean() >= _BARE:
        return (
            Answer("cut", 0.95)
            if _one_colour(mean, level) or (any_plain and _lit_all_over(level) and float(level.max()) < _BLOWN_OUT)
            else None
        )
    if (~plain).mean() >= _BUSY and _one_pattern(mean, level):
        return Answer("back", 0.95)
    return None


def plain_card(view: Image, ground: float) -> Answer | None:
    """A photographed thing without print: the cut card where it is coloured, or black against its ground's light."""
    blocks = _blocks(view)
    if blocks is None or blocks[2].mean() < _BARE:
        return None
    mean, level, _ = blocks
    black = float(np.percentile(level, 90)) < min(_BLACK, _DARKER * ground)
    return Answer("cut", 0.95) if black or _one_colour(mean, level) else None


def is_bare(view: Image) -> bool:
    """Whether a view bears no print at all."""
    blocks = _blocks(view)
    return blocks is not None and float(blocks[2].mean()) >= _BARE


def _blocks(view: Image) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_]] | None:
    """Of a view's blocks the colour, the light, and whether they are plain; None where too little is in view."""
    margin, block = round(_MARGIN_MM * VIEW_PX_PER_MM), round(_BLOCK_MM * VIEW_PX_PER_MM)
    inner = view[margin : view.shape[0] - margin, margin : view.shape[1] - margin]
    rows, columns = inner.shape[0] // block, inner.shape[1] // block
    if min(view.shape[:2]) < VIEW_MIN_MM * VIEW_PX_PER_MM or rows * columns == 0:
        return None
    blocks = inner[: rows * block, : columns * block].reshape(rows, block, columns, block, 3).astype(np.float32)
    mean, spread = blocks.mean(axis=(1, 3)), blocks.std(axis=(1, 3)).max(axis=2)
    level = np.maximum(mean.max(axis=2), 1.0)
    return mean, level, spread < np.maximum(_PLAIN_SPREAD * level, _noise(view))


def spells_joker(patch: Image) -> bool:
    """Whether the index column holds a stack of four small letters or more, as "JOKER" is printed down a corner."""
    every = find_boxes(patch)
    boxes = [box for box in every if box.x < 40 and 5 <= box.h <= 22 and 2 <= box.w <= 22]
    return len(every) <= _MOST_PRINT and any(4 <= _stack(box, boxes) <= 6 for box in boxes)


def joker_along(face: Image) -> bool:
    """Whether five letters of one height stand in a row from a card's top left corner, as "JOKER" may be printed;
    `face` at the patch's scale."""
    boxes = find_boxes(np.ascontiguousarray(face[:PATCH_HEIGHT, :PATCH_HEIGHT]))
    row = [box for box in boxes if box.bottom < 44 and 6 <= box.h <= 26 and 2 <= box.w <= 1.4 * box.h]
    return any(_row(box, row) == 5 for box in row if box.x < 36)


def _row(first: Box, boxes: list[Box]) -> int:
    """How many letters of one height stand beside one another from `first` on, itself the row's first."""
    count, last = 1, first
    for box in sorted(boxes, key=lambda b: b.x):
        aligned = abs(box.y - first.y) <= 3 and abs(box.bottom - first.bottom) <= 3
        if aligned and -2 <= box.x - last.right <= 0.6 * first.h:
            count, last = count + 1, box
    return count


def _stack(top: Box, boxes: list[Box]) -> int:
    """How many letters of one size stand below one another from `top` on."""
    count, last = 1, top
    for box in sorted(boxes, key=lambda b: b.y):
        gap = box.y - last.bottom
        aligned = abs((box.x + box.w / 2) - (top.x + top.w / 2)) <= 4
        if 0 <= gap <= 0.8 * top.h and aligned and abs(box.h - top.h) <= 0.25 * top.h + 1:
            count, last = count + 1, box
    return count


def _one_pattern(mean: NDArray[np.float32], level: NDArray[np.float32]) -> bool:
    """Whether all blocks look alike in light and hue, as a back's do; a court card's paper and robes do not."""
    dark, light = np.percentile(level, (8, 92))
    hue = (mean / level[..., None]).reshape(-1, 3)
    low, high = np.percentile(hue, (5, 95), axis=0)
    return float(dark) > _EVEN * float(light) and float((high - low).max()) < _ONE_INK


def _one_colour(mean: NDArray[np.float32], level: NDArray[np.float32]) -> bool:
    """Whether all blocks have one colour that is not paper's, light apart."""
    saturation = 1.0 - mean.min(axis=2) / level
    hue = mean / level[..., None]
    return (
        _lit_all_over(level)
        and float(saturation.min()) > _COLOURED
        and float(np.ptp(hue.reshape(-1, 3), axis=0).max()) < 0.15
    )


def _lit_all_over(level: NDArray[np.float32]) -> bool:
    """Whether a plain card is lit all over."""
    return float(level.min()) > (1.0 - _PLAIN_LIGHT) * float(level.max())


def _noise(view: Image) -> float:
    """The sensor's own spread, from differences of neighbours: print has few edges a pixel wide, noise only those."""
    steps = cv2.absdiff(view[:, 1:], view[:, :-1])
    return min(_MOST_NOISE, 1.5 * float(np.median(steps)) + 1.0)
