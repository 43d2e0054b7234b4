"""Some rows of a camera's picture alone, as the benchmark of passages draws them, and its plan of conditions."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from passages_plan import PER_CAMERA, PER_CARD, RANGES, STRATA, Corners, Spread, card
from passages_support import DESIGNS, PACK, Shoe
from passages_tables import STEPS, tables

from hw_sim.camera import HEIGHT, Camera, Prepared
from hw_sim.conditions import Conditions
from hw_sim.decks import STYLES, draw_face
from hw_sim.motion import Hand, Pose, draw_card
from vision.decide import FaceReader

POOR = replace(Conditions(), noise=5.0, glass_specks=9, defocus_px=1.1, flicker=0.08)
ROWS = slice(96, HEIGHT, 48)


def cards_at(card: Prepared, pose: Pose, two: bool) -> list[tuple[Prepared, Pose]]:
    return [(card, pose), (card, replace(pose, x=pose.x + 30.0))][: 1 + two]


@pytest.mark.parametrize("two", [False, True])
def test_rows_are_those_of_the_whole_picture(two: bool) -> None:
    whole, strips = (Camera(POOR, np.random.default_rng(8)) for _ in range(2))
    face = draw_face(STYLES["classic"], "Kd", 8.0)
    cards = whole.prepare(face), strips.prepare(face)
    poses = draw_card(np.random.default_rng(3), Hand(slowest=0.5, tilt_deg=4.0)).poses
    others = samples = 0
    for k, pose in enumerate(poses):
        picture = whole.frame(cards_at(cards[0], pose, two), k / 120, k)
        shot = strips.expose(cards_at(cards[1], pose, two), k / 120, k)
        strip = strips.develop(shot, ROWS)
        off = np.abs(strip[ROWS].astype(int) - picture[ROWS])
        assert off.max() <= 1  # OpenCV 5 warps in floats: rounded elsewhere, a pixel in many thousand
        others += int((off > 0).sum())
        samples += off.size
        assert np.array_equal(strips.develop(shot, picture=strip), picture)
    assert others <= samples / 10_000


def test_rows_above_the_card_show_the_floor() -> None:
    camera = Camera(POOR, np.random.default_rng(2))
    card = camera.prepare(draw_face(STYLES["classic"], "Kd", 8.0))
    shot = camera.expose([(card, Pose(10.0, 9.0, 0.0, 0.5))], 0.0)
    whole = camera.develop(shot)
    for rows in (slice(0, 30), slice(0, 60, 7), slice(61, 200, 11)):
        assert np.abs(camera.develop(shot, rows)[rows].astype(int) - whole[rows]).max() <= 1
    assert camera.develop(shot, slice(0, 30))[:30].max() < 60


def test_a_hand_may_be_faster_and_a_card_steeper_than_the_reference() -> None:
    poses = draw_card(np.random.default_rng(1), Hand(3.1, 3.1, 0.0, 0.0, 0.0), (9.0, 12.0)).poses
    assert {pose.y for pose in poses} == {12.0}
    assert np.mean([pose.tilt_deg for pose in poses]) == pytest.approx(8.8, abs=0.3)
    assert np.median([pose.speed for pose in poses]) == pytest.approx(3.04, rel=0.01)


def test_fewest_finger_marks() -> None:
    marked = Camera(replace(POOR, card_smudges=5, fewest_smudges=5, defocus_px=0.0), np.random.default_rng(1))
    paper = np.full((711, 508, 3), 255, np.uint8)
    assert all((marked.prepare(paper).ink[6:, 6:514].min(axis=2) < 250).sum() > 2000 for _ in range(5))


def test_a_frame_drawn_as_it_is_looked_at_is_read_like_the_whole_one() -> None:
    reads = FaceReader()
    found = []
    for spoil in (None, np.copy):
        rng = np.random.default_rng(6)
        shoe = Shoe(Camera(replace(POOR, light=0.4), rng), reads, spoil=spoil)
        for symbol in ("Td", "Qs", "8c", "Ah"):
            prepared = shoe.camera.prepare(draw_face(STYLES["classic"], symbol, 8.0))
            found.append(shoe.passage(prepared, draw_card(rng, Hand(tilt_deg=3.0, stop_chance=0.5)).poses))
    assert found[:4] == found[4:]
    assert [said for said, _ in found[:4]] == ["Td", "Qs", "8c", "Ah"]


def test_every_corner_is_visited_as_often_as_any_other() -> None:
    rng = np.random.default_rng(0)
    visits: Counter[tuple[float, ...]] = Counter()
    for design in range(len(DESIGNS)):
        for block in range(32):  # 704 cameras: eleven times 64
            at = [Corners.value(axis, design, block, rng) for axis in PER_CAMERA]
            for k in range(Corners.PER_BLOCK):
                visits[(*at, *(Corners.value(axis, design, k, rng) for axis in PER_CARD))] += 1
    assert len(visits) == 2 ** len(RANGES)
    assert set(visits.values()) == {11}


@pytest.mark.parametrize("axis", RANGES)
def test_strata_go_through_the_whole_range(axis: str) -> None:
    rng = np.random.default_rng(0)
    low, high = RANGES[axis]
    values = [Spread.value(axis, 0, step, rng) for step in range(STRATA * 20)]
    assert low <= min(values) <= low + 0.1 * (high - low)
    assert high - 0.1 * (high - low) <= max(values) <= high
    first = sorted(values[:STRATA])
    assert first[0] < low + (high - low) / 4 < first[-1]


def test_all_cards_come_equally_often() -> None:
    assert Counter(card(3, nth) for nth in range(104)) == dict.fromkeys(PACK, 2)
    assert card(3, 0) != card(4, 0) or card(3, 1) != card(4, 1)


def test_tables_keep_misread_and_abstained_apart() -> None:
    middle = {axis: str(RANGES[axis][0]) for axis in STEPS}
    rows = [
        {"design": "a", "truth": "Th", "said": said, "why": why, **middle}
        for said, why in (("Th", ""), ("Th", ""), ("Td", ""), ("", "unclear"), ("Th Th", "2 cards of one"))
    ]
    lines = tables({"run": rows, "other": rows[:1]})
    assert "| all | 2 / 2 / 1, 40.00 % | 1 / 0 / 0, 100.00 % |" in lines
    assert "| T | 2 / 2 / 1, 40.00 % | 1 / 0 / 0, 100.00 % |" in lines
    assert "| a | Th | said to be Th Th | 1 | 0 |" in lines
    assert "| a | Th | unclear | 1 | 0 |" in lines
