"""The comparison of the two engines notices every kind of difference, and is free where the cases' README is free."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import oracle
import pytest
from oracle_compare import differences
from oracle_generate import GAMES, make

Lines = list[dict[str, Any]]
SEEDS = range(25)


def answer(game: str, seed: int) -> Lines:
    case = make(game, seed)
    return oracle.replay(game, case.symbols, case.rules, case.bets, case.on_fault, case.seats, case.doubles)[0]


def without_unreached(lines: Lines) -> Lines:
    return [copy.deepcopy(line) for line in lines if line["event"] != "unreached"]


def weighty(lines: Lines) -> Lines:
    """Lines whose absence or change must be noticed."""
    return [line for line in lines if line["event"] not in ("bank",) and line.get("items") != []]


def change(line: dict[str, Any]) -> None:
    """Something else in a field that counts."""
    if line["event"] == "settlement":
        line["items"][0]["net"] = "77.77"
    elif line["event"] == "refused":
        line["bet"] = {**line["bet"], "player": "nobody"}
    elif line.get("playette"):
        line.update(playette=False)
    else:
        key = next(
            key
            for key in ("total", "outcome", "red", "effect", "threshold", "turns", "place", "code", "void")
            if key in line
        )
        line[key] = 77 if isinstance(line[key], int) else "else"


@pytest.mark.parametrize("game", GAMES)
def test_an_answer_agrees_with_itself_and_with_other_spellings(game: str) -> None:
    for seed in SEEDS:
        lines = answer(game, seed)
        other = without_unreached(lines)
        for line in other:
            line["extra"] = 1
            for item in line.get("items", []):
                item["stake"] += "000" if "." in item["stake"] else ".00"
        refused = [line for line in other if line["event"] == "refused"]
        other = refused + [line for line in other if line["event"] != "refused" and line.get("items") != []]
        assert differences(lines, other) == []
        free = [
            {"event": "refused", "bet": line["bet"], "why": "late"} for line in lines if line["event"] == "unreached"
        ]
        assert differences(lines, other + free) == []


@pytest.mark.parametrize("spoil", ["changed", "missing", "twice"])
@pytest.mark.parametrize("game", GAMES)
def test_a_line_that_is_wrong_is_noticed(game: str, spoil: str) -> None:
    rng = random.Random(spoil)
    for seed in SEEDS:
        lines = answer(game, seed)
        other = without_unreached(lines)
        line = rng.choice(weighty(other))
        spoilers: dict[str, Callable[[], None]] = {
            "changed": lambda line=line: change(line),
            "missing": lambda line=line, other=other: other.remove(line),
            "twice": lambda line=line, other=other: other.insert(0, copy.deepcopy(line)),
        }
        spoilers[spoil]()
        assert differences(lines, other) != [], (seed, line)
