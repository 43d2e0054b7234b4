"""Cards without white paper in a free photograph: a cut card of any plain colour, darker or more coloured than its
ground; and whether an outline has an edge at all.

`vision.locate` looks for paper. Here one-coloured regions are looked for, in the light and in the colour planes of
Lab, both ways. What comes out is never read as a face; whether it is a cut card, `vision.back_cut` says.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate import Contour, Quad, fit, overlap

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

_SIDE = 400  # the longer side of the picture that is searched: there is no print to see
_LEVELS = 6
_LEAST_RANGE = 8.0  # levels of a plane between which something may stand out
_LEAST_AREA, _MOST_AREA = 0.02, 0.8  # of the picture
_ASPECTS = (1.2, 1.65)
_SQUARE = 0.2  # cosine: how far the corners may be from right angles
_SAME, _MOST = 0.8, 4
_SAMPLES, _NEAR = 24, 0.02  # along a side; of the short side's length, in and out of it
_STEP, _RAMP = 5.0, 2.0  # levels, and times the change inside over the same length: light falls off on a bare desk


def find_plain(image: Image) -> list[Quad]:
    """Outlines of one-coloured things in a BGR photograph, the largest first, each with an edge all round."""
    scale = min(1.0, _SIDE / max(image.shape[:2]))
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    found: list[Quad] = []
    for mask in _masks(small):
        for quad in _quads(mask):
            if all(overlap(quad, other) < _SAME for other in found):
                found.append(quad)
    whole = [Quad(quad.corners / scale, 1, quad.straight) for quad in found if edges(small, quad) >= 3]
    return sorted(whole, key=lambda quad: quad.area, reverse=True)[:_MOST]


def edges(image: Image, quad: Quad) -> int:
    """How many of an outline's sides lie within the picture with a step of light or colour across them."""
    return sum(_has_step(image, quad, k) for k in range(4))


def ground_level(image: Image, quad: Quad) -> float:
    """The light of the ground close round an outline, 0 where none of it is in the picture."""
    rings = [_along(image, quad, k, -2.0) for k in range(4)]
    seen = [ring for ring in rings if len(ring)]
    return float(np.median(np.concatenate(seen).max(axis=1))) if seen else 0.0


def _has_step(image: Image, quad: Quad, k: int) -> bool:
    out, inside, deeper = (_along(image, quad, k, off) for off in (-1.0, 1.0, 3.0))
    if min(len(out), len(inside), len(deeper)) < _SAMPLES // 2:
        return False
    at_out, at_in, at_deep = (np.median(part, axis=0) for part in (out, inside, deeper))
    step, ramp = np.abs(at_in - at_out), np.abs(at_deep - at_in)
    return bool((step > _STEP + _RAMP * ramp).any())


def _along(image: Image, quad: Quad, k: int, off: float) -> Floats:
    """Colours along side `k`, `off` times _NEAR of the short side within it; samples out of the picture left out."""
    start, end = quad.corners[k], quad.corners[(k + 1) % 4]
    along = (end - start) / max(1.0, float(np.linalg.norm(end - start)))
    away = np.array([-along[1], along[0]])  # inwards: the corners lie clockwise
    near = max(2.0, _NEAR * quad.width)
    parts = np.linspace(0.12, 0.88, _SAMPLES)[:, None]
    points = np.rint(start + parts * (end - start) + off * near * away).astype(int)
    height, width = image.shape[:2]
    kept = points[(points >= 0).all(axis=1) & (points[:, 0] < width) & (points[:, 1] < height)]
    return np.asarray(image[kept[:, 1], kept[:, 0]], np.float64).reshape(-1, 3)


def _masks(small: Image) -> Iterator[Image]:
    lab = cv2.cvtColor(cv2.medianBlur(small, 5), cv2.COLOR_BGR2LAB)
    for plane in cv2.split(lab):
        low, high = (float(p) for p in np.percentile(plane, (2, 98)))
        if high - low < _LEAST_RANGE:
            continue
        for level in np.linspace(low, high, _LEVELS + 2)[1:-1]:
            mask = np.asarray(cv2.threshold(plane, float(level), 255, cv2.THRESH_BINARY)[1], np.uint8)
            yield mask
            yield np.asarray(cv2.bitwise_not(mask), np.uint8)


def _quads(mask: Image) -> Iterator[Quad]:
    size = mask.shape[0] * mask.shape[1]
    for outline in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[-2]:
        area = cv2.contourArea(outline)
        if not _LEAST_AREA * size <= area <= _MOST_AREA * size:
            continue
        hull: Contour = cv2.convexHull(outline)
        quad = fit(outline[:, 0].astype(np.float64), hull, cv2.contourArea(hull))
        if quad is not None and _upright(quad):
            yield quad


def _upright(quad: Quad) -> bool:
    """Right angles, and a card's proportion: stricter than for what bears an index."""
    sides = np.roll(quad.corners, -1, axis=0) - quad.corners
    lengths = np.linalg.norm(sides, axis=1)
    turns = np.abs((sides * np.roll(sides, -1, axis=0)).sum(axis=1)) / (lengths * np.roll(lengths, -1))
    aspect = (lengths[1] + lengths[3]) / max(1.0, lengths[0] + lengths[2])
    return bool(turns.max() < _SQUARE and _ASPECTS[0] <= aspect <= _ASPECTS[1])
