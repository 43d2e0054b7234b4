"""Trente et quarante by its rules' numbers, coup by coup."""

from __future__ import annotations

from decimal import Decimal as D
from typing import Any

import pytest
from games_support import NOIR_WINS, REFAIT, REFAIT_31, ROUGE_WINS, TQ, Played, amounts, items

from controller import events as e
from controller import outcomes as o
from controller import rules as r


def coup(cards: str, **bet: Any) -> Played:
    """A fresh table, one bet, one coup."""
    table = Played(TQ, **bet.pop("rules", {})).open()
    if bet:
        table.bet(player="ana", **bet)
        assert table.why is None
    return table.draw(cards)


# ---- the cards -------------------------------------------------------------------------------------------


def test_tq_3_noir_is_complete_with_31_or_more_then_rouge() -> None:
    table = coup(NOIR_WINS)
    assert [(card.row, card.total, card.index) for card in table.lines(o.TqCard)] == [
        ("noir", 10, 0), ("noir", 20, 1), ("noir", 29, 2), ("noir", 31, 3),
        ("rouge", 1, 4), ("rouge", 11, 5), ("rouge", 20, 6), ("rouge", 30, 7), ("rouge", 32, 8),
    ]  # fmt: skip
    assert table.one(o.TqCoup) == o.TqCoup(
        1,
        o.TqRow(("Ks", "Qs", "9d", "2d"), 31),
        o.TqRow(("As", "Kd", "9c", "Jd", "2c"), 32),
        "noir",
        "gagne",
        ("Rouge perd", "Couleur gagne"),
    )
    assert table.state.phase == "result"
    assert table.state.rounds == 1


@pytest.mark.parametrize(
    ("cards", "outcome", "couleur", "call"),
    [
        (NOIR_WINS, "noir", "gagne", ("Rouge perd", "Couleur gagne")),
        ("Kh Qs 9d 2d As Kd 9c Jd 2c", "noir", "perd", ("Rouge perd", "Couleur perd")),
        (ROUGE_WINS, "rouge", "perd", ("Rouge gagne", "Couleur perd")),
        ("Kh Qs Td Jd Kd 9c Jc 2c", "rouge", "gagne", ("Rouge gagne", "Couleur gagne")),
        (REFAIT, "refait", None, ("Après",)),
        (REFAIT_31, "refait-31", None, ("Un après",)),
    ],
)
def test_tq_5_to_7_the_outcome_and_its_call(cards: str, outcome: str, couleur: str | None, call: tuple[str]) -> None:
    line = coup(cards).one(o.TqCoup)
    assert (line.outcome, line.couleur, line.call) == (outcome, couleur, call)


def test_tq_6_couleur_is_the_first_card_of_the_coup_not_of_the_winning_row() -> None:
    # The first card of noir is red, the first of rouge black, rouge wins: couleur wins.
    assert coup("Kh Qs Td Jd Ks 9c Jc 2c").one(o.TqCoup).couleur == "gagne"


def test_tq_1_burning_comes_first_and_a_back_is_accepted_then() -> None:
    table = Played(TQ, burn=2).post(e.ShoeLoaded())
    assert table.view.phase == "burning"
    assert table.draw("Ks").view.phase == "burning"
    assert table.draw("back").view.phase == "loaded"
    assert table.post(e.RoundOpened()).draw("Ks").one(o.TqCard).index == 2


def test_tq_12_a_card_without_an_open_coup_is_an_overdraw() -> None:
    table = coup(NOIR_WINS).draw("5h")
    assert table.one(o.Fault) == o.Fault("overdraw", "5h", 9, ("put-back", "burn", "void", "next"))
    table.post(e.FaultResolved("next"))
    assert (table.one(o.TqCard).index, table.one(o.TqCard).coup, table.view.phase) == (9, 2, "dealing")


def test_tq_13_the_cut_card_ends_the_shoe_after_the_coup_in_progress() -> None:
    table = Played(TQ).open().draw("Ks cut")
    assert table.view.shoe.cut_seen
    assert table.draw("Qs 9d 2d As Kd 9c Jd 2c").one(o.Ended) == o.Ended(10, 1, 0, "cut")


def test_tq_13_at_once_where_none_is_in_progress() -> None:
    table = Played(TQ).open().bet(coup=1, player="ana", on="noir", stake=5).draw("cut")
    assert table.one(o.Ended) == o.Ended(1, 0, 0, "cut")
    assert items(table.one(o.Settlement)) == [("push", *amounts("0", "5", "0"))]


