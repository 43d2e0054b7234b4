"""Red and black by its rules' numbers, seat by seat."""

from __future__ import annotations

from decimal import Decimal as D
from typing import Any

import pytest
from games_support import RB, Played, amounts, items

from controller import events as e
from controller import outcomes as o
from controller import rules as r

RED_5, RED_4, RED_3 = "Ah 2h 3h 4h 5h", "Ah 2h 3h 4h 5s", "Ah 2h 3s 4s 5h"
BLACK_5, BLACK_4, BLACK_3 = "As 2s 3s 4s 5s", "As 2s 3s 4s 5h", "As 2s 3h 4h 5s"


@pytest.mark.parametrize(
    ("cards", "on", "item"),
    [
        (RED_3, "red", ("win", "10", "5")), (RED_4, "red", ("win", "15", "10")), (RED_5, "red", ("win", "25", "20")),
        (RED_3, "black", ("lose", "0", "-5")), (RED_4, "black", ("lose", "0", "-10")),
        (RED_5, "black", ("lose", "0", "-20")),
        (BLACK_3, "black", ("win", "10", "5")), (BLACK_4, "black", ("win", "15", "10")),
        (BLACK_5, "black", ("win", "25", "20")),
        (BLACK_3, "red", ("lose", "0", "-5")), (BLACK_4, "red", ("lose", "0", "-10")),
        (BLACK_5, "red", ("lose", "0", "-20")),
    ],
)  # fmt: skip
def test_rb_5_what_a_hand_pays(cards: str, on: str, item: tuple[str, str, str]) -> None:
    table = Played(RB).open().bet(round=1, seat=1, on=on, stake=5).draw(cards)
    line = table.one(o.Settlement)
    assert items(line) == [(item[0], D(0), *amounts(*item[1:]))]
    assert (line.seat, line.bank, line.house) == (1, -D(item[2]), 0)
    assert table.one(o.RbHand).red + table.one(o.RbHand).black == 5


def test_rb_3_five_cards_to_each_seat_in_turn_settled_one_by_one() -> None:
    table = Played(RB, seats=2).open().draw(f"{RED_4} {BLACK_3}")
    assert [(card.seat, card.place) for card in table.lines(o.RbCard)] == [(s, p) for s in (1, 2) for p in range(1, 6)]
    assert [(hand.seat, hand.red, hand.black) for hand in table.lines(o.RbHand)] == [(1, 4, 1), (2, 2, 3)]
    assert table.state.phase == "result"
    assert [(row.name, row.total, row.complete) for row in table.view.rows] == [("1", 4, True), ("2", 2, True)]


def test_rb_3_a_settled_hand_stands_whatever_happens_later() -> None:
    table = Played(RB, seats=2).open().bet(round=1, seat=1, on="red", stake=5).bet(round=1, seat=2, on="red", stake=7)
    table.draw(f"{RED_3} As").draw("joker").post(e.FaultResolved("void"))
    first, void = table.lines(o.Settlement)
    assert items(first)[0][0] == "win"
    assert (void.seat, items(void)) == (2, [("push", *amounts("0", "7", "0"))])
    assert len(table.lines(o.RbHand)) == 1
    assert (table.state.rounds, table.state.void) == (0, 1)


def test_rb_4_two_red_and_two_black_may_double() -> None:
    table = Played(RB).open().bet(round=1, seat=1, on="red", stake=5).draw("Ah 2h 3s")
    assert not any(card.may_double for card in table.lines(o.RbCard))
    assert table.post(e.DoubleDecided(True)).why is not None
    assert table.draw("4s").one(o.RbCard).may_double
    assert "double-decided" in table.view.prompt.requests
    assert "double" in table.view.display.lamps
    table.post(e.DoubleDecided(True))
    assert table.would(e.DoubleDecided(False)) == "no double is to be decided"
    assert [(stake.stake, stake.state) for stake in table.view.stakes] == [(10, "doubled")]
    settled = table.draw("5s").one(o.Settlement)
    assert (settled.items[0].stake, settled.items[0].net, settled.bank) == amounts("10", "-10", "10")


