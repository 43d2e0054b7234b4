"""Corners that must be refused, whole or in part: other letters, other suits, half and double prints, no card at all.

A label of `?` says refuse; None says that either answer would do (a mirrored A is an A to any eye).
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.networks import RANKS, SUITS
from vision.training.fonts import Mask, glyph_mask
from vision.training.layout import blank_corner, draw_corner, draw_court, draw_inside
from vision.training.marks import (
    HEIGHT_MM,
    MARGIN_MM,
    SCALE,
    WIDTH_MM,
    Corner,
    Image,
    Supplies,
    change_weight,
    put,
    random_design,
    rank_mask,
    suit_mask,
)
from vision.training.textures import make_back, make_hand

Maker = Callable[[np.random.Generator, Supplies], Corner]

OTHER_LETTERS = (*"VDBRCEFGHLMNPTUWXY1ПТДФХЯЖШЮРaehknmtu&?!#%*+", "11", "12", "13", "14", "01", "JO", "XI", "IV")
_MIRRORED_ALIKE = ("A", "8")
_PIXELS = (round((HEIGHT_MM + MARGIN_MM) * SCALE), round((WIDTH_MM + MARGIN_MM) * SCALE))


def other_letter(rng: np.random.Generator, supplies: Supplies) -> Corner:
    """A French, German or Russian index, or no index at all: the suit may be read, the rank not."""
    suit = str(rng.choice(SUITS))
    design = random_design(rng, suit)
    canvas = blank_corner(rng, supplies, design.paper)
    draw_inside(rng, supplies, canvas, str(rng.choice(RANKS)), suit, design)
    mask = None
    while mask is None:
        mask = glyph_mask(supplies.fonts.pick(rng), str(rng.choice(OTHER_LETTERS)))
    height = design.rank_height
    rank_box = put(canvas, change_weight(mask, design.weight), design.centre_x, design.top, height, design.ink)
    below = design.top + height + design.gap
    suit_box = put(canvas, suit_mask(rng, supplies, suit), design.centre_x, below, design.suit_height, design.ink)
    return Corner(_picture(canvas), "?", suit, rank_box, suit_box, "?", suit)


def foreign_suit(rng: np.random.Generator, supplies: Supplies) -> Corner:
    """Coins, swords, leaves, stars below a good rank; or nothing below it."""
    rank = str(rng.choice(RANKS))
    design = random_design(rng, str(rng.choice(SUITS)))
    canvas = blank_corner(rng, supplies, design.paper)
    draw_inside(rng, supplies, canvas, rank, "?", design)
    rank_box = put(
        canvas,
        rank_mask(rng, supplies.fonts, rank, design),
        design.centre_x,
        design.top,
        design.rank_height,
        design.ink,
    )
    below = design.top + design.rank_height + design.gap
    suit_box = None
    if rng.random() < 0.75:
        ink = design.ink if rng.random() < 0.5 else tuple(rng.uniform(0, 220, 3))
        suit_box = put(canvas, suit_mask(rng, supplies, "?"), design.centre_x, below, design.suit_height, ink)
    return Corner(_picture(canvas), rank, "?", rank_box, suit_box, rank, "?")


def double_print(rng: np.random.Generator, supplies: Supplies) -> Corner:
    """Two ranks over one another, or two suits: two cards' indices in one place."""
    suit, other = (str(s) for s in rng.choice(SUITS, 2))
    first, second = (str(r) for r in rng.choice(RANKS, 2, replace=False))
    design = random_design(rng, suit)
    canvas = blank_corner(rng, supplies, design.paper)
    shift_x, shift_y = rng.uniform(-0.35, 0.35, 2) * design.rank_height
    for rank, dx, dy in ((first, 0.0, 0.0), (second, shift_x, shift_y)):
        box = put(
            canvas,
            rank_mask(rng, supplies.fonts, rank, design),
            design.centre_x + dx,
            design.top + dy,
            design.rank_height,
            design.ink,
        )
    below = design.top + design.rank_height + design.gap
    same = rng.random() < 0.5
    put(canvas, suit_mask(rng, supplies, suit), design.centre_x, below, design.suit_height, design.ink)
    if not same:
        dx, dy = rng.uniform(-0.4, 0.4, 2) * design.suit_height
        put(canvas, suit_mask(rng, supplies, other), design.centre_x + dx, below + dy, design.suit_height, design.ink)
    return Corner(_picture(canvas), "?", suit if same else None, box, None, "?")


