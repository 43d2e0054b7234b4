"""Corners of cards drawn by the project: an index in a random design, what stands beside it, and where both are.

A drawn corner shows 20 x 42 mm of the card and MARGIN_MM of what lies left of it and above, at SCALE px/mm. What a
camera makes of it is `spoil.py`'s; what is refused is `negatives.py`'s.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks import RANKS
from vision.training.marks import (
    HEIGHT_MM,
    MARGIN_MM,
    SCALE,
    WIDTH_MM,
    Colour,
    Corner,
    Design,
    Supplies,
    put,
    random_design,
    rank_mask,
    suit_mask,
)

Place = tuple[float, float, float, float]  # x, y, width, height in px of the canvas


def draw_corner(rng: np.random.Generator, supplies: Supplies, rank: str, suit: str, swapped: bool = False) -> Corner:
    """A corner that bears this index; `swapped` prints the suit in the other colour, which no card does."""
    design = random_design(rng, {"s": "h", "h": "s", "d": "c", "c": "d"}[suit] if swapped else suit)
    canvas = blank_corner(rng, supplies, design.paper)
    if rng.random() < 0.05:  # a line round the whole card
        _draw_box(rng, canvas, design, *(round((MARGIN_MM + rng.uniform(0.8, 2.2)) * SCALE),) * 2, 2000, 2000)
    rank_box = put(
        canvas,
        rank_mask(rng, supplies.fonts, rank, design),
        design.centre_x,
        design.top,
        design.rank_height,
        design.ink,
        design.ornate,
    )
    below = design.top + design.rank_height + design.gap
    suit_box = put(
        canvas,
        suit_mask(rng, supplies, suit),
        design.centre_x + design.suit_shift,
        below,
        design.suit_height,
        design.ink,
        design.ornate,
    )
    beyond = max(rank_box[0] + rank_box[2], suit_box[0] + suit_box[2]) / SCALE - MARGIN_MM
    draw_inside(rng, supplies, canvas, rank, suit, design, beyond)
    if rank in RANKS[10:]:
        draw_notched_frame(rng, canvas, design, rank_box, suit_box)
    if rng.random() < 0.07:  # a line round the index
        left, right = min(rank_box[0], suit_box[0]), max(rank_box[0] + rank_box[2], suit_box[0] + suit_box[2])
        pad = round(rng.uniform(0.6, 1.6) * SCALE)
        bottom = round(suit_box[1] + suit_box[3]) + pad
        _draw_box(rng, canvas, design, round(left) - pad, round(rank_box[1]) - pad, round(right) + pad, bottom)
    return Corner(
        np.clip(canvas, 0, 255).astype(np.uint8), rank, "?" if swapped else suit, rank_box, suit_box, rank, suit
    )


def _draw_box(
    rng: np.random.Generator, canvas: NDArray[np.float32], design: Design, left: int, top: int, right: int, bottom: int
) -> None:
    tone = design.ink if rng.random() < 0.5 else tuple(rng.uniform(0, 180, 3))
    cv2.rectangle(canvas, (left, top), (right, bottom), tone, int(rng.integers(1, 4)), cv2.LINE_AA)


def blank_corner(rng: np.random.Generator, supplies: Supplies, paper: Colour) -> NDArray[np.float32]:
    """The card's corner, empty, on some ground; its edge may be a printed or cut line, with a little shadow."""
    height, width = round((HEIGHT_MM + MARGIN_MM) * SCALE), round((WIDTH_MM + MARGIN_MM) * SCALE)
    ground = supplies.grounds[rng.integers(len(supplies.grounds))]
    y, x = rng.integers(ground.shape[0] - height + 1), rng.integers(ground.shape[1] - width + 1)
    under = ground[y : y + height, x : x + width].astype(np.float32)
    card = _card_mask(width, height, rng.uniform(1.5, 4.5))
    if rng.random() < 0.5:
        shadow = cv2.GaussianBlur(card, (0, 0), float(rng.uniform(2, 10)))
        under *= 1 - rng.uniform(0.1, 0.7) * shadow[..., None]
    canvas = under * (1 - card[..., None]) + np.asarray(paper, np.float32) * card[..., None]
    if rng.random() < 0.5:
        line = card - cv2.erode(card, np.ones((3, 3)), iterations=int(rng.choice((1, 1, 2, 3, 5))))
        tone = np.full(3, rng.uniform(0, 200), np.float32)
        canvas = canvas * (1 - line[..., None]) + tone * line[..., None]
    return np.asarray(canvas, np.float32)


def _card_mask(width: int, height: int, radius_mm: float) -> NDArray[np.float32]:
    radius, start = round(radius_mm * SCALE), round(MARGIN_MM * SCALE)
    mask = np.zeros((height, width), np.uint8)
    mask[start + radius :, start:] = 255
    mask[start:, start + radius :] = 255
    cv2.circle(mask, (start + radius, start + radius), radius, 255, -1, cv2.LINE_AA)
    return np.asarray(mask / 255, np.float32)


