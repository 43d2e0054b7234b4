"""Suit pips as masks: own outlines with every proportion drawn at random, and suits of other countries to be refused.

Every shape is built of cubic curves in a square of side 1 (y down, centred on x = 0), then scaled to PIP_PX rows.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.fonts import GLYPH_PX, Mask, tight

Points = NDArray[np.float64]
_T = np.linspace(0.0, 1.0, 14)[:, None]
_SHIFT = 4  # cv2.fillPoly takes 1/16 pixels


def curve(*control: tuple[float, float]) -> Points:
    """A cubic Bézier curve as a polyline."""
    a, b, c, d = (np.asarray(point, float) for point in control)
    return np.asarray((1 - _T) ** 3 * a + 3 * (1 - _T) ** 2 * _T * b + 3 * (1 - _T) * _T**2 * c + _T**3 * d)


def both_sides(right: Points) -> Points:
    return np.vstack([right, (right * (-1, 1))[::-1]])


def mask_of(polygons: list[Points]) -> Mask:
    """The union of polygons as a tight mask."""
    everything = np.vstack(polygons)
    low, high = everything.min(axis=0), everything.max(axis=0)
    scale = (GLYPH_PX * 1.5) / (high[1] - low[1])
    size = np.ceil((high - low) * scale).astype(int) + 4
    canvas = np.zeros((size[1], size[0]), np.uint8)
    for polygon in polygons:
        corners = np.round(((polygon - low) * scale + 2) * 2**_SHIFT).astype(np.int32)
        cv2.fillPoly(canvas, [corners], 255, cv2.LINE_AA, _SHIFT)
    mask = tight(canvas)
    assert mask is not None
    return mask


def diamond(rng: np.random.Generator) -> list[Points]:
    width, bend = rng.uniform(0.3, 0.5), rng.uniform(-0.06, 0.3) * rng.uniform(0, 1)
    corner = np.array([width / 2, 0.25]) * (1 - bend) + np.array([0, 0.5]) * bend
    top, bottom = (corner[0], corner[1]), (corner[0], 1 - corner[1])
    right = np.vstack([curve((0, 0), top, top, (width, 0.5)), curve((width, 0.5), bottom, bottom, (0, 1))])
    return [both_sides(right)]


def heart(rng: np.random.Generator) -> list[Points]:
    return [_heart(rng)]


def _heart(rng: np.random.Generator, flat: float = 0.0) -> Points:
    """One outline of two lobes; `flat` shortens the tip."""
    width, dip = rng.uniform(0.42, 0.58), rng.uniform(0.08, 0.28)
    peak, widest = rng.uniform(0.42, 0.6), rng.uniform(0.22, 0.38)
    tip = curve(
        (width, widest),
        (width, widest + rng.uniform(0.12, 0.3)),
        (rng.uniform(0.05, 0.3), rng.uniform(0.65, 0.85)),
        (0, 1 - flat),
    )
    lobe = curve(
        (0, dip), (rng.uniform(0.0, 0.1), dip * rng.uniform(0, 0.6)), (width * peak * 0.55, 0), (width * peak, 0)
    )
    shoulder = curve(
        (width * peak, 0), (width * rng.uniform(0.8, 0.95), 0), (width, rng.uniform(0.05, 0.16)), (width, widest)
    )
    return both_sides(np.vstack([lobe, shoulder, tip]))


def stem(rng: np.random.Generator, top: float, bottom: float, reach: float) -> list[Points]:
    """The foot of spade or club: flared, straight, wedge, or with a serif; `reach` is half the pip's width."""
    foot, neck = reach * rng.uniform(0.28, 0.8), rng.uniform(0.015, 0.06)
    kind = rng.integers(4)
    if kind == 0:
        right = curve((neck, top), (neck, (top + 2 * bottom) / 3), (foot * 0.5, bottom), (foot, bottom))
    elif kind == 1:
        right = np.array([(neck * 0.5, top), (foot * 0.7, bottom)])
    elif kind == 2:
        right = curve(
            (neck, top), (neck, bottom - 0.06), (foot * 0.4, bottom - 0.05), (foot, bottom - rng.uniform(0.0, 0.05))
        )
        right = np.vstack([right, [(foot, bottom)]])
    else:
        bar = rng.uniform(0.02, 0.06)
        right = np.array([(neck, top), (neck, bottom - bar), (foot * 0.8, bottom - bar), (foot * 0.8, bottom)])
    return [both_sides(right)]


