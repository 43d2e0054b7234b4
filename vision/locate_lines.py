"""Cards whose outline no level parts from the ground: a shadow's edge across card and desk, a desk as bright as
paper.

Straight edges are joined to lines, lines to quadrilaterals, and each side is tested for a local step of light
inwards: a ratio, which a shadow does not change. Slower than `vision.locate`'s levels, so used where those found
nothing that could be read.
"""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate import ASPECTS, Quad, overlap

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

_SIDE = 640  # the longer side of the picture that is searched
_LINES = 26  # the longest that are tried
_SEGMENT_PX = 14.0
_SAME_DEG, _SAME_PX = 2.0, 3.0  # segments of one line
_PARALLEL_DEG, _SQUARE_DEG = 10.0, 14.0
_SHORT_PX = 60.0  # of the searched picture: a smaller card has no index to read
_STEP_PX = 3.5  # the ground is looked at so far outside a side, the paper so far inside
_STEP = 0.03  # natural logarithm: paper is lighter by so much at least
_SAMPLES = 24
_LEAST_SIDE, _LEAST_ALL = 0.6, 0.8  # of a side's and of all samples that must step
_MOST = 4


def find_by_lines(image: Image) -> list[Quad]:
    """What may be cards in a BGR photograph by its straight edges, the likeliest first."""
    scale = min(1.0, _SIDE / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    light = np.log(cv2.blur(small.min(axis=2), (3, 3)).astype(np.float32) + 4.0)
    quads = _quads(_lines(light), (light.shape[1], light.shape[0]))
    if not len(quads):
        return []
    steps = _steps(light, quads)
    good = (steps.min(axis=1) >= _LEAST_SIDE) & (steps.mean(axis=1) >= _LEAST_ALL)
    found: list[Quad] = []
    for k in sorted(np.flatnonzero(good), key=lambda k: -float(steps[k].mean()) - 1e-6 * cv2.contourArea(quads[k])):
        quad = Quad(_short_first(quads[k].astype(np.float64)) / scale, 3, 0.0)
        if all(overlap(quad, other) < 0.8 for other in found):
            found.append(quad)
        if len(found) == _MOST:
            break
    return found


def _lines(light: NDArray[np.float32]) -> Floats:
    """The longest straight edges, joined where they lie on one line: (x, y, dx, dy), direction of length 1."""
    low, high = np.percentile(light[::4, ::4], (1, 99))
    grey = np.clip((light - low) * (255.0 / max(0.2, float(high - low))), 0, 255).astype(np.uint8)
    segments = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD, 0.8, 0.6, 2.0, 22.5).detect(grey)[0]
    if segments is None:
        return np.zeros((0, 4))
    ends = np.asarray(segments, np.float64).reshape(-1, 2, 2)
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    ends = ends[np.argsort(-lengths)][: int((lengths >= _SEGMENT_PX).sum())]
    groups: list[list[Floats]] = []
    for segment in ends[:200]:
        home = next((group for group in groups if _collinear(group[0], segment)), None)
        if home is None:
            groups.append([segment])
        else:
            home.append(segment)
    groups.sort(key=lambda group: -sum(float(np.linalg.norm(s[1] - s[0])) for s in group))
    return np.array([_join(group) for group in groups[:_LINES]]).reshape(-1, 4)


def _collinear(first: Floats, other: Floats) -> bool:
    along = (first[1] - first[0]) / np.linalg.norm(first[1] - first[0])
    way = (other[1] - other[0]) / np.linalg.norm(other[1] - other[0])
    across = np.array([-along[1], along[0]])
    turned = abs(float(way @ across))
    return turned < np.sin(np.radians(_SAME_DEG)) and float(np.abs((other - first[0]) @ across).max()) < _SAME_PX


def _join(group: list[Floats]) -> Floats:
    points = np.concatenate(group).astype(np.float32)
    vx, vy, x, y = cv2.fitLine(points, cv2.DIST_L2, 0, 0.01, 0.01).ravel().astype(np.float64)
    return np.array([x, y, vx, vy])


