"""The rank's glyph and the suit's pip in the patch of a card's corner, by geometry in millimetres.

Ink is measured against the paper around it, never by an absolute level; lines of a court card's frame are cut off,
the two blobs of "10" joined, a broken stem given back to its pip. What a glyph means is left to the classifiers.

A patch is uint8 BGR, 144 rows by 64 columns (4 px/mm: 16 x 36 mm), upright, its (0, 0) the card's top left corner.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

PX_PER_MM = 4.0
PATCH_WIDTH, PATCH_HEIGHT = 64, 144
GLYPH = 32  # side of a normalised glyph picture
GLYPH_INNER = 28  # its glyph's longer side

_PAPER_WINDOW_MM = 9.0  # wider than the widest stroke, narrower than a change of light
_LINE_MM = 15.0  # no stroke of a usual index runs straight this far; a court card's frame does
_LONG_LINE_MM = 21.0  # the same for the largest
_SIDE_LINE_MM = 6.0  # the same for a horizontal line that runs out of the patch
_LINE_WIDTH_PX = 9  # what is wider is no line
_NECK = 0.45  # of a blob's width (height) at most is what joins two glyphs in it
_BELOW_NECK_PX = (0, 3, 5)  # a Q without its tail is no Q: cut through the pip's top, too
_RIM_PX = 2  # what touches the card's own rim is its edge, not print
_CORNER_PX = 7  # the card's round corner begins so near to both its edges
_MIN_GLYPH_MM = 1.7
_MAX_GLYPH_MM = 16.0
_MAX_RANK_MM = 20.0
_JUMBO_LEFT_MM = 6.0  # a pip of the face begins farther to the right
_FRAME_MM = 9.0  # at least so high is a frame round rank and suit
_FRAGMENT = 0.25  # of a glyph's box at most is what broke off it; a pip under a thin J is more


class Box(NamedTuple):
    """Pixels of the patch."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        return self.x + self.w

    @property
    def bottom(self) -> int:
        return self.y + self.h


@dataclass(frozen=True)
class Glyphs:
    """Where rank and suit are, and both as GLYPH x GLYPH pictures of ink (0 paper .. 255 full ink, aspect kept)."""

    ink: Image
    rank: Box
    suit: Box
    rank_picture: Image
    suit_picture: Image


def measure_ink(patch: Image) -> Image:
    """How much ink each pixel holds, 0 (the paper around it) to 255 (no light at all in its darkest channel)."""
    blue, green, red = cv2.split(_light(patch))
    return np.asarray(255 - cv2.min(blue, cv2.min(green, red)), np.uint8)