def test_co_4_a_coup_that_the_shoe_cannot_finish_is_void() -> None:
    table = coup("Ks Qs", coup=1, on="noir", stake=5, insured=True).post(e.ShoeEmptied())
    assert items(table.one(o.Settlement)) == [("push", *amounts("0", "5", "0"))]
    assert table.one(o.Ended) == o.Ended(2, 0, 1, "empty")
    assert not table.lines(o.TqCoup)


# ---- the money -------------------------------------------------------------------------------------------

WIN = ("win", "0", "10", "5")
LOSE = ("lose", "0", "0", "-5")


@pytest.mark.parametrize(
    ("cards", "on", "item"),
    [
        (NOIR_WINS, "noir", WIN), (NOIR_WINS, "rouge", LOSE), (NOIR_WINS, "couleur", WIN), (NOIR_WINS, "inverse", LOSE),
        (ROUGE_WINS, "noir", LOSE), (ROUGE_WINS, "rouge", WIN), (ROUGE_WINS, "couleur", LOSE),
        (ROUGE_WINS, "inverse", WIN),
        (REFAIT, "noir", ("push", "0", "5", "0")), (REFAIT_31, "inverse", ("half", "0", "2.5", "-2.5")),
    ],
)  # fmt: skip
def test_tq_6_8_9_each_chance(cards: str, on: str, item: tuple[str, ...]) -> None:
    line = coup(cards, coup=1, on=on, stake=5).one(o.Settlement)
    assert items(line) == [(item[0], *amounts(*item[1:]))]
    assert line.bank == -D(item[3])
    assert line.house == 0


@pytest.mark.parametrize(
    ("cards", "item"),
    [
        (NOIR_WINS, ("win", "0.37", "15", "7.13")),
        (ROUGE_WINS, ("lose", "0.37", "0", "-7.87")),
        (REFAIT, ("push", "0.37", "7.5", "-0.37")),
        (REFAIT_31, ("insured", "0.37", "7.5", "-0.37")),
    ],
)
def test_tq_11_insurance_costs_a_premium_in_every_coup(cards: str, item: tuple[str, ...]) -> None:
    line = coup(cards, coup=1, on="noir", stake="7.5", insured=True, refait="prison").one(o.Settlement)
    assert items(line) == [(item[0], *amounts(*item[1:]))]


def prison(tie: str, *cards: str, **bet: Any) -> list[str]:
    """The results of a stake of 5 on noir from its refait-31 on."""
    rules = {"prison": r.Prison(tie, True)}  # type: ignore[arg-type]
    table = coup(REFAIT_31, coup=1, on="noir", stake=5, refait="prison", rules=rules, **bet)
    found = [table.one(o.Settlement)]
    for each in cards:
        table.post(e.RoundOpened()).draw(each)
        found.append(table.one(o.Settlement))
    firsts = [line.items[0] if line.items else None for line in found]
    return [f"{each.result} {each.returned} {each.net}" if each else "-" for each in firsts]


IN, OUT, LOST, GONE = "prison 0 0", "released 5 0", "lose 0 -5", "-"


@pytest.mark.parametrize(
    ("tie", "cards", "results"),
    [
        ("lose", [NOIR_WINS, NOIR_WINS], [IN, OUT, GONE]),
        ("lose", [ROUGE_WINS], [IN, LOST]),
        ("lose", [REFAIT], [IN, LOST]),
        ("lose", [REFAIT_31], [IN, LOST]),
        ("stay", [REFAIT, REFAIT_31, NOIR_WINS], [IN, IN, IN, OUT]),
        ("deeper", [NOIR_WINS], [IN, OUT]),
        ("deeper", [REFAIT, NOIR_WINS], [IN, IN, OUT]),
        ("deeper", [REFAIT_31, NOIR_WINS, NOIR_WINS], [IN, IN, IN, OUT]),
        ("deeper", [REFAIT_31, NOIR_WINS, REFAIT, NOIR_WINS], [IN, IN, IN, IN, OUT]),
        ("deeper", [REFAIT_31, NOIR_WINS, ROUGE_WINS], [IN, IN, IN, LOST]),
        ("deeper", [REFAIT_31, REFAIT_31], [IN, IN, LOST]),
        ("deeper", [REFAIT_31, NOIR_WINS, REFAIT_31], [IN, IN, IN, LOST]),
    ],
)
def test_tq_10_prison(tie: str, cards: list[str], results: list[str]) -> None:
    assert prison(tie, *cards) == results


