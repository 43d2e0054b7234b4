"""The marks of an index: random designs, rank glyphs and pips as masks, and how they are printed on a card.

Where the card lies and what else is on it is `layout.py`'s.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks import SUITS
from vision.training.fonts import SUIT_CHARACTERS, FontBook, Mask, glyph_mask
from vision.training.pips import pip_mask

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]

SCALE = 8.0
MARGIN_MM = 5.0
WIDTH_MM, HEIGHT_MM = 20.0, 42.0
_WIDEST_MM = 14.5


@dataclass
class Corner:
    """A picture, its labels (`?` refuse, None do not ask) and the boxes of rank and suit in its pixels (x, y, w, h).

    `rank_shape` and `suit_shape` are the labels of the glyphs by themselves, without place and colour.
    """

    picture: Image
    rank: str | None
    suit: str | None
    rank_box: tuple[float, float, float, float] | None = None
    suit_box: tuple[float, float, float, float] | None = None
    rank_shape: str | None = None
    suit_shape: str | None = None
    shapeless: bool = False  # whatever glyph is found here is none


@dataclass
class Supplies:
    """What drawing takes from: fonts, pips drawn beforehand, court pictures and backgrounds."""

    fonts: FontBook
    pips: dict[str, list[Mask]] = field(default_factory=dict)
    courts: list[Image] = field(default_factory=list)
    grounds: list[Image] = field(default_factory=list)


@dataclass
class Design:
    """One index design. Lengths in mm, colours BGR."""

    rank_height: float
    rank_stretch: float
    centre_x: float
    top: float
    gap: float
    suit_height: float
    suit_shift: float
    weight: int
    ink: Colour
    paper: Colour
    ornate: bool


def random_design(rng: np.random.Generator, suit: str) -> Design:
    size = rng.choice(4, p=(0.15, 0.46, 0.22, 0.17))
    height = float(rng.uniform(*((2.8, 4.8), (4.5, 8.5), (8.0, 11.5), (11.0, 18.0))[size]))
    middle = float(rng.uniform(*((2.6, 6.0), (3.4, 7.0), (4.2, 8.5), (6.0, 9.0))[size]))
    top = float(rng.uniform(1.2, 6.0) if size < 3 else rng.uniform(1.2, 4.5))
    gap = float(rng.uniform(0.25, 2.6) if rng.random() < 0.85 else rng.uniform(2.6, 7.0))
    suit_height = float(height * rng.uniform(0.4, 1.1)) if size < 2 else float(height * rng.uniform(0.35, 0.95))
    return Design(
        rank_height=height,
        rank_stretch=float(np.exp(rng.normal(-0.15, 0.24))),
        centre_x=middle,
        top=top,
        gap=gap,
        suit_height=min(max(suit_height, 2.0), 36.0 - top - height - gap),
        suit_shift=float(rng.normal(0, 0.25)),
        weight=int(rng.integers(-3, 5)),
        ink=ink_colour(rng, suit),
        paper=tuple(rng.uniform(225, 255) - rng.uniform(0, 18) * shade for shade in (1.0, 0.4, 0.1)),  # type: ignore[arg-type]
        ornate=bool(rng.random() < 0.05),
    )


def ink_colour(rng: np.random.Generator, suit: str) -> Colour:
    """Red or black in their many shades; now and then brown, or a four-colour deck's colours."""
    if rng.random() < 0.04 and suit in "dcs":
        blue = (rng.uniform(120, 210), rng.uniform(60, 120), rng.uniform(20, 90))
        green = (rng.uniform(60, 120), rng.uniform(110, 160), rng.uniform(20, 70))
        amber = (rng.uniform(0, 70), rng.uniform(110, 180), rng.uniform(200, 245))
        return green if suit == "c" else amber if suit == "d" and rng.random() < 0.4 else blue
    if suit in "hd":
        return rng.uniform(15, 80), rng.uniform(5, 75), rng.uniform(165, 245)
    level = rng.uniform(5, 70)
    if rng.random() < 0.15:  # warm and pale blacks: sepia, worn ink
        return level, level + rng.uniform(0, 20), level + rng.uniform(15, 45)
    return level + rng.uniform(0, 25), level + rng.uniform(0, 12), level