def joker_letters(rng: np.random.Generator, supplies: Supplies) -> Corner:
    """JOKER down the edge, or letters of another word."""
    design = random_design(rng, str(rng.choice(SUITS)))
    canvas = blank_corner(rng, supplies, design.paper)
    word = "JOKER" if rng.random() < 0.7 else "".join(rng.choice(list("JOLYKQAEW"), 4))
    height, file, top = rng.uniform(2.5, 6.5), supplies.fonts.pick(rng), design.top
    for character in word:
        mask = glyph_mask(file, character)
        if mask is not None:
            put(canvas, mask, design.centre_x, top, height, design.ink)
        top += height * rng.uniform(1.05, 1.35)
    if supplies.courts and rng.random() < 0.5:
        draw_court(rng, supplies, canvas, "?", design)
    return Corner(_picture(canvas), "?", "?")


def turned(rng: np.random.Generator, supplies: Supplies) -> Corner:
    """A good corner upside down, on its side, or in a mirror."""
    corner = draw_corner(rng, supplies, str(rng.choice(RANKS)), str(rng.choice(SUITS)))
    if rng.random() < 0.35:
        rank = None if corner.rank in _MIRRORED_ALIKE else "?"
        return Corner(np.ascontiguousarray(corner.picture[:, ::-1]), rank, None)
    if rng.random() < 0.5:
        return Corner(np.ascontiguousarray(corner.picture[::-1, ::-1]), "?", "?")
    side = np.rot90(corner.picture, int(rng.choice((1, 3))))
    return Corner(np.asarray(cv2.resize(np.ascontiguousarray(side), _PIXELS[::-1]), np.uint8), "?", "?")


def covered(rng: np.random.Generator, supplies: Supplies) -> Corner:
    """Something opaque over half of the index: a finger, the next card, the window's rim."""
    corner = draw_corner(rng, supplies, str(rng.choice(RANKS)), str(rng.choice(SUITS)))
    assert corner.rank_box is not None
    assert corner.suit_box is not None
    picture = corner.picture.copy()
    cover = supplies.grounds[rng.integers(len(supplies.grounds))][: picture.shape[0], : picture.shape[1]]
    box = corner.rank_box if rng.random() < 0.5 else corner.suit_box
    x, y, w, h = (int(v) for v in box)
    share = rng.uniform(0.5, 1.0)
    mask = np.zeros(picture.shape[:2], bool)
    side = rng.integers(4)
    if side == 0:
        mask[:, : x + round(w * share)] = True
    elif side == 1:
        mask[:, x + w - round(w * share) :] = True
    elif side == 2:
        mask[: y + round(h * share)] = True
    else:
        mask[y + h - round(h * share) :] = True
    picture[mask] = cover[mask]
    rank = _uncovered(mask, corner.rank, corner.rank_box)
    suit = _uncovered(mask, corner.suit, corner.suit_box)
    return Corner(picture, rank, suit, corner.rank_box, corner.suit_box, rank, suit)


def _uncovered(
    mask: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], label: str | None, box: tuple[float, float, float, float]
) -> str | None:
    x, y, w, h = (int(v) for v in box)
    hidden = float(mask[y : y + h, x : x + w].mean())
    return label if hidden < 0.04 else "?" if hidden > 0.45 else None


