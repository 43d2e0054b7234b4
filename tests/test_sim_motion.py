"""A hand's pulls keep to the reference camera's spec, whatever the seed."""

from __future__ import annotations

import numpy as np
import pytest
from sim_support import rng

from hw_sim.motion import (
    FASTEST,
    FPS,
    PICTURE_WIDTH_MM,
    SLOWEST,
    Hand,
    Passage,
    Pose,
    draw_card,
    slide_off,
    withdraw_card,
)

STEADY = Hand(stop_chance=0.0, pull_back_chance=0.0, slowest=0.1, fastest=2.0, jerk=0.5, tilt_deg=4.0, top_edge_mm=2.0)
WILD = Hand(stop_chance=0.7, pull_back_chance=0.7, slowest=0.1, fastest=2.0, jerk=0.5, tilt_deg=4.0, top_edge_mm=2.0)


def column(passage: Passage, name: str) -> np.ndarray:
    return np.array([getattr(pose, name) for pose in passage.poses])


def right_edge(pose: Pose) -> float:
    """The foremost point to the right that the camera can see of the card."""
    a = np.radians(pose.tilt_deg)
    corners = [(0, 0), (63.5, 0), (0, 60), (63.5, 60)]
    return max(pose.x + x * np.cos(a) - y * np.sin(a) for x, y in corners)


def left_edge(pose: Pose) -> float:
    a = np.radians(pose.tilt_deg)
    corners = [(0, 0), (63.5, 0), (0, 60), (63.5, 60)]
    return min(pose.x + x * np.cos(a) - y * np.sin(a) for x, y in corners)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("hand", [STEADY, WILD])
def test_draw_keeps_to_the_spec(seed: int, hand: Hand) -> None:
    passage = draw_card(rng(seed), hand)
    assert passage.leaves
    assert np.abs(column(passage, "tilt_deg")).max() <= 6.0
    assert np.abs(column(passage, "y") - 5.0).max() <= 3.0
    assert np.abs(column(passage, "speed")).max() <= FASTEST
    assert left_edge(passage.poses[0]) >= PICTURE_WIDTH_MM - 20.0  # a frame's travel at full speed
    assert right_edge(passage.poses[-1]) <= 0.0


@pytest.mark.parametrize("seed", range(30))
def test_a_steady_hand_never_stops_nor_turns(seed: int) -> None:
    passage = draw_card(rng(seed), STEADY)
    assert (np.diff(column(passage, "x")[:-1]) < 0).all()
    assert column(passage, "speed")[1:-2].min() >= SLOWEST * 0.9


def test_wild_hands_stop_and_pull_back() -> None:
    passages = [draw_card(rng(seed), WILD) for seed in range(40)]
    assert any((column(p, "speed")[2:-2] == 0).sum() >= 3 for p in passages)
    assert any(column(p, "speed").min() < -0.05 for p in passages)


def test_speed_is_the_slope_of_the_path() -> None:
    passage = draw_card(rng(3), STEADY)
    slope = -np.diff(column(passage, "x")) * FPS / 1000
    assert np.abs(slope[2:-2] - column(passage, "speed")[2:-3]).max() < 0.25


@pytest.mark.parametrize("seed", range(20))
def test_a_withdrawn_card_is_out_of_sight_at_both_ends(seed: int) -> None:
    passage = withdraw_card(rng(seed), Hand())
    assert not passage.leaves
    assert passage.poses[0].x > PICTURE_WIDTH_MM - 17.0
    assert passage.poses[-1].x > PICTURE_WIDTH_MM - 17.0
    assert min(p.x for p in passage.poses) < PICTURE_WIDTH_MM - 10.0


@pytest.mark.parametrize("seed", range(20))
def test_a_card_slides_off_the_box_in_time(seed: int) -> None:
    passage = slide_off(rng(seed), Pose(7.5, 5.0, 0.5, 0.0))
    assert 0.1 <= len(passage.poses) / FPS <= 1.0
    assert right_edge(passage.poses[-1]) <= 0.0
    assert (np.diff(column(passage, "x")) <= 1e-9).all()


def test_the_seed_is_the_hand() -> None:
    assert draw_card(rng(5), Hand()) == draw_card(rng(5), Hand())
    assert draw_card(rng(5), Hand()) != draw_card(rng(6), Hand())
