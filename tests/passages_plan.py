"""Under which conditions the passages of `tests/bench/bench_passages.py` run: through the reference camera's ranges in
strata, or at their corners. What a passage is made of is `passages_support`'s.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from passages_support import DESIGNS, PACK

from hw_sim.conditions import Conditions, draw_conditions

SEED = 11
STRATA = 8
# Ends of the reference camera's ranges; speed goes evenly in its logarithm, so does light.
RANGES = {
    "light": (0.28, 1.0),
    "focus": (0.0, 1.6),
    "noise": (0.5, 7.0),
    "specks": (0, 13),
    "marks": (0, 5),
    "flicker": (0.0, 0.08),
    "speed": (0.1, 2.0),
    "tilt": (-6.0, 6.0),
    "edge": (-3.0, 3.0),
}
PER_CAMERA = ("light", "focus", "noise", "specks", "marks", "flicker")
PER_CARD = ("speed", "tilt", "edge")


class Spread:
    """Every axis through its range."""

    PER_BLOCK = 13

    @staticmethod
    def value(axis: str, design: int, step: int, rng: np.random.Generator) -> float:
        """A value of this step's stratum; each axis goes through its strata in an order of its own."""
        low, high = RANGES[axis]
        order = np.random.default_rng((SEED, list(RANGES).index(axis), step // STRATA)).permutation(STRATA)
        part = float(order[step % STRATA] + rng.random()) / STRATA
        if axis in ("light", "speed"):
            return float(np.exp(np.log(low) + part * np.log(high / low)))
        return int(low + part * (high + 1 - low)) if isinstance(low, int) else low + part * (high - low)


class Corners:
    """Every axis at one of its ends: the cards' eight combinations in each block, the cameras' 64 block by block."""

    PER_BLOCK = 2 ** len(PER_CARD)

    @staticmethod
    def value(axis: str, design: int, step: int, rng: np.random.Generator) -> float:
        if axis in PER_CARD:
            return RANGES[axis][step >> PER_CARD.index(axis) & 1]
        run, combinations = step * len(DESIGNS) + design, 2 ** len(PER_CAMERA)
        order = np.random.default_rng((SEED, run // combinations)).permutation(combinations)
        return RANGES[axis][int(order[run % combinations]) >> PER_CAMERA.index(axis) & 1]


def conditions(at: dict[str, float], corners: bool, rng: np.random.Generator) -> Conditions:
    """A camera's conditions; light's fall, colour and the floor are drawn."""
    marks = int(at["marks"])
    return replace(
        draw_conditions(rng),
        light=at["light"],
        defocus_px=at["focus"],
        noise=at["noise"],
        glass_specks=int(at["specks"]),
        card_smudges=marks,
        fewest_smudges=marks if corners else 0,
        flicker=at["flicker"],
    )


def card(design: int, nth: int) -> str:
    """The design's nth card, of packs shuffled one after another: all come equally often."""
    pack = np.random.default_rng((SEED, design, nth // len(PACK))).permutation(len(PACK))
    return PACK[pack[nth % len(PACK)]]
