"""The reference cameras' picture of cards in motion: 640×480 BGR, 8 px/mm, as config/cameras/reference-*.toml says.

A frame is: faces warped to their poses over the dark floor, blurred along x by their speed in the exposure, lit by the
window's light, dusted, and given the sensor's noise. Which card moves where is motion.py's and mechanism.py's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hw_sim.conditions import Conditions
from hw_sim.decks import corner_mask
from hw_sim.motion import EXPOSURE_S, FPS, Pose
from hw_sim.outline import Image, pixels

WIDTH, HEIGHT, PX_PER_MM = 640, 480, 8.0
_ROWS = 536  # of a face, the most that a tilted card can show
_MARGIN = 6  # px of floor round a prepared card, so that its edge blurs into the floor
_IDLE_FRAMES = 8
Matrix = NDArray[np.float64]
Box = tuple[slice, slice]
_EVERY_ROW = slice(0, HEIGHT, 1)


@dataclass(frozen=True)
class Prepared:
    """A card ready to be warped: `on_floor` on the floor, `ink` on black; `clear` is what it leaves of the floor."""

    on_floor: Image
    ink: Image
    clear: Image


@dataclass(frozen=True)
class Shot:
    """An exposure before it is drawn. `where`: rows and columns that cards touch; `floor`: which picture of the empty
    window lies under them; `gain`: the lamps' flicker; `grain`: which part of the noise."""

    cards: tuple[tuple[Prepared, Pose], ...]
    where: Box
    gain: float
    floor: int
    grain: tuple[int, int]


