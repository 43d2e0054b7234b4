"""Frames at most so many times as fast as real time; stalls of the reader are made up or counted."""

from __future__ import annotations

import pytest

from hw_sim.pace import CATCH_UP_S, Pace


def run(pace: Pace, start: float, frames: int, rate: float, cost_s: float) -> float:
    """The time after so many frames that cost `cost_s` each."""
    now = start
    for _ in range(frames):
        now += cost_s
        now += pace.wait_s(now, rate)
    return now


@pytest.mark.parametrize("rate", [1.0, 2.0, 20.0])
def test_holds_the_rate(rate: float) -> None:
    pace = Pace(100.0)
    assert run(pace, 100.0, 240, rate, 0.0001) == pytest.approx(100.0 + 2.0 / rate, rel=0.01)
    assert pace.behind_s == 0.0


def test_a_short_stall_is_made_up() -> None:
    pace = Pace(0.0)
    now = run(pace, 0.0, 120, 1.0, 0.001)
    now = run(pace, now + 0.2, 120, 1.0, 0.001)
    assert now == pytest.approx(2.0, abs=0.02)
    assert pace.behind_s == 0.0


def test_a_long_stall_is_counted() -> None:
    pace = Pace(0.0)
    now = run(pace, 0.0, 120, 1.0, 0.001)
    now = run(pace, now + 3.0, 120, 1.0, 0.001)
    assert now == pytest.approx(5.0 - CATCH_UP_S, abs=0.05)
    assert pace.behind_s == pytest.approx(3.0 - CATCH_UP_S, abs=0.05)


def test_frames_slower_than_real_time_are_counted() -> None:
    pace = Pace(0.0)
    run(pace, 0.0, 600, 1.0, 0.0125)  # 1.5 times as long as a frame stands for
    assert pace.behind_s == pytest.approx(600 * (0.0125 - 1 / 120) - CATCH_UP_S, abs=0.02)


def test_a_reader_that_cannot_keep_twenty_times_is_not_behind() -> None:
    pace = Pace(0.0)
    run(pace, 0.0, 600, 20.0, 0.004)
    assert pace.behind_s == 0.0
