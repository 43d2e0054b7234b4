"""From a drawn corner to the patch a camera and a locator would give: a little misplaced, badly lit, blurred, noisy.

The ranges go past what can still be read, so that the networks learn to be unsure there.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks import PATCH_SHAPE
from vision.training.marks import MARGIN_MM, SCALE, Corner

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Box = tuple[float, float, float, float]

PATCH_PX_PER_MM = 4.0
_HEIGHT, _WIDTH, _ = PATCH_SHAPE
_INSIDE = 0.93  # a glyph cut more than this is no longer asked for; cut by half it is refused


@dataclass
class Patch:
    """A patch as `vision.networks` takes it, its labels (`?` refuse, None do not ask), boxes in its pixels."""

    picture: Image
    rank: str | None
    suit: str | None
    rank_box: Box | None
    suit_box: Box | None
    rank_shape: str | None  # labels of the glyphs by themselves, as in Corner
    suit_shape: str | None
    shapeless: bool


def spoil(rng: np.random.Generator, corner: Corner, gentle: bool = False) -> Patch:
    matrix = placement(rng, 0.4 if gentle else 1.0)
    picture = photograph(rng, place(corner.picture, matrix), gentle)
    rank_box, suit_box = moved_box(corner.rank_box, matrix), moved_box(corner.suit_box, matrix)
    return Patch(
        picture,
        _kept(corner.rank, rank_box),
        _kept(corner.suit, suit_box),
        rank_box,
        suit_box,
        _kept(corner.rank_shape, rank_box),
        _kept(corner.suit_shape, suit_box),
        corner.shapeless,
    )


def placement(rng: np.random.Generator, amount: float = 1.0) -> NDArray[np.float64]:
    """The 2 x 3 map from the corner's pixels to the patch's: off by 2 mm, 5 degrees, 0.85 to 1.2, a little sheared."""
    scale = float(np.exp(rng.uniform(-0.165, 0.18) * amount)) * PATCH_PX_PER_MM / SCALE
    angle = np.radians(rng.uniform(-5.0, 5.0) * amount)
    shear, stretch = rng.normal(0, 0.02, 2) * amount
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    linear = turn @ np.array([[1.0 + stretch, shear], [0.0, 1.0]]) * scale
    pivot = np.array([MARGIN_MM + rng.uniform(0, 8), MARGIN_MM + rng.uniform(0, 16)]) * SCALE
    target = (pivot / SCALE - MARGIN_MM) * PATCH_PX_PER_MM + rng.uniform(-2.0, 2.0, 2) * amount * PATCH_PX_PER_MM
    return np.hstack([linear, (target - linear @ pivot)[:, None]])


def place(picture: Image, matrix: NDArray[np.float64]) -> Image:
    """The patch, drawn at twice its size and averaged down, as a lens would."""
    double = matrix * 2.0
    double[:, 2] += 0.5
    large = cv2.warpAffine(
        picture, double, (2 * _WIDTH, 2 * _HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cv2.resize(large, (_WIDTH, _HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


def moved_box(box: Box | None, matrix: NDArray[np.float64]) -> Box | None:
    if box is None:
        return None
    x, y, w, h = box
    corners = np.array([[x, y, 1], [x + w, y, 1], [x, y + h, 1], [x + w, y + h, 1]]) @ matrix.T
    low, high = corners.min(axis=0), corners.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])


def _kept(label: str | None, box: Box | None) -> str | None:
    """The label, unless the glyph is cut by the patch's rim."""
    if box is None or label is None:
        return label
    x, y, w, h = box
    wide = max(0.0, min(x + w, _WIDTH) - max(x, 0.0))
    high = max(0.0, min(y + h, _HEIGHT) - max(y, 0.0))
    inside = wide * high / (w * h)
    return label if inside >= _INSIDE else "?" if inside < 0.5 else None


def photograph(rng: np.random.Generator, picture: Image, gentle: bool = False) -> Image:
    """Light, optics, sensor, compression, in the order in which they act."""
    light = picture.astype(np.float32) / 255.0
    light = _dirt(rng, light)
    light = light ** np.float32(rng.uniform(1.0, 2.2))  # print is seen in linear light more or less
    light *= _illumination(rng)[..., None]
    light = _veil(rng, light)
    light = _optics(rng, light, 0.4 if gentle else 1.0)
    light *= np.exp(rng.normal(0, 0.14, 3)).astype(np.float32)  # colour of the light, white balance
    light = light ** np.float32(1 / rng.uniform(1.0, 2.2))
    light = _saturation(rng, light)
    light *= np.float32(_exposure(rng)) / max(float(np.percentile(light[::4, ::4], 80)), 1e-3)
    return _sensor(rng, light, 0.5 if gentle else 1.0)


def _exposure(rng: np.random.Generator) -> float:
    """Where paper comes to lie, 1 being full scale: mostly well exposed, now and then very dark or blown out."""
    kind = rng.random()
    if kind < 0.75:
        return float(rng.uniform(0.45, 1.0))
    return float(rng.uniform(0.08, 0.45)) if kind < 0.92 else float(rng.uniform(1.0, 1.35))


