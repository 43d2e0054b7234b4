"""Do two ways of reading fail differently? `python tests/bench/bench_agreement.py [--pictures N] [--deck FOLDER …]`.

Corner patches of the project's designs (or of folders of faces named `10H.png`), spoilt by blur, noise, dim light
and displacement until about a tenth cannot be read. Printed: how often each way alone is wrong, both wrong on the
same symbol, the rule of `vision.decide` wrong, and the same with either way replaced by one that says any symbol at
random, surely.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from vision_support import face, styles

from vision.colour import is_red, redness
from vision.decide import GLYPH_RANK_FROM, GLYPH_SUIT_FROM, INDEX_FROM, FaceReader, Opinion, decide
from vision.glyphs import PATCH_HEIGHT, PATCH_WIDTH, glyph_candidates
from vision.networks import RANKS, SUITS
from vision.quiet import quiet_opencv
from vision.sources.folder import read_picture

Draw = Callable[[int, str, str], np.ndarray | None]


def drawn(index: int, rank: str, suit: str) -> np.ndarray:
    names = styles()
    return face(("T" if rank == "10" else rank) + suit, names[index % len(names)], 4.0)


def of_folders(folders: list[Path]) -> Draw:
    def draw(index: int, rank: str, suit: str) -> np.ndarray | None:
        image = read_picture(folders[index % len(folders)] / f"{rank}{suit.upper()}.png")
        return None if image is None else np.asarray(cv2.resize(image, (254, 356), interpolation=cv2.INTER_AREA))

    return draw


def spoilt(card: np.ndarray, rng: np.random.Generator, hardness: float) -> np.ndarray:
    """The corner's patch, displaced and turned a little, dim, blurred along and across, noisy."""
    turn, scale = float(rng.normal(0, 1.2)), float(rng.uniform(0.92, 1.08))
    matrix = cv2.getRotationMatrix2D((0, 0), turn, scale)
    matrix[:, 2] += rng.normal(0, 1.5, 2)
    patch = cv2.warpAffine(card, matrix, (PATCH_WIDTH, PATCH_HEIGHT), borderMode=cv2.BORDER_REPLICATE).astype(
        np.float32
    )
    patch = cv2.GaussianBlur(patch, (0, 0), 0.3 + hardness * float(rng.uniform(0.5, 2.6)))
    streak = 1 + int(hardness * rng.integers(0, 9))
    patch = cv2.blur(patch, (streak, 1)) * float(rng.uniform(0.25, 1.0))
    return np.clip(patch + rng.normal(0, hardness * rng.uniform(1, 9), patch.shape), 0, 255).astype(np.uint8)


def sure(opinion: Opinion, rank_from: float, suit_from: float) -> str | None:
    good = opinion.sure(rank_from, suit_from) and opinion.rank in RANKS and opinion.suit in SUITS
    return opinion.rank + opinion.suit if good else None


def by_glyphs(reader: FaceReader, patch: np.ndarray) -> tuple[Opinion | None, bool | None]:
    """What the glyphs say, by the first cut they are sure of or by the first of all; and their colour."""
    first: tuple[Opinion | None, bool | None] = (None, None)
    for glyphs in glyph_candidates(patch):
        found = reader.by_glyphs(glyphs), is_red(redness(patch, glyphs.ink, glyphs.suit))
        if found[0].sure(GLYPH_RANK_FROM, GLYPH_SUIT_FROM):
            return found
        first = found if first[0] is None else first
    return first


def said(opinion: Opinion | None, other: Opinion | None, red: bool | None) -> str | None:
    if opinion is None or other is None:
        return None
    symbol = decide(opinion, other, red).symbol
    return None if symbol is None else symbol.replace("T", "10")


def main(pictures: int, draw: Draw, hardness: float) -> None:
    rng = np.random.default_rng(1)
    reader = FaceReader()
    ways = {
        name: Counter[str]() for name in ("index alone", "glyphs alone", "the rule", "index random", "glyphs random")
    }
    both_wrong = 0
    done = 0
    for k in range(pictures):
        rank, suit = RANKS[int(rng.integers(13))], SUITS[int(rng.integers(4))]
        card = draw(k, rank, suit)
        if card is None:
            continue
        done += 1
        truth = rank + suit
        patch = spoilt(card, rng, hardness)
        whole = reader.by_index([patch])[0]
        shapes, red = by_glyphs(reader, patch)
        guess = Opinion(RANKS[int(rng.integers(13))], SUITS[int(rng.integers(4))], 1.0, 1.0)
        first = sure(whole, INDEX_FROM, INDEX_FROM)
        second = sure(shapes, GLYPH_RANK_FROM, GLYPH_SUIT_FROM) if shapes is not None else None
        both_wrong += first is not None and first == second != truth
        answers = {
            "index alone": first,
            "glyphs alone": second,
            "the rule": said(whole, shapes, red),
            "index random": said(guess, shapes, red),
            "glyphs random": said(whole, guess, red),
        }
        for name, answer in answers.items():
            ways[name]["none" if answer is None else "right" if answer == truth else "wrong"] += 1
    print(f"{done} pictures; both ways wrong on the same symbol: {both_wrong}")
    for name, count in ways.items():
        print(f"{name:14} right {count['right']:6}  wrong {count['wrong']:5}  none {count['none']:6}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=5000)
    parser.add_argument("--deck", type=Path, nargs="*", default=[])
    parser.add_argument("--hardness", type=float, default=0.7)
    asked = parser.parse_args()
    quiet_opencv()
    main(asked.pictures, of_folders(asked.deck) if asked.deck else drawn, asked.hardness)
