"""Simulated passages over designs that nothing was trained on: `python tests/bench/bench_passages.py RESULTS.csv
--art ART [--corners] [--enrolled PROFILES] [--blocks N] [--first N] [--part K/N] [--only DESIGN …]`; without `--art`
the tables of one or more RESULTS.

ART: a folder of designs, each a folder of faces named `10H.png`. A block is one camera with its conditions and some
passages of one design, the cards in the order of shuffled packs. All axes go through their ranges in strata, shuffled
apart from one another; with `--corners` each stands at one of its two ends, every combination of ends as often as any
other. With `--enrolled` each design's pack is first dealt past the camera in good light (`sabot enrol --live`, one
passage a card; kept in PROFILES) and read with that profile beside the networks, as a table does. Every block has a
seed of its own, and blocks that RESULTS holds are not run again.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from enrol_dealer import profile_of
from passages_plan import PER_CAMERA, PER_CARD, RANGES, SEED, Corners, Spread, card, conditions
from passages_support import DESIGNS, Shoe, art_face
from passages_tables import read_rows, runs, tables
from vision_support import slot_geometry

from hw_sim.camera import Camera
from hw_sim.motion import TOP_EDGE_MM, Hand, draw_card
from vision.decide import FaceReader
from vision.deck import Deck, open_deck
from vision.enrol_pictures import EnrolRefused
from vision.quiet import quiet_opencv

CHUNK = 10  # blocks of one design after one another: its faces and its profile are read from disk once


@dataclass(frozen=True)
class Row:
    """A passage: `said` is empty where nothing was; the axes as in RANGES."""

    design: str
    block: int
    place: int
    truth: str
    said: str
    why: str
    light: float
    focus: float
    noise: float
    specks: int
    marks: int
    flicker: float
    speed: float
    tilt: float
    edge: float


def run_block(
    art: Path, design: str, block: int, reads: FaceReader, deck: Deck | None, corners: bool = False
) -> Iterator[Row]:
    """Its passages in order."""
    place = DESIGNS.index(design)
    rng = np.random.default_rng((SEED, int(corners), place, block))
    plan = Corners if corners else Spread
    camera_at = {axis: plan.value(axis, place, block, rng) for axis in PER_CAMERA}
    shoe = Shoe(Camera(conditions(camera_at, corners, rng), rng), reads, deck)
    for k in range(plan.PER_BLOCK):
        nth = block * plan.PER_BLOCK + k
        symbol = card(place, nth)
        at = camera_at | {axis: plan.value(axis, place, k if corners else nth, rng) for axis in PER_CARD}
        jerk = 0.1 if corners else 0.25
        hand = Hand(at["speed"], min(at["speed"] * 1.05, RANGES["speed"][1]), jerk)
        poses = draw_card(rng, hand, (at["tilt"], TOP_EDGE_MM + at["edge"])).poses
        said, why = shoe.passage(shoe.camera.prepare(art_face(art / design, symbol)), poses)
        yield Row(design, block, k, symbol, said, why, **{axis: round(value, 3) for axis, value in at.items()})


def enrolled(design: str, art: Path, profiles: Path | None) -> Deck | None:
    """The design's deck, enrolled where it is not yet; None without `profiles`. Raises EnrolRefused."""
    return None if profiles is None else open_deck(profile_of(design, art, profiles), slot_geometry())


def run(results: Path, asked: argparse.Namespace) -> None:
    done = {(row["design"], int(row["block"])) for row in read_rows([results])}
    k, of = (int(number) for number in asked.part.split("/"))
    reads = FaceReader()

    deck_of = lru_cache(maxsize=2)(lambda design: enrolled(design, asked.art, asked.enrolled))
    refused: set[str] = set()
    end = asked.first + asked.blocks
    for first in range(asked.first, end, CHUNK):
        for design in [each for each in asked.only if DESIGNS.index(each) % of == k and each not in refused]:
            try:
                deck = deck_of(design)
            except EnrolRefused as error:
                refused.add(design)
                print(f"{design} was not enrolled:", *error.lines, sep="\n  ", flush=True)
                continue
            for block in range(first, min(first + CHUNK, end)):
                if (design, block) not in done:
                    append(results, list(run_block(asked.art, design, block, reads, deck, asked.corners)))


def append(results: Path, found: list[Row]) -> None:
    """A whole block at once."""
    names = [each.name for each in fields(Row)]
    new = not results.exists()
    with results.open("a", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([names] * new + [[getattr(row, name) for name in names] for row in found])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, nargs="+")
    parser.add_argument("--art", type=Path)
    parser.add_argument("--corners", action="store_true")
    parser.add_argument("--enrolled", type=Path, help="folder of the designs' profiles, made where they are not there")
    parser.add_argument("--blocks", type=int, help="of each design: 70 (20,020 passages), at the corners 32 (5,632)")
    parser.add_argument("--first", type=int, default=0, help="other blocks for development than those that are judged")
    parser.add_argument("--part", default="0/1", help="designs K, K+N, … only: several processes, each its RESULTS")
    parser.add_argument("--only", nargs="*", default=list(DESIGNS))
    chosen = parser.parse_args()
    chosen.blocks = chosen.blocks or (32 if chosen.corners else 70)
    quiet_opencv()
    cv2.setNumThreads(1)
    if chosen.art is None:
        print("\n".join(tables(runs(chosen.results))))
    else:
        run(chosen.results[0], chosen)
