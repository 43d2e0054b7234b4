"""Cards in a free photograph: their outlines as quadrilaterals, on dark and light grounds, turned, in uneven light.

Paper is what is bright in its darkest channel; no level is assumed: a ladder of levels is tried on the picture and
on the picture with its slow changes of light taken out, and what stays a card-shaped quadrilateral is kept. Whether
a card is really there, the reading shows: that is left to `vision.still`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Contour = NDArray[np.integer[Any] | np.floating[Any]]  # (n, 1, 2), as OpenCV gives it

WORK_SIDE = 800  # the longer side of the picture that is searched
_LEVELS = 12
_LEAST_AREA = 0.012  # of the picture
_MOST_AREA = 0.97
ASPECTS = (1.12, 1.95)  # of long to short side, perspective and bridge size included
_LEAST_FILL = 0.90  # of the quadrilateral by the blob's hull: corners are round
_LEAST_SOLID = 0.80  # of the hull by the blob: print at the rim bites into it
_SAME = 0.80  # overlap of two quadrilaterals that are one card
MOST_CARDS = 6
_GRID = 160  # pixels on which two outlines are compared


@dataclass(frozen=True)
class Quad:
    """A card's outline: `corners` (4 x 2, px of the photograph) clockwise, a short side first; `votes`: levels."""

    corners: Floats
    votes: int
    straight: float  # mean distance of the blob's rim from the sides, of the short side's length

    @property
    def area(self) -> float:
        return float(cv2.contourArea(self.corners.astype(np.float32)))

    @property
    def width(self) -> float:
        """Mean length of the short sides, px."""
        return float(np.mean([np.linalg.norm(self.corners[a] - self.corners[b]) for a, b in ((0, 1), (2, 3))]))


