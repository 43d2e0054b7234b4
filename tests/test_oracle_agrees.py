"""The product's `sabot replay` against the second engine, on seeded random shoes with faults, bets and house rules.

`SABOT_ORACLE_SHOES` sets how many shoes a game (150 in the suite; `tests/bench/compare_engines.py` runs thousands).
"""

from __future__ import annotations

import os
from pathlib import Path

import oracle
import pytest
from oracle_compare import differences
from oracle_generate import GAMES, Case, make
from oracle_support import Worked, run_sabot, worked_cases

SHOES = int(os.environ.get("SABOT_ORACLE_SHOES", "150"))


def disagreements(case: Case, folder: Path) -> list[str]:
    """What the two engines say differently of one case."""
    expected, wanted = oracle.replay(
        case.game, case.symbols, case.rules, case.bets, case.on_fault, case.seats, case.doubles
    )
    status, lines, errors = run_sabot(["replay", *case.write(folder)])
    found = differences(expected, lines)
    if status != wanted:
        found.append(f"status: expected {wanted}, got {status} {errors.strip()}")
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.timeout(600)
def test_the_engines_agree(game: str, tmp_path: Path) -> None:
    found = {seed: lines for seed in range(SHOES) if (lines := disagreements(make(game, seed), tmp_path))}
    assert found == {}


@pytest.mark.parametrize("case", worked_cases(), ids=lambda case: case.name)
def test_the_product_agrees_with_the_worked_case(case: Worked) -> None:
    lines, _ = oracle.replay(case.game, case.symbols, case.rules, case.bets, None, case.seats, case.doubles)
    free = [line for line in lines if line["event"] == "unreached"]
    status, actual, errors = run_sabot(case.command())
    assert differences([*case.expected, *free], actual) == []
    assert status == case.status, errors
