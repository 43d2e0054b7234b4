"""Corners cut from whole faces: the simulator's decks in random variations, and card art from a folder of pictures.

Of foreign art only what is in the public domain is trained on (`CARD.md` has the reasoning); evaluation takes any
folder.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from hw_sim.decks import HEIGHT_MM as CARD_HEIGHT_MM
from hw_sim.decks import STYLES, Style, draw_face
from vision.glyphs import Box, find_glyphs
from vision.networks import RANKS, SUITS
from vision.training.layout import blank_corner
from vision.training.marks import HEIGHT_MM, MARGIN_MM, SCALE, WIDTH_MM, Corner, Image, Supplies
from vision.training.spoil import PATCH_PX_PER_MM, place


@dataclass
class Face:
    """A face's corner, 20 x 42 mm at SCALE px/mm, its coverage (0 where the round corner is cut), and its symbol."""

    picture: Image
    cover: NDArray[np.float32]
    rank: str
    suit: str
    rank_box: tuple[float, float, float, float] | None
    suit_box: tuple[float, float, float, float] | None


def drawn_faces(rng: np.random.Generator, count: int) -> list[Face]:
    """Faces of the simulator's designs, each design's numbers shaken."""
    faces = []
    names = sorted(STYLES)
    for number in range(count):
        style = shaken(rng, STYLES[names[number % len(names)]])
        rank, suit = str(rng.choice(RANKS)), str(rng.choice(SUITS))
        whole = draw_face(style, ("T" if rank == "10" else rank) + suit, SCALE)
        boxes = _style_boxes(style)
        faces.append(Face(*_corner_of(whole, None), rank, suit, *boxes))
    return faces


def shaken(rng: np.random.Generator, style: Style) -> Style:
    """A design near this one: other strokes, other sizes, other places."""

    def near(value: float, spread: float = 0.12) -> float:
        return value * float(np.exp(rng.normal(0, spread)))

    font, pips = style.font, style.pips
    thick = float(np.clip(near(font.thick, 0.3), 0.05, 0.22))
    font = dataclasses.replace(
        font,
        width=near(font.width),
        thick=thick,
        thin=min(near(font.thin, 0.25), thick),
        serif=near(font.serif),
        slant=float(rng.normal(0, 0.05)),
        power=float(np.clip(near(font.power), 1.8, 2.8)),
        flat_three=bool(rng.random() < 0.3),
        straight_tail=bool(rng.random() < 0.3),
        curved_seven=bool(rng.random() < 0.3),
        open_four=bool(rng.random() < 0.15),
        barred_jack=bool(rng.random() < 0.4),
        flagged_one=bool(rng.random() < 0.6),
        tailed_queen=str(rng.choice(("stroke", "cross", "swash"))),
    )
    lengths = [f.name for f in dataclasses.fields(pips)]
    pips = dataclasses.replace(pips, **{name: near(getattr(pips, name), 0.07) for name in lengths})
    return dataclasses.replace(
        style,
        font=font,
        pips=pips,
        index_x=max(near(style.index_x), style.rank_max_width / 2 + 0.8),
        index_y=near(style.index_y),
        rank_height=near(style.rank_height),
        suit_gap=near(style.suit_gap, 0.3),
        suit_height=near(style.suit_height),
        pip_height=near(style.pip_height),
        columns=near(style.columns),
        court_left=near(style.court_left),
        court_top=near(style.court_top),
    )


def _style_boxes(style: Style) -> tuple[tuple[float, float, float, float], tuple[float, float, float, float]]:
    """Where the index must lie; the widths are only about right."""
    wide = min(style.rank_height * style.font.width, style.rank_max_width)
    below = style.index_y + style.rank_height + style.suit_gap
    rank = (style.index_x - wide / 2, style.index_y, wide, style.rank_height)
    suit = (style.index_x - style.suit_height / 2, below, style.suit_height, style.suit_height)
    return _on_canvas(rank), _on_canvas(suit)