class Camera:
    """Makes frames; everything random comes from `rng`. One instance, one thread."""

    def __init__(self, conditions: Conditions, rng: np.random.Generator) -> None:
        self._conditions = conditions
        self._rng = rng
        self._light = _light_map(conditions, self._rng)
        self._up, self._down = _noise_tiles(conditions.noise, self._rng)
        self._mask = corner_mask(PX_PER_MM)[:_ROWS]
        self._idle = [self._floor_frame(k) for k in range(_IDLE_FRAMES)]

    def prepare(self, face: Image) -> Prepared:
        """A card as it lies in the shoe now: `face` (8 px/mm) with finger marks, seen with the lens's focus."""
        marks = int(self._rng.integers(self._conditions.fewest_smudges, self._conditions.card_smudges + 1))
        card = _smudged(face[:_ROWS], self._rng, marks)
        pad = ((_MARGIN, 0), (_MARGIN, _MARGIN))
        alpha = np.pad(self._mask, pad)[:, :, None].repeat(3, axis=2)
        bare = pixels(cv2.multiply(np.pad(card, (*pad, (0, 0))), alpha, scale=1 / 255))
        ink, clear = self._focus(bare), self._focus(255 - alpha)
        floor = np.full_like(ink, self._conditions.floor)
        return Prepared(pixels(cv2.add(ink, cv2.multiply(floor, clear, scale=1 / 255))), ink, clear)

    def reseed(self, rng: np.random.Generator) -> None:
        """What is random from here on comes from `rng`: a card's picture does not depend on what came before it."""
        self._rng = rng

    def frame(self, cards: Sequence[tuple[Prepared, Pose]], lamp_s: float, number: int = 0) -> Image:
        """Frame `number` with cards from the lowest to the uppermost, `lamp_s` seconds into the lamps' flicker.

        A picture of nothing but floor is one of a few made before, and read-only.
        """
        shot = self.expose(cards, lamp_s, number)
        return self.develop(shot) if shot.cards else self._idle[shot.floor]

    def expose(self, cards: Sequence[tuple[Prepared, Pose]], lamp_s: float, number: int = 0) -> Shot:
        """What `frame` would show, with all that is random in it decided, to be drawn by `develop` as far as it is
        wanted."""
        shown = [(card, pose, where) for card, pose in cards if (where := _region(pose)) is not None]
        if not shown:
            return Shot((), (slice(0, 0), slice(0, 0)), 1.0, number % _IDLE_FRAMES, (0, 0))
        floor = int(self._rng.integers(_IDLE_FRAMES))
        where = _union([w for _, _, w in shown])
        return Shot(
            tuple((card, pose) for card, pose, _ in shown), where, self._gain(lamp_s), floor, self._grain(where)
        )

    def develop(self, shot: Shot, rows: slice = _EVERY_ROW, picture: Image | None = None) -> Image:
        """Its picture, or `rows` of it (the others are left as they are in `picture`, or undefined without one)."""
        picture = np.empty((HEIGHT, WIDTH, 3), np.uint8) if picture is None else picture
        picture[rows] = self._idle[shot.floor][rows]
        where = (_crossing(rows, shot.where[0]), shot.where[1])
        if shot.cards and where[0].stop > where[0].start:
            scene = self._scene(shot.cards, where)
            self._light_up(scene, where, shot.gain, shot.grain)
            picture[where] = scene
        return picture

    def _scene(self, cards: Sequence[tuple[Prepared, Pose]], where: Box) -> Image:
        """The cards, one over the other, as the lens sees them in even light."""
        if len(cards) == 1:
            return _warped(cards[0][0].on_floor, cards[0][1], where, self._conditions.floor)
        scene: Image = np.empty((*_size(where), 3), dtype=np.uint8)
        scene[:] = self._conditions.floor
        for card, pose in cards:
            clear = _warped(card.clear, pose, where, (255, 255, 255))
            below = cv2.multiply(scene, clear, scale=1 / 255)
            scene = pixels(cv2.add(below, _warped(card.ink, pose, where, (0, 0, 0))))
        return scene

    def _gain(self, lamp_s: float) -> float:
        c = self._conditions
        return 1.0 + c.flicker * float(np.sin(2 * np.pi * c.flicker_hz * lamp_s))

    def _grain(self, where: Box) -> tuple[int, int]:
        """Which part of the noise falls on `where`: the shift from the picture's rows and columns to the tile's."""
        height, width = _size(where)
        y = int(self._rng.integers(self._up.shape[0] - height + 1))
        x = int(self._rng.integers(self._up.shape[1] - width + 1))
        return y - where[0].start, x - where[1].start

    def _light_up(self, scene: Image, where: Box, gain: float, grain: tuple[int, int]) -> None:
        """Light and noise over `scene`, which lies at `where` in the picture."""
        cv2.multiply(scene, self._light[where], dst=scene, scale=gain / 255)
        rows, columns = where
        noise = (
            slice(rows.start + grain[0], rows.stop + grain[0], rows.step),
            slice(columns.start + grain[1], columns.stop + grain[1]),
        )
        cv2.add(scene, self._up[noise], dst=scene)
        cv2.subtract(scene, self._down[noise], dst=scene)

    def _floor_frame(self, k: int) -> Image:
        frame: Image = np.empty((HEIGHT, WIDTH, 3), dtype=np.uint8)
        frame[:] = self._conditions.floor
        everything = (slice(0, HEIGHT), slice(0, WIDTH))
        self._light_up(frame, everything, self._gain(k / FPS), self._grain(everything))
        frame.flags.writeable = False
        return frame

    def _focus(self, image: Image) -> Image:
        sigma = self._conditions.defocus_px
        return pixels(cv2.GaussianBlur(image, (0, 0), sigma)) if sigma > 0.15 else image


def _warped(layer: Image, pose: Pose, where: Box, border: tuple[int, int, int]) -> Image:
    """`layer` at `pose`, cut to `where`, blurred by the card's speed."""
    rows, columns = where
    m = _matrix(pose)
    m[:, 2] -= (columns.start, rows.start)
    m[1] /= rows.step or 1
    height, width = _size(where)
    size = (width, height)
    image = pixels(cv2.warpAffine(layer, m, size, borderMode=cv2.BORDER_CONSTANT, borderValue=border))
    length = abs(pose.speed) * 1000 * EXPOSURE_S * PX_PER_MM
    return _streaked(image, length) if length > 0.7 else image


def _streaked(image: Image, length: float) -> Image:
    """A box blur of `length` px along x, the ends weighted by what they have of it."""
    half = int(np.ceil((length - 1) / 2)) if length > 1 else 1
    kernel = np.clip((length + 1) / 2 - np.abs(np.arange(-half, half + 1)), 0.0, 1.0).astype(np.float32)
    return pixels(cv2.filter2D(image, -1, (kernel / kernel.sum())[None, :], borderType=cv2.BORDER_REPLICATE))


