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
    radius, top_radius = rng.uniform(0.2, 0.26), rng.uniform(0.19, 0.27)
    spread = rng.uniform(0.9, 1.25) * radius
    apart = (radius + top_radius) * rng.uniform(0.78, 1.06)
    low = top_radius + float(np.sqrt(max(apart**2 - spread**2, 0.04)))
    bottom = low + radius * rng.uniform(1.02, 1.55)
    joint = low - radius * rng.uniform(0.0, 0.3)
    filled = rng.uniform(0.25, 0.9)
    middle = np.array([(0.0, top_radius), (spread, low), (-spread, low)])
    middle = middle.mean(axis=0) + (middle - middle.mean(axis=0)) * filled
    stalk = rng.uniform(0.02, 0.07)
    upright = np.array([(-stalk, top_radius), (stalk, top_radius), (stalk, low), (-stalk, low)])
    across = np.array([(-spread, low - stalk), (spread, low - stalk), (spread, low + stalk), (-spread, low + stalk)])
    leaves = _leaves(radius, top_radius, spread, low)
    return [*leaves, middle, upright, across, *stem(rng, joint, bottom, spread + radius)]


def _leaves(radius: float, top_radius: float, spread: float, low: float) -> list[Points]:
    angle = np.linspace(0, 2 * np.pi, 40)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return [ring * top_radius + (0, top_radius), ring * radius + (spread, low), ring * radius + (-spread, low)]


SHAPES = {"s": spade, "h": heart, "d": diamond, "c": club}


def foreign(rng: np.random.Generator) -> list[Points]:
    """A shape that is no French suit: coin, star, shield, cross, cup, leaf, bell, crescent, batons, or a blot."""
    angle = np.linspace(0, 2 * np.pi, 60)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1) * 0.5
    kind = int(rng.integers(9))
    if kind == 0:
        return [ring * (rng.uniform(0.7, 1.2), 1)]
    if kind == 1:
        points = int(rng.integers(5, 9))
        turn = np.arange(2 * points) * np.pi / points
        radius = np.where(np.arange(2 * points) % 2 == 0, 0.5, rng.uniform(0.15, 0.35))
        return [np.stack([np.sin(turn), -np.cos(turn)], axis=1) * radius[:, None]]
    if kind == 2:
        return [both_sides(np.vstack([[(0, 0), (0.4, 0)], curve((0.4, 0), (0.4, 0.5), (0.3, 0.8), (0, 1))]))]
    if kind == 3:
        thick = rng.uniform(0.06, 0.16)
        return [
            np.array([(-thick, 0), (thick, 0), (thick, 1), (-thick, 1)]),
            np.array([(-0.4, 0.3), (0.4, 0.3), (0.4, 0.3 + thick), (-0.4, 0.3 + thick)]),
        ]
    if kind == 4:
        bowl = np.vstack(
            [
                [(0, 0), (0.45, 0)],
                curve((0.45, 0), (0.45, 0.5), (0.1, 0.5), (0.06, 0.6)),
                [(0.06, 0.9), (0.3, 1), (0, 1)],
            ]
        )
        return [both_sides(bowl)]
    if kind == 5:
        return [both_sides(curve((0, 0), (rng.uniform(0.3, 0.8), 0.2), (rng.uniform(0.2, 0.7), 0.9), (0, 1)))]
    if kind == 6:
        inner = ring * rng.uniform(0.6, 0.9) + (rng.uniform(0.12, 0.3), 0)
        return [np.vstack([ring[8:53], inner[50:10:-1]])]
    if kind == 7:
        bars = [np.array([(x - 0.06, 0), (x + 0.06, 0), (x + 0.06, 1), (x - 0.06, 1)]) for x in (-0.3, 0.0, 0.3)]
        return bars[: int(rng.integers(1, 4))]
    radius = rng.uniform(0.5, 1.0, 12)
    blot = (
        np.stack([np.cos(angle), np.sin(angle)], axis=1)
        * np.interp(angle, np.linspace(0, 2 * np.pi, 13), np.append(radius, radius[0]))[:, None]
    )
    return [blot * 0.5]


def pip_mask(rng: np.random.Generator, suit: str) -> Mask:
    """A mask of a suit (`s h d c`, or `?` for a foreign one), GLYPH_PX rows."""
    return mask_of(foreign(rng) if suit == "?" else SHAPES[suit](rng))
