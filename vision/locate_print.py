"""Cards whose edges do not show, by their print: the index of one end is that of the other turned by 180°.

A rank above its suit, the same two the other way round across the card, and their distances in proportion to a card:
that gives the card's place, turn and size without any edge, on a desk as white as the paper. What the print is, is
left to the reading, and that both ends of the card must say the same to `vision.still`.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.locate import Quad, overlap

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

_SIDE = 1000  # the longer side of the picture that is searched
_LEVELS = (45, 80, 125)  # of ink, 0 to 255
_MOST_BLOBS = 260
_MOST_TENS, _MOST_INDICES = 120, 800
_SMALL_PX, _LARGE = 5.0, 0.22  # a glyph's longer side: px, and part of the picture's side
_AREA, _SHAPE, _HUE = 0.45, 0.11, 60.0  # how far two ends of a card differ: logarithm, moments, levels of redness
_COPY_AREA, _COPY_SHAPE, _MOST_COPIES = 0.2, 0.03, 16
_NEAR, _FAR = 0.55, 2.4  # from rank to suit, in glyphs
_TURNED = 0.22  # how far the vectors from rank to suit of both ends may differ, parts of their length
_RANK_Y_MM = 8.0  # where most designs have the middle of their rank
_PROPORTION = (1.05, 1.85)  # of the rank's distances from the card's middle, down and across; 1.4 in most
_INDEX_MM = (3.5, 17.0)  # from rank to suit
_MOST_TRIED, _MOST = 200, 10


_MOMENTS = ("m00", "m10", "m01", "m20", "m11", "m02", "m30", "m21", "m12", "m03")


@dataclass(frozen=True)
class Blobs:
    """Print that may be glyphs: middles (n x 2), longer sides, areas, moments (n x 3, n x 4) and redness."""

    at: Floats
    size: Floats
    area: Floats
    second: Floats
    third: Floats
    hue: Floats


def find_by_print(image: Image) -> list[Quad]:
    """What may be cards in a BGR photograph by the indices at both ends, the likeliest first."""
    scale = min(1.0, _SIDE / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    side = max(small.shape[:2])
    ink, redness = measure_ink(np.asarray(small, np.uint8), side / 8)
    found: list[tuple[float, Quad]] = []
    for level in _LEVELS:
        blobs = find_glyphs(ink, redness, level, (_SMALL_PX, _LARGE * side), 4)
        if blobs is not None:
            found += _pairs(blobs)
    found.sort(key=lambda item: item[0])
    chosen: list[Quad] = []
    for _, quad in found[:_MOST_TRIED]:
        whole = Quad(quad.corners / scale, quad.votes, quad.straight)
        if all(overlap(whole, other) < 0.9 for other in chosen):
            chosen.append(whole)
        if len(chosen) == _MOST:
            break
    return chosen


def rank_place(index_mm: float) -> tuple[float, float]:
    """Where a rank's middle lies from the card's left and top edge, mm, by how far below it its suit's middle is: large
    indices begin no farther out."""
    return 3.2 + 0.3 * index_mm, 3.6 + 0.55 * index_mm


def measure_ink(small: Image, around: float) -> tuple[Image, Image]:
    """How much ink each pixel holds against the light within `around` px, and how red it is (128: not)."""
    coarse = cv2.resize(small, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    window = max(3, int(around / 4) | 1)
    paper = cv2.blur(cv2.dilate(coarse, np.ones((9, 9), np.uint8)), (window, window))
    wide = cv2.resize(paper, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_LINEAR)
    blue, green, red = cv2.split(cv2.divide(small, np.maximum(wide, 1), scale=255.0))
    ink = 255 - cv2.min(blue, cv2.min(green, red))
    return np.asarray(ink, np.uint8), np.asarray(cv2.addWeighted(red, 0.5, green, -0.5, 128), np.uint8)


def find_glyphs(ink: Image, redness: Image, level: int, sizes: tuple[float, float], least: int) -> Blobs | None:
    """What may be glyphs, their longer sides between `sizes` px; None where there are not `least`."""
    mask = cv2.threshold(ink, level, 255, cv2.THRESH_BINARY)[1]
    kept = []
    for outline in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[-2]:
        x, y, w, h = cv2.boundingRect(outline)
        if not sizes[0] <= max(w, h) <= sizes[1] or min(w, h) < 0.12 * max(w, h):
            continue
        moments = cv2.moments(outline)
        if moments["m00"] < 0.15 * w * h or moments["m00"] < 8:
            continue
        hue = cv2.mean(redness[y : y + h, x : x + w], mask[y : y + h, x : x + w])[0]
        kept.append((*(moments[name] for name in _MOMENTS), hue))
    if len(kept) < least:
        return None
    kept.sort(key=lambda row: -row[0])
    raw = np.array(kept[:_MOST_BLOBS], np.float64)
    single = _unlike(_described(raw))
    joined = _described(_joined(raw, _described(raw)))
    rows = np.concatenate((single, joined)) if len(joined) else single
    return Blobs(rows[:, :2], rows[:, 2], rows[:, 3], rows[:, 4:7], rows[:, 7:11], rows[:, 11])


def _described(raw: Floats) -> Floats:
    """Middle, size, area, normalised central moments and redness, by the moments about the picture's corner."""
    m00, m10, m01, m20, m11, m02, m30, m21, m12, m03, hue = raw.T
    x, y = m10 / m00, m01 / m00
    mu20, mu11, mu02 = m20 - x * m10, m11 - x * m01, m02 - y * m01
    mu30, mu03 = m30 - 3 * x * m20 + 2 * x**2 * m10, m03 - 3 * y * m02 + 2 * y**2 * m01
    mu21 = m21 - 2 * x * m11 - y * m20 + 2 * x**2 * m01
    mu12 = m12 - 2 * y * m11 - x * m02 + 2 * y**2 * m10
    size = 3.3 * np.sqrt((mu20 + mu02) / m00)
    second, third = np.stack((mu20, mu11, mu02)) / m00**2, np.stack((mu30, mu21, mu12, mu03)) / m00**2.5
    return np.asarray(np.vstack((x, y, size, m00, second, third, hue)).T)


