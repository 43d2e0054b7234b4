"""Brings a view onto an enrolled one before they are compared: a free photograph's outline is off by a millimetre here
and there, and what counts is where the print lies, not where the outline was found.

A small affine move, found by OpenCV's ECC on the light alone. What is compared afterwards is `vision.deck_model`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.likeness import Likeness, ViewShape

Floats = NDArray[np.float32]

_STEPS, _ENOUGH = 25, 1e-4
_MOST = 0.12  # of scale, turn and shear: more is another picture, not another outline
_HALF, _REACH = 2, 4  # the coarse comparison: at half the size, this far off (px of it)
_LEAST = 0.5  # less likeness than that at the coarse comparison is no enrolled card: right ones had 0.77 and more
_BEHIND = 0.25  # symbols that are so far behind the likeliest are not aligned to
_LIKELIEST = 4  # symbols onto which a view is brought
_SAME = 0.6  # correlation from which on two pictures of one symbol show the same end of the card


class Aligner:
    """Finds by a coarse comparison which enrolled views a view is like, and brings it onto them."""

    def __init__(self, reliefs: Floats, owner: NDArray[np.int64], shape: ViewShape) -> None:
        """`owner`: the symbol's number of each relief."""
        self._reliefs, self._owner = reliefs, owner
        coarse = replace(shape, width=shape.width // _HALF, height=shape.height // _HALF, reach=_REACH)
        self._size = (coarse.width, coarse.height)
        self._coarse = Likeness.fit(np.stack([self._halved(one) for one in reliefs]), coarse)

    def onto_likeliest(self, raised: Floats) -> list[Floats]:
        """A relief as it lies on the likeliest enrolled view of each of the likeliest symbols."""
        scores, shifts = self._coarse.best(self._halved(raised))
        best: dict[int, int] = {}
        for k in np.argsort(scores)[::-1].tolist():
            if len(best) == _LIKELIEST or scores[k] < max(_LEAST, float(scores.max()) - _BEHIND):
                break
            best.setdefault(int(self._owner[k]), k)
        moved = [brought_onto(raised, self._reliefs[k], _HALF * shifts[k]) for k in best.values()]
        return [one for one in moved if one is not None]

    def _halved(self, raised: Floats) -> Floats:
        return np.stack([cv2.resize(plane, self._size, interpolation=cv2.INTER_AREA) for plane in raised])


def brought_onto(moving: Floats, fixed: Floats, shift: NDArray[np.int64] | None = None) -> Floats | None:
    """`moving` (planes x height x width) moved so that it lies on `fixed`; None where no small move does that.

    `shift`: where to begin, px across and down.
    """
    start = np.eye(2, 3, dtype=np.float32)
    if shift is not None:
        start[:, 2] = shift
    until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, _STEPS, _ENOUGH)
    try:
        _, found = cv2.findTransformECC(fixed[0], moving[0], start, cv2.MOTION_AFFINE, until)
    except cv2.error:  # it did not converge
        return None
    move = np.asarray(found, np.float32)
    if not np.isfinite(move).all() or float(np.abs(move[:, :2] - np.eye(2)).max()) > _MOST:
        return None
    size, flags = moving.shape[:0:-1], cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = [cv2.warpAffine(p, move, size, flags=flags, borderMode=cv2.BORDER_REPLICATE) for p in moving]
    return np.asarray(moved, np.float32)


def together(symbols: Sequence[str], raised: Sequence[Floats], shape: ViewShape) -> list[Floats]:
    """Reliefs of one symbol brought onto the first of them that shows the same end of the card."""
    heads: dict[str, list[Floats]] = {}
    placed: list[Floats] = []
    plain = replace(shape, align=False)
    for symbol, one in zip(symbols, raised, strict=True):
        own = heads.setdefault(symbol, [])
        ways = [one, half_turned(one)] if shape.turned else [one]
        best, start = (_SAME, 0, 0), np.zeros(2, np.int64)
        for turn, way in enumerate(ways):
            if own:
                scores, shifts = Likeness.plain(np.stack(own), plain).best(way)
                k = int(scores.argmax())
                if (float(scores[k]), turn, k) > best:
                    best, start = (float(scores[k]), turn, k), shifts[k]
        moved = brought_onto(ways[best[1]], own[best[2]], start) if best[0] > _SAME else None
        if moved is None:
            own.append(one)
            placed.append(one)
        else:
            placed.append(half_turned(moved) if best[1] else moved)
    return placed


def half_turned(raised: Floats) -> Floats:
    """A relief of the card half turned."""
    return np.ascontiguousarray(raised[:, ::-1, ::-1])