def draw_inside(
    rng: np.random.Generator,
    supplies: Supplies,
    canvas: NDArray[np.float32],
    rank: str,
    suit: str,
    design: Design,
    beyond: float | None = None,
) -> None:
    """What stands right of the index (`beyond` mm): pips of a number card, a court's frame and picture, or nothing."""
    beyond = design.centre_x + 0.4 * design.rank_height if beyond is None else beyond
    if rank in RANKS[3:10] and rng.random() < 0.8:
        size = rng.uniform(6, 13)
        x = max(rng.uniform(12.5, 21), beyond + rng.uniform(0.1, 1.5) + size / 2)
        y, step = rng.uniform(4, 16), rng.uniform(13, 30)
        for row in range(3):
            put(canvas, suit_mask(rng, supplies, suit), x, y + row * step, size, design.ink)
    elif rank in RANKS[10:] and rng.random() < 0.9:
        draw_court(rng, supplies, canvas, suit, design, beyond)


def draw_court(
    rng: np.random.Generator,
    supplies: Supplies,
    canvas: NDArray[np.float32],
    suit: str,
    design: Design,
    beyond: float = 0.0,
) -> None:
    """Frame lines of any colour and thickness close to the index, a pip in the frame's corner, clothes below."""
    x, y = max(rng.uniform(6.5, 13.5), beyond + rng.uniform(-0.4, 1.0)), rng.uniform(1.8, 14.0)
    left, top = round((MARGIN_MM + x) * SCALE), round((MARGIN_MM + y) * SCALE)
    if supplies.courts:
        court = supplies.courts[rng.integers(len(supplies.courts))]
        begin = top + round(rng.uniform(0, 14) * SCALE)
        part = canvas[begin:, left:]
        part[:] = court[: part.shape[0], : part.shape[1]]
    if rng.random() < 0.8:
        size = rng.uniform(5, 13)
        outside = canvas[:, :left].copy()
        middle = x + 0.45 * size + (rng.uniform(0.2, 3) if rng.random() < 0.7 else rng.uniform(-2, 0.2))
        put(canvas, suit_mask(rng, supplies, suit), middle, y + rng.uniform(0.3, 2), size, design.ink)
        canvas[:, :left] = outside  # a frame cuts its pip now and then
    if rng.random() < 0.85:
        tone = design.ink if rng.random() < 0.3 else tuple(rng.uniform(0, 180, 3))
        thick = int(rng.integers(1, 5))
        down = top if rng.random() < 0.7 else top + round(rng.uniform(5, 14) * SCALE)
        cv2.line(canvas, (left, down), (left, canvas.shape[0]), tone, thick)
        if rng.random() < 0.8:
            start = left if rng.random() < 0.7 else left + round(rng.uniform(0, 5) * SCALE)
            cv2.line(canvas, (start, top), (canvas.shape[1], top), tone, thick)


def draw_notched_frame(
    rng: np.random.Generator, canvas: NDArray[np.float32], design: Design, rank_box: Place, suit_box: Place
) -> None:
    """A court's frame that makes room for the index: a line from under the suit down, one right of the rank; now and
    then a sceptre or a hat that reaches up to the suit and a little into it."""
    right = max(rank_box[0] + rank_box[2], suit_box[0] + suit_box[2])
    if rng.random() < 0.35:
        tone = design.ink if rng.random() < 0.4 else tuple(rng.uniform(0, 180, 3))
        thick = int(rng.integers(1, 5))
        x = round(rng.uniform(suit_box[0] - 0.5 * SCALE, right + 0.5 * SCALE))
        under = round(suit_box[1] + suit_box[3] + rng.uniform(0.3, 2.5) * SCALE)
        cv2.line(canvas, (x, under), (x, canvas.shape[0]), tone, thick)
        y = round(rng.uniform((MARGIN_MM + 1.2) * SCALE, rank_box[1] + 0.7 * rank_box[3]))
        beside = round(rank_box[0] + rank_box[2] + rng.uniform(0.2, 2.0) * SCALE)
        cv2.line(canvas, (beside, y), (canvas.shape[1], y), tone, thick)
    if rng.random() < 0.15:
        half = rng.uniform(0.4, 1.6) * SCALE
        x = round(rng.uniform(suit_box[0], right))
        top = round(suit_box[1] + suit_box[3] - rng.uniform(-1.5 * SCALE, 0.12 * suit_box[3]))
        low, high = (round(x - half), top), (round(x + half), canvas.shape[0])
        cv2.rectangle(canvas, low, high, tuple(rng.uniform(0, 255, 3)), -1)
        cv2.rectangle(canvas, low, high, (20, 20, 20), int(rng.integers(1, 4)))