def _illumination(rng: np.random.Generator) -> Floats:
    y, x = np.mgrid[0:_HEIGHT, 0:_WIDTH].astype(np.float32)
    angle, steep = rng.uniform(0, 2 * np.pi), abs(rng.normal(0, 0.35))
    along = (x - _WIDTH / 2) * np.cos(angle) + (y - _HEIGHT / 2) * np.sin(angle)
    light = 1.0 + steep * along / _HEIGHT
    if rng.random() < 0.28:  # the edge of a shadow, hard or soft
        angle = rng.uniform(0, 2 * np.pi)
        across = (x - rng.uniform(0, _WIDTH)) * np.cos(angle) + (y - rng.uniform(0, _HEIGHT)) * np.sin(angle)
        dark = rng.uniform(0.3, 0.9)
        light *= dark + (1 - dark) / (1 + np.exp(-np.clip(across / rng.uniform(0.5, 8), -30, 30)))
    if rng.random() < 0.06:  # glare
        spot = np.exp(-((x - rng.uniform(0, _WIDTH)) ** 2 + (y - rng.uniform(0, _HEIGHT)) ** 2) / rng.uniform(60, 1500))
        light += rng.uniform(0.2, 1.5) * spot
    return np.asarray(np.clip(light, 0.1, 4.0), np.float32)


def _veil(rng: np.random.Generator, light: Floats) -> Floats:
    """Stray light over everything, of another colour than the lamp's: ink turns grey, or brown, or blue."""
    if rng.random() > 0.4:
        return light
    amount = rng.uniform(0.0, 0.45)
    stray = np.exp(rng.normal(0, 0.3, 3)) * np.percentile(light[::4, ::4], 80)
    return np.asarray(light * (1 - amount) + stray * amount, np.float32)


def _dirt(rng: np.random.Generator, light: Floats) -> Floats:
    """Specks, scratches and hairs on card or window."""
    if rng.random() > 0.2:
        return light
    light = np.ascontiguousarray(light)
    for _ in range(int(rng.integers(1, 6))):
        tone = (float(rng.uniform(0.2, 1.0)),) * 3
        x, y = int(rng.integers(_WIDTH)), int(rng.integers(_HEIGHT))
        if rng.random() < 0.6:
            cv2.circle(light, (x, y), int(rng.integers(1, 3)), tone, -1, cv2.LINE_AA)
        else:
            end = (x + int(rng.integers(-30, 30)), y + int(rng.integers(-30, 30)))
            cv2.line(light, (x, y), end, tone, 1, cv2.LINE_AA)
    return light


def _optics(rng: np.random.Generator, light: Floats, amount: float) -> Floats:
    """Defocus, motion (mostly along the card's width), and a lower resolution than ours."""
    if rng.random() < 0.75:
        sigma = float(rng.gamma(2.0, 0.4)) * amount
        if sigma > 0.2:
            light = np.asarray(cv2.GaussianBlur(light, (0, 0), min(sigma, 2.6)), np.float32)
    if rng.random() < 0.45:
        light = np.asarray(
            cv2.filter2D(light, -1, _motion_kernel(rng, float(rng.gamma(2.0, 1.4)) * amount)), np.float32
        )
    if rng.random() < 0.35:
        factor = rng.uniform(0.35 if amount == 1.0 else 0.6, 0.9)
        small = cv2.resize(light, (round(_WIDTH * factor), round(_HEIGHT * factor)), interpolation=cv2.INTER_AREA)
        way = cv2.INTER_LINEAR if rng.random() < 0.6 else cv2.INTER_CUBIC
        light = np.asarray(cv2.resize(small, (_WIDTH, _HEIGHT), interpolation=way), np.float32)
    if rng.random() < 0.2:  # a camera's sharpening
        soft = cv2.GaussianBlur(light, (0, 0), 1.0)
        light = np.asarray(light + rng.uniform(0.2, 1.2) * (light - soft), np.float32)
    return np.clip(light, 0.0, None)


def _motion_kernel(rng: np.random.Generator, length: float) -> Floats:
    length = min(max(length, 1.0), 9.0)
    angle = rng.normal(0, 0.12) if rng.random() < 0.7 else rng.uniform(0, np.pi)
    size = 11
    kernel = np.zeros((size * 4, size * 4), np.float32)
    middle, reach = size * 2, length * 2
    start = (round(middle - reach * np.cos(angle)), round(middle - reach * np.sin(angle)))
    end = (round(middle + reach * np.cos(angle)), round(middle + reach * np.sin(angle)))
    cv2.line(kernel, start, end, 1.0, 3)
    kernel = np.asarray(cv2.resize(kernel, (size, size), interpolation=cv2.INTER_AREA), np.float32)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _saturation(rng: np.random.Generator, light: Floats) -> Floats:
    grey = light.mean(axis=2, keepdims=True)
    return np.asarray(grey + (light - grey) * rng.uniform(0.45, 1.3), np.float32)


def _sensor(rng: np.random.Generator, light: Floats, amount: float) -> Image:
    """Noise, the coarser colour of a Bayer mask or a codec, clipping, JPEG."""
    if rng.random() < 0.8:
        sigma = rng.gamma(1.5, 0.012) * amount
        noise = rng.standard_normal(light.shape, dtype=np.float32)
        light = light + noise * np.sqrt(np.clip(light, 0.02, None)) * np.float32(sigma)
    picture: Image = np.clip(light * 255.0, 0, 255).astype(np.uint8)
    if rng.random() < 0.35:
        colours = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb), np.uint8)
        size = float(rng.uniform(0.6, 2.0))
        colours[..., 1:] = cv2.GaussianBlur(colours[..., 1:], (0, 0), size)
        if rng.random() < 0.3:  # patches of wrong colour, as video codecs leave them
            stains = rng.normal(0, 5, (9, 4, 2)).astype(np.float32)
            stains = np.asarray(cv2.resize(stains, (_WIDTH, _HEIGHT), interpolation=cv2.INTER_CUBIC), np.float32)
            colours[..., 1:] = np.clip(colours[..., 1:] + stains, 0, 255).astype(np.uint8)
        picture = np.asarray(cv2.cvtColor(colours, cv2.COLOR_YCrCb2BGR), np.uint8)
    if rng.random() < 0.4:
        quality = int(rng.integers(30 if amount == 1.0 else 60, 97))
        code = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        picture = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
    return picture
