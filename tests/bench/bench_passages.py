"""Simulated passages over designs that nothing was trained on: `python tests/bench/bench_passages.py RESULTS.csv
--art ART [--blocks N] [--part K/N] [--only DESIGN …]`; without `--art` the table of one or more RESULTS.

ART: a folder of designs, each a folder of faces named `10H.png`. A block is one camera with drawn conditions and
PER_BLOCK passages of one design; light, blur, noise, dirt, speed and tilt go through their ranges in strata, shuffled
apart from one another. Every block has a seed of its own, and blocks that RESULTS holds are not run again.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from vision_support import slot_geometry

from hw_sim.camera import Camera
from hw_sim.conditions import Conditions, draw_conditions
from hw_sim.motion import Hand, draw_card
from vision.decide import FaceReader
from vision.evaluate import upper_bound
from vision.messages import Reading
from vision.networks import RANKS
from vision.quiet import quiet_opencv
from vision.slot_reader import SlotReader
from vision.sources.base import Frame

PER_BLOCK = 13
STRATA = 8
# Aces to kings with usual letters, index above its suit; families stand together (docs/vision.md).
DESIGNS = (
    *("aisleriot_anglo", "aisleriot_anglo_modern", "aisleriot_anglo_modern_4_color", "aisleriot_atlasnye"),
    *("aisleriot_gnomangelo", "aisleriot_bellot", "htdebeer_svgcards", "linux1306_ramino", "cardsjs_aguilar"),
    *("npm_younestouati", "aisleriot_bonded", "aisleriot_dondorf", "kde_dondorf", "aisleriot_neoclassical"),
    *("aisleriot_neoclassical_4_color", "aisleriot_orell", "aisleriot_paris", "kde_gm-paris", "aisleriot_tango"),
    *("aisleriot_tigullio", "kde_penguins", "kde_standard"),
)


def face(folder: Path, rank: str, suit: str) -> np.ndarray:
    """A face at 8 px/mm; transparent paper is white."""
    image = cv2.imread(str(folder / f"{rank}{suit}.png"), cv2.IMREAD_UNCHANGED)
    if image.shape[2] == 4:
        clear = image[..., 3:].astype(np.float32) / 255
        image = (image[..., :3] * clear + 255 * (1 - clear)).astype(np.uint8)
    smaller = image.shape[1] > 508
    return np.asarray(cv2.resize(image, (508, 711), interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC))


def stratum(axis: int, block: int, low: float, high: float, rng: np.random.Generator) -> float:
    """A value of this block's stratum of an axis; each axis goes through its strata in an order of its own."""
    order = np.random.default_rng((axis, block // STRATA)).permutation(STRATA)
    return float(low + (high - low) * (order[block % STRATA] + rng.random()) / STRATA)


def conditions(block: int, rng: np.random.Generator) -> Conditions:
    light = float(np.exp(stratum(1, block, np.log(0.28), 0.0, rng)))
    return replace(
        draw_conditions(rng),
        light=light,
        defocus_px=stratum(2, block, 0.0, 1.6, rng),
        noise=stratum(3, block, 0.5, 7.0, rng),
        glass_specks=int(stratum(4, block, 0, 14, rng)),
        card_smudges=int(stratum(5, block, 0, 6, rng)),
    )


def run_block(folder: Path, design: int, block: int, reads: FaceReader) -> Iterator[tuple[str, str, str, float, float]]:
    """Truth, what was said, why nothing was, speed and tilt of each of its passages."""
    rng = np.random.default_rng((7, design, block))
    camera = Camera(conditions(block, rng), rng)
    reader = SlotReader(slot_geometry(), reads=reads)
    number = 0
    for k in range(PER_BLOCK):
        rank, suit = RANKS[int(rng.integers(13))], "SHDC"[int(rng.integers(4))]
        speed = float(np.exp(stratum(6, block * PER_BLOCK + k, np.log(0.1), np.log(1.9), rng)))
        tilt = stratum(7, block * PER_BLOCK + k, 0.2, 3.5, rng)
        poses = draw_card(rng, Hand(slowest=speed, fastest=speed * 1.05, tilt_deg=tilt, top_edge_mm=1.3)).poses
        card = camera.prepare(face(folder, rank, suit))
        said: list[Reading] = []
        for pose in [None] * 4 + list(poses) + [None] * 4:
            image = camera.frame([] if pose is None else [(card, pose)], number / 120, number)
            said += [each for each in reader.feed(Frame(image, number, number / 120)) if isinstance(each, Reading)]
            number += 1
        one = said[0] if len(said) == 1 else None
        symbol, why = (one.symbol or "", one.why) if one else ("", f"{len(said)} passages")
        yield (
            ("T" if rank == "10" else rank) + suit.lower(),
            symbol,
            why,
            speed,
            float(np.mean([p.tilt_deg for p in poses])),
        )


def run(results: Path, art: Path, designs: list[str], blocks: int, part: tuple[int, int]) -> None:
    done = {(row[0], int(row[1])) for row in rows(results)}
    reads = FaceReader()
    for block in range(blocks):
        for design in designs:
            place = DESIGNS.index(design)
            if (block * len(DESIGNS) + place) % part[1] != part[0] or (design, block) in done:
                continue
            found = list(run_block(art / design, place, block, reads))
            with results.open("a", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([design, block, t, s, w, f"{v:.2f}", f"{a:.1f}"] for t, s, w, v, a in found)


def rows(results: Path) -> list[list[str]]:
    if not results.exists():
        return []
    with results.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def table(found: list[list[str]]) -> None:
    """By design, by rank, by suit and by speed: correct, misread, abstained, 95 % upper bound of the misread rate."""
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for design, _, truth, said, _, speed, _ in found:
        outcome = "abstained" if not said else "correct" if said == truth else "misread"
        fast = "0.1 to 0.3" if float(speed) < 0.3 else "0.3 to 1" if float(speed) < 1 else "1 to 2"
        for group in (design, "rank " + truth[0], "suit " + truth[1], f"{fast} m/s", "all"):
            groups[group][outcome] += 1
    for name, count in groups.items():
        of = count.total()
        bound = upper_bound(count["misread"], of)
        counts = f"{count['correct']:5} / {count['misread']} / {count['abstained']:3}"
        print(f"| {name:32} | {counts} | {100 * count['correct'] / of:6.2f} % | < {100 * bound:.2f} % |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, nargs="+")
    parser.add_argument("--art", type=Path)
    parser.add_argument("--blocks", type=int, default=80)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--only", nargs="*", default=list(DESIGNS))
    asked = parser.parse_args()
    quiet_opencv()
    cv2.setNumThreads(1)
    if asked.art is None:
        table([row for each in asked.results for row in rows(each)])
    else:
        k, of = (int(number) for number in asked.part.split("/"))
        run(asked.results[0], asked.art, asked.only, asked.blocks, (k, of))
