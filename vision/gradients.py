"""The second way of reading by enrolment: directions of edges, pooled in cells, weighed by a linear discriminant.

It looks at where edges run, never at how dark a place is, and it learns which of that varies between pictures of one
card and which between cards; so it fails where `vision.likeness` does not, and the other way round. What follows
from the figures is left to `vision.deck_reader`.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.likeness import ViewShape

Floats = NDArray[np.float32]

_CELL = 6  # px; a cell's edges are pooled
_STEP = 5  # px from cell to cell: they overlap
_DIRECTIONS = 8
_CLIP = 0.25  # of a view's edges: one strong edge does not drown the others
_SHRINK = 1.0  # of the mean variance, added to every direction: few pictures say little of how it varies
_SHIFT_STEP = 2  # px between the shifts that are tried


def describe(raised: Floats, shape: ViewShape) -> Floats:
    """Directions of edges in overlapping cells of a relief, one unit row for each shift that is tried."""
    shifts = range(0, 2 * shape.reach + 1, _SHIFT_STEP)
    return _cells(raised, shape, [(down, across) for down in shifts for across in shifts])


def middle(raised: Floats, shape: ViewShape) -> Floats:
    """The description at no shift."""
    return np.asarray(_cells(raised, shape, [(shape.reach, shape.reach)])[0], np.float32)


def _cells(raised: Floats, shape: ViewShape, shifts: list[tuple[int, int]]) -> Floats:
    pooled = _pooled(raised[0])
    height, width = shape.inner
    rows = np.arange(_CELL // 2, height - _CELL // 2 + 1, _STEP)
    columns = np.arange(_CELL // 2, width - _CELL // 2 + 1, _STEP)
    cells = np.stack([pooled[np.ix_(rows + down, columns + across)].ravel() for down, across in shifts])
    return _units(np.minimum(_units(cells), _CLIP))


class Discriminant:
    """Templates in the space where what varies between pictures of one card counts for little."""

    def __init__(self, centre: Floats, whiten: Floats, templates: Floats) -> None:
        """`templates`: unit rows of that space; `centre` and `whiten` lead into it."""
        self.centre, self.whiten, self.templates = centre, whiten, templates

    @classmethod
    def fit(cls, described: Floats, groups: list[int], jitter: Floats) -> Discriminant:
        """`described` n x d; `groups`: which of them show the same; `jitter` m x d: differences within one card."""
        within = np.concatenate([jitter, _residuals(described, groups)]).astype(np.float64)
        spread = within.T @ within / max(1, len(within))
        spread += (_SHRINK * np.trace(spread) / len(spread) + 1e-9) * np.eye(len(spread))
        root = np.linalg.cholesky(spread).astype(np.float32)
        found = cls(described.mean(axis=0), np.ascontiguousarray(np.linalg.inv(root).T), described)
        found.templates = found._placed(described)
        return found

    def scores(self, described: Floats) -> Floats:
        """Cosine (-1..1) with each template in that space, at the shift where it is best."""
        return np.asarray((self.templates @ self._placed(described).T).max(axis=1), np.float32)

    def _placed(self, rows: Floats) -> Floats:
        return _units(np.asarray((rows - self.centre) @ self.whiten, np.float32))


def _residuals(templates: Floats, groups: list[int]) -> Floats:
    """How far each template lies from the mean of its group; groups of one say nothing."""
    found = [np.zeros((0, templates.shape[1]), np.float32)]
    owner = np.asarray(groups)
    for group in np.unique(owner):
        members = templates[owner == group]
        if len(members) > 1:
            found.append((members - members.mean(axis=0)) * np.float32(np.sqrt(len(members) / (len(members) - 1))))
    return np.concatenate(found)


def _pooled(raised: Floats) -> Floats:
    """Strength of edges by direction (height x width x _DIRECTIONS), summed over a cell round each place."""
    across = cv2.Sobel(raised, cv2.CV_32F, 1, 0, ksize=3)
    down = cv2.Sobel(raised, cv2.CV_32F, 0, 1, ksize=3)
    length, angle = cv2.cartToPolar(across, down)
    place = angle * (_DIRECTIONS / (2 * np.pi))
    lower = np.floor(place)
    part = place - lower
    first = lower.astype(np.int32) % _DIRECTIONS
    planes = np.zeros((*raised.shape, _DIRECTIONS), np.float32)
    at = np.indices(raised.shape)
    planes[at[0], at[1], first] = length * (1 - part)
    planes[at[0], at[1], (first + 1) % _DIRECTIONS] += length * part
    return np.asarray(cv2.boxFilter(planes, -1, (_CELL, _CELL), normalize=True), np.float32)


def _units(rows: Floats) -> Floats:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6), np.float32)
