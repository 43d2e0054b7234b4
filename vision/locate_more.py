"""Whether another card lies in a photograph beside the one that was read: its index, or its paper along the card's
sides.

Overlapping and fanned cards have no outline of their own, so outlines alone miss them. An index is found by its two
glyphs, at the scale that the read card gives, and read as the card's own corner is. Paper is told from the ground by
the card's own rim, and only where the ground is plain and darker than paper.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.glyphs import PATCH_HEIGHT, PATCH_WIDTH, PX_PER_MM
from vision.locate import Quad, covered
from vision.locate_paper import another_paper
from vision.locate_print import Blobs, find_glyphs, index_pairs, measure_ink, rank_place
from vision.reads import Reads

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

_SCALE = 2.6  # px/mm at which the rest of the picture is searched
_INK = (60, 110)
_GLYPH_MM = (2.0, 13.0)
_INDEX_MM, _USUAL_INDEX_MM = (4.0, 15.0), 7.5  # from rank to suit
_MOST_READ, _MOST_INSIDE = 16, 4
_BESIDE = 0.04  # of another card at most lies on one that it does not touch
_WHOLE = 0.75  # of such a neighbour must be in the picture; one cut off by the picture's side is not what is shown
_CARD = ((0.0, 0.0), (CARD_WIDTH_MM, 0.0), (CARD_WIDTH_MM, CARD_HEIGHT_MM), (0.0, CARD_HEIGHT_MM))
_RINGS_MM, _RIM_MM = (2.6, 4.6), 1.2  # outside and inside a side; a card's shadow may hide the nearer
_SAMPLES = 40  # along a side
_GROUND = 0.78  # of the rim's light at most; on lighter ground the card's own shadow looks like ground
_PLAIN, _TEXTURE = 0.10, 0.06  # how far a plain ground's light may vary: parts of it, of the rim's
_LEAST_GROUND = 0.3  # of the ring
_ON_PAPER = 0.85  # of the card's usual light, where a side's inner sample lies on paper
_NO_PAPER = 1.15  # of the rim's light: brighter than the card's own paper
_GLIMPSE, _MOST_RUNS = 3, 3  # more runs of so many samples are no cards but a pattern
_PAPER = 0.65  # of the way from the ground's light to the rim's
_PRINT = 0.5  # of the ground's light at most
_RUN, _PAPER_OF_RUN = 8, 0.3  # samples in a row: 12 mm of a side


def another_card(image: Image, quad: Quad, symbol: str, reads: Reads) -> bool:
    """`quad`: the card that was read as `symbol`."""
    if any(_paper_beside(image, quad, ring) for ring in _RINGS_MM) or another_paper(image, quad):
        return True
    height, width = image.shape[:2]
    frame = Quad(np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64), 0, 0.0)
    for other, at in _indices(image, quad, reads):
        beside = covered(at, quad) < _BESIDE
        if other is not None and (other != symbol or beside) and not (beside and covered(at, frame) < _WHOLE):
            return True
    return False


def _indices(image: Image, quad: Quad, reads: Reads) -> Iterator[tuple[str | None, Quad]]:
    """What may be other indices: what is read there, and where the card would lie."""
    scale = min(1.0, _SCALE * CARD_WIDTH_MM / max(1.0, quad.width))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    mm = quad.width * scale / CARD_WIDTH_MM
    ink, redness = measure_ink(np.asarray(small, np.uint8), 12 * mm)
    tried: list[Floats] = []
    for level in _INK:
        blobs = find_glyphs(ink, redness, level, (_GLYPH_MM[0] * mm, _GLYPH_MM[1] * mm), 2)
        if blobs is None:
            continue
        for rank, suit in _likely_first(blobs, mm, quad.corners * scale):
            at, down = blobs.at[rank], blobs.at[suit] - blobs.at[rank]
            place = np.concatenate((at, blobs.at[suit]))
            known = any(np.abs(place - other).max() < mm for other in tried)
            if known:
                continue
            if len(tried) == _MOST_READ:
                return
            tried.append(place)
            index_x, rank_y = rank_place(float(np.linalg.norm(down)) / mm)
            right, down = _axes(down, mm)
            corner = at - index_x * right - rank_y * down
            card = [corner + x * right + y * down for x, y in _CARD]
            symbol = reads.read(_patch(np.asarray(small, np.uint8), corner, right, down)).symbol
            yield symbol, Quad(np.array(card) / scale, 1, 0.0)


def _axes(down: Floats, mm: float) -> tuple[Floats, Floats]:
    """A millimetre to the right and a millimetre down of a card whose suit lies `down` of its rank, px."""
    down = down / np.linalg.norm(down) * mm
    return np.array([down[1], -down[0]]), down


def _likely_first(blobs: Blobs, mm: float, own: Floats) -> list[tuple[int, int]]:
    """What may be rank and suit, by how usual their distance is; what lies on the read card after all others."""
    rank, suit = index_pairs(blobs)
    length = np.linalg.norm(blobs.at[suit] - blobs.at[rank], axis=1) / mm
    outline = own.astype(np.float32)
    inside = [cv2.pointPolygonTest(outline, (float(x), float(y)), False) > 0 for x, y in blobs.at]
    order = np.argsort(np.abs(np.log(length / _USUAL_INDEX_MM)))
    good = [(int(rank[k]), int(suit[k])) for k in order if _INDEX_MM[0] <= length[k] <= _INDEX_MM[1]]
    return [p for p in good if not inside[p[0]]] + [p for p in good if inside[p[0]]][:_MOST_INSIDE]


def _patch(image: Image, corner: Floats, right: Floats, down: Floats) -> Image:
    """The patch of a card's corner."""
    matrix = np.column_stack((right / PX_PER_MM, down / PX_PER_MM, corner))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = PATCH_WIDTH, PATCH_HEIGHT
    return np.asarray(cv2.warpAffine(image, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _paper_beside(image: Image, quad: Quad, ring_mm: float) -> bool:
    """Whether paper goes on past the card's sides in one or two places `ring_mm` outside, or the outline holds a piece
    of the ground, and plain ground lies at the other sides."""
    mm = quad.width / CARD_WIDTH_MM
    inside, outside = (_along(image, quad, offset * mm) for offset in (_RIM_MM, -ring_mm))
    rim = np.maximum(inside, 8.0)
    inner = np.asarray(np.isfinite(outside).all(axis=1))
    bright = np.nanpercentile(np.where(inner[:, None], rim, np.nan), 70, axis=0) if inner.any() else rim[0]
    seen = np.asarray(inner & (rim > _ON_PAPER * bright).all(axis=1))  # else the outline took a shadow for the card
    ratio = np.min(outside / rim, axis=1)
    level = float(np.percentile(ratio[seen], 30)) if seen.any() else 1.0
    ground = seen & (np.abs(ratio - level) < _PLAIN * level + _TEXTURE)
    if level > _GROUND or ground.sum() < _LEAST_GROUND * len(seen):
        return False
    same = (np.abs(inside - outside) < _PLAIN * outside + 4.0).all(axis=1)
    dark = np.min(inside / bright, axis=1) < 0.5 * (1.0 + level)
    if any(len(run) >= _RUN for run in _runs(np.asarray(inner & same & dark))):
        return True
    paper = np.asarray(seen & (ratio > level + _PAPER * (1.0 - level)) & (ratio < _NO_PAPER))
    printed = np.asarray(seen & (ratio < _PRINT * level))
    if sum(len(run) >= _GLIMPSE for run in _runs(paper)) > _MOST_RUNS:
        return False  # a pattern on the ground
    runs = _runs(np.asarray(np.logical_or(paper, printed)))
    return any(paper[run].mean() >= _PAPER_OF_RUN for run in runs if len(run) >= _RUN)


def _along(image: Image, quad: Quad, offset: float) -> Floats:
    """The light at samples along the four sides, `offset` px inwards, (n, 3); NaN outside the picture."""
    part = np.linspace(0.06, 0.94, _SAMPLES)[:, None]
    points = []
    for k in range(4):
        a, b = quad.corners[k], quad.corners[(k + 1) % 4]
        along = (b - a) / max(1.0, float(np.linalg.norm(b - a)))
        points.append(a + part * (b - a) + offset * np.array([-along[1], along[0]]))
    at = np.concatenate(points).astype(np.float32)
    x, y = (np.ascontiguousarray(at[:, k : k + 1]) for k in (0, 1))
    light = cv2.remap(image, x, y, cv2.INTER_LINEAR)[:, 0].astype(np.float64)
    inside = (at >= 1).all(axis=1) & (at[:, 0] < image.shape[1] - 2) & (at[:, 1] < image.shape[0] - 2)
    light[~inside] = np.nan
    return np.asarray(light)


def _runs(held: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """The runs of true round the ring."""
    order = np.arange(len(held))
    if not held.all():
        order = np.roll(order, -int(np.flatnonzero(~held)[0]))
    edges = np.flatnonzero(np.diff(np.concatenate(([0], held[order].astype(np.int8), [0]))))
    return [order[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
