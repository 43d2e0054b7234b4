"""A card of a photograph seen straight from above: its corner patches and its whole face, by the outline's four
corners.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.glyphs import PATCH_HEIGHT, PATCH_WIDTH, PX_PER_MM
from vision.locate import Quad

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

_FINEST = 5.0  # px/mm; finer pictures are averaged down to this first, sampling alone would keep one pixel in four


class Squared:
    """One card of a photograph. `turn` 0..3: which side of the outline is taken as its top (0: a short one)."""

    def __init__(self, image: Image, quad: Quad, finest: float = _FINEST) -> None:
        x, y, w, h = cv2.boundingRect(quad.corners.astype(np.float32))
        pad = 4
        x0, y0 = max(0, x - pad), max(0, y - pad)
        piece = image[y0 : y + h + pad, x0 : x + w + pad]
        scale = min(1.0, finest * CARD_WIDTH_MM / max(1.0, quad.width))
        if scale < 1.0:
            piece = np.asarray(cv2.resize(piece, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        a, b, c, d = (float(np.linalg.norm(quad.corners[k] - quad.corners[(k + 1) % 4])) for k in range(4))
        self.aspect = (b + d) / max(1.0, a + c)  # of its long sides to its short ones, as the picture shows them
        self._image = piece
        self._corners = (quad.corners - (x0, y0)) * scale

    def patch(self, turn: int) -> Image:
        """The corner patch with the outline's corner `turn` as top left."""
        return self._cut(turn, PX_PER_MM, (PATCH_WIDTH, PATCH_HEIGHT))

    def face(self, px_per_mm: float, turn: int = 0) -> Image:
        """The whole face at that scale, portrait."""
        return self._cut(turn, px_per_mm, (round(CARD_WIDTH_MM * px_per_mm), round(CARD_HEIGHT_MM * px_per_mm)))

    def _cut(self, turn: int, px_per_mm: float, size: tuple[int, int]) -> Image:
        width, height = CARD_WIDTH_MM * px_per_mm, CARD_HEIGHT_MM * px_per_mm
        target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        source = np.roll(self._corners, -turn, axis=0).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(source, target)
        return np.asarray(
            cv2.warpPerspective(self._image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
            np.uint8,
        )


def whole_picture(image: Image) -> Quad:
    """The outline of a picture that shows one card and nothing else."""
    height, width = image.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    return Quad(corners if height >= width else np.roll(corners, -1, axis=0), 0, 0.0)
