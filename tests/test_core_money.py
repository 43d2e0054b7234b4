"""Exact decimals: what is an amount, and rounding to the unit in the player's favour."""

from __future__ import annotations

from decimal import Decimal

import pytest

from controller import money
from controller.cards import DECK, POINTS, RED, SYMBOLS, ZECCHINETTA_DECK, parse


@pytest.mark.parametrize(
    ("text", "amount"),
    [("0.25", "0.25"), ("75", "75"), ("1e2", "100"), ("-0.5", "-0.5"), ("+3", "3"), (".5", "0.5"), ("5.", "5"),
     ("12E-1", "1.2"), ("0e5", "0"), ("0", "0")],
)  # fmt: skip
def test_an_amount_is_what_is_written(text: str, amount: str) -> None:
    value = money.amount(text)
    assert value == Decimal(amount)
    assert "E" not in str(value)


@pytest.mark.parametrize(
    "text", ["", "NaN", "Infinity", "1_000", " 1", "1,5", "٣", "1e", "--1", "0x10", "1e999999", "9" * 61, "1e-61", "."]
)
def test_what_is_no_amount(text: str) -> None:
    assert money.amount(text) is None


def test_rounding_favours_the_player() -> None:
    unit = Decimal("0.25")
    assert money.share_down(Decimal("17.25"), Decimal("0.05"), unit) == Decimal("0.75")  # 0.8625
    assert money.half_up(Decimal("17.25"), unit) == Decimal("8.75")  # 8.625
    assert money.half_up(Decimal("17.50"), unit) == Decimal("8.75")
    assert money.half_up(Decimal("0.25"), unit) == Decimal("0.25")


def test_nothing_is_rounded_unseen() -> None:
    huge, tiny = Decimal("9" * 59), Decimal("1e-59")
    assert money.add(huge, tiny) - huge != 0 or str(money.add(huge, tiny)).endswith("1")
    assert money.total([huge, huge, tiny]) == money.add(money.times(huge, 2), tiny)
    assert money.net(Decimal(6), Decimal(3), Decimal("0.15")) == Decimal("2.85")
    assert money.negated(Decimal(0)) == 0
    assert str(money.negated(Decimal("0.00"))) == "0.00"
    assert money.is_multiple(Decimal("0.75"), unit=Decimal("0.25"))
    assert not money.is_multiple(Decimal("0.76"), unit=Decimal("0.25"))


def test_cards_have_one_spelling() -> None:
    assert [parse(text) for text in ("as", "10H", "tD", "CUT", "Back", "JOKER")] == [
        "As", "Th", "Td", "cut", "back", "joker",
    ]  # fmt: skip
    assert [parse(text) for text in ("1s", "A", "", "11h", "AsAs", "10", "cut ", "---")] == [None] * 8
    assert len(DECK) == len(set(DECK)) == 52
    assert len(ZECCHINETTA_DECK) == 40
    assert len(SYMBOLS) == 55
    assert sum(POINTS.values()) == 4 * 85  # TQ-2
    assert [POINTS[card] for card in ("As", "2s", "Ts", "Js", "Qs", "Ks")] == [1, 2, 10, 10, 10, 10]
    assert len(RED) == 26
    assert {"Ah", "Kd"} <= RED