def _matrix(pose: Pose) -> Matrix:
    """From pixel indices of a prepared card to those of the picture; the card's corner lands on (x, y) of `pose`."""
    a = np.radians(pose.tilt_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    corner = np.array([pose.x, pose.y]) * PX_PER_MM
    shift = corner + turn @ np.array([0.5 - _MARGIN, 0.5 - _MARGIN]) - 0.5
    return np.column_stack([turn, shift])


def _region(pose: Pose) -> Box | None:
    """Rows and columns of the picture that the card and its blur touch; None where there are none."""
    width, height = 63.5 * PX_PER_MM + _MARGIN, float(_ROWS)
    corners = np.array([[-_MARGIN, width, -_MARGIN, width], [-_MARGIN, -_MARGIN, height, height]])
    a = np.radians(pose.tilt_deg)
    x = pose.x * PX_PER_MM + np.cos(a) * corners[0] - np.sin(a) * corners[1]
    y = pose.y * PX_PER_MM + np.sin(a) * corners[0] + np.cos(a) * corners[1]
    blur = abs(pose.speed) * 1000 * EXPOSURE_S * PX_PER_MM / 2
    left, right = max(0, int(x.min() - blur)), min(WIDTH, int(x.max() + blur) + 2)
    top, bottom = max(0, int(y.min())), min(HEIGHT, int(y.max()) + 2)
    return (slice(top, bottom), slice(left, right)) if right > left and bottom > top else None


def _union(boxes: Sequence[Box]) -> Box:
    rows, columns = [b[0] for b in boxes], [b[1] for b in boxes]
    return (
        slice(min(r.start for r in rows), max(r.stop for r in rows)),
        slice(min(c.start for c in columns), max(c.stop for c in columns)),
    )


def _crossing(rows: slice, card: slice) -> slice:
    """Those of `rows` that lie within `card`'s."""
    asked = range(HEIGHT)[rows]
    first = asked.start + max(0, -((asked.start - card.start) // asked.step)) * asked.step
    return slice(first, min(asked.stop, card.stop), asked.step)


def _size(where: Box) -> tuple[int, int]:
    rows, columns = where
    return len(range(rows.start, rows.stop, rows.step or 1)), columns.stop - columns.start


def _light_map(c: Conditions, rng: np.random.Generator) -> Image:
    """Light and dust as gains of 255, (480, 640, 3)."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    gain = c.light * (1 + c.gradient[0] * (x / WIDTH - 0.5)) * (1 + c.gradient[1] * (y / HEIGHT - 0.5))
    for _ in range(c.glass_specks):
        cx, cy, radius = rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT), rng.uniform(1.5, 7.0)
        depth = rng.uniform(0.1, 0.5)
        gain *= 1 - depth * np.exp(-(((x - cx) ** 2 + (y - cy) ** 2) / radius**2))
    light: Image = np.clip(gain[:, :, None] * np.array(c.cast, np.float32) * 255, 0, 255).astype(np.uint8)
    return light


def _noise_tiles(sigma: float, rng: np.random.Generator) -> tuple[Image, Image]:
    """Noise split into what is added and what is taken away, larger than the picture so that it can be shifted."""
    noise = rng.normal(0.0, sigma, (HEIGHT + 97, WIDTH + 131, 3))
    return np.rint(np.clip(noise, 0, 255)).astype(np.uint8), np.rint(np.clip(-noise, 0, 255)).astype(np.uint8)


def _smudged(card: Image, rng: np.random.Generator, marks: int) -> Image:
    """With so many finger marks: soft, brownish, a few millimetres wide."""
    card = card.copy()
    for _ in range(marks):
        radius = int(rng.uniform(1.5, 6.0) * PX_PER_MM)
        x, y = int(rng.integers(0, card.shape[1])), int(rng.integers(0, card.shape[0]))
        rows, columns = slice(max(0, y - radius), y + radius), slice(max(0, x - radius), x + radius)
        part = card[rows, columns]
        v, u = np.ogrid[
            rows.start - y : rows.start - y + part.shape[0], columns.start - x : columns.start - x + part.shape[1]
        ]
        depth = rng.uniform(0.04, 0.2) * np.clip(1 - np.hypot(u, v) / radius, 0, 1)
        part[:] = (part * (1 - depth[:, :, None] * np.array([1.2, 1.0, 0.8]))).astype(np.uint8)
    return card
