"""Suit pips: spade, heart, diamond and club outlines of our own, shaped by the numbers of a `PipShape`.

A pip is one unit high, centred on x = 0, its top at y = 0. Ink, size and place are decks.py's.
"""

from __future__ import annotations

from dataclasses import dataclass

from hw_sim.outline import Points, bounds, curve, disc, join, moved, points


@dataclass(frozen=True)
class PipShape:
    """Lengths in pip heights."""

    heart_width: float = 0.98
    heart_dip: float = 0.2  # depth of the notch between the lobes
    heart_belly: float = 0.42  # how far the sides bulge on the way to the tip
    diamond_width: float = 0.78
    diamond_hollow: float = 0.0  # how far the sides bend inwards
    spade_width: float = 0.9
    spade_stem: float = 0.42  # width of the foot of spade and club
    stem_flare: float = 0.1  # half width of the stem where it leaves the body
    club_radius: float = 0.245
    club_spread: float = 0.245  # how far the side leaves stand from the middle
    club_low: float = 0.56


def heart(shape: PipShape) -> list[Points]:
    w, dip, belly = shape.heart_width / 2, shape.heart_dip, shape.heart_belly
    right = join(
        curve((0, dip), (w * 0.1, dip * 0.3), (w * 0.3, 0), (w * 0.54, 0)),
        curve((w * 0.54, 0), (w * 0.86, 0), (w, 0.13), (w, 0.3)),
        curve((w, 0.3), (w, belly + 0.12), (w * 0.4, 0.72), (0, 1.0)),
    )
    left = right[::-1] * (-1, 1)
    return [join(right, left)]


def diamond(shape: PipShape) -> list[Points]:
    w, h = shape.diamond_width / 2, shape.diamond_hollow
    corners = [(0.0, 0.0), (w, 0.5), (0.0, 1.0), (-w, 0.5)]
    sides = []
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        mx, my = (ax + bx) / 2 * (1 - h), 0.5 + ((ay + by) / 2 - 0.5) * (1 - h)
        sides.append(curve((ax, ay), ((ax + mx) / 2, (ay + my) / 2), ((bx + mx) / 2, (by + my) / 2), (bx, by)))
    return [join(*sides)[:-1]]


def _foot(shape: PipShape, top: float) -> Points:
    s, f = shape.spade_stem / 2, shape.stem_flare / 2
    right = join(curve((f, top), (f, 0.85), (s * 0.55, 0.96), (s, 1.0)), points((0, 1.0)))
    return join(points((0, top)), right, (right[::-1] * (-1, 1)))


def spade(shape: PipShape) -> list[Points]:
    w = shape.spade_width / 2
    right = join(
        curve((0, 0), (w * 0.35, 0.24), (w, 0.36), (w, 0.58)),
        curve((w, 0.58), (w, 0.84), (w * 0.3, 0.86), (0, 0.66)),
    )
    return [join(right, right[::-1] * (-1, 1)), _foot(shape, 0.6)]


def club(shape: PipShape) -> list[Points]:
    r, s = shape.club_radius, shape.club_spread
    leaves = [disc((0, r), r), disc((-s, shape.club_low), r), disc((s, shape.club_low), r)]
    middle = points((-r * 0.45, r), (r * 0.45, r), (s * 0.6, shape.club_low), (-s * 0.6, shape.club_low))
    return [*leaves, middle, _foot(shape, shape.club_low - 0.05)]


_SUITS = {"s": spade, "h": heart, "d": diamond, "c": club}


def pip(shape: PipShape, suit: str) -> list[Points]:
    """The polygons of a suit's pip, exactly one unit high."""
    polygons = _SUITS[suit](shape)
    _, top, _, bottom = bounds(polygons)
    return moved(polygons, 0.0, -top / (bottom - top), 1.0 / (bottom - top))