def spade(rng: np.random.Generator) -> list[Points]:
    body = _heart(rng) * (1, -1) + (0, 1)
    height = rng.uniform(0.72, 0.95)
    body[:, 1] *= height
    reach = float(body[:, 0].max())
    return [body, *stem(rng, height * rng.uniform(0.6, 0.75), 1.0, reach)]


def club(rng: np.random.Generator) -> list[Points]:
    """Three leaves that touch, overlap or hang on thin stalks, and a foot that stands out below them."""
    radius, top_radius = rng.uniform(0.18, 0.26), rng.uniform(0.18, 0.27)
    spread = rng.uniform(0.9, 1.25) * radius
    apart = (radius + top_radius) * (rng.uniform(0.78, 1.06) if rng.random() < 0.8 else rng.uniform(1.06, 1.35))
    low = top_radius + float(np.sqrt(max(apart**2 - spread**2, 0.04)))
    bottom = low + radius * rng.uniform(1.02, 1.55)
    joint = low - radius * rng.uniform(0.0, 0.3)
    filled = rng.uniform(0.25, 0.9)
    middle = np.array([(0.0, top_radius), (spread, low), (-spread, low)])
    middle = middle.mean(axis=0) + (middle - middle.mean(axis=0)) * filled
    stalk = rng.uniform(0.012, 0.07)
    upright = np.array([(-stalk, top_radius), (stalk, top_radius), (stalk, low), (-stalk, low)])
    across = np.array([(-spread, low - stalk), (spread, low - stalk), (spread, low + stalk), (-spread, low + stalk)])
    leaves = _leaves(radius, top_radius, spread, low)
    if rng.random() < 0.35:  # leaves like drops, that taper to where they meet
        heart = np.array([0.0, low - radius * rng.uniform(0.0, 0.25)])
        places = ((0.0, top_radius, top_radius), (spread, low, radius), (-spread, low, radius))
        leaves += [_taper(heart, np.array([x, y]), r * rng.uniform(0.7, 0.95)) for x, y, r in places]
    return [*leaves, middle, upright, across, *stem(rng, joint, bottom, spread + radius)]


def _taper(tip: Points, middle: Points, half: float) -> Points:
    """A wedge from a point to a leaf's full width."""
    along = (middle - tip) / max(float(np.hypot(*(middle - tip))), 1e-6)
    beside = np.array([-along[1], along[0]]) * half
    return np.array([tip, middle + beside, middle - beside])


def _leaves(radius: float, top_radius: float, spread: float, low: float) -> list[Points]:
    angle = np.linspace(0, 2 * np.pi, 40)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return [ring * top_radius + (0, top_radius), ring * radius + (spread, low), ring * radius + (-spread, low)]


SHAPES = {"s": spade, "h": heart, "d": diamond, "c": club}


def foreign(rng: np.random.Generator) -> list[Points]:
    """A shape that is no French suit: of German, Swiss and Latin decks, of other games, or a blot."""
    return FOREIGN[rng.integers(len(FOREIGN))](rng)


def _ring(radius_x: float, radius_y: float, x: float, y: float) -> Points:
    angle = np.linspace(0, 2 * np.pi, 60)
    return np.stack([np.cos(angle) * radius_x + x, np.sin(angle) * radius_y + y], axis=1)


def _coin(rng: np.random.Generator) -> list[Points]:
    return [_ring(0.5 * rng.uniform(0.7, 1.2), 0.5, 0, 0.5)]


def _star(rng: np.random.Generator) -> list[Points]:
    points = int(rng.integers(5, 9))
    turn = np.arange(2 * points) * np.pi / points
    radius = np.where(np.arange(2 * points) % 2 == 0, 0.5, rng.uniform(0.12, 0.35))
    return [np.stack([np.sin(turn), -np.cos(turn)], axis=1) * radius[:, None]]


def _shield(rng: np.random.Generator) -> list[Points]:
    width, dent = rng.uniform(0.3, 0.5), rng.uniform(-0.08, 0.08)
    side = curve((width, 0), (width, rng.uniform(0.4, 0.9)), (rng.uniform(0.05, 0.3), rng.uniform(0.8, 1.0)), (0, 1))
    return [both_sides(np.vstack([[(0, dent)], side]))]


def _cross(rng: np.random.Generator) -> list[Points]:
    thick, at = rng.uniform(0.06, 0.16), rng.uniform(0.15, 0.45)
    return [_bar(0, thick, 0, 1), _bar(0, rng.uniform(0.25, 0.5), at, at + thick)]


