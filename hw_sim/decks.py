"""Card faces: the project's own, drawn from a `Style`, and a user's, read from a folder of pictures.

Symbols are the 52 faces ("As", "Th"), `back`, `cut` and `joker`. What a camera makes of a face is camera.py's.
"""

from __future__ import annotations

import numpy as np

from hw_sim.courts import draw_court
from hw_sim.glyphs import letter
from hw_sim.outline import Colour, Image, Points, bounds, coverage, moved, paint, rounded_box, stroke
from hw_sim.pips import pip
from hw_sim.styles import STYLES, Style

__all__ = ["CARDS", "HEIGHT_MM", "STYLES", "SYMBOLS", "WIDTH_MM", "Style", "corner_mask", "draw_face", "face_size"]

WIDTH_MM, HEIGHT_MM = 63.5, 88.9
RANKS, SUITS = "A23456789TJQK", "shdc"
CARDS: tuple[str, ...] = tuple(r + s for s in SUITS for r in RANKS)
SYMBOLS: tuple[str, ...] = (*CARDS, "back", "cut", "joker")

_CUT_COLOURS: tuple[Colour, ...] = ((40, 200, 240), (60, 60, 220), (200, 120, 40), (70, 170, 60), (230, 230, 60))

# Places of the pips: (column -1, 0, 1, height 0 upper to 1 lower); what lies below the middle stands on its head.
_T = 1 / 3
_LAYOUT: dict[str, tuple[tuple[float, float], ...]] = {
    "A": ((0, 0.5),),
    "2": ((0, 0), (0, 1)),
    "3": ((0, 0), (0, 0.5), (0, 1)),
    "4": ((-1, 0), (1, 0), (-1, 1), (1, 1)),
    "5": ((-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)),
    "6": ((-1, 0), (1, 0), (-1, 0.5), (1, 0.5), (-1, 1), (1, 1)),
    "7": ((-1, 0), (1, 0), (0, 0.25), (-1, 0.5), (1, 0.5), (-1, 1), (1, 1)),
    "8": ((-1, 0), (1, 0), (0, 0.25), (-1, 0.5), (1, 0.5), (0, 0.75), (-1, 1), (1, 1)),
    "9": ((-1, 0), (1, 0), (-1, _T), (1, _T), (0, 0.5), (-1, 1 - _T), (1, 1 - _T), (-1, 1), (1, 1)),
    "T": ((-1, 0), (1, 0), (0, _T / 2), (-1, _T), (1, _T), (-1, 1 - _T), (1, 1 - _T), (0, 1 - _T / 2), (-1, 1), (1, 1)),
}


def face_size(px_per_mm: float) -> tuple[int, int]:
    """Width and height in px of a face at this scale."""
    return round(WIDTH_MM * px_per_mm), round(HEIGHT_MM * px_per_mm)


def corner_mask(px_per_mm: float, radius_mm: float = 3.2) -> Image:
    """How much of each pixel the card with its round corners covers, 0..255, shape of the face."""
    outline = rounded_box(0, 0, WIDTH_MM, HEIGHT_MM, radius_mm)
    return np.rint(coverage([outline], face_size(px_per_mm), (0, 0), px_per_mm) * 255).astype(np.uint8)


def draw_face(style: Style, symbol: str, px_per_mm: float) -> Image:
    """The face of `symbol` in this design, BGR, 63.5 × 88.9 mm, index upright in the top left corner.

    The picture is full to its corners; `corner_mask` says what of it the round corners leave. An unknown symbol is a
    KeyError.
    """
    width, height = face_size(px_per_mm)
    image: Image = np.empty((height, width, 3), dtype=np.uint8)
    image[:] = style.paper
    if symbol in CARDS:
        _draw_card(image, style, symbol, px_per_mm)
    else:
        {"back": _draw_back, "cut": _draw_cut, "joker": _draw_joker}[symbol](image, style, px_per_mm)
    return image


def _draw_card(image: Image, style: Style, symbol: str, scale: float) -> None:
    rank, suit = symbol[0], symbol[1]
    ink = style.red if suit in "hd" else style.black
    if style.frame == "all":
        paint(image, _line_round(2.2, 2.2, WIDTH_MM - 4.4, HEIGHT_MM - 4.4, 0.25, 2.0), style.trim, scale)
    if rank in "JQK":
        draw_court(image, style, symbol, ink, scale)
    else:
        _draw_pips(image, style, rank, suit, ink, scale)
    _draw_index(image, style, _index(style, rank, suit), ink, scale)


def _line_round(x: float, y: float, width: float, height: float, line: float, radius: float) -> list[Points]:
    return stroke(rounded_box(x, y, width, height, radius), line, line, closed=True)