def put(
    canvas: NDArray[np.float32],
    mask: Mask,
    centre_x: float,
    top: float,
    height: float,
    ink: Colour,
    ornate: bool = False,
) -> tuple[float, float, float, float]:
    """Prints a mask `height` mm high, its middle at `centre_x`, never off the card; its box. `ornate`: paler within."""
    rows = max(3, round(height * SCALE))
    columns = max(3, min(round(mask.shape[1] * rows / mask.shape[0]), round(_WIDEST_MM * SCALE)))
    small = cv2.resize(mask, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    x = round((MARGIN_MM + max(centre_x - columns / SCALE / 2, 0.7)) * SCALE)
    y = round((MARGIN_MM + top) * SCALE)
    part = canvas[max(y, 0) : max(y + rows, 0), max(x, 0) : max(x + columns, 0)]
    cover = small[max(-y, 0) :, max(-x, 0) :][: part.shape[0], : part.shape[1], None]
    part *= 1 - cover
    part += cover * np.asarray(ink, np.float32)
    if ornate:
        inner = cv2.erode(small, np.ones((3, 3)), iterations=2)[max(-y, 0) :, max(-x, 0) :]
        inner = inner[: part.shape[0], : part.shape[1], None]
        part += 0.35 * inner * (255 - np.asarray(ink, np.float32))
    return float(x), float(y), float(columns), float(rows)


def rank_mask(rng: np.random.Generator, fonts: FontBook, text: str, design: Design) -> Mask:
    """A rank in some font, its stroke thinner or fatter, stretched; "10" set tight or wide, perhaps with a bare bar."""
    file = fonts.pick(rng)
    if text == "10":
        mask = _ten(rng, glyph_mask(file, "1"), glyph_mask(file, "0"))
    else:
        found = glyph_mask(file, text)
        mask = found if found is not None else np.full((96, 60), 255, np.uint8)
    mask = change_weight(mask, design.weight)
    stretch = design.rank_stretch * (rng.uniform(0.6, 1.15) if text == "10" else 1.0)
    return np.asarray(cv2.resize(mask, (max(8, round(mask.shape[1] * stretch)), mask.shape[0])), np.uint8)


def _ten(rng: np.random.Generator, one: Mask | None, zero: Mask | None) -> Mask:
    assert one is not None
    assert zero is not None
    if rng.random() < 0.35:
        one = np.full((zero.shape[0], max(5, round(zero.shape[0] * rng.uniform(0.08, 0.22)))), 255, np.uint8)
    gap = np.zeros((zero.shape[0], round(zero.shape[0] * rng.uniform(0.02, 0.24))), np.uint8)
    return np.hstack([one, gap, zero])


def change_weight(mask: Mask, steps: int) -> Mask:
    """Strokes fatter (steps > 0) or thinner; left as it was where thinning would break it."""
    if steps == 0:
        return mask
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(steps) + 1,) * 2)
    padded = cv2.copyMakeBorder(mask, 8, 8, 8, 8, cv2.BORDER_CONSTANT, value=0)
    changed = cv2.dilate(padded, kernel) if steps > 0 else cv2.erode(padded, kernel)
    if steps < 0 and int(changed.sum()) < 0.55 * int(mask.sum()):
        return mask
    return np.asarray(changed, np.uint8)


def suit_mask(rng: np.random.Generator, supplies: Supplies, suit: str) -> Mask:
    """A pip of ours, or of a font that has one, its width varied."""
    mask = supplies.pips[suit][rng.integers(len(supplies.pips[suit]))]
    if suit in SUITS and rng.random() < 0.15 and supplies.fonts.suit_fonts:
        file = supplies.fonts.suit_fonts[rng.integers(len(supplies.fonts.suit_fonts))]
        found = glyph_mask(file, SUIT_CHARACTERS[suit])
        mask = mask if found is None else found
    width = max(6, round(mask.shape[1] * float(np.exp(rng.normal(0, 0.08)))))
    return np.asarray(cv2.resize(mask, (width, mask.shape[0])), np.uint8)


def make_pips(rng: np.random.Generator, count: int) -> dict[str, list[Mask]]:
    return {suit: [pip_mask(rng, suit) for _ in range(count)] for suit in (*SUITS, "?")}
