"""House rules out of a `--rules` file: the keys of rules.md, exact numbers, every mistake a line."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from controller.edge.config import load_config
from controller.edge.house_rules import load_rules
from controller.edge.problems import UsageProblem
from controller.rules import Bank, Insurance, Limits, Money, Prison, Rules

ALL = """
decks = 4
burn = 5
money.unit = "0.05"
doubling = true
commission = 0.125
[limits]
min = 0.10
max = "12.50"
[prison]
tie = "deeper"
transfer = true
[insurance]
rate = "0"
[bank]
reserve = 1000
"""


def test_every_key(tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text(ALL)
    assert load_rules(tmp_path / "r.toml") == Rules(
        decks=4,
        burn=5,
        money=Money(Decimal("0.05")),
        limits=Limits(Decimal("0.10"), Decimal("12.50")),
        prison=Prison("deeper", True),
        insurance=Insurance(Decimal(0)),
        doubling=True,
        commission=Decimal("0.125"),
        bank=Bank(Decimal(1000)),
    )


def test_an_empty_file_is_the_defaults_of_the_core(tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text("# nothing\n")
    assert load_rules(tmp_path / "r.toml") == Rules()


def test_all_mistakes_at_once(tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    path.write_text('comission = "0.1"\nprison.tie = "win"\nlimits.min = -1\ndoubling = 1\n')
    with pytest.raises(UsageProblem) as caught:
        load_rules(path)
    assert sorted(line.removeprefix(f"{path}: ").split(":")[0] for line in caught.value.lines) == [
        "comission",
        "doubling = 1",
        "limits.min = -1",
        'prison.tie = "win"',
    ]


def test_the_worked_cases_files(shared: Path) -> None:
    files = sorted((shared / "spec" / "cases").glob("*.toml"))
    assert files
    for file in files:
        assert isinstance(load_rules(file), Rules)


def test_a_recorded_shoe_may_be_longer_than_any_table_has(tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text("decks = 1000\nburn = 700\n")
    assert load_rules(tmp_path / "r.toml").decks == 1000
    (tmp_path / "t.toml").write_text("rules.decks = 1000\n")
    with pytest.raises(UsageProblem, match=r"rules\.decks = 1000: allowed: a whole number from 1 to 12"):
        load_config(tmp_path / "t.toml")
