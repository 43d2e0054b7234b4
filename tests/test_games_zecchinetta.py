"""Zecchinetta by its rules' numbers, card by card out of the box."""

from __future__ import annotations

from decimal import Decimal as D
from typing import Any

import pytest
from games_support import ZE, Played, amounts, items

from controller import events as e
from controller import outcomes as o


def hand(cards: str, **rules: Any) -> Played:
    return Played(ZE, **rules).open().show(cards)


def turns(table: Played) -> list[tuple[str, str, str, str]]:
    """Exposed, effect, table and dead ranks of each turn."""
    return [(t.exposed, t.effect, "".join(t.table), "".join(t.dead)) for t in table.lines(o.ZeTurn)]


# ---- opening ---------------------------------------------------------------------------------------------


def test_ze_3_two_table_cards_and_the_card_in_sight() -> None:
    table = hand("As 2h")
    assert table.view.phase == "dealing"
    assert not table.lines(o.ZeOpening)
    table.show("Kd")
    assert table.one(o.ZeOpening) == o.ZeOpening(1, (("As",), ("2h",)), "Kd", 2)
    assert table.view.phase == "betting"


@pytest.mark.parametrize("cards", ["As Ad Kd", "As 2h Ad", "2h As Ac", "As Ad Ah"])
def test_ze_10_a_playette_is_void(cards: str) -> None:
    table = hand(cards)
    assert table.one(o.ZePlayette) == o.ZePlayette(1, True)
    assert (table.state.rounds, table.state.void, table.view.phase) == (0, 1, "result")
    assert table.bet(hand=1, after_turn=0, player="a", on="A", stake=1).why == "bets are not open"


@pytest.mark.parametrize(
    ("cards", "piles", "banker", "threshold"),
    [
        ("As Ad 2h Kd", (("As", "Ad"), ("2h",)), "Kd", 3),
        ("As 2h Ad Kd", (("As", "Ad"), ("2h",)), "Kd", 3),
        ("As 2h 2d Ad Kd", (("As", "Ad"), ("2h", "2d")), "Kd", 3),
        ("As Ad Ah 2h Kd", (("As", "Ad", "Ah"), ("2h",)), "Kd", 4),
        ("As Ad 2h 2d Ah Kd", (("As", "Ad", "Ah"), ("2h", "2d")), "Kd", 4),
        ("As 2h Kd", (("As",), ("2h",)), "Kd", 2),
    ],
)
def test_ze_10_and_11_doubling(cards: str, piles: tuple[tuple[str, ...], ...], banker: str, threshold: int) -> None:
    assert hand(cards, doubling=True).one(o.ZeOpening) == o.ZeOpening(1, piles, banker, threshold)


def test_ze_10_a_pile_of_four_keeps_its_place_and_is_dead_from_the_opening_on() -> None:
    table = hand("As Ad Ah 2h Ac Kd", doubling=True)
    assert table.one(o.ZeOpening).table == (("As", "Ad", "Ah", "Ac"), ("2h",))
    assert table.bet(hand=1, after_turn=0, player="a", on="A", stake=1).why == "no such card on the table"
    assert turns(table.show("3h")) == [("3h", "new", "2", "A")]
    assert table.show("Kh Ks Kc").one(o.ZeHand).won == ()


# ---- turns -----------------------------------------------------------------------------------------------


def test_ze_6_to_9_what_each_exposed_card_does() -> None:
    table = hand("As 2h Kd 5s 6s 5h Ad Ah 6d Kh")
    assert turns(table) == [
        ("5s", "new", "A2", ""),
        ("6s", "new", "A25", ""),
        ("5h", "bank-wins", "A26", "5"),
        ("Ad", "bank-wins", "26", "5A"),
        ("Ah", "dead", "26", "5A"),
        ("6d", "bank-wins", "2", "5A6"),
        ("Kh", "bank-loses", "2", "5A6"),
    ]
    assert table.one(o.ZeHand) == o.ZeHand(1, 7, "K", ("5", "A", "6"))
    assert (table.state.rounds, table.view.phase) == (1, "result")


def test_ze_9_a_pair_in_a_row_dies_before_any_bet() -> None:
    table = hand("As 2h Kd 5s 5h")
    assert turns(table)[-1] == ("5h", "bank-wins", "A2", "5")
    assert table.bet(hand=1, after_turn=2, player="a", on="5", stake=1).why == "no such card on the table"


def test_ze_11_below_the_threshold_cards_join() -> None:
    table = hand("As Ad 2h Kd 5s 5h 5d Kh 2d Ah 2s Ks", doubling=True)
    assert turns(table) == [
        ("5s", "new", "A2", ""),
        ("5h", "joins", "A25", ""),
        ("5d", "bank-wins", "A2", "5"),
        ("Kh", "joins", "A2", "5"),
        ("2d", "joins", "A2", "5"),
        ("Ah", "bank-wins", "2", "5A"),
        ("2s", "bank-wins", "", "5A2"),
        ("Ks", "bank-loses", "", "5A2"),
    ]
    assert [(row.name, row.cards) for row in table.view.rows if row.name == "banker"] == [("banker", ("Kd", "Kh"))]


