"""Every worked case of the rules' authors (tests/cases), through the command line."""

from __future__ import annotations

import pytest
from replay_support import arguments, differences, expected, names, parsed, status

from controller.cli.main import main


@pytest.mark.parametrize("name", names())
def test_the_case_agrees(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    call = arguments(name)
    assert main(call) == status(name)
    got, errors = capfd.readouterr()
    assert errors == ""
    assert differences(parsed(got), expected(name)) == []
    limits = {str(line["bet"]) for line in expected(name) if line["event"] == "refused" and "lim" in line["why"]}
    assert all("m" in line["why"] for line in parsed(got) if line["event"] == "refused" and str(line["bet"]) in limits)