def test_tq_10_a_transferred_stake_plays_on_the_opposite_chance() -> None:
    assert prison("lose", NOIR_WINS, transfer=True) == [IN, LOST]
    assert prison("lose", ROUGE_WINS, transfer=True) == [IN, OUT]
    refused = Played(TQ).open().bet(coup=1, player="a", on="noir", stake=5, transfer=True)
    assert refused.why == "prison.transfer"


def test_tq_10_half_or_prison_may_be_chosen_after_the_coup_until_the_next_opens() -> None:
    table = coup(REFAIT_31, coup=1, on="noir", stake=5)
    assert table.one(o.Settlement).items[0].result == "half"
    assert [stake.state for stake in table.view.stakes] == ["half"]
    assert "refait-chosen" in table.view.prompt.requests
    table.post(e.RefaitChosen("ana", "noir", "prison"))
    assert (table.one(o.Settlement).items[0].result, table.one(o.Settlement).bank) == ("prison", 0)
    assert [stake.state for stake in table.view.stakes] == ["prison"]
    assert table.post(e.RefaitChosen("bo", "noir", "prison")).why == "no such stake"
    assert table.post(e.RefaitChosen("ana", "noir", "prison", True)).why == "prison.transfer"
    table.post(e.RoundOpened())
    assert table.post(e.RefaitChosen("ana", "noir", "half")).why == "no such stake"
    assert table.draw(NOIR_WINS).one(o.Settlement).items[0].result == "released"


def test_tq_10_there_is_nothing_to_choose_elsewhere() -> None:
    assert coup(REFAIT, coup=1, on="noir", stake=5).post(e.RefaitChosen("ana", "noir", "prison")).why is not None
    insured = coup(REFAIT_31, coup=1, on="noir", stake=5, insured=True)
    assert insured.post(e.RefaitChosen("ana", "noir", "prison")).why == "no such stake"
    assert "refait-chosen" not in insured.view.prompt.requests


def test_a_stake_in_prison_outlives_a_void_coup_and_the_shoe() -> None:
    table = coup(REFAIT_31, coup=1, on="noir", stake=5, refait="prison")
    table.post(e.RoundOpened()).draw("Ks").post(e.ShoeEmptied(), e.ShoeLoaded(), e.RoundOpened()).draw(NOIR_WINS)
    assert table.one(o.Settlement).items[0].result == "released"


def test_tq_14_a_broken_bank_is_laid_again_in_full() -> None:
    table = Played(TQ, bank=r.Bank(D(10))).open().bet(coup=1, player="a", on="noir", stake=4).draw(NOIR_WINS)
    assert table.one(o.Bank) == o.Bank(D(6), 0)
    table.post(e.RoundOpened()).bet(coup=2, player="a", on="noir", stake=6).draw(NOIR_WINS)
    assert table.one(o.Bank) == o.Bank(D(10), 1)
    table.post(e.RoundOpened()).bet(coup=3, player="a", on="rouge", stake=5).draw(NOIR_WINS)
    assert table.one(o.Bank) == o.Bank(D(15), 1)


@pytest.mark.parametrize(
    ("bet", "why"),
    [
        ({"on": "Noir", "stake": "-1"}, "no such chance"),
        ({"on": "noir", "stake": "0.5"}, "limits.min"),
        ({"on": "noir", "stake": "101"}, "limits.max"),
        ({"on": "noir", "stake": "10.25"}, "money.unit"),
        ({"on": "noir", "stake": "200.25"}, "limits.max"),
        ({"on": "noir", "stake": "ten"}, "malformed: player, on and stake are needed"),
        ({"on": "noir", "stake": "5", "refait": "both"}, "malformed: refait is half or prison"),
        ({"on": "noir", "stake": "5", "coup": 2}, "bets are not open for that coup"),
        ({"on": "noir", "stake": "100", "insured": True}, None),
        ({"on": "noir", "stake": "1"}, None),
    ],
)
def test_co_5_and_6_the_first_reason_is_named(bet: dict[str, Any], why: str | None) -> None:
    limits = {"limits": r.Limits(D(1), D(100)), "money": r.Money(D("0.5"))}
    table = Played(TQ, **limits).open().bet(**{"coup": 1, "player": "ana", **bet})
    assert table.why == why


def test_co_6_a_coup_begins_with_its_first_card() -> None:
    table = Played(TQ).open().draw("Ks").bet(coup=1, player="ana", on="noir", stake=5)
    assert table.why == "bets are not open for that coup"
    table.draw("Qs 9d 2d As Kd 9c Jd 2c").bet(coup=1, player="ana", on="noir", stake=5)
    assert table.why == "bets are not open"