def no_index(rng: np.random.Generator, supplies: Supplies) -> Corner:
    """Paper, pips, a court's picture: a part of a card that bears no index."""
    suit = str(rng.choice(SUITS))
    design = random_design(rng, suit)
    canvas = blank_corner(rng, supplies, design.paper)
    kind = rng.integers(4)
    if kind == 1:
        for _ in range(int(rng.integers(1, 5))):
            x, y = rng.uniform(0, WIDTH_MM), rng.uniform(-4, HEIGHT_MM)
            mask: Mask = suit_mask(rng, supplies, suit)
            put(canvas, mask if rng.random() < 0.5 else mask[::-1], x, y, rng.uniform(5, 14), design.ink)
    elif kind == 2:
        court = supplies.courts[rng.integers(len(supplies.courts))]
        start = round(rng.uniform(0, 12) * SCALE)
        canvas[start:, start // 2 :] = court[: canvas.shape[0] - start, : canvas.shape[1] - start // 2]
    elif kind == 3:
        draw_inside(rng, supplies, canvas, str(rng.choice(RANKS)), suit, design)
    return Corner(_picture(canvas), "?", "?", shapeless=kind in (0, 2))


def no_card(rng: np.random.Generator, supplies: Supplies) -> Corner:
    """Backs, hands, grounds, noise, stripes, plain black and white, lines of text."""
    height, width = _PIXELS
    kind = int(rng.integers(6))
    if kind == 0:
        picture = make_back(rng, height, width)
        edge = round(MARGIN_MM * SCALE)
        if rng.random() < 0.6:
            under = supplies.grounds[rng.integers(len(supplies.grounds))]
            picture[:edge] = under[:edge, :width]
            picture[:, :edge] = under[:height, :edge]
    elif kind == 1:
        picture = make_hand(rng, height, width)
    elif kind == 2:
        ground = supplies.grounds[rng.integers(len(supplies.grounds))]
        picture = ground[-height:, -width:].copy()
    elif kind == 3:
        picture = np.clip(rng.normal(rng.uniform(20, 230), rng.uniform(5, 90), (height, width, 3)), 0, 255).astype(
            np.uint8
        )
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.5, 12))), np.uint8)
    elif kind == 4:
        picture = np.full((height, width, 3), rng.uniform(0, 255), np.uint8)
        if rng.random() < 0.6:
            period, along = int(rng.integers(6, 60)), np.mgrid[0:height, 0:width][rng.integers(2)]
            picture[along % period < period // 2] = int(rng.integers(0, 256))
    else:
        picture = _text(rng, supplies, height, width)
    return Corner(picture, "?", "?", shapeless=True)


def _text(rng: np.random.Generator, supplies: Supplies, height: int, width: int) -> Image:
    """A few lines of letters, as on a newspaper or a box."""
    canvas = np.full((height, width, 3), rng.uniform(200, 255), np.float32)
    file, size, top = supplies.fonts.pick(rng), rng.uniform(1.5, 5), rng.uniform(-3, 3)
    while top < HEIGHT_MM:
        x = rng.uniform(-3, 3)
        while x < WIDTH_MM + MARGIN_MM:
            mask = glyph_mask(file, str(rng.choice(list("abcdefghkmnorstuvwxyzEFGHLMNPRSTUW"))))
            if mask is not None and rng.random() < 0.85:
                put(canvas, mask, x - MARGIN_MM, top - MARGIN_MM, size, (30, 30, 30))
            x += size * 0.9
        top += size * 1.7
    return _picture(canvas)


def _picture(canvas: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Image:
    return np.clip(canvas, 0, 255).astype(np.uint8)


MAKERS: tuple[tuple[Maker, float], ...] = (
    (other_letter, 0.2),
    (foreign_suit, 0.2),
    (double_print, 0.1),
    (joker_letters, 0.07),
    (turned, 0.12),
    (covered, 0.1),
    (no_index, 0.12),
    (no_card, 0.09),
)


def draw_negative(rng: np.random.Generator, supplies: Supplies) -> Corner:
    shares = np.array([share for _, share in MAKERS])
    return MAKERS[int(rng.choice(len(MAKERS), p=shares / shares.sum()))][0](rng, supplies)