def _light(patch: Image) -> Image:
    """What each pixel leaves of the light of the paper around it, channel by channel, 255 all of it."""
    small = cv2.resize(patch, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    side = int(_PAPER_WINDOW_MM * PX_PER_MM / 4) | 1
    paper = cv2.blur(cv2.dilate(small, np.ones((side, side), np.uint8)), (side, side))
    wide = cv2.resize(paper, (patch.shape[1], patch.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.divide(patch, np.maximum(wide, 1), scale=255.0), np.uint8)


def _inks_apart(patch: Image) -> Iterator[Image]:
    """Black ink alone, red ink alone: what of a drawing touches an index is often of another colour."""
    blue, green, red = cv2.split(_light(patch))
    yield np.asarray(255 - cv2.max(blue, cv2.max(green, red)), np.uint8)
    yield np.asarray(cv2.subtract(red, green), np.uint8)


def find_glyphs(patch: Image) -> Glyphs | None:
    """Rank and suit of a patch, or None where the corner does not hold one glyph above another."""
    return next(glyph_candidates(patch), None)


def glyph_candidates(patch: Image) -> Iterator[Glyphs]:
    """What may be rank and suit of a patch, the likeliest first, each pair of boxes once: cuts at stricter levels,
    then with glyphs parted that touch. Which of them is one, the shapes must show."""
    if patch.shape != (PATCH_HEIGHT, PATCH_WIDTH, 3):
        raise ValueError(f"a patch is {PATCH_HEIGHT}x{PATCH_WIDTH}x3, not {patch.shape}")
    ink = measure_ink(patch)
    known: set[tuple[Box, Box]] = set()
    for seen, mask, boxes in chain(_cuts(ink), _cuts_by_colour(patch)):
        rank = _find_rank(boxes)
        suit = _find_suit(boxes, rank) if rank is not None else None
        if rank is None or suit is None or (rank, suit) in known:
            continue
        known.add((rank, suit))
        yield Glyphs(ink, rank, suit, glyph_picture(seen, mask, rank), glyph_picture(seen, mask, suit))


Cut = tuple[Image, Image, list[Box]]  # ink, mask of print, its blobs


def _cuts(ink: Image) -> Iterator[Cut]:
    """Levels of print, then the same with glyphs parted that touch."""
    masks: list[tuple[Image, list[Box]]] = []
    for mask in _print_masks(ink):
        masks.append((mask, _blobs(mask)))
        yield ink, *masks[-1]
    for below in _BELOW_NECK_PX:
        for mask, boxes in masks[:2]:
            parted = _parted(mask, boxes, below)
            if parted is not None:
                yield ink, parted, _blobs(parted)
    for mask in _print_masks(ink, _LONG_LINE_MM):
        yield ink, mask, _blobs(mask)


def _cuts_by_colour(patch: Image) -> Iterator[Cut]:
    """Levels of print of one ink alone."""
    for ink in _inks_apart(patch):
        for mask in _print_masks(ink):
            yield ink, mask, _blobs(mask)


def find_boxes(patch: Image) -> list[Box]:
    """Every blob of print in a patch, from top to bottom."""
    return _blobs(next(_print_masks(measure_ink(patch))))


def glyph_picture(ink: Image, mask: Image, box: Box) -> Image:
    """The ink of one glyph scaled to GLYPH_INNER on its longer side, centred, its fullest ink at 255."""
    x, y = max(0, box.x - 1), max(0, box.y - 1)
    right, bottom = min(ink.shape[1], box.right + 1), min(ink.shape[0], box.bottom + 1)
    near = cv2.dilate(mask[y:bottom, x:right], np.ones((3, 3), np.uint8))
    cut = cv2.bitwise_and(ink[y:bottom, x:right], near)
    scale = GLYPH_INNER / max(cut.shape)
    size = max(1, round(cut.shape[1] * scale)), max(1, round(cut.shape[0] * scale))
    small = cv2.resize(cut, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    full = max(1.0, float(np.percentile(small, 95)))
    picture = np.zeros((GLYPH, GLYPH), np.uint8)
    top, left = (GLYPH - size[1]) // 2, (GLYPH - size[0]) // 2
    picture[top : top + size[1], left : left + size[0]] = cv2.convertScaleAbs(small, alpha=255.0 / full)
    return picture


def _print_masks(ink: Image, line_mm: float = _LINE_MM) -> Iterator[Image]:
    """255 where there is print, without frame lines and rim; then stricter masks that part what blur joined."""
    level, _ = cv2.threshold(ink, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    low = min(max(level, 45.0), 140.0)
    for stricter, opened in ((0.0, False), (0.4, False), (0.0, True)):
        mask = cv2.threshold(ink, low + stricter * (255.0 - low), 255, cv2.THRESH_BINARY)[1]
        mask[:_RIM_PX] = 0
        mask[:, :_RIM_PX] = 0
        mask = cv2.subtract(mask, _frame_lines(np.asarray(mask, np.uint8), line_mm))
        if opened:
            mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        yield np.asarray(mask, np.uint8)


def _frame_lines(mask: Image, line_mm: float) -> Image:
    """Straight runs longer than a glyph's stroke: down the patch, or across it and out of its right side."""
    wide = cv2.dilate(mask, np.ones((1, 3), np.uint8))
    tall = cv2.morphologyEx(wide, cv2.MORPH_OPEN, np.ones((int(line_mm * PX_PER_MM), 1), np.uint8))
    thick = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((1, _LINE_WIDTH_PX), np.uint8))
    tall = cv2.subtract(tall, thick)  # a pip that a line runs into keeps its middle
    high = cv2.dilate(mask, np.ones((3, 1), np.uint8))
    across = cv2.morphologyEx(high, cv2.MORPH_OPEN, np.ones((1, int(_SIDE_LINE_MM * PX_PER_MM)), np.uint8))
    kept = np.zeros_like(across)
    for outline in cv2.findContours(across, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[-2]:
        x, y, w, h = cv2.boundingRect(outline)
        if x + w >= mask.shape[1] - 1 and h <= 8:
            kept[y : y + h, x : x + w] = across[y : y + h, x : x + w]
    return np.asarray(cv2.bitwise_or(tall, kept), np.uint8)


def _blobs(mask: Image) -> list[Box]:
    """Boxes of connected print from top to bottom; specks are left out, and a frame that is drawn round the index."""
    outlines, order = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)[-2:]
    boxes = [Box(*cv2.boundingRect(o)) for o, links in zip(outlines, _rows(order), strict=True) if links[3] < 0]
    boxes = [b for b in boxes if b.w * b.h >= 6 and max(b.w, b.h) >= 4 and not _round_corner(mask, b)]
    kept = [box for box in boxes if box.h < _FRAME_MM * PX_PER_MM or sum(_holds(box, other) for other in boxes) < 2]
    return sorted(kept, key=lambda box: box.y)


def _round_corner(mask: Image, box: Box) -> bool:
    """Whether a blob is the arc of the card's own corner: nothing in the half of its box away from the corner."""
    far = mask[box.y + box.h // 2 : box.bottom, box.x + box.w // 2 : box.right]
    return max(box.x, box.y) <= _CORNER_PX and cv2.countNonZero(far) < 0.08 * far.size


def _parted(mask: Image, boxes: list[Box], below: int = 0) -> Image | None:
    """The mask with the index column's long blobs cut at their necks, or that many pixels below: a Q's tail that
    touches its pip, a rank that touches the pip beside it. None where there is nothing to cut."""
    parted = mask.copy()
    cut = False
    for box in boxes:
        if box.x > 5 * PX_PER_MM or box.y > 6 * PX_PER_MM or max(box.w, box.h) < 6 * PX_PER_MM:
            continue
        blob = mask[box.y : box.bottom, box.x : box.right]
        down = box.h > 1.3 * box.w
        print_of = np.count_nonzero(blob, axis=1 if down else 0)
        first, last = int(0.3 * len(print_of)), int(0.75 * len(print_of))
        neck = first + int(print_of[first:last].argmin())
        if not 0 < print_of[neck] <= _NECK * min(blob.shape):
            continue
        if down:
            parted[min(box.y + neck + below, box.bottom - 1), box.x : box.right] = 0
        elif below == 0:
            parted[box.y : box.bottom, box.x + neck] = 0
        cut = True
    return parted if cut else None


def _rows(order: object) -> list[list[int]]:
    """The hierarchy of contours; there is none where there are no contours."""
    return [] if order is None else np.asarray(order, np.int32)[0].tolist()


def _holds(box: Box, other: Box) -> bool:
    """Whether a glyph-sized box lies inside another."""
    inside = box.x < other.x and box.y < other.y and other.right < box.right and other.bottom < box.bottom
    return inside and other.h >= _MIN_GLYPH_MM * PX_PER_MM


def _find_rank(boxes: list[Box]) -> Box | None:
    """The topmost glyph of the index column, "10" joined from its two blobs."""
    low, high, wide = _MIN_GLYPH_MM * PX_PER_MM, _MAX_RANK_MM * PX_PER_MM, _MAX_GLYPH_MM * PX_PER_MM
    tall = [b for b in boxes if low <= b.h <= high and b.w <= wide and b.x < 9.5 * PX_PER_MM and b.y < 13 * PX_PER_MM]
    tall = [b for b in tall if _within(b)]
    if not tall:
        return None
    first = min(tall, key=lambda b: b.y + b.x)
    joined = first
    for other in tall:
        if other is not first and _beside(first, other):
            joined = _union(joined, other)
    return _with_fragments(joined, boxes)


def _find_suit(boxes: list[Box], rank: Box) -> Box | None:
    """The glyph under the rank that shares its column."""
    low, high = _MIN_GLYPH_MM * PX_PER_MM, _MAX_GLYPH_MM * PX_PER_MM
    below = [
        b
        for b in boxes
        if b.y >= rank.bottom - 2
        and b.y - rank.bottom < 9 * PX_PER_MM
        and low <= max(b.w, b.h) <= high
        and min(b.w, b.h) >= 4
        and abs((b.x + b.w / 2) - (rank.x + rank.w / 2)) < max(0.45 * rank.w, 1.6 * PX_PER_MM)
        and _within(b)
        and b.bottom < PATCH_HEIGHT - 1
    ]
    if not below:
        return None
    return _with_fragments(min(below, key=lambda b: b.y), boxes)


def _within(box: Box) -> bool:
    """Whether the patch holds the glyph: it ends inside, or is a jumbo one that begins far left and is hardly cut."""
    return box.right < PATCH_WIDTH - 1 or box.x < _JUMBO_LEFT_MM * PX_PER_MM


def _beside(first: Box, other: Box) -> bool:
    """Whether two blobs stand on one line, close together: the 1 and the 0 of "10"."""
    overlap = min(first.bottom, other.bottom) - max(first.y, other.y)
    gap = max(first.x, other.x) - min(first.right, other.right)
    return overlap > 0.7 * max(first.h, other.h) and gap < 0.35 * max(first.h, other.h)


def _union(a: Box, b: Box) -> Box:
    x, y = min(a.x, b.x), min(a.y, b.y)
    return Box(x, y, max(a.right, b.right) - x, max(a.bottom, b.bottom) - y)


def _with_fragments(box: Box, boxes: list[Box]) -> Box:
    """The box with small blobs that broke off it: a stem below, a serif, a leaf beside."""
    whole = box
    for other in boxes:
        overlap = min(box.right, other.right) - max(box.x, other.x)
        gap = max(box.y, other.y) - min(box.bottom, other.bottom)
        inside = other.y >= box.y and other.bottom <= box.bottom and overlap > 0
        small = other.h < 0.4 * box.h and other.w * other.h < _FRAGMENT * box.w * box.h
        stem = 0 <= gap <= 3 and small and overlap >= 0.6 * other.w
        if other != box and (inside or stem):
            whole = _union(whole, other)
    return whole