def _bar(x: float, half: float, top: float, bottom: float) -> Points:
    return np.array([(x - half, top), (x + half, top), (x + half, bottom), (x - half, bottom)])


def _cup(rng: np.random.Generator) -> list[Points]:
    bowl = curve((0.45, 0), (0.45, rng.uniform(0.3, 0.6)), (0.1, 0.5), (0.06, 0.6))
    return [both_sides(np.vstack([[(0, 0), (0.45, 0)], bowl, [(0.06, 0.9), (rng.uniform(0.15, 0.4), 1), (0, 1)]]))]


def _leaf(rng: np.random.Generator) -> list[Points]:
    return [both_sides(curve((0, 0), (rng.uniform(0.3, 0.8), 0.2), (rng.uniform(0.2, 0.7), 0.9), (0, 1)))]


def _crescent(rng: np.random.Generator) -> list[Points]:
    ring = _ring(0.5, 0.5, 0, 0)
    inner = ring * rng.uniform(0.6, 0.9) + (rng.uniform(0.12, 0.3), 0)
    return [np.vstack([ring[8:53], inner[50:10:-1]])]


def _batons(rng: np.random.Generator) -> list[Points]:
    return [_bar(x, rng.uniform(0.03, 0.09), 0, 1) for x in (-0.3, 0.0, 0.3)[: rng.integers(1, 4)]]


def _flower(rng: np.random.Generator) -> list[Points]:
    petals, out, radius = int(rng.integers(5, 9)), rng.uniform(0.25, 0.34), rng.uniform(0.14, 0.24)
    turn = np.arange(petals) * 2 * np.pi / petals + rng.uniform(0, 1)
    return [_ring(radius, radius, out * np.sin(t), out * np.cos(t)) for t in turn] + [_ring(0.25, 0.25, 0, 0)]


def _acorn(rng: np.random.Generator) -> list[Points]:
    width, cap = rng.uniform(0.2, 0.34), rng.uniform(0.3, 0.5)
    nut = both_sides(curve((width, cap), (width, 0.9), (0.08, 1.0), (0, 1)))
    top = both_sides(curve((0, 0.12), (width, 0.1), (width * 1.3, 0.2), (width * 1.25, cap)))
    shapes = [nut, top, _bar(0, rng.uniform(0.03, 0.08), 0, 0.3)]
    return shapes if rng.random() < 0.5 else [shape * (1, -1) for shape in shapes]


def _bell(rng: np.random.Generator) -> list[Points]:
    ball = rng.uniform(0.36, 0.44)
    return [_ring(ball, ball, 0, 1 - ball), _bar(0, rng.uniform(0.05, 0.12), 0, 0.4)]


def _blot(rng: np.random.Generator) -> list[Points]:
    radius, angle = rng.uniform(0.5, 1.0, 12), np.linspace(0, 2 * np.pi, 60)
    reach = np.interp(angle, np.linspace(0, 2 * np.pi, 13), np.append(radius, radius[0]))
    return [_ring(0.5, 0.5, 0, 0) * reach[:, None]]


FOREIGN = (_coin, _star, _shield, _cross, _cup, _leaf, _crescent, _batons, _flower, _acorn, _bell, _blot)


def _engrave(rng: np.random.Generator, mask: Mask) -> Mask:
    """Lines and dots left white inside a foreign suit, as bells and shields have them."""
    mask = mask.copy()
    for _ in range(int(rng.integers(1, 6))):
        x, y = int(rng.integers(mask.shape[1])), int(rng.integers(mask.shape[0]))
        if rng.random() < 0.6:
            end = (int(rng.integers(mask.shape[1])), int(rng.integers(mask.shape[0])))
            cv2.line(mask, (x, y), end, 0, int(rng.integers(2, 9)), cv2.LINE_AA)
        else:
            cv2.circle(mask, (x, y), int(rng.integers(4, 14)), 0, int(rng.choice((2, 4, -1))), cv2.LINE_AA)
    return mask


def pip_mask(rng: np.random.Generator, suit: str) -> Mask:
    """A mask of a suit (`s h d c`, or `?` for a foreign one), GLYPH_PX rows."""
    if suit != "?":
        return mask_of(SHAPES[suit](rng))
    mask = mask_of(foreign(rng))
    return _engrave(rng, mask) if rng.random() < 0.5 else mask
