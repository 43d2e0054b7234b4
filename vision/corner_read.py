"""What a card before a shoe's camera is, read at its top left corner: a face, or its back, the cut card, a joker.

Where the corner lies is `vision.slot`'s, agreement between frames `vision.passage`'s and `vision.box`'s.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.answer import HALF_CARD, Answer, abstain
from vision.back_cut import VIEW_MIN_MM, VIEW_PX_PER_MM, spells_joker, tell
from vision.deck import Deck
from vision.deck_pictures import read_corner
from vision.geometry import CARD_WIDTH_MM, Geometry
from vision.reads import Reads
from vision.slot import Corner, SlotEye, cut
from vision.sources.base import Frame
from vision.whole import is_part

Image = NDArray[np.uint8]
NO_CORNER = "no card's edge"
_LATE_FRAMES, _LATE_S = 16, 0.25  # a frame is not late by more
_NOTHING: Image = np.zeros((0, 0), np.uint8)


class FrameUnusable(ValueError):
    """A frame is not what the camera's geometry says."""


def upright(image: Image, geometry: Geometry) -> Image:
    """A frame as a person would look at it. Raises FrameUnusable for another size or type than the geometry says."""
    if not isinstance(image, np.ndarray):
        raise FrameUnusable(f"a frame is {geometry.height}x{geometry.width}x3 uint8 here, not {type(image).__name__}")
    if image.ndim == 2 and not geometry.colour and image.dtype == np.uint8:
        image = np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    if image.dtype != np.uint8 or not geometry.fits(image) or image.ndim != 3 or image.shape[2] != 3:
        what = f"{image.dtype} {image.shape}"
        raise FrameUnusable(f"a frame is {geometry.height}x{geometry.width}x3 uint8 here, not {what}")
    return geometry.upright(image)


class Order:
    """Frames go forward. One that comes a little after a later one, or again, is left out; a camera whose numbers or
    whose clock begins anew is believed."""

    def __init__(self) -> None:
        self._newest: Frame | None = None

    def late(self, frame: Frame) -> bool:
        """Whether the frame is no step forward."""
        newest = self._newest
        if newest is not None:
            frames, seconds = newest.number - frame.number, newest.time_s - frame.time_s
            if 0 <= frames < _LATE_FRAMES and 0.0 <= seconds < _LATE_S:
                return True
        self._newest = Frame(_NOTHING, frame.number, frame.time_s)
        return False


def read_card(image: Image, corner: Corner, eye: SlotEye, reads: Reads, deck: Deck | None) -> Answer:
    """`image`: the upright frame. A symbol, or why none is said."""
    if is_part(image, corner, eye.geometry, eye.level):
        return abstain(HALF_CARD)
    patch = eye.patch(image, corner)
    answer = read_corner(image, corner, patch, deck, reads) if deck else reads.read(patch)
    if answer.symbol is not None:
        return answer
    return _no_face(image, corner, patch, eye.geometry) or answer


def _no_face(image: Image, corner: Corner, patch: Image, geometry: Geometry) -> Answer | None:
    """Back, cut card or joker, where enough of the card is in view."""
    scale = geometry.px_per_mm
    width = min(CARD_WIDTH_MM, (image.shape[1] - corner.x) / scale - 2.0)
    height = (image.shape[0] - corner.y) / scale - 4.0
    if min(width, height) < VIEW_MIN_MM:
        return None
    size = round(width * VIEW_PX_PER_MM), round(height * VIEW_PX_PER_MM)
    other = tell(cut(image, corner, scale, VIEW_PX_PER_MM, size), geometry.cut_card == "plain")
    return Answer("joker", 0.9) if other is None and spells_joker(patch) else other
