"""How a hand pulls a card past the slot's window, or off the box: seeded, jerky, within the reference camera's spec.

A `Passage` is the card's place frame by frame; which card it is and what the camera makes of it is camera.py's.
Lengths are millimetres from the left edge of the picture, times seconds from the start of the pull.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hw_sim.decks import WIDTH_MM

FPS = 120.0
EXPOSURE_S = 0.0004
PICTURE_WIDTH_MM, PICTURE_HEIGHT_MM = 80.0, 60.0
TOP_EDGE_MM = 5.0
SLOWEST, FASTEST = 0.1, 2.0  # m/s
STEEPEST_DEG, TOP_EDGE_PLAY_MM = 6.0, 3.0
_STEP_MM = 0.5

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Hand:
    """How somebody deals: speeds in m/s, spreads as standard deviations, chances for each card.

    By default a practised hand, whose cards take 0.28 s on average: two a second leave it time.
    """

    slowest: float = 0.5
    fastest: float = 1.6
    jerk: float = 0.25  # spread of the speed's logarithm over 25 mm
    stop_chance: float = 0.05
    pull_back_chance: float = 0.04
    tilt_deg: float = 1.5
    top_edge_mm: float = 0.9


@dataclass(frozen=True)
class Pose:
    """A card in one frame: its leading top corner (mm), tilt about that corner, speed (m/s, positive: leaving)."""

    x: float
    y: float
    tilt_deg: float
    speed: float


@dataclass(frozen=True)
class Passage:
    """One pose a frame; `leaves` is False for a card that goes back into the shoe."""

    poses: tuple[Pose, ...]
    leaves: bool = True


def draw_card(rng: np.random.Generator, hand: Hand, attitude: tuple[float, float] | None = None) -> Passage:
    """A card that is drawn: it enters from the right, leaves to the left, with the stops and pull-backs of `hand`.

    `attitude`: its tilt (degrees) and the place of its top edge (mm), where they are not to be drawn from `hand`; like
    a hand's speeds they may lie outside the reference camera's range.
    """
    tilt, y = _attitude(rng, hand) if attitude is None else attitude
    start, end = _span(tilt)
    marks = _speeds(rng, hand, start - end)
    path = _ride(marks, 0.0, start - end)
    for chance, act in ((hand.stop_chance, _stop), (hand.pull_back_chance, _pull_back)):
        if rng.random() < chance:
            path = act(rng, path)
    return Passage(_poses(rng, path, start, y, tilt))


def withdraw_card(rng: np.random.Generator, hand: Hand) -> Passage:
    """A card that shows itself and goes back into the shoe."""
    tilt, y = _attitude(rng, hand)
    start, _ = _span(tilt)
    depth = float(rng.uniform(12.0, 55.0)) + start - PICTURE_WIDTH_MM
    times, places = _ride(_speeds(rng, hand, depth), 0.0, depth)
    back_times = times[-1] + float(rng.uniform(0.02, 0.25)) + (times[-1] - times[::-1])
    path = np.concatenate([times, back_times]), np.concatenate([places, places[::-1]])
    return Passage(_poses(rng, path, start, y, tilt), leaves=False)


def slide_off(rng: np.random.Generator, rest: Pose) -> Passage:
    """The box: the top card slides off to the left from where it lay, in 0.1 to 1 s."""
    way = rest.x + WIDTH_MM + _overhang(rest.tilt_deg)
    duration = float(np.exp(rng.uniform(np.log(0.12), np.log(0.9))))
    u = np.linspace(0.0, 1.0, 200)
    places = way * u ** float(rng.uniform(1.1, 1.8))  # from rest, gathering speed
    return Passage(_poses(rng, (duration * u, places), rest.x, rest.y, rest.tilt_deg))


def behind(passage: Passage, offset_mm: float) -> Passage:
    """The same pull going on until a card that follows by `offset_mm` is out too."""
    last, before = passage.poses[-1], passage.poses[-2]
    step = max(1.0, before.x - last.x)
    count = int(offset_mm / step) + 2
    more = tuple(replace(last, x=last.x - step * (k + 1)) for k in range(count))
    return Passage((*passage.poses, *more), passage.leaves)


def _attitude(rng: np.random.Generator, hand: Hand) -> tuple[float, float]:
    tilt = float(np.clip(rng.normal(0.0, hand.tilt_deg), -STEEPEST_DEG, STEEPEST_DEG))
    play = float(np.clip(rng.normal(0.0, hand.top_edge_mm), -TOP_EDGE_PLAY_MM, TOP_EDGE_PLAY_MM))
    return tilt, TOP_EDGE_MM + play


def _overhang(tilt_deg: float) -> float:
    """How far a tilted card's edge runs ahead of its corner within the picture's height."""
    return PICTURE_HEIGHT_MM * float(np.tan(np.radians(abs(tilt_deg)))) + 0.5


def _span(tilt_deg: float) -> tuple[float, float]:
    """Where the leading corner is before the card is in sight, and after."""
    return PICTURE_WIDTH_MM + _overhang(tilt_deg), -WIDTH_MM - _overhang(tilt_deg)


def _speeds(rng: np.random.Generator, hand: Hand, way: float) -> Floats:
    """Speeds at marks 25 mm apart along `way`: a random walk about the card's own speed."""
    count = int(way // 25) + 2
    own = rng.uniform(np.log(hand.slowest), np.log(hand.fastest))
    walk = own + np.cumsum(rng.normal(0.0, hand.jerk, count)) - hand.jerk
    slowest = min(hand.slowest, SLOWEST) * 1.05
    fastest = max(hand.fastest, FASTEST) * 0.98
    speeds: Floats = np.clip(np.exp(walk), slowest, fastest)
    return speeds


def _ride(marks: Floats, begin: float, end: float) -> tuple[Floats, Floats]:
    """Times and places of a ride from `begin` to `end` at the speeds of `marks`, evenly spread along it."""
    places = np.linspace(begin, end, int(abs(end - begin) / _STEP_MM) + 2)
    speeds = np.interp(np.linspace(0, len(marks) - 1, len(places)), np.arange(len(marks)), marks) * 1000.0
    steps = np.abs(np.diff(places)) / ((speeds[:-1] + speeds[1:]) / 2)
    return np.concatenate([[0.0], np.cumsum(steps)]), places


def _break_point(rng: np.random.Generator, places: Floats) -> int:
    return int(len(places) * rng.uniform(0.2, 0.8))


def _stop(rng: np.random.Generator, path: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """The hand rests somewhere on the way."""
    times, places = path
    k, rest = _break_point(rng, places), float(rng.uniform(0.04, 0.35))
    return np.concatenate([times[: k + 1], times[k:] + rest]), np.concatenate([places[: k + 1], places[k:]])


def _pull_back(rng: np.random.Generator, path: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """The hand goes back some millimetres and comes again."""
    times, places = path
    k = _break_point(rng, places)
    depth = min(float(rng.uniform(2.0, 15.0)), float(places[k]))
    out, there = _ride(rng.uniform(0.12, 0.5, 3), places[k], places[k] - depth)
    back, home = _ride(rng.uniform(0.12, 0.8, 3), places[k] - depth, places[k])
    detour = np.concatenate([out, out[-1] + back[1:]])
    new_times = np.concatenate([times[:k], times[k] + detour, times[k + 1 :] + detour[-1]])
    return new_times, np.concatenate([places[:k], there, home[1:], places[k + 1 :]])


def _poses(
    rng: np.random.Generator, path: tuple[Floats, Floats], start: float, y: float, tilt: float
) -> tuple[Pose, ...]:
    """The path sampled by the camera: place in the middle of the exposure, speed over it; the tilt sways a little."""
    times, places = path
    frames = np.arange(rng.uniform(0.0, 1.0) / FPS, times[-1] + 1 / FPS, 1 / FPS)
    half = EXPOSURE_S / 2
    at = np.interp(frames, times, places)
    speed = (np.interp(frames + half, times, places) - np.interp(frames - half, times, places)) / EXPOSURE_S / 1000
    steepest = max(STEEPEST_DEG, abs(tilt))
    sway = np.clip(tilt + 0.4 * np.sin(float(rng.uniform(0, 2 * np.pi)) + at / 30.0), -steepest, steepest)
    return tuple(Pose(start - float(p), y, float(a), float(v)) for p, a, v in zip(at, sway, speed, strict=True))
