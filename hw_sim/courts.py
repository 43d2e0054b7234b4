"""Court cards: a frame and a simple two-headed figure of our own (king, queen, jack), or a bust, or a large letter.

The figures only have to look like printed court cards to a camera: dense colour and line work inside a frame.
"""

from __future__ import annotations

import numpy as np

from hw_sim.glyphs import letter
from hw_sim.outline import Colour, Image, Points, arc, bounds, box, curve, disc, join, moved, paint, points, stroke
from hw_sim.pips import pip
from hw_sim.styles import Style

_SKIN: Colour = (186, 214, 244)
_W, _H = 63.5, 88.9


def draw_court(image: Image, style: Style, symbol: str, ink: Colour, scale: float) -> None:
    """The middle of a court card (everything but its indices), drawn into `image` in place."""
    rank, suit = symbol[0], symbol[1]
    half = _monogram(style, rank, ink) if style.court == "letter" else _figure(style, rank, suit, ink)
    size = min(8.0, 0.4 * (_W / 2 - style.court_left))
    half += [(moved(pip(style.pips, suit), style.court_left + 0.7 * size, style.court_top + 2.0, size), ink)]
    middle = (image.shape[0] + 1) // 2
    for shapes, colour in half:
        paint(image[:middle], shapes, colour, scale)
    image[image.shape[0] - middle :] = image[:middle][::-1, ::-1]
    if style.frame != "none":
        frame = box(style.court_left, style.court_top, _W - 2 * style.court_left, _H - 2 * style.court_top)
        paint(image, stroke(frame, 0.35, 0.35, closed=True), style.black if style.frame != "all" else style.trim, scale)


def _monogram(style: Style, rank: str, ink: Colour) -> list[tuple[list[Points], Colour]]:
    glyph = letter(style.font, rank)
    left, _, right, _ = bounds(glyph)
    size = 24.0
    big = moved(glyph, _W / 2 - (left + right) / 2 * size, _H / 2 - size - 3.0, size)
    band = box(style.court_left, _H / 2 - 1.2, _W - 2 * style.court_left, 2.4)
    return [([band], style.trim), (big, ink)]


def _figure(style: Style, rank: str, suit: str, ink: Colour) -> list[tuple[list[Points], Colour]]:
    """The upper half, from the belt up; x from the middle of the card, y from the top of the frame."""
    top = style.court_top
    robe = style.cloth if suit in "sh" else style.red
    parts: list[tuple[list[Points], Colour]] = []
    parts += [(s, robe) for s in [_robe(style)]]
    parts += _trimmings(style, ink)
    parts += _head(style, rank, ink)
    parts += _attribute(style, rank, ink)
    return [(moved(shapes, _W / 2, top), colour) for shapes, colour in parts]


def _robe(style: Style) -> list[Points]:
    wide = _W / 2 - style.court_left - 0.2
    deep = _H / 2 - style.court_top + 0.5
    neck = deep - 17.0
    right = join(
        points((0, neck), (3.0, neck)),
        curve((3.0, neck), (wide * 0.7, neck + 1), (wide, neck + 7), (wide, neck + 12)),
        points((wide, deep), (0, deep)),
    )
    return [join(right, right[::-1] * (-1, 1))]


def _trimmings(style: Style, ink: Colour) -> list[tuple[list[Points], Colour]]:
    wide = _W / 2 - style.court_left - 0.2
    deep = _H / 2 - style.court_top + 0.5
    neck = deep - 17.0
    collar = [points((-4.5, neck + 0.5), (4.5, neck + 0.5), (0, neck + 9))]
    sash = [points((-wide, deep - 3.5), (wide, deep - 9.5), (wide, deep - 5.5), (-wide, deep + 0.5))]
    stripes = [box(x, neck + 5, 0.7, 13) for x in (-wide * 0.72, -wide * 0.5, wide * 0.5, wide * 0.72)]
    buttons = [disc((0, neck + 10.5 + 2.4 * k), 0.7) for k in range(3)]
    return [(stripes, style.paper), (collar, style.trim), (sash, style.trim), (buttons, ink)]


