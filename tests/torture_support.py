"""What is no readable card, drawn: at a card's size and scale (8 px/mm), before the slot, in the box and on a table.

Each drawing takes a generator of random numbers, so that a seed is a variant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray
from vision_support import face, styles

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

WIDTH, HEIGHT = 508, 711  # a card at 8 px/mm
SYMBOLS = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"]
FLOOR = 22
_PAD = 60  # px round a card that is turned


def drawn_card(rng: np.random.Generator) -> Image:
    """A face of one of the project's own designs."""
    style = styles()[int(rng.integers(len(styles())))]
    return np.array(face(SYMBOLS[int(rng.integers(52))], style), np.uint8)


def white(rng: np.random.Generator) -> Image:
    return _plain(int(rng.integers(225, 256)))


def black(rng: np.random.Generator) -> Image:
    return _plain(int(rng.integers(0, 40)))


def noise(rng: np.random.Generator) -> Image:
    grain = int(rng.choice([1, 4, 16]))
    small = rng.integers(0, 256, (HEIGHT // grain + 1, WIDTH // grain + 1, 3), dtype=np.uint8)
    return _sized(np.repeat(np.repeat(small, grain, axis=0), grain, axis=1))


def stripes(rng: np.random.Generator) -> Image:
    yy, xx = np.mgrid[0:HEIGHT, 0:WIDTH]
    angle, period = rng.uniform(0, np.pi), rng.uniform(12, 90)
    bright = np.sin(2 * np.pi * (xx * np.cos(angle) + yy * np.sin(angle)) / period) > 0
    ink: Colour = tuple(int(v) for v in rng.integers(0, 200, 3))  # type: ignore[assignment]
    return np.asarray(np.where(bright[..., None], (245, 245, 245), ink), np.uint8)


def hand(rng: np.random.Generator) -> Image:
    """Four fingers, their nails, and the palm."""
    skin = np.array(rng.choice([(140, 170, 225), (95, 130, 190), (50, 75, 120)]), float)
    image = _plain(FLOOR)
    cv2.ellipse(image, (WIDTH, HEIGHT // 2), (300, 260), 0, 0, 360, _tone(skin, 0.95), cv2.FILLED)
    for k in range(4):
        y, length = 110 + 140 * k + int(rng.integers(-15, 15)), int(rng.integers(250, 380))
        middle, turn = (WIDTH - 120, y), float(rng.uniform(-8, 8))
        cv2.ellipse(image, middle, (length, 58), turn, 0, 360, _tone(skin, 1.0), cv2.FILLED, cv2.LINE_AA)
        cv2.ellipse(image, (WIDTH - 70 - length, y), (34, 26), turn, 0, 360, _tone(skin, 1.1), cv2.FILLED, cv2.LINE_AA)
        for crease in (0.4, 0.7):
            x = round(WIDTH - 120 - crease * length)
            cv2.line(image, (x, y - 30), (x + 8, y + 30), _tone(skin, 0.7), 3, cv2.LINE_AA)
    return image


def text(rng: np.random.Generator) -> Image:
    """Printed lines; the first begins like an index."""
    image = _plain(245)
    words = ["A", "10", "K", "Q 8 J", "HEARTS", "SPADE", "7 of clubs", "Ten", "JOKER'S", "A Q 10"]
    for k in range(6):
        place, size = (int(rng.integers(8, 60)), 70 + 110 * k), float(rng.uniform(1.0, 3.2))
        font = int(rng.choice([cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SIMPLEX]))
        ink = (20, 20, 20) if k % 2 else (30, 30, 200)
        cv2.putText(image, str(rng.choice(words)), place, font, size, ink, int(rng.integers(2, 8)), cv2.LINE_AA)
    return image


def human_face(rng: np.random.Generator) -> Image:
    """A passport photograph with its white border."""
    skin = np.array(rng.choice([(150, 185, 235), (90, 130, 195), (45, 70, 115)]), float)
    hair = tuple(int(v) for v in rng.integers(10, 90, 3))
    image = _plain(250)
    image[30:-30, 30:-30] = rng.integers(90, 220, 3)
    cv2.ellipse(image, (254, 330), (190, 250), 0, 0, 360, hair, cv2.FILLED, cv2.LINE_AA)
    cv2.ellipse(image, (254, 370), (150, 205), 0, 0, 360, _tone(skin, 1.0), cv2.FILLED, cv2.LINE_AA)
    for x in (196, 312):
        cv2.ellipse(image, (x, 330), (30, 15), 0, 0, 360, (245, 245, 245), cv2.FILLED, cv2.LINE_AA)
        cv2.circle(image, (x, 330), 12, hair, cv2.FILLED, cv2.LINE_AA)
        cv2.ellipse(image, (x, 296), (36, 10), 0, 180, 360, hair, 8, cv2.LINE_AA)
    cv2.line(image, (254, 345), (244, 420), _tone(skin, 0.75), 6, cv2.LINE_AA)
    cv2.ellipse(image, (254, 475), (60, 22), 0, 0, 180, (70, 70, 190), 10, cv2.LINE_AA)
    return image


def mirrored(rng: np.random.Generator) -> Image:
    """As a mirror shows a card."""
    return np.ascontiguousarray(drawn_card(rng)[:, ::-1])


def half_across(rng: np.random.Generator) -> Image:
    """The upper half of a card: its index is whole."""
    return np.ascontiguousarray(drawn_card(rng)[: HEIGHT // 2])


def half_along(rng: np.random.Generator) -> Image:
    """The left half of a card: its index is whole."""
    return np.ascontiguousarray(drawn_card(rng)[:, : WIDTH // 2])


def torn(rng: np.random.Generator) -> Image:
    """A card whose upper left corner is gone, index and all."""
    card = drawn_card(rng)
    reach = int(rng.integers(260, 420))
    cv2.fillPoly(card, [np.array([(0, 0), (reach, 0), (0, 2 * reach)], np.int32)], (FLOOR,) * 3)
    card = np.ascontiguousarray(card[::-1, ::-1])
    cv2.fillPoly(card, [np.array([(0, 0), (reach, 0), (0, 2 * reach)], np.int32)], (FLOOR,) * 3)
    return card


DRAWINGS: Mapping[str, Callable[[np.random.Generator], Image]] = {
    one.__name__: one
    for one in (
        white, black, noise, stripes, hand, text, human_face, mirrored, half_across, half_along, torn,
    )
}  # fmt: skip


def lit(image: Image, rng: np.random.Generator) -> Image:
    """In another light: its level, and how it falls off to one side."""
    gain = rng.uniform(0.45, 1.25)
    slope = np.linspace(1.0, rng.uniform(0.6, 1.0), image.shape[1])[None, :, None]
    return np.clip(image * gain * slope + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8)


def passing(thing: Image, rng: np.random.Generator) -> Iterator[Image]:
    """Frames of the slot's camera: the thing goes from right to left, floor before and after."""
    step, top, tilt = int(rng.integers(45, 90)), int(rng.integers(25, 56)), float(rng.uniform(-4, 4))
    turned = _turned(thing, tilt)
    for x in [None] * 4 + list(range(600, -620, -step)) + [None] * 3:
        yield _framed(turned, x, top) if x is not None else _empty()


def lying(thing: Image, rng: np.random.Generator) -> Iterator[Image]:
    """Frames of the box's camera: floor, then the thing lies still, then floor again."""
    yield from (_empty() for _ in range(4))
    turned = _turned(thing, float(rng.uniform(-3, 3)))
    still = _framed(turned, 60 + int(rng.integers(-8, 9)), 40 + int(rng.integers(-8, 9)))
    yield from (still for _ in range(60))
    yield from (_empty() for _ in range(14))


def photographed(thing: Image, rng: np.random.Generator) -> Image:
    """The thing on a dark or light table, any way round, 480 x 480 px."""
    scale, angle = float(rng.uniform(0.42, 0.52)), float(rng.uniform(0, 360))
    ground = rng.normal(float(rng.choice([35, 60, 120])), 3, (480, 480, 3)).clip(0, 255).astype(np.uint8)
    small = cv2.resize(thing, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    move = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0)
    move[:, 2] += (240 - width / 2, 240 - height / 2)
    mask = cv2.warpAffine(np.full(small.shape[:2], 255, np.uint8), move, (480, 480))
    placed = cv2.warpAffine(small, move, (480, 480), borderMode=cv2.BORDER_REPLICATE)
    ground[mask > 127] = placed[mask > 127]
    return lit(ground, rng)


def _turned(thing: Image, tilt: float) -> tuple[Image, NDArray[np.bool_]]:
    """The thing about its top left corner at (_PAD, _PAD), and where it is."""
    move = cv2.getRotationMatrix2D((0, 0), -tilt, 1.0)
    move[:, 2] += (_PAD, _PAD)
    size = (WIDTH + 2 * _PAD, HEIGHT + 2 * _PAD)
    mask = cv2.warpAffine(np.full(thing.shape[:2], 255, np.uint8), move, size)
    return np.asarray(cv2.warpAffine(thing, move, size, borderMode=cv2.BORDER_REPLICATE), np.uint8), mask > 127


def _framed(turned: tuple[Image, NDArray[np.bool_]], x: int, top: int) -> Image:
    """A frame with the turned thing's corner there."""
    picture, mask = turned
    left, upper = x - _PAD, top - _PAD
    frame = _empty()
    x0, x1 = max(0, left), min(640, left + picture.shape[1])
    y0, y1 = max(0, upper), min(480, upper + picture.shape[0])
    if x0 < x1:
        part = np.s_[y0 - upper : y1 - upper, x0 - left : x1 - left]
        frame[y0:y1, x0:x1][mask[part]] = picture[part][mask[part]]
    return frame


def _empty() -> Image:
    return np.full((480, 640, 3), FLOOR, np.uint8)


def _plain(level: int) -> Image:
    return np.full((HEIGHT, WIDTH, 3), level, np.uint8)


def _sized(image: Image) -> Image:
    return np.ascontiguousarray(image[:HEIGHT, :WIDTH])


def _tone(colour: NDArray[np.float64], part: float) -> Colour:
    blue, green, red = (min(255, round(float(value) * part)) for value in colour)
    return blue, green, red