def test_ze_6_every_outstanding_bet_is_paid() -> None:
    table = hand("As 2h Kd").bet(hand=1, after_turn=0, player="a", on="A", stake=5)
    table.bet(hand=1, after_turn=0, player="b", on="2", stake="0.5").show("Kh")
    line = table.one(o.Settlement)
    assert items(line) == [("win", *amounts("0", "10", "5")), ("win", *amounts("0", "1", "0.5"))]
    assert (line.bank, line.house, line.turn) == (D("-5.5"), 0, 1)
    assert not table.view.stakes


def test_ze_7_the_banker_wins_and_the_house_takes_its_part_of_each_bet_rounded_down() -> None:
    table = hand("As 2h Kd", commission=D("0.10"))
    for player, stake in (("a", "0.05"), ("b", "0.99"), ("c", "3")):
        table.bet(hand=1, after_turn=0, player=player, on="A", stake=stake)
    line = table.bet(hand=1, after_turn=0, player="d", on="2", stake=2).show("Ah").one(o.Settlement)
    assert [item.net for item in line.items] == list(amounts("-0.05", "-0.99", "-3"))
    assert (line.house, line.bank, line.turn) == (D("0.39"), D("3.65"), 1)
    assert [stake.player for stake in table.view.stakes] == ["d"]  # bets stay until settled


def test_ze_8_a_dead_rank_settles_nothing() -> None:
    table = hand("As 2h Kd Ah Ad")
    assert [line.turn for line in table.lines(o.Settlement)] == [1]
    assert [row.cards for row in table.view.rows if row.name == "fan"] == [("As", "Ah")]  # Ad is still in the box


def test_co_4_a_box_that_runs_out_voids_the_hand() -> None:
    table = hand("As 2h Kd").bet(hand=1, after_turn=0, player="a", on="A", stake=5).show("5s").post(e.ShoeEmptied())
    assert items(table.one(o.Settlement)) == [("push", *amounts("0", "5", "0"))]
    assert (table.state.rounds, table.state.void, table.view.phase) == (0, 1, "result")


def test_ze_1_what_does_not_belong_into_the_box() -> None:
    for card in ("cut", "8h", "Td", "joker", "back"):
        assert hand("As 2h").show(card).one(o.Fault).code == "foreign"
    assert hand("As 2h Kd").show("As").one(o.Fault).code == "composition"


@pytest.mark.parametrize(
    ("bet", "why"),
    [
        ({"on": "9"}, "no such card on the table"), ({"on": "K"}, "no such card on the table"),
        ({"on": "5", "stake": "0"}, "no such card on the table"), ({"stake": "0"}, "limits.min"),
        ({"stake": "1.005"}, "money.unit"), ({"after_turn": 1}, "bets are not open for that turn"),
        ({"hand": 2}, "bets are not open for that turn"), ({"stake": ""}, "malformed: player, on and stake are needed"),
        ({}, None),
    ],
)  # fmt: skip
def test_co_5_and_6_the_first_reason_is_named(bet: dict[str, Any], why: str | None) -> None:
    table = hand("As 2h Kd").bet(**{"hand": 1, "after_turn": 0, "player": "a", "on": "A", "stake": 5, **bet})
    assert table.why == why


# ---- the box ---------------------------------------------------------------------------------------------


def test_drawing_and_exposing_are_separate_facts() -> None:
    table = hand("As 2h Kd").post(e.CardDrawn("Kd"))
    assert table.view.phase == "dealing"
    assert table.bet(hand=1, after_turn=0, player="a", on="A", stake=5).why == "bets are not open for that turn"
    assert table.show("5s").view.phase == "betting"
    assert table.state.index == 4
    table.show("5s")  # the same face still lies there
    assert table.state.index == 4
    table.draw("5s 6s")  # the second left the box, so it had come into sight before
    assert turns(table)[-1] == ("6s", "new", "A25", "")


def test_ze_6_and_12_the_bank_passes_to_the_right() -> None:
    table = hand("As 2h Kd Kh").open()
    assert table.state.play.banker == -1  # type: ignore[union-attr]
    table.show("As 2h Kd").bet(hand=2, after_turn=0, player="a", on="A", stake=5)
    assert table.post(e.BankPassed()).why == "bets are not settled"
    table.show("Ad")
    assert "bank-passed" in table.view.prompt.requests
    table.post(e.BankPassed())
    assert (table.state.void, table.view.phase) == (1, "result")
    assert table.open().state.play.banker == -2  # type: ignore[union-attr]


def test_ze_1_the_first_banker_gets_the_first_ace() -> None:
    table = Played(ZE, seats=2).post(e.BankerSought()).draw("Ks 2h 3d 4s Ah")
    assert table.one(o.BankerFound).place == 1
    assert table.open().state.play.banker == 1  # type: ignore[union-attr]