def _head(style: Style, rank: str, ink: Colour) -> list[tuple[list[Points], Colour]]:
    neck = _H / 2 - style.court_top - 16.5
    y = neck - 6.0
    hair: Colour = {"K": (90, 110, 130), "Q": (50, 120, 190), "J": (40, 70, 110)}[rank]
    long = {"K": 3.5, "Q": 7.0, "J": 4.5}[rank]
    locks = [disc((-4.3, y + 1.5), 2.2, long / 2.8), disc((4.3, y + 1.5), 2.2, long / 2.8), disc((0, y - 2.4), 5.2)]
    face = [disc((0, y), 4.3, 1.3), box(-1.6, y + 4, 3.2, 4)]
    eyes = [disc((-1.7, y - 0.8), 0.5), disc((1.7, y - 0.8), 0.5)]
    lines = stroke(points((0.1, y - 0.4), (0.7, y + 1.7), (-0.1, y + 1.7)), 0.3, 0.3) + stroke(
        arc((0, y + 2.4), (1.5, 0.9), 20, 160), 0.4, 0.4
    )
    lines += stroke(arc((-1.7, y - 1.2), (1.2, 1.0), 200, 340), 0.3, 0.3) + stroke(
        arc((1.7, y - 1.2), (1.2, 1.0), 200, 340), 0.3, 0.3
    )
    parts = [(locks, hair), (face, _SKIN), (eyes + lines, style.black)]
    if rank == "K":
        beard = [join(arc((0, y + 2.6), (3.9, 5.6), 0, 180), points((-2.0, y + 3.4), (2.0, y + 3.4)))]
        parts.insert(2, (beard, hair))
    return parts + _hat(style, rank, y, ink)


def _hat(style: Style, rank: str, y: float, ink: Colour) -> list[tuple[list[Points], Colour]]:
    base = y - 4.2
    if rank == "K":
        crown = [
            points(
                (-5.5, base),
                (-6.6, base - 6.5),
                (-3.2, base - 3.4),
                (0, base - 7.6),
                (3.2, base - 3.4),
                (6.6, base - 6.5),
                (5.5, base),
            )
        ]
        return [
            (crown, style.trim),
            (
                [disc((x, h), 0.8) for x, h in ((-6.6, base - 6.8), (0, base - 7.9), (6.6, base - 6.8))]
                + [box(-5.5, base - 1.4, 11, 1.0)],
                ink,
            ),
        ]
    if rank == "Q":
        tiara = [
            points(
                (-4.8, base + 0.4),
                (-4.0, base - 3.0),
                (-1.6, base - 1.6),
                (0, base - 4.4),
                (1.6, base - 1.6),
                (4.0, base - 3.0),
                (4.8, base + 0.4),
            )
        ]
        return [(tiara, style.trim), ([disc((0, base - 1.4), 0.8)], ink)]
    cap = [join(arc((0, base + 0.6), (5.8, 4.6), 180, 360), points((6.6, base + 1.4), (-6.6, base + 1.4)))]
    feather = stroke(curve((5.0, base), (8.0, base - 2), (8.5, base - 5), (6.5, base - 7.5)), 1.1, 1.1)
    return [(cap, ink), (feather, style.trim)]


def _attribute(style: Style, rank: str, ink: Colour) -> list[tuple[list[Points], Colour]]:
    """What the right hand holds: sword, flower or staff."""
    x = _W / 2 - style.court_left - 3.2
    deep = _H / 2 - style.court_top
    hand = [disc((x, deep - 11.0), 1.7)]
    if rank == "Q":
        petals = [
            disc((x + 1.5 * np.cos(a), deep - 17.5 + 1.5 * np.sin(a)), 1.1) for a in np.radians(np.arange(5) * 72)
        ]
        return [
            (stroke(points((x, deep - 4), (x, deep - 16)), 0.5, 0.5), (60, 120, 50)),
            (petals, ink),
            ([disc((x, deep - 17.5), 0.8)], style.trim),
            (hand, _SKIN),
        ]
    top = 3.5 if rank == "K" else 6.0
    blade = [points((x - 0.7, deep - 4), (x - 0.7, top + 1.5), (x, top), (x + 0.7, top + 1.5), (x + 0.7, deep - 4))]
    guard = [box(x - 2.4, deep - 13.6, 4.8, 0.9)] if rank == "K" else [disc((x, top + 0.5), 1.2)]
    return [(blade, (150, 150, 150) if rank == "K" else (60, 100, 150)), (guard, style.trim), (hand, _SKIN)]