def _index(style: Style, rank: str, suit: str) -> list[Points]:
    """Rank and suit of the top left corner, in mm."""
    glyph = letter(style.font, rank)
    left, _, right, _ = bounds(glyph)
    squeeze = min(1.0, style.rank_max_width / ((right - left) * style.rank_height))
    placed = [p * (style.rank_height * squeeze, style.rank_height) for p in glyph]
    middle = (left + right) / 2 * style.rank_height * squeeze
    rank_part = moved(placed, style.index_x - middle, style.index_y)
    suit_y = style.index_y + style.rank_height + style.suit_gap
    return rank_part + moved(pip(style.pips, suit), style.index_x, suit_y, style.suit_height)


def _draw_index(image: Image, style: Style, index: list[Points], ink: Colour, scale: float) -> None:
    left, top, right, bottom = bounds(index)
    boxed = style.frame == "index"
    shift = [(0.0, 0.0)] if style.corners == 2 else [(0.0, 0.0), (WIDTH_MM - 2 * style.index_x, 0.0)]
    for dx, _ in shift:
        shapes = [moved(index, dx, 0)]
        if boxed:
            half = max(style.index_x - left, right - style.index_x) + 1.1
            shapes.append(
                moved(_line_round(style.index_x - half, top - 1.2, 2 * half, bottom - top + 2.4, 0.3, 1.0), dx, 0)
            )
        for shape in shapes:
            paint(image, shape, ink, scale)
            paint(image, moved(shape, WIDTH_MM, HEIGHT_MM, turned=True), ink, scale)


def _draw_pips(image: Image, style: Style, rank: str, suit: str, ink: Colour, scale: float) -> None:
    height = style.pip_height * (2.2 if rank == "A" and suit == "s" else 1.5 if rank == "A" else 1.0)
    shape = moved(pip(style.pips, suit), 0, -height / 2, height)
    for column, level in _LAYOUT[rank]:
        x = WIDTH_MM / 2 + column * style.columns
        y = style.pip_top + level * (HEIGHT_MM - 2 * style.pip_top)
        paint(image, moved(shape, x, y, turned=level > 0.5), ink, scale)
    if rank == "A" and suit == "s":
        paint(image, _line_round(WIDTH_MM / 2 - 16, HEIGHT_MM / 2 - 19, 32, 38, 0.5, 15.9), ink, scale)


def _draw_back(image: Image, style: Style, scale: float) -> None:
    inner = rounded_box(3.5, 3.5, WIDTH_MM - 7, HEIGHT_MM - 7, 2.0)
    paint(image, [inner], style.back, scale)
    y, x = np.mgrid[0 : image.shape[0], 0 : image.shape[1]] / scale
    ink = {
        "lattice": (np.abs(((x + y) % 4.0) - 2.0) < 0.35) | (np.abs(((x - y) % 4.0) - 2.0) < 0.35),
        "dots": np.hypot((x % 3.2) - 1.6, (y % 3.2) - 1.6) < 0.7,
        "waves": np.abs(((y + 1.2 * np.sin(x * 1.4)) % 3.0) - 1.5) < 0.4,
    }[style.back_pattern]
    ink &= (x > 5) & (x < WIDTH_MM - 5) & (y > 5) & (y < HEIGHT_MM - 5)
    image[ink] = style.paper


def _draw_cut(image: Image, style: Style, scale: float) -> None:
    """The indicator card is plain plastic; its colour goes by the design's name."""
    image[:] = _CUT_COLOURS[sum(style.name.encode()) % len(_CUT_COLOURS)]


def _draw_joker(image: Image, style: Style, scale: float) -> None:
    """The word down the corners, or a star there, and a star in the middle."""
    star = [_star(style.index_x, style.index_y + 4, 3.2)]
    corner = _word(style, "JOKER") if style.joker == "word" else star
    for shapes in (corner, moved(corner, WIDTH_MM, HEIGHT_MM, turned=True)):
        paint(image, shapes, style.black, scale)
    paint(image, [_star(WIDTH_MM / 2, HEIGHT_MM / 2, 17.0)], style.red, scale)
    paint(image, [_star(WIDTH_MM / 2, HEIGHT_MM / 2 - 2, 9.0)], style.trim, scale)


def _word(style: Style, word: str) -> list[Points]:
    """Small letters one below the other."""
    height = min(3.0, 0.42 * style.rank_height)
    shapes: list[Points] = []
    for k, each in enumerate(word):
        glyph = letter(style.font, each)
        left, _, right, _ = bounds(glyph)
        x = min(style.index_x, 5.5) - (left + right) / 2 * height
        shapes += moved(glyph, x, style.index_y + k * 1.28 * height, height)
    return shapes


def _star(x: float, y: float, radius: float) -> Points:
    angles = np.radians(np.arange(10) * 36 - 90)
    reach = np.where(np.arange(10) % 2 == 0, radius, radius * 0.42)
    return np.stack([x + reach * np.cos(angles), y + reach * np.sin(angles)], axis=1)
