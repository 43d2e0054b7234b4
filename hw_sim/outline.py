"""Outlines: arcs, curves and pen strokes as polygons, and polygons as anti-aliased ink on a picture.

Polygons are float arrays (n, 2) of x to the right and y downwards; what the unit is (the height of a glyph, a
millimetre) is the caller's. Which shapes make a glyph, a pip or a figure is not known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Image = NDArray[np.uint8]
Colour = tuple[int, int, int]  # BGR

SUPERSAMPLE = 4
_MITRE_LIMIT = 8.0  # longest mitre in half stroke widths: the apex of a heavy A needs about 6
_BEND = 0.9  # cosine between two pieces above which they are one smooth bend


def pixels(array: object) -> Image:
    """What OpenCV gives back as the uint8 picture that it is (its annotations say any number); nothing is copied."""
    return np.asarray(array, dtype=np.uint8)


def points(*pairs: tuple[float, float]) -> Points:
    """A polyline through `pairs`."""
    return np.array(pairs, dtype=np.float64)


def arc(
    centre: tuple[float, float],
    radii: tuple[float, float],
    start: float,
    end: float,
    power: float = 2.0,
    steps: int = 40,
) -> Points:
    """Part of a superellipse from angle `start` to `end` in degrees (0 right, 90 down); `power` 2 is an ellipse."""
    angles = np.radians(np.linspace(start, end, max(8, int(steps * abs(end - start) / 360) + 2)))
    c, s = np.cos(angles), np.sin(angles)
    k = 2.0 / power
    x = centre[0] + radii[0] * np.sign(c) * np.abs(c) ** k
    y = centre[1] + radii[1] * np.sign(s) * np.abs(s) ** k
    return np.stack([x, y], axis=1)


def curve(
    p0: tuple[float, float], p1: tuple[float, float], p2: tuple[float, float], p3: tuple[float, float], steps: int = 16
) -> Points:
    """A cubic Bézier curve as a polyline."""
    t = np.linspace(0.0, 1.0, steps + 1)[:, None]
    a, b, c, d = (np.array(p, dtype=np.float64) for p in (p0, p1, p2, p3))
    result: Points = (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
    return result


def join(*parts: Points) -> Points:
    """Polylines one after the other; a point that repeats its forerunner is dropped (it has no direction)."""
    line = np.concatenate(parts)
    keep = np.ones(len(line), dtype=bool)
    keep[1:] = np.abs(np.diff(line, axis=0)).max(axis=1) > 1e-9
    return line[keep]


def stroke(line: Points, thick: float, thin: float, closed: bool = False) -> list[Points]:
    """The polygons that a pen leaves along `line`: `thick` wide where it runs upright, `thin` where it runs level.

    Ends are cut square, bends are smooth, corners are mitred. The polygons overlap; their union is the stroke.
    """
    ring = join(line, line[:1]) if closed else line
    steps = np.diff(ring, axis=0)
    ways = steps / np.linalg.norm(steps, axis=1, keepdims=True)
    halves = np.hypot(thick * ways[:, 1], thin * ways[:, 0]) / 2
    sides = np.stack([-ways[:, 1], ways[:, 0]], axis=1) * halves[:, None]
    begins, ends = sides.copy(), sides.copy()
    wedges = []
    for i, j in [(i, i + 1) for i in range(len(steps) - 1)] + ([(len(steps) - 1, 0)] if closed else []):
        if float(ways[i] @ ways[j]) > _BEND:
            ends[i] = begins[j] = (sides[i] + sides[j]) / 2
        else:
            wedges.append(_wedge(ring[i + 1], sides[i], sides[j], ways[i], ways[j]))
    pieces = zip(ring[:-1], ring[1:], begins, ends, strict=True)
    return [np.array([a + n, b + m, b - m, a - n]) for a, b, n, m in pieces] + wedges


def _wedge(corner: Points, side_in: Points, side_out: Points, way_in: Points, way_out: Points) -> Points:
    """What is missing on the outer side of a stroke's corner: a mitre, or a bevel where that were too long."""
    cross = float(way_in[0] * way_out[1] - way_in[1] * way_out[0])
    sign = -1.0 if cross > 0 else 1.0
    a, b = corner + sign * side_in, corner + sign * side_out
    if abs(cross) < 1e-6:
        return np.array([corner, a, b])
    t = float((b[0] - a[0]) * way_out[1] - (b[1] - a[1]) * way_out[0]) / cross
    tip = a + t * way_in
    limit = _MITRE_LIMIT * max(np.linalg.norm(side_in), np.linalg.norm(side_out))
    if np.linalg.norm(tip - corner) > limit:
        return np.array([corner, a, b])
    return np.array([corner, a, tip, b])


