"""One frame with what the reader sees drawn on it: the card's edges and corner, the parts that are read, the answer.

For a person who mounts a camera. Reads with the reader's own parts and changes nothing of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.answer import Answer, abstain
from vision.corner_read import NO_CORNER, read_card
from vision.decide import FaceReader
from vision.deck import Deck
from vision.geometry import Geometry
from vision.glyphs import PATCH_HEIGHT, PATCH_WIDTH, PX_PER_MM, Box, find_glyphs
from vision.locate import find_cards
from vision.slot import Corner, SlotEye
from vision.sources.base import Frame
from vision.still import read_still

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

_EDGE: Colour = (0, 200, 255)
_READ: Colour = (80, 220, 60)
_TEXT: Colour = (255, 255, 255)


@dataclass(frozen=True)
class Preview:
    """`picture`: BGR, upright, with the drawing; `answer`: what this one frame says by itself."""

    picture: Image
    answer: Answer


def preview(image: Image, geometry: Geometry, deck: Deck | None = None) -> Preview:
    """Raises ValueError for a frame that is not this camera's."""
    if geometry.motion in ("free", "fixed"):
        return _of_still(image, geometry, deck)
    if image.ndim != 3 or not geometry.fits(image):
        size = f"{image.shape[1]}x{image.shape[0]}"
        raise ValueError(f"a frame of this camera is {geometry.width}x{geometry.height}, not {size}")
    upright = np.ascontiguousarray(geometry.upright(image))
    drawn = upright.copy()
    eye = SlotEye(geometry)
    sight = eye.look(Frame(image, 0, 0.0), upright)
    top = geometry.top_edge_px
    cv2.line(drawn, (0, top), (drawn.shape[1] - 1, top), _EDGE, 1)
    if not sight.card:
        return Preview(_titled(drawn, "no card"), abstain("no card"))
    corner = eye.corner(upright, sight)
    if corner is None:
        return Preview(_titled(drawn, NO_CORNER), abstain(NO_CORNER))
    patch = eye.patch(upright, corner)
    answer = read_card(upright, corner, eye, FaceReader(), deck)
    _draw_patch(drawn, corner, geometry, patch)
    return Preview(_titled(drawn, _words(answer)), answer)


def _of_still(image: Image, geometry: Geometry, deck: Deck | None) -> Preview:
    reading = read_still(image, geometry, deck)
    drawn = np.ascontiguousarray(geometry.upright(image)).copy()
    if geometry.motion == "free":
        for quad in find_cards(image):
            cv2.polylines(drawn, [np.rint(quad.corners).astype(np.int32)], True, _EDGE, 2)
    answer = Answer(reading.symbol, reading.confidence, reading.why)
    return Preview(_titled(drawn, _words(answer)), answer)


def _draw_patch(drawn: Image, corner: Corner, geometry: Geometry, patch: Image) -> None:
    """The card's two edges, the patch, and the two glyphs in it."""
    scale = geometry.px_per_mm
    width, height = PATCH_WIDTH / PX_PER_MM, PATCH_HEIGHT / PX_PER_MM
    for along, down in ((width, 0.0), (0.0, height)):
        cv2.line(drawn, _at(corner, 0, 0, scale), _at(corner, along, down, scale), _EDGE, 2)
    _outline(drawn, corner, scale, Box(0, 0, PATCH_WIDTH, PATCH_HEIGHT), _EDGE)
    glyphs = find_glyphs(patch)
    for box in (glyphs.rank, glyphs.suit) if glyphs is not None else ():
        _outline(drawn, corner, scale, box, _READ)


def _outline(drawn: Image, corner: Corner, scale: float, box: Box, colour: Colour) -> None:
    left, top, right, bottom = (value / PX_PER_MM for value in (box.x, box.y, box.right, box.bottom))
    points = [_at(corner, x, y, scale) for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))]
    cv2.polylines(drawn, [np.array(points, np.int32)], True, colour, 1)


def _at(corner: Corner, along: float, down: float, scale: float) -> tuple[int, int]:
    """A place of the card (mm from its corner) in the frame, px."""
    x = corner.x + scale * (along * corner.along[0] + down * corner.down[0])
    y = corner.y + scale * (along * corner.along[1] + down * corner.down[1])
    return round(x), round(y)


def _words(answer: Answer) -> str:
    return f"{answer.symbol} {answer.confidence:.2f}" if answer.symbol else answer.why


def _titled(drawn: Image, text: str) -> Image:
    """The picture with a line of text under it."""
    height = max(24, drawn.shape[0] // 12)
    titled = np.zeros((drawn.shape[0] + height, drawn.shape[1], 3), np.uint8)
    titled[: drawn.shape[0]] = drawn
    place = (6, drawn.shape[0] + round(0.7 * height))
    cv2.putText(titled, text, place, cv2.FONT_HERSHEY_SIMPLEX, height / 40, _TEXT, 1, cv2.LINE_AA)
    return titled
