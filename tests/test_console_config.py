"""`[gpio]`: pins that cannot be are refused when the file is read; and the levels and the lock without any pin."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from controller.edge.beams import BEFORE, BEHIND, Passages
from controller.edge.config import load_config
from controller.edge.problems import UsageProblem
from firmware_bridge.levels import StableLevel
from firmware_bridge.lock import LockDrive, LockTimes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lid = 17\nbuzzer = 17", "gpio.buzzer = 17: this is gpio.lid already"),
        ("lid = 8", "gpio.lid = 8: CE0 of spi: take another, or spi out of gpio.buses"),
        ("lamp_red = 14", "gpio.lamp_red = 14: TXD of uart"),
        ("lock = 2", "gpio.lock = 2: SDA of i2c"),
        ("beam_before = 5", "gpio.beam_before = 5: needs gpio.beam_behind"),
        ("lid = 28", "gpio.lid = 28: allowed: a whole number from 0 to 27 (BCM number)"),
        ('buses = ["can"]', 'gpio.buses.0 = "can": allowed: a list of "i2c", "uart", "spi"'),
    ],
)
def test_pins_that_cannot_be(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "t.toml"
    path.write_text(f"[gpio]\n{text}\n")
    with pytest.raises(UsageProblem) as caught:
        load_config(path)
    assert [line.startswith(f"{path}: {said}") for line in caught.value.lines] == [True]


def test_a_bus_that_is_not_used_gives_its_pins(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text('[gpio]\nlid = 14\nlock = 8\nbuses = ["i2c"]\n')
    assert load_config(path).gpio.pins() == {"lid": 14, "lock": 8}


def test_the_spi_of_a_sign_is_in_use(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    sign = '[[signs]]\nname = "s"\ndriver = "max7219"\nlines = ["{round}"]\nmodules = 4\n'
    path.write_text(f'[gpio]\nlock = 8\nbuses = ["i2c"]\n{sign}')
    with pytest.raises(UsageProblem, match=r"gpio\.buses"):
        load_config(path)


# Levels.


def test_a_level_counts_once_it_stands_and_from_when_it_stood() -> None:
    level = StableLevel(0.05, True)
    assert level.edge(False, 1.0) == []
    assert level.deadline() == pytest.approx(1.05)
    assert level.settle(1.04) == []
    assert level.settle(1.05) == [(False, 1.0)]
    assert level.deadline() is None


def test_a_late_reader_of_edges_comes_to_the_same_end() -> None:
    """All edges are handed over at once, long after: those that stood count, with their own times."""
    level = StableLevel(0.05, True)
    edges = [(False, 1.0), (True, 1.01), (False, 1.02), (True, 1.2), (False, 1.21), (True, 1.215)]
    found = [change for level_now, when in edges for change in level.edge(level_now, when)]
    assert found + level.settle(9.0) == [(False, 1.02), (True, 1.215)]
    assert level.glitches >= 1


def test_random_bounces_never_make_a_second_press() -> None:
    chance = random.Random(3)
    for _ in range(300):
        level, now, found = StableLevel(0.05, True), 0.0, []
        for target in (False, True):
            for _ in range(chance.randrange(6)):
                for bounce in (target, not target):
                    found += level.edge(bounce, now)
                    now += chance.uniform(0.0001, 0.02)
            found += level.edge(target, now)
            now += chance.uniform(0.06, 0.5)
        found += level.settle(now)
        assert [each for each, _ in found] == [False, True]


# The lock.


def test_power_over_time() -> None:
    lock = LockDrive(LockTimes(pull_in_s=0.1, hold=0.3, max_on_s=5.0, rest_s=2.0))
    assert lock.bar(True, 0.0) == 1.0
    assert lock.deadline(0.0) == 0.1
    assert (lock.power(0.1), lock.deadline(0.1)) == (0.3, 5.0)
    assert (lock.power(5.0), lock.exhausted, lock.deadline(5.0)) == (0.0, True, None)
    assert (lock.bar(False, 5.5), lock.exhausted) == (0.0, False)
    assert (lock.bar(True, 6.0), lock.exhausted) == (0.0, True)  # it rests still
    lock.bar(False, 6.5)
    assert (lock.bar(True, 7.1), lock.exhausted) == (1.0, False)


# Passages.


@pytest.mark.parametrize(
    ("moves", "exits"),
    [
        ("b+ a+ b- a-", 1),  # b before, a behind (after) the window
        ("b+ b-", 0),  # shown and pulled back
        ("b+ a+ b- b+ a- a+ b- a-", 2),  # the next card follows before the first has left
        ("a+ b+ a- b-", 0),  # pushed back in
        ("b+ a+ a- a+ a- b-", 2),
        ("a+ a-", 1),  # the beam before is blind: counted all the same
        ("b+ a+ b- a- a+ b+ a- b- b+ a+ b- a-", 2),
    ],
)
def test_passages_of_two_beams(moves: str, exits: int) -> None:
    passages = Passages(two=True)
    lines = {"b": BEFORE, "a": BEHIND}
    assert sum(passages.beam(lines[move[0]], move[1] == "+") for move in moves.split()) == exits


def test_a_blind_beam_is_known() -> None:
    passages = Passages(two=True)
    passages.beam(BEHIND, True)
    passages.beam(BEHIND, False)
    assert passages.blind
    alone = Passages(two=False)
    alone.beam(BEHIND, True)
    assert alone.beam(BEHIND, False) == 1
    assert not alone.blind