def disc(centre: tuple[float, float], radius: float, aspect: float = 1.0) -> Points:
    """A disc, `aspect` times as high as wide."""
    return arc(centre, (radius, radius * aspect), 0, 360, steps=48)


def box(x: float, y: float, width: float, height: float) -> Points:
    """A rectangle by its top left corner."""
    return points((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def rounded_box(x: float, y: float, width: float, height: float, radius: float) -> Points:
    """A rectangle with round corners."""
    r = radius
    return np.concatenate(
        [
            arc((x + width - r, y + r), (r, r), -90, 0),
            arc((x + width - r, y + height - r), (r, r), 0, 90),
            arc((x + r, y + height - r), (r, r), 90, 180),
            arc((x + r, y + r), (r, r), 180, 270),
        ]
    )


def moved(polygons: Iterable[Points], dx: float, dy: float, scale: float = 1.0, turned: bool = False) -> list[Points]:
    """The polygons scaled about the origin, turned by 180° about it if asked, then moved."""
    factor = -scale if turned else scale
    return [p * factor + np.array([dx, dy]) for p in polygons]


def bounds(polygons: Sequence[Points]) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of all polygons."""
    every = np.concatenate(list(polygons))
    low, high = every.min(axis=0), every.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def paint(image: Image, polygons: Sequence[Points], colour: Colour, px_per_unit: float) -> None:
    """Lay the union of `polygons` on `image` (BGR, in place) in `colour`, anti-aliased; outside it is cut off."""
    left, top, right, bottom = (v * px_per_unit for v in bounds(polygons))
    x0, y0 = max(0, int(left) - 1), max(0, int(top) - 1)
    x1, y1 = min(image.shape[1], int(right) + 2), min(image.shape[0], int(bottom) + 2)
    if x1 <= x0 or y1 <= y0:
        return
    alpha = coverage(polygons, (x1 - x0, y1 - y0), (x0, y0), px_per_unit)[:, :, None]
    part = image[y0:y1, x0:x1]
    mixed = part.astype(np.float32) * (1 - alpha) + np.array(colour, dtype=np.float32) * alpha
    image[y0:y1, x0:x1] = np.rint(mixed).astype(np.uint8)


def coverage(
    polygons: Sequence[Points], size: tuple[int, int], origin: tuple[float, float], px_per_unit: float
) -> NDArray[np.float32]:
    """How much of each pixel the union of `polygons` covers, 0..1; `size` is (width, height), `origin` the first px."""
    big = np.zeros((size[1] * SUPERSAMPLE, size[0] * SUPERSAMPLE), dtype=np.uint8)
    fraction = 4  # bits below the pixel of the supersampled grid
    for polygon in polygons:
        places = (polygon * px_per_unit - np.array(origin)) * SUPERSAMPLE - 0.5
        fixed = np.rint(places * (1 << fraction)).astype(np.int32)
        cv2.fillPoly(big, [fixed], 255, lineType=cv2.LINE_8, shift=fraction)
    small = cv2.resize(big, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32) / np.float32(255)
