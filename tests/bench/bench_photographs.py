"""Composed photographs of single cards and of several, read: `python tests/bench/bench_photographs.py --art ART
[--each N] [--desk DESK …] [--several] [--seed S] [--keep FOLDER] [--list]`.

ART: a folder of designs, each a folder of faces named `10H.png`; without it the project's own drawn designs. For each
desk N pictures, cards and designs in turn, seeded. One line a desk, design, rank, suit and card height: correct,
misread, abstained. `--several`: two to four cards in each picture; there right is `two cards` and any symbol is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from desk_support import DESKS, FACE_PX_PER_MM, Laid, Shot, compose, draw_shot, squared_art

from hw_sim.decks import CARDS, STYLES, draw_face
from hw_sim.faces import DeckUnusable, read_face
from vision.evaluate import upper_bound
from vision.geometry import FREE
from vision.quiet import quiet_opencv
from vision.still import read_still

# Usual letters and suits, an index in the usual place.
DESIGNS = (
    *("aisleriot_anglo", "aisleriot_anglo_modern", "aisleriot_atlasnye", "aisleriot_gnomangelo", "aisleriot_bellot"),
    *("htdebeer_svgcards", "linux1306_ramino", "cardsjs_aguilar", "byronknoll_vector", "npm_younestouati"),
    *("aisleriot_bonded", "aisleriot_dondorf", "aisleriot_neoclassical", "aisleriot_orell", "aisleriot_paris"),
    *("kde_gm-paris", "aisleriot_tango", "aisleriot_tigullio", "kde_penguins", "kde_standard"),
)


class Faces:
    """Faces by design and symbol, each opened once."""

    def __init__(self, art: Path | None) -> None:
        self._art = art
        self.designs = tuple(d for d in DESIGNS if (art / d).is_dir()) if art else tuple(STYLES)
        self._known: dict[tuple[str, str], np.ndarray] = {}

    def __call__(self, design: str, symbol: str) -> np.ndarray:
        key = design, symbol
        if key not in self._known:
            self._known[key] = self._open(design, symbol)
        return self._known[key]

    def _open(self, design: str, symbol: str) -> np.ndarray:
        if self._art is None:
            return draw_face(STYLES[design], symbol, FACE_PX_PER_MM)
        name = ("10" if symbol[0] == "T" else symbol[0]) + symbol[1].upper()
        try:
            return squared_art(read_face(self._art / design / f"{name}.png"))
        except DeckUnusable as error:
            raise SystemExit(str(error)) from error


def single(faces: Faces, desk: str, number: int, seed: int) -> tuple[str, str, Shot, np.ndarray]:
    """Design, symbol, shot and picture of one card."""
    rng = np.random.default_rng((seed, DESKS.index(desk), number))
    design = faces.designs[number % len(faces.designs)]
    symbol = CARDS[int(rng.integers(52))]
    shot = draw_shot(rng, desk)
    return design, symbol, shot, compose([Laid(faces(design, symbol))], shot)


def several(faces: Faces, desk: str, number: int, seed: int) -> tuple[str, str, Shot, np.ndarray]:
    """The same of two to four cards of one design: side by side, crossed, fanned, or another's corner alone."""
    rng = np.random.default_rng((seed, 77, DESKS.index(desk), number))
    design = faces.designs[number % len(faces.designs)]
    symbols = [CARDS[int(k)] for k in rng.permutation(52)[:4]]
    way = ("side", "crossed", "fan", "under")[number % 4]
    picks = [faces(design, symbol) for symbol in symbols]
    if way == "side":
        cards = [Laid(picks[0], -38), Laid(picks[1], 38, float(rng.normal(0, 8)), float(rng.normal(0, 10)))]
    elif way == "crossed":
        cards = [Laid(picks[0], -15, -10), Laid(picks[1], 15, 10, float(rng.uniform(15, 165)))]
    elif way == "fan":
        cards = [Laid(pick, 16.0 * k - 24, 4.0 * k, 9.0 * k - 13) for k, pick in enumerate(picks)]
    else:  # the lower card's index corner looks out
        cards = [Laid(picks[0], -16, -14, float(rng.normal(0, 4))), Laid(picks[1], 6, 8, float(rng.normal(0, 4)))]
    size = (1280, 960)
    shot = draw_shot(rng, desk, 2.6, (size,))
    shot = Shot(**{**vars(shot), "card_height": float(rng.uniform(0.26, 0.42)), "place": (0.5, 0.5)})
    return design, f"{way}", shot, compose(cards, shot)


def outcomes(asked: argparse.Namespace, faces: Faces) -> Iterator[tuple[list[str], str, float]]:
    """Groups, outcome and time of each picture."""
    for desk in asked.desk or DESKS:
        for number in range(asked.first, asked.first + asked.each):
            make = several if asked.several else single
            design, truth, shot, image = make(faces, desk, number, asked.seed)
            said = read_still(image, FREE)
            wanted = said.why == "two cards" if asked.several else said.symbol == truth
            outcome = "correct" if wanted else "abstained" if said.symbol is None else "misread"
            bucket = f"height {int(shot.card_height * 5) / 5:.1f}"
            kind = [f"way {truth}"] if asked.several else [f"rank {truth[0]}", f"suit {truth[1]}", bucket]
            if asked.list and outcome != "correct":
                print(
                    outcome, desk, number, design, truth, said.symbol, said.why, f"{shot.card_height:.2f}", flush=True
                )
                if asked.keep:
                    cv2.imwrite(str(asked.keep / f"{desk}_{number}_{design}_{truth}.jpg"), image)
            yield [f"desk {desk}", f"design {design}", *kind, "all"], outcome, said.ms


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--art", type=Path)
    parser.add_argument("--each", type=int, default=52)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--desk", nargs="*", choices=DESKS)
    parser.add_argument("--several", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args(arguments)
    quiet_opencv()
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    times = []
    for names, outcome, ms in outcomes(asked, Faces(asked.art)):
        times.append(ms)
        for name in names:
            groups[name][outcome] += 1
    for name in sorted(groups, key=lambda n: (n == "all", n)):
        count = groups[name]
        of = count.total()
        right, wrong, none = count["correct"], count["misread"], count["abstained"]
        bound = 100 * upper_bound(wrong, of)
        print(f"| {name:32} | {right:5} / {wrong} / {none:4} | {100 * right / of:6.2f} % | < {bound:.2f} % |")
    print(f"ms a picture: median {np.median(times):.0f}, mean {np.mean(times):.0f}, p99 {np.percentile(times, 99):.0f}")
    return 1 if groups["all"]["misread"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
