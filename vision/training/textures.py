"""Pictures without meaning: what a card lies on, court clothes, backs of cards, hands. All drawn here."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

GROUND_PX = 520
_COURT_COLOURS = ((40, 40, 210), (60, 200, 240), (160, 70, 30), (20, 20, 20), (245, 245, 250), (190, 210, 235))


def noise_field(rng: np.random.Generator, size: int, grain: float) -> NDArray[np.float32]:
    """Smooth noise of about unit spread."""
    coarse = max(2, round(size / grain))
    field = rng.standard_normal((coarse, coarse)).astype(np.float32)
    return np.asarray(cv2.resize(field, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)


def make_grounds(rng: np.random.Generator, count: int) -> list[Image]:
    """Dark floors, felt, desks light and dark, as white as paper too, wood, another card's paper."""
    return [_ground(rng) for _ in range(count)]


def _ground(rng: np.random.Generator) -> Image:
    kind = rng.integers(7)
    if kind == 0:
        colour = np.full(3, rng.uniform(3, 60)) + rng.uniform(0, 10, 3)
    elif kind == 1:
        colour = np.array([rng.uniform(20, 90), rng.uniform(60, 140), rng.uniform(10, 70)])
    elif kind == 2:
        colour = np.full(3, rng.uniform(150, 255)) - rng.uniform(0, 25, 3)
    elif kind == 6:
        colour = rng.uniform(215, 255) - np.array([1.0, 0.5, 0.1]) * rng.uniform(0, 40)
    else:
        colour = rng.uniform(10, 230, 3)
    picture = np.tile(colour.astype(np.float32), (GROUND_PX, GROUND_PX, 1))
    for grain in (3.0, 20.0, 120.0):
        picture += noise_field(rng, GROUND_PX, grain)[..., None] * rng.uniform(0, 9)
    if kind == 4:
        streaks = cv2.resize(rng.standard_normal((GROUND_PX // 4, 6)).astype(np.float32), (GROUND_PX, GROUND_PX))
        picture += (streaks if rng.random() < 0.5 else streaks.T)[..., None] * rng.uniform(5, 25)
    if kind == 5:
        _clutter(rng, picture, 14)
    return np.clip(picture, 0, 255).astype(np.uint8)


def _clutter(rng: np.random.Generator, picture: NDArray[np.float32], count: int) -> None:
    """Shapes of any colour anywhere."""
    height, width = picture.shape[:2]
    for _ in range(count):
        colour = tuple(float(c) for c in rng.uniform(0, 255, 3))
        x, y = int(rng.integers(width)), int(rng.integers(height))
        reach = int(rng.integers(6, 90))
        kind = rng.integers(4)
        if kind == 0:
            cv2.ellipse(picture, (x, y), (reach, max(3, reach // 2)), float(rng.uniform(0, 180)), 0, 360, colour, -1)
        elif kind == 1:
            cv2.line(picture, (x, y), (x + reach, y + int(rng.integers(-60, 60))), colour, int(rng.integers(1, 9)))
        elif kind == 2:
            corners = np.array([x, y]) + rng.integers(-reach, reach, (4, 2))
            cv2.fillPoly(picture, [corners.astype(np.int32)], colour)
        else:
            cv2.circle(picture, (x, y), reach, colour, int(rng.integers(1, 6)))


def make_courts(rng: np.random.Generator, count: int) -> list[Image]:
    """Clothes, faces and swords of no court in particular: dense shapes in a court card's few flat colours."""
    return [_court(rng) for _ in range(count)]


def _court(rng: np.random.Generator) -> Image:
    picture = np.full((GROUND_PX, GROUND_PX, 3), 250, np.uint8)
    for _ in range(int(rng.integers(25, 90))):
        colour = _COURT_COLOURS[rng.integers(len(_COURT_COLOURS))]
        x, y = int(rng.integers(GROUND_PX)), int(rng.integers(GROUND_PX))
        reach, kind = int(rng.integers(8, 90)), rng.integers(5)
        angle = float(rng.uniform(0, 180))
        if kind == 0:
            cv2.ellipse(picture, (x, y), (reach, max(3, reach // 3)), angle, 0, 360, colour, -1, cv2.LINE_AA)
            cv2.ellipse(picture, (x, y), (reach, max(3, reach // 3)), angle, 0, 360, (20, 20, 20), 2, cv2.LINE_AA)
        elif kind == 1:
            corners = np.array([x, y]) + rng.integers(-reach, reach, (5, 2))
            cv2.fillPoly(picture, [cv2.convexHull(corners.astype(np.int32))], colour, cv2.LINE_AA)
        elif kind == 2:
            for step in range(0, reach * 2, int(rng.integers(6, 16))):
                cv2.line(
                    picture,
                    (x + step, y),
                    (x + step + reach, y + reach * 2),
                    colour,
                    int(rng.integers(1, 4)),
                    cv2.LINE_AA,
                )
        elif kind == 3:
            for radius in range(4, reach, int(rng.integers(5, 12))):
                cv2.circle(picture, (x, y), radius, colour, 2, cv2.LINE_AA)
        else:
            end = (x + int(rng.integers(-150, 150)), y + int(rng.integers(-150, 150)))
            cv2.line(picture, (x, y), end, (20, 20, 20), int(rng.integers(1, 6)), cv2.LINE_AA)
    return picture


def make_back(rng: np.random.Generator, height: int, width: int) -> Image:
    """A card's back: a lattice, dots, waves or rosettes in one ink."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    period, turn = rng.uniform(8, 50), rng.uniform(0, np.pi)
    u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    phase = 2 * np.pi / period
    kind = rng.integers(4)
    if kind == 0:
        wave = np.cos(u * phase) * np.cos(v * phase)
    elif kind == 1:
        wave = np.maximum(np.cos(u * phase), np.cos(v * phase))
    elif kind == 2:
        wave = np.cos(u * phase + 2 * np.sin(v * phase * rng.uniform(0.2, 1)))
    else:
        wave = np.cos(np.hypot(x - width / 2, y - height / 2) * phase) * np.cos(np.arctan2(v, u) * rng.integers(3, 12))
    cover = (wave > rng.uniform(-0.6, 0.6)).astype(np.float32)
    cover = np.asarray(cv2.GaussianBlur(cover, (0, 0), 0.8), np.float32)[..., None]
    ink = np.array([(170, 60, 30), (40, 30, 180), (40, 40, 40), (60, 120, 30)][rng.integers(4)], np.float32)
    picture = cover * (ink + rng.uniform(-30, 30, 3)) + (1 - cover) * rng.uniform(225, 255)
    return np.clip(picture, 0, 255).astype(np.uint8)


def make_hand(rng: np.random.Generator, height: int, width: int) -> Image:
    """Skin over a ground: fingers as soft thick strokes."""
    picture = np.tile(rng.uniform(10, 250, 3).astype(np.float32), (height, width, 1))
    skin = np.array([110, 140, 190], np.float32) * rng.uniform(0.3, 1.25)
    for _ in range(int(rng.integers(1, 5))):
        x, y = int(rng.integers(width)), int(rng.integers(height))
        end = (x + int(rng.integers(-300, 300)), y + int(rng.integers(-300, 300)))
        tone = tuple(float(c) for c in np.clip(skin * rng.uniform(0.8, 1.15), 0, 255))
        cv2.line(picture, (x, y), end, tone, int(rng.integers(40, 130)), cv2.LINE_AA)
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(1, 6))), np.float32)
    return np.clip(picture, 0, 255).astype(np.uint8)