def _joined(raw: Floats, rows: Floats) -> Floats:
    """The two digits of a ten as one: blobs side by side and of one height."""
    apart = np.linalg.norm(rows[:, None, :2] - rows[None, :, :2], axis=2)
    size = np.maximum(rows[:, None, 2], rows[None, :, 2])
    even = np.minimum(rows[:, None, 2], rows[None, :, 2]) > 0.6 * size
    near = np.triu(even & (apart > 0.3 * size) & (apart < size), 1)
    one, other = np.nonzero(near)
    if len(one) > _MOST_TENS:
        return raw[:0]
    both = raw[one] + raw[other]
    both[:, -1] /= 2
    return np.asarray(both)


def _unlike(rows: Floats) -> Floats:
    """Without what is there more often than anything on a card: a chequered cloth's squares."""
    apart = np.abs(np.log(rows[:, None, 3]) - np.log(rows[None, :, 3])) / _COPY_AREA
    shape = np.linalg.norm(rows[:, None, 4:11] - rows[None, :, 4:11], axis=2) / _COPY_SHAPE
    copies = (np.maximum(apart, shape) < 1.0).sum(axis=1)
    return np.asarray(rows[copies <= _MOST_COPIES])


def _pairs(blobs: Blobs) -> list[tuple[float, Quad]]:
    """Cards by two glyphs at either end; the lower the first number, the likelier."""
    alike = _alike(blobs)
    rank, suit = index_pairs(blobs)
    one, other = np.nonzero(alike[np.ix_(rank, rank)] & alike[np.ix_(suit, suit)])
    down, up = (blobs.at[suit[k]] - blobs.at[rank[k]] for k in (one, other))
    length = np.linalg.norm(down, axis=1)
    turned = np.linalg.norm(down + up, axis=1) / np.maximum(length, 1.0)
    found = []
    for k in np.flatnonzero((turned < _TURNED) & _proportioned(blobs.at[rank[one]], blobs.at[rank[other]], down - up)):
        quad = _card(blobs.at[rank[one[k]]], blobs.at[rank[other[k]]], down[k] - up[k])
        found.append((float(turned[k] - 0.2 * np.log(quad.area)), quad))
    return found


def index_pairs(blobs: Blobs) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which blobs may be rank and suit of one index; the closest, where there are too many."""
    distance = np.linalg.norm(blobs.at[:, None] - blobs.at[None], axis=2)
    size = np.maximum(blobs.size[:, None], blobs.size[None])
    least = np.minimum(blobs.size[:, None], blobs.size[None])
    near = (distance > _NEAR * size) & (distance < _FAR * size) & (least > 0.35 * size)
    rank, suit = np.nonzero(near)
    order = np.argsort((distance / size)[rank, suit])[:_MOST_INDICES]
    return rank[order], suit[order]


def _alike(blobs: Blobs) -> NDArray[np.bool_]:
    """Which blobs may be the same glyph turned by 180°: even moments the same, odd ones reversed."""
    area = np.log(blobs.area)
    shape = np.linalg.norm(blobs.second[:, None] - blobs.second[None], axis=2)
    shape += np.linalg.norm(blobs.third[:, None] + blobs.third[None], axis=2)
    apart = np.linalg.norm(blobs.at[:, None] - blobs.at[None], axis=2) > 3.0 * blobs.size[:, None]
    same = np.abs(area[:, None] - area[None]) < _AREA
    hue = np.abs(blobs.hue[:, None] - blobs.hue[None]) < _HUE
    return np.asarray(same & hue & apart & (shape < _SHAPE))


def _proportioned(rank: Floats, other: Floats, down: Floats) -> NDArray[np.bool_]:
    """Whether ranks at such places and an index of half of `down` are a card's, n each."""
    length = np.linalg.norm(down, axis=1)
    unit = down / np.maximum(length, 1.0)[:, None]
    half = 0.5 * (other - rank)
    across = half[:, 0] * unit[:, 1] - half[:, 1] * unit[:, 0]
    along = (half * unit).sum(axis=1)
    ratio = along / np.where(across > 1.0, across, np.inf)
    index = 0.5 * length * (CARD_HEIGHT_MM / 2 - _RANK_Y_MM) / np.maximum(along, 1.0)  # mm
    shaped = (ratio >= _PROPORTION[0]) & (ratio <= _PROPORTION[1])
    return np.asarray(shaped & (index >= _INDEX_MM[0]) & (index <= _INDEX_MM[1]), np.bool_)


def _card(rank: Floats, other: Floats, down: Floats) -> Quad:
    """The card whose ranks lie at `rank` and `other`; `down`: twice the way from the first one to its suit."""
    length = 0.5 * float(np.linalg.norm(down))
    down = down / np.linalg.norm(down)
    right = np.array([down[1], -down[0]])
    half = 0.5 * (other - rank)
    wide, tall = CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2
    across, along = float(half @ right), float(half @ down)
    index_x, rank_y = rank_place(length * (tall - _RANK_Y_MM) / along)
    x, y = across / (wide - index_x), along / (tall - rank_y)  # px a millimetre
    middle = rank + half
    corners = [middle + a * wide * x * right + b * tall * y * down for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return Quad(np.array(corners), 1, 0.0)
