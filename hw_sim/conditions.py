"""What spoils the camera's picture, as data: light, flicker, focus, noise, dirt.

How each is applied is camera.py's. The defaults are the bench's: a decent machine in its second year.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Conditions:
    """Everything in the picture's own terms; `light` 1 leaves the face's colours as printed."""

    light: float = 0.86
    gradient: tuple[float, float] = (0.12, -0.08)  # relative fall of the light across the picture's width and height
    cast: tuple[float, float, float] = (0.97, 1.0, 1.0)  # gain of B, G, R
    flicker: float = 0.02  # amplitude, relative
    flicker_hz: float = 100.0
    defocus_px: float = 0.6  # sigma
    noise: float = 2.5  # sigma in grey levels
    glass_specks: int = 4  # dust on the window
    card_smudges: int = 2  # most finger marks on one card
    fewest_smudges: int = 0
    floor: tuple[int, int, int] = (26, 24, 22)  # colour of the shoe's floor, BGR


def draw_conditions(rng: np.random.Generator) -> Conditions:
    """Conditions such as a shoe may meet, from good to poor; for training and tests."""
    grey = int(rng.integers(10, 48))
    return Conditions(
        light=float(np.exp(rng.uniform(np.log(0.28), np.log(1.0)))),
        gradient=(float(rng.uniform(-0.3, 0.3)), float(rng.uniform(-0.3, 0.3))),
        cast=(float(rng.uniform(0.82, 1.0)), float(rng.uniform(0.92, 1.0)), float(rng.uniform(0.88, 1.0))),
        flicker=float(rng.uniform(0.0, 0.08)),
        defocus_px=float(rng.uniform(0.0, 1.6)),
        noise=float(rng.uniform(0.5, 7.0)),
        glass_specks=int(rng.integers(0, 14)),
        card_smudges=int(rng.integers(0, 6)),
        floor=(grey + int(rng.integers(0, 6)), grey + int(rng.integers(0, 4)), grey),
    )
