"""The second engine (tests/oracle) agrees with every worked case of the specification."""

from __future__ import annotations

import oracle
import pytest
from oracle_compare import differences
from oracle_support import Worked, worked_cases


@pytest.mark.parametrize("case", worked_cases(), ids=lambda case: case.name)
def test_the_oracle_agrees_with_the_worked_case(case: Worked) -> None:
    lines, status = oracle.replay(case.game, case.symbols, case.rules, case.bets, None, case.seats, case.doubles)
    free = [line for line in lines if line["event"] == "unreached"]
    assert differences([*case.expected, *free], lines) == []
    assert status == case.status