@pytest.mark.parametrize("decision", [[], [e.DoubleDecided(False)]])
def test_rb_4_without_a_decision_or_with_a_no_the_stake_stays(decision: list[e.DoubleDecided]) -> None:
    table = Played(RB).open().bet(round=1, seat=1, on="red", stake=5).draw("Ah 2h 3s 4s").post(*decision).draw("5h")
    assert items(table.one(o.Settlement)) == [("win", *amounts("0", "10", "5"))]


def test_rb_4_not_with_three_of_a_colour_nor_without_a_stake() -> None:
    three = Played(RB).open().bet(round=1, seat=1, on="red", stake=5).draw("Ah 2h 3h 4s")
    assert not three.one(o.RbCard).may_double
    assert three.would(e.DoubleDecided(True)) == "no double is to be decided"
    empty = Played(RB).open().draw("Ah 2h 3s 4s")
    assert empty.one(o.RbCard).may_double
    assert empty.would(e.DoubleDecided(True)) == "that seat has no stake"


def test_a_double_is_not_tested_against_the_limits_and_goes_back_whole() -> None:
    table = Played(RB, limits=r.Limits(None, D(5))).open().bet(round=1, seat=1, on="red", stake=5)
    table.draw("Ah 2h 3s 4s").post(e.DoubleDecided(True), e.ShoeEmptied())
    assert items(table.one(o.Settlement)) == [("push", *amounts("0", "10", "0"))]
    assert table.one(o.Ended) == o.Ended(4, 0, 1, "empty")


def test_rb_6_bank_and_deal_pass_to_the_left_after_a_round_not_after_a_void_one() -> None:
    table = Played(RB, seats=2).open()
    assert table.state.play.banker == 0  # type: ignore[union-attr]
    table.draw(f"{RED_3} {BLACK_3}").post(e.RoundOpened())
    assert table.state.play.banker == 1  # type: ignore[union-attr]
    table.draw("6h joker").post(e.FaultResolved("void"), e.RoundOpened())
    assert table.state.play.banker == 1  # type: ignore[union-attr]


def test_rb_6_five_cards_must_be_left_for_every_player() -> None:
    deck = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"]
    table = Played(RB, seats=5, decks=1).open().draw(" ".join(deck[:25]))
    assert table.state.phase == "result"  # 27 left
    table.post(e.RoundOpened()).draw(" ".join(deck[25:50]))
    assert table.one(o.Ended) == o.Ended(50, 2, 0, "empty")
    assert Played(RB, seats=11, decks=1).post(e.ShoeLoaded()).one(o.Ended) == o.Ended(0, 0, 0, "empty")


def test_the_cut_card_ends_the_shoe_after_the_round() -> None:
    table = Played(RB).open().draw("Ah cut 2h 3s 4s 5h")
    assert table.one(o.Ended) == o.Ended(6, 1, 0, "cut")


@pytest.mark.parametrize(
    ("bet", "why"),
    [
        ({"seat": 0}, "no such seat"), ({"seat": 3}, "no such seat"), ({"on": "noir"}, "no such colour"),
        ({"on": "noir", "stake": "0"}, "no such colour"), ({"stake": "0"}, "limits.min"),
        ({"stake": "9"}, "limits.max"),
        ({"stake": "5.001"}, "money.unit"), ({"seat": 2, "stake": "9"}, "limits.max"),
        ({"seat": 2}, "one stake a seat"),
        ({"round": 2}, "bets are not open for that round"),
        ({"stake": "x"}, "malformed: seat, on and stake are needed"),
        ({}, None),
    ],
)  # fmt: skip
def test_co_5_and_6_the_first_reason_is_named(bet: dict[str, Any], why: str | None) -> None:
    table = Played(RB, seats=2, limits=r.Limits(None, D(8))).open().bet(round=1, seat=2, on="red", stake=1)
    assert table.bet(**{"round": 1, "seat": 1, "on": "red", "stake": 5, **bet}).why == why


def test_rb_1_the_first_banker_is_the_highest_card_ties_cut_again() -> None:
    table = Played(RB, seats=2).post(e.BankerSought())
    assert table.view.phase == "banker"
    table.draw("Ks 3h Kd")
    assert not table.lines(o.BankerFound)
    table.draw("2s Ah")
    assert [line.place for line in table.lines(o.BankerCard)] == [0, 1, 2, 0, 2]
    assert table.one(o.BankerFound).place == 2
    assert table.view.phase == "no shoe"
    assert table.open().state.play.banker == 2  # type: ignore[union-attr]
