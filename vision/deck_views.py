"""The views of a card that an enrolled deck compares: which part of a picture, upright, at which scale.

An index where the camera's geometry says that a corner is; the face (as much of it as the camera shows) for decks
whose corners do not say everything; the whole picture of a camera before which a card lies still at a fixed place.
What is read in a view is left to `vision.deck_reader`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Geometry
from vision.glyphs import PATCH_HEIGHT, PATCH_WIDTH, PX_PER_MM
from vision.likeness import ViewShape
from vision.locate import find_cards
from vision.locate_lines import find_by_lines
from vision.locate_print import find_by_print
from vision.slot import Corner, SlotEye, cut
from vision.sources.base import Frame
from vision.squared import Squared, whole_picture

Image = NDArray[np.uint8]

_FACE_MM = (44.0, 46.0)  # of a card from its corner that a slot's window shows whole, tilt and slack apart
_SURE_VOTES = 3  # levels at which an outline is seen, for it to be a card's


@dataclass(frozen=True)
class ViewKind:
    """`name` as in profile.toml; `size` (width, height) of a stored view, px; how it is compared."""

    name: str
    size: tuple[int, int]
    px_per_mm: float
    shape: ViewShape


def kinds(geometry: Geometry) -> tuple[ViewKind, ...]:
    """The kinds of views that a camera allows, the one to try first first.

    A photograph shows the whole face, in which more is to be told apart than in a corner whose outline is not quite
    found; the slot shows the corner first.
    """
    if geometry.motion == "fixed":
        shape = ViewShape(64, 64, reach=5, around=5.0, turned=True)
        return (ViewKind("picture", geometry.upright_size, geometry.px_per_mm, shape),)
    corner, colour = (PATCH_WIDTH, PATCH_HEIGHT), geometry.colour
    if geometry.motion == "free":
        index = ViewKind("index", corner, PX_PER_MM, ViewShape(48, 108, 6, 12.0, False, colour, soft=1.5, align=True))
        face = ViewKind("face", (254, 356), 4.0, ViewShape(64, 90, 4, 6.0, True, colour, soft=0.8, align=True))
        return face, index
    index = ViewKind("index", corner, PX_PER_MM, ViewShape(48, 108, 2, 12.0, False, colour, soft=0.8))
    size = round(_FACE_MM[0] * PX_PER_MM), round(_FACE_MM[1] * PX_PER_MM)
    face = ViewKind("face", size, PX_PER_MM, ViewShape(56, 58, 2, 6.0, False, colour))
    return index, face


def indices(view: Image, kind: ViewKind) -> list[Image]:
    """The index patches in a view, as the networks want them: a face shows one, or two where it is whole."""
    if kind.px_per_mm != PX_PER_MM or kind.name == "picture":
        return []
    ends = [view, np.ascontiguousarray(view[::-1, ::-1])] if kind.name == "face" and kind.shape.turned else [view]
    return [np.ascontiguousarray(end[:PATCH_HEIGHT, :PATCH_WIDTH]) for end in ends]


def kind_named(geometry: Geometry, name: str) -> ViewKind | None:
    """The kind of that name, None where this camera has none."""
    return next((kind for kind in kinds(geometry) if kind.name == name), None)


def cards_in(image: Image, geometry: Geometry, kind: ViewKind) -> list[list[Image]]:
    """What may be cards in a picture, likeliest first: the views of each. Raises ValueError for another size."""
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        raise ValueError(f"a picture is uint8 BGR, not {image.dtype} {image.shape}")
    if geometry.motion == "free":
        return _in_photograph(image, kind)
    if not geometry.fits(image):
        raise ValueError(f"a picture of this camera is {geometry.width}x{geometry.height}, not {image.shape[1::-1]}")
    upright = np.ascontiguousarray(geometry.upright(image))
    if kind.name == "picture":
        return [[upright]]
    eye = SlotEye(geometry)
    sight = eye.look(Frame(image, 0, 0.0), upright)
    corner = eye.corner(upright, sight) if sight.card and sight.index else None
    view = at_corner(upright, corner, geometry, kind) if corner is not None else None
    return [] if view is None else [[view]]


def at_corner(upright: Image, corner: Corner, geometry: Geometry, kind: ViewKind) -> Image | None:
    """The view from a card's corner on; None where it is not wholly in the picture yet."""
    scale = geometry.px_per_mm
    width, height = kind.size[0] * scale / kind.px_per_mm, kind.size[1] * scale / kind.px_per_mm
    far_x = corner.x + max(corner.along[0] * width, corner.along[0] * width + corner.down[0] * height)
    if far_x > upright.shape[1] or corner.x < 0:
        return None
    return cut(upright, corner, scale, kind.px_per_mm, kind.size)


def views_of(card: Squared, kind: ViewKind, turn: int = 0) -> list[Image]:
    """The views of a card that is squared up; `turn` 1 where its outline's sides may have been taken for each other."""
    if kind.name == "index":
        return [card.patch(turn), card.patch(turn + 2)]
    return [card.face(kind.px_per_mm, turn)]


def _in_photograph(image: Image, kind: ViewKind) -> list[list[Image]]:
    """Outlines seen at several levels, the largest first (a card's frame lies inside it); then the picture itself;
    where there is no such outline lines before it, and what print shows last: it is the least exact."""
    sure = [quad for quad in find_cards(image) if quad.votes >= _SURE_VOTES]
    quads = sorted(sure, key=lambda quad: quad.area, reverse=True)
    if not sure:
        quads = find_by_lines(image)
    quads = [*quads, whole_picture(image), *(find_by_print(image) if not sure else ())]
    return [views_of(Squared(image, quad), kind) for quad in quads]
