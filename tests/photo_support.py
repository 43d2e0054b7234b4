"""Photographs for the tests, drawn by the project: one card of one of its own designs on a dark table."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from hw_sim.decks import STYLES, corner_mask, draw_face

Image = NDArray[np.uint8]
SCALE = 8.0  # px/mm
STYLE = next(iter(STYLES.values()))


def photograph(symbol: str | None, angle: float = 4.0) -> Image:
    """A picture of 900 × 1000 px; None: the bare table."""
    height, width = 1000, 900
    noise = np.random.default_rng(5).normal(40, 3, (height, width, 3))
    table: Image = np.clip(noise, 0, 255).astype(np.uint8)
    if symbol is None:
        return table
    face, mask = draw_face(STYLE, symbol, SCALE), corner_mask(SCALE)
    tall, wide = face.shape[:2]
    move = cv2.getRotationMatrix2D((wide / 2, tall / 2), angle, 1.0)
    move[:, 2] += ((width - wide) / 2, (height - tall) / 2)
    cover = cv2.warpAffine(mask, move, (width, height))[..., None] / 255.0
    card = cv2.warpAffine(face, move, (width, height), flags=cv2.INTER_LINEAR)
    mixed = table * (1 - cover) + card * 0.9 * cover
    return np.clip(mixed, 0, 255).astype(np.uint8)


def save(path: Path, symbol: str | None) -> Path:
    """A photograph in a file, of the kind that its name says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    assert cv2.imwrite(str(path), photograph(symbol))
    return path


def cut_short(path: Path, symbol: str, part: float = 0.6) -> Path:
    """A photograph of which the end is missing."""
    data = save(path, symbol).read_bytes()
    path.write_bytes(data[: int(len(data) * part)])
    return path