def _on_canvas(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    x, y, w, h = box
    return (x + MARGIN_MM) * SCALE, (y + MARGIN_MM) * SCALE, w * SCALE, h * SCALE


def art_faces(folder: Path) -> list[Face]:
    """All 52 faces of a folder (`10H.png` …); the boxes are where most of its clean pictures have the index."""
    faces = []
    for rank in RANKS:
        for suit in SUITS:
            picture = cv2.imread(str(folder / f"{rank}{suit.upper()}.png"), cv2.IMREAD_UNCHANGED)
            if picture is None:
                raise FileNotFoundError(f"{folder / f'{rank}{suit.upper()}.png'}: no readable picture")
            picture = np.asarray(picture, np.uint8)
            alpha = np.ascontiguousarray(picture[..., 3]) if picture.shape[2] == 4 else None
            scale = CARD_HEIGHT_MM * SCALE / picture.shape[0]
            size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
            way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
            whole = np.asarray(cv2.resize(picture[..., :3], size, interpolation=way), np.uint8)
            cover = None if alpha is None else np.asarray(cv2.resize(alpha, size, interpolation=way), np.uint8)
            corner, part = _corner_of(whole, cover)
            faces.append(Face(corner, part, rank, suit, *_found_boxes(corner)))
    ranks = [face.rank_box for face in faces if face.rank_box is not None]
    suits = [face.suit_box for face in faces if face.suit_box is not None]
    if ranks and suits:
        rank_box, suit_box = np.median(ranks, axis=0).tolist(), np.median(suits, axis=0).tolist()
        faces = [dataclasses.replace(face, rank_box=tuple(rank_box), suit_box=tuple(suit_box)) for face in faces]
    return faces


def _corner_of(whole: Image, alpha: Image | None) -> tuple[Image, NDArray[np.float32]]:
    rows, columns = round(HEIGHT_MM * SCALE), round(WIDTH_MM * SCALE)
    picture = np.ascontiguousarray(whole[:rows, :columns])
    if alpha is None:
        return picture, np.ones((rows, columns), np.float32)
    return picture, np.asarray(alpha[:rows, :columns] / 255, np.float32)


def _found_boxes(
    corner: Image,
) -> tuple[tuple[float, float, float, float] | None, tuple[float, float, float, float] | None]:
    scale = PATCH_PX_PER_MM / SCALE
    found = find_glyphs(place(corner, np.array([[scale, 0, 0], [0, scale, 0]])))
    if found is None:
        return None, None
    return _back(found.rank), _back(found.suit)


def _back(box: Box) -> tuple[float, float, float, float]:
    x, y, w, h = (value / PATCH_PX_PER_MM for value in (box.x, box.y, box.w, box.h))
    return _on_canvas((x, y, w, h))


def corner_of_face(rng: np.random.Generator, supplies: Supplies, face: Face) -> Corner:
    """The face laid on some ground, with or without a printed edge."""
    canvas = blank_corner(rng, supplies, (250, 250, 250))
    start = round(MARGIN_MM * SCALE)
    part = canvas[start:, start:]
    edge = part.copy()
    cover = face.cover[: part.shape[0], : part.shape[1], None] * _inside(rng, part.shape[:2])
    part[:] = edge * (1 - cover) + face.picture[: part.shape[0], : part.shape[1]] * cover
    picture = np.clip(canvas, 0, 255).astype(np.uint8)
    return Corner(picture, face.rank, face.suit, face.rank_box, face.suit_box, face.rank, face.suit)


def _inside(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """1 on the card but for its outermost tenths of a millimetre and its round corner: the ground's edge stays."""
    inset, radius = int(rng.integers(0, 4)), round(float(rng.uniform(2.0, 4.5)) * SCALE)
    mask = np.zeros(shape, np.uint8)
    mask[inset + radius :, inset:] = 255
    mask[inset:, inset + radius :] = 255
    cv2.circle(mask, (inset + radius, inset + radius), radius, 255, -1, cv2.LINE_AA)
    return np.asarray(mask[..., None] / 255, np.float32)