def find_cards(image: Image) -> list[Quad]:
    """What may be cards in a BGR photograph, the likeliest first, MOST_CARDS at most."""
    scale = min(1.0, WORK_SIDE / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    found: list[Quad] = []
    for mask in _masks(np.asarray(small, np.uint8)):
        for quad in _quads(mask):
            _add(found, quad)
    found = [Quad(q.corners / scale, q.votes, q.straight) for q in found]
    return sorted(found, key=_likely, reverse=True)[:MOST_CARDS]


def overlap(a: Quad, b: Quad) -> float:
    """Shared area over joined area."""
    shared = _shared(a, b)
    return shared / max(1.0, a.area + b.area - shared)


def covered(inner: Quad, outer: Quad) -> float:
    """How much of `inner` lies in `outer`, 0..1."""
    return _shared(inner, outer) / max(1.0, inner.area)


def _shared(a: Quad, b: Quad) -> float:
    """Shared area, by pixels: OpenCV's intersection of two nearly equal quadrilaterals may come out as nothing."""
    both = np.concatenate((a.corners, b.corners))
    low = both.min(axis=0)
    scale = _GRID / max(1.0, float((both.max(axis=0) - low).max()))
    masks = np.zeros((2, _GRID + 1, _GRID + 1), np.uint8)
    for mask, quad in zip(masks, (a, b), strict=True):
        cv2.fillConvexPoly(mask, np.rint((quad.corners - low) * scale).astype(np.int32), 1)
    return cv2.countNonZero(cv2.bitwise_and(masks[0], masks[1])) / scale**2


def _likely(quad: Quad) -> float:
    return float(min(quad.votes, 8) * quad.area**0.5 * (1.0 - min(0.9, 20 * quad.straight)))


def _masks(small: Image) -> Iterator[Image]:
    blue, green, red = cv2.split(small)
    paper = cv2.GaussianBlur(cv2.min(blue, cv2.min(green, red)), (5, 5), 0)
    ground = cv2.blur(paper, (small.shape[1] // 3 | 1, small.shape[0] // 3 | 1))
    flat = cv2.divide(paper, np.maximum(ground, 8), scale=100.0)
    for plane in (paper, flat):
        low, high = np.percentile(plane[::4, ::4], (3, 99))
        for level in np.linspace(low, high, _LEVELS + 2)[1:-1]:
            yield np.asarray(cv2.threshold(plane, float(level), 255, cv2.THRESH_BINARY)[1], np.uint8)
    yield _closed_edges(small)


def _closed_edges(small: Image) -> Image:
    """What lies inside closed edges: a card as bright as the desk still has its shadow's line round it."""
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    edges = cv2.dilate(cv2.Canny(grey, 20, 60), np.ones((3, 3), np.uint8))
    mask = np.zeros_like(edges)
    outlines = cv2.findContours(edges, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[-2]
    return np.asarray(cv2.drawContours(mask, outlines, -1, 255, cv2.FILLED), np.uint8)


def _quads(mask: Image) -> Iterator[Quad]:
    size = mask.shape[0] * mask.shape[1]
    for outline in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[-2]:
        if outline.shape[0] < 60:
            continue
        hull = cv2.convexHull(outline)
        area = cv2.contourArea(hull)
        if not _LEAST_AREA * size <= area <= _MOST_AREA * size or cv2.contourArea(outline) < _LEAST_SOLID * area:
            continue
        quad = fit(outline[:, 0].astype(np.float64), hull, area)
        if quad is not None:
            yield quad


def fit(rim: Floats, hull: Contour, area: float) -> Quad | None:
    """Four sides through the rim of a blob, or None where it is no card-shaped quadrilateral."""
    rough = _four(hull)
    if rough is None:
        return None
    sides = [_side(rim, rough[k], rough[(k + 1) % 4]) for k in range(4)]
    lines = [side for side in sides if side is not None]
    if len(lines) < 4:
        return None
    corners = [_meet(lines[k - 1][0], lines[k][0]) for k in range(4)]
    quad = np.array([corner for corner in corners if corner is not None])
    if len(quad) < 4 or not _card_shaped(quad) or area < _LEAST_FILL * cv2.contourArea(quad.astype(np.float32)):
        return None
    short = float(np.linalg.norm(quad[1] - quad[0]))
    lengths = [float(np.linalg.norm(quad[(k + 1) % 4] - quad[k])) for k in range(4)]
    if lengths[0] + lengths[2] > lengths[1] + lengths[3]:
        quad = np.roll(quad, -1, axis=0)
    return Quad(quad, 1, float(np.mean([line[1] for line in lines])) / max(1.0, short))


def _four(hull: Contour) -> Floats | None:
    """The hull simplified to four points, clockwise in the picture."""
    length = cv2.arcLength(hull, True)
    for part in (0.02, 0.03, 0.045, 0.06, 0.08):
        points = cv2.approxPolyDP(hull, part * length, True)[:, 0].astype(np.float64)
        if len(points) == 4:
            clockwise = cv2.contourArea(points.astype(np.float32), oriented=True) > 0
            return points if clockwise else points[::-1].copy()
        if len(points) < 4:
            return None
    return None


def _side(rim: Floats, start: Floats, end: Floats) -> tuple[tuple[Floats, Floats], float] | None:
    """Line (point, direction) through the rim between two rough corners, their rounds left out, and its spread."""
    length = float(np.linalg.norm(end - start))
    if length < 12:
        return None
    along = (end - start) / length
    away = np.array([-along[1], along[0]])
    part, off = (rim - start) @ along / length, (rim - start) @ away
    near = rim[(part > 0.12) & (part < 0.88) & (np.abs(off) < 0.06 * length + 3)]
    if len(near) < 8:
        return None
    vx, vy, x, y = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().astype(np.float64)
    spread = float(np.median(np.abs((near - (x, y)) @ np.array([-vy, vx]))))
    return (np.array([x, y]), np.array([vx, vy])), spread


def _meet(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> Floats | None:
    (p, u), (q, v) = first, second
    cross = float(u[0] * v[1] - u[1] * v[0])
    if abs(cross) < 0.2:
        return None
    t = float((q[0] - p[0]) * v[1] - (q[1] - p[1]) * v[0]) / cross
    return np.asarray(p + t * u)


def _card_shaped(quad: Floats) -> bool:
    if not cv2.isContourConvex(quad.astype(np.float32)):
        return False
    a, b, c, d = (float(np.linalg.norm(quad[(k + 1) % 4] - quad[k])) for k in range(4))
    long, short = max(a + c, b + d), min(a + c, b + d)
    even = min(a, c) > 0.6 * max(a, c) and min(b, d) > 0.6 * max(b, d)
    return even and ASPECTS[0] <= long / max(short, 1.0) <= ASPECTS[1]


def _add(found: list[Quad], quad: Quad) -> None:
    """One more level's vote for a known outline (the straighter of the two stands), or a new one."""
    for k, other in enumerate(found):
        if overlap(quad, other) > _SAME:
            best = quad if quad.straight < other.straight else other
            found[k] = Quad(best.corners, other.votes + 1, best.straight)
            return
    found.append(quad)
