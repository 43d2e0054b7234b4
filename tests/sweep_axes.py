"""The axes of `tests/bench/bench_sweep.py`: what is turned, how far, and what range the reference camera has.

What is no condition of the simulated camera (another scale, a covered window, JPEG, coloured light beyond its own) is
done to its whole pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np

from hw_sim.conditions import Conditions

Image = np.ndarray
FLOOR = (24, 24, 24)
TOP_EDGE_PX = 40
# The middle of each range, light and speed in their logarithm.
MIDDLE = Conditions(
    light=0.53,
    gradient=(0.15, -0.15),
    cast=(0.92, 0.96, 0.94),
    flicker=0.04,
    defocus_px=0.8,
    noise=3.75,
    glass_specks=6,
    card_smudges=3,
)


@dataclass(frozen=True)
class Setting:
    """One step of one axis; `spoil` is done to whole pictures."""

    conditions: Conditions = MIDDLE
    speed: float = 0.45
    tilt_deg: float = 0.0
    edge_mm: float = 0.0
    spoil: Callable[[Image], Image] | None = None


@dataclass(frozen=True)
class Axis:
    """`range`: what the reference camera has; `set`: the setting at a value, `sign` turning every second one."""

    name: str
    label: str
    steps: Sequence[float]
    range: tuple[float, float]
    set: Callable[[float, int], Setting]
    logarithmic: bool = False

    def setting(self, value: float, nth: int) -> Setting:
        return self.set(value, 1 - 2 * (nth % 2))


def condition(field: str, value: float, _sign: int) -> Setting:
    number = int(value) if field in ("glass_specks", "card_smudges") else value
    changed = replace(MIDDLE, **{field: number})
    return Setting(replace(changed, fewest_smudges=number) if field == "card_smudges" else changed)


def scaled(picture: Image, factor: float) -> Image:
    """Another scale than the geometry says, about the left end of the card's top edge."""
    matrix = np.array([[factor, 0.0, 0.0], [0.0, factor, TOP_EDGE_PX * (1 - factor)]])
    size = picture.shape[1], picture.shape[0]
    return cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def covered(picture: Image, width_mm: float, right: bool) -> Image:
    """As if something dark lay over the window's exit or entry, as wide as that."""
    picture, width = picture.copy(), round(width_mm * 8)
    if width:
        picture[:, slice(-width, None) if right else slice(0, width)] = FLOOR
    return picture


def coloured(picture: Image, stops: float) -> Image:
    """Warm (positive) or cold light: red gains, blue loses, by a factor of two a stop between them."""
    gains = np.array([2 ** (-stops / 2), 1.0, 2 ** (stops / 2)]) / max(1.0, 2 ** (abs(stops) / 2))
    return cv2.multiply(picture, (*gains.tolist(), 0.0))


def compressed(picture: Image, quality: float) -> Image:
    return cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(quality)])[1], cv2.IMREAD_COLOR)


def keystone(picture: Image, degrees: float) -> Image:
    """The camera looks at the window from the side, turned about the picture's upright middle line, from 150 mm."""
    height, width = picture.shape[:2]
    distance, a = 150.0 * 8, np.radians(degrees)
    x, y = np.array([-0.5, 0.5, 0.5, -0.5]) * width, np.array([-0.5, -0.5, 0.5, 0.5]) * height
    nearer = distance / (distance + x * np.sin(a))
    to = np.stack([x * np.cos(a) * nearer + width / 2, y * nearer + height / 2], axis=1)
    corners = np.stack([x + width / 2, y + height / 2], axis=1)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), to.astype(np.float32))
    return cv2.warpPerspective(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)


AXES = (
    Axis("speed", "speed, m/s", (0.1, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5), (0.1, 2), lambda v, _: Setting(speed=v)),
    Axis("tilt", "tilt to either side, degrees", (0, 3, 6, 7, 8, 10, 12), (0, 6), lambda v, s: Setting(tilt_deg=s * v)),
    Axis("edge", "top edge off its place, mm", (0, 1.5, 3, 4, 5, 6, 8), (0, 3), lambda v, s: Setting(edge_mm=s * v)),
    Axis(
        "light",
        "light (1: paper white)",
        (1, 0.53, 0.28, 0.2, 0.14, 0.1, 0.07, 0.05),
        (0.28, 1),
        partial(condition, "light"),
        True,
    ),
    Axis("focus", "focus, sigma in px", (0, 0.8, 1.6, 2.5, 4, 6, 8), (0, 1.6), partial(condition, "defocus_px")),
    Axis("noise", "noise, sigma in grey levels", (0.5, 4, 7, 10, 14, 20, 30), (0.5, 7), partial(condition, "noise")),
    Axis("specks", "specks on the window", (0, 6, 13, 50, 100, 200, 400), (0, 13), partial(condition, "glass_specks")),
    Axis("marks", "finger marks on the card", (0, 3, 5, 20, 40, 80, 160), (0, 5), partial(condition, "card_smudges")),
    Axis(
        "flicker",
        "flicker, share of the light",
        (0, 0.04, 0.08, 0.2, 0.4, 0.7, 0.9),
        (0, 0.08),
        partial(condition, "flicker"),
    ),
    Axis(
        "scale",
        "scale, of what the geometry says",
        (0.8, 0.88, 0.94, 1, 1.06, 1.12, 1.2),
        (1, 1),
        lambda v, _: Setting(spoil=partial(scaled, factor=v)),
    ),
    Axis(
        "side",
        "camera turned to the side, degrees",
        (0, 4, 8, 12, 16, 24),
        (0, 0),
        lambda v, s: Setting(spoil=partial(keystone, degrees=s * v)),
    ),
    Axis(
        "covered",
        "window covered at exit or entry, mm",
        (0, 10, 20, 30, 40, 50, 60),
        (0, 0),
        lambda v, s: Setting(spoil=partial(covered, width_mm=v, right=s > 0)),
    ),
    Axis(
        "colour",
        "light's colour, red against blue, stops",
        (-6, -4, -2, 0, 2, 4, 6),
        (-0.2, 0.2),
        lambda v, _: Setting(spoil=partial(coloured, stops=v)),
    ),
    Axis(
        "jpeg",
        "JPEG quality",
        (95, 80, 50, 20, 10, 5, 2),
        (95, 100),
        lambda v, _: Setting(spoil=partial(compressed, quality=v)),
    ),
)