def _quads(lines: Floats, size: tuple[int, int]) -> NDArray[np.float32]:
    """Card-shaped quadrilaterals of two and two lines, clockwise, (n, 4, 2)."""
    angles = np.degrees(np.arctan2(lines[:, 3], lines[:, 2]))
    pairs = [(a, b) for a, b in combinations(range(len(lines)), 2) if _between(angles[a], angles[b]) < _PARALLEL_DEG]
    corners = []
    for k, (a, b) in enumerate(pairs):
        for c, d in pairs[k + 1 :]:
            if abs(90.0 - _between(angles[a], angles[c])) < _SQUARE_DEG and len({a, b, c, d}) == 4:
                corners.append((a, c, b, d))
    if not corners:
        return np.zeros((0, 4, 2), np.float32)
    index = np.array(corners)
    quads = np.stack([_meet(lines[index[:, k]], lines[index[:, (k + 1) % 4]]) for k in range(4)], axis=1)
    return np.asarray(_oriented(quads)[_shaped(quads, size)], np.float32)


def _between(a: float, b: float) -> float:
    """Angle between two undirected lines, degrees 0..90."""
    turn = abs(a - b) % 180.0
    return min(turn, 180.0 - turn)


def _meet(a: Floats, b: Floats) -> Floats:
    cross = a[:, 2] * b[:, 3] - a[:, 3] * b[:, 2]
    cross = np.where(np.abs(cross) < 1e-3, 1e-3, cross)
    t = ((b[:, 0] - a[:, 0]) * b[:, 3] - (b[:, 1] - a[:, 1]) * b[:, 2]) / cross
    return np.asarray(a[:, :2] + t[:, None] * a[:, 2:])


def _oriented(quads: Floats) -> Floats:
    """All clockwise in the picture."""
    x, y = quads[..., 0], quads[..., 1]
    area = (x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1)
    return np.where((area < 0)[:, None, None], quads[:, ::-1], quads)


def _shaped(quads: Floats, size: tuple[int, int]) -> NDArray[np.bool_]:
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    across, down = sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]
    long, short = np.maximum(across, down), np.minimum(across, down)
    even = (np.minimum(sides[:, :2], sides[:, 2:]) > 0.7 * np.maximum(sides[:, :2], sides[:, 2:])).all(axis=1)
    inside = ((quads > -4) & (quads < np.array(size) + 4)).all(axis=(1, 2))
    aspect = long / np.maximum(short, 1.0)
    fits = even & inside & (short > 2 * _SHORT_PX) & (aspect > ASPECTS[0]) & (aspect < ASPECTS[1])
    return np.asarray(fits, np.bool_)


def _steps(light: NDArray[np.float32], quads: NDArray[np.float32]) -> Floats:
    """For each quadrilateral and side the part of its samples that step to lighter inside (or all sides to darker)."""
    part = np.linspace(0.1, 0.9, _SAMPLES)
    ends = np.roll(quads, -1, axis=1)
    on = quads[:, :, None] + (ends - quads)[:, :, None] * part[None, None, :, None]
    along = (ends - quads) / np.maximum(np.linalg.norm(ends - quads, axis=2, keepdims=True), 1.0)
    inward = np.stack([-along[..., 1], along[..., 0]], axis=-1)[:, :, None]
    step = _at(light, on + _STEP_PX * inward) - _at(light, on - _STEP_PX * inward)
    lighter, darker = (step > _STEP).mean(axis=2), (step < -_STEP).mean(axis=2)
    chosen = lighter.min(axis=1, keepdims=True) >= darker.min(axis=1, keepdims=True)
    return np.asarray(np.where(chosen, lighter, darker), np.float64)


def _at(light: NDArray[np.float32], points: NDArray[np.floating]) -> NDArray[np.float32]:
    x = np.clip(np.rint(points[..., 0]).astype(np.intp), 0, light.shape[1] - 1)
    y = np.clip(np.rint(points[..., 1]).astype(np.intp), 0, light.shape[0] - 1)
    return np.asarray(light[y, x], np.float32)


def _short_first(quad: Floats) -> Floats:
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return np.roll(quad, -1, axis=0) if sides[0] + sides[2] > sides[1] + sides[3] else quad
