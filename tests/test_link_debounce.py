"""The exit beam's debouncing: a card is one pulse whatever its edges do, flutter is none."""

from __future__ import annotations

import random

import pytest

from firmware_bridge.device.debounce import DEBOUNCE_MS, Interruptions

FREE, BLOCKED = 1, 0


def counted(edges: list[tuple[int, int]], until: int = 10_000) -> int:
    """`edges`: (milliseconds, level) in order, from a free beam on."""
    beam = Interruptions(FREE, BLOCKED, lambda later, before: later - before, 0)
    for when, level in edges:
        beam.edge(level, when)
    return int(beam.count(until))


@pytest.mark.parametrize(
    ("edges", "count"),
    [
        ([], 0),
        ([(100, BLOCKED), (130, FREE)], 1),
        ([(100, BLOCKED)], 1),  # it still stands in the beam
        ([(100, BLOCKED), (100 + DEBOUNCE_MS, FREE)], 1),
        ([(100, BLOCKED), (100 + DEBOUNCE_MS - 1, FREE)], 0),  # a spike
        ([(100, BLOCKED), (101, FREE), (102, BLOCKED), (150, FREE)], 1),  # flutter at the leading edge
        ([(100, BLOCKED), (150, FREE), (151, BLOCKED), (152, FREE)], 1),  # at the trailing edge
        ([(100, BLOCKED), (120, FREE), (123, BLOCKED), (150, FREE)], 1),  # a glint in the middle
        ([(100, BLOCKED), (110, FREE), (120, BLOCKED), (130, FREE)], 2),
        ([(100, BLOCKED), (100, FREE), (100, BLOCKED)], 1),
        ([(100, BLOCKED), (105, BLOCKED), (130, FREE)], 1),  # an interrupt that came late and found the same level
    ],
)
def test_patterns(edges: list[tuple[int, int]], count: int):
    assert counted(edges) == count


def test_every_card_of_a_shoe_is_one_pulse_through_fluttering_edges():
    chance = random.Random(6)
    edges, now = [], 100
    for _ in range(312):
        for level, stay in ((BLOCKED, 20), (FREE, 25)):
            for _ in range(chance.randrange(4)):
                edges += [(now, level), (now + 1, FREE + BLOCKED - level)]
                now += 2
            edges.append((now, level))
            now += stay + chance.randrange(30)
    assert counted(edges, now) == 312


def test_a_count_asked_for_in_between_changes_nothing():
    beam = Interruptions(FREE, BLOCKED, lambda later, before: later - before, 0)
    beam.edge(BLOCKED, 100)
    assert beam.count(101) == 0
    assert beam.count(104) == 1
    assert beam.count(105) == 1
    beam.edge(FREE, 106)
    assert beam.count(200) == 1


def test_the_count_wraps_as_the_protocol_says():
    beam = Interruptions(FREE, BLOCKED, lambda later, before: later - before, 0)
    beam._count = 0xFFFFFFFF
    beam.edge(BLOCKED, 10)
    assert beam.count(20) == 0
