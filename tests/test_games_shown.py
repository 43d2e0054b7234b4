"""What each game shows of itself, field by field: rows, stakes, results, marks of hand entry; and what is left."""

from __future__ import annotations

from decimal import Decimal as D

import pytest
from games_support import NOIR_WINS, RB, REFAIT_31, TQ, ZE, Played, items

from controller import events as e
from controller import outcomes as o
from controller import rules as r
from controller.games import GAMES
from controller.view import Result, Row, Stake


def by_hand(table: Played, cards: str) -> Played:
    return table.post(*(e.CardEntered(card) for card in cards.split()))


def at_stake(table: Played) -> D:
    return GAMES[table.state.table.game].at_stake(table.state.play)


# ---- trente et quarante ----------------------------------------------------------------------------------


def test_rows_of_a_coup() -> None:
    table = Played(TQ).open()
    assert (table.view.active, table.view.rows) == ("noir", (Row("noir", (), 0), Row("rouge", (), 0)))
    by_hand(table.draw("Ks Qs"), "9d")
    assert table.view.rows == (Row("noir", ("Ks", "Qs", "9d"), 29, False, (2,)), Row("rouge", (), 0))
    by_hand(by_hand(table, "2d As").draw("Kd"), "9c")
    assert table.view.active == "rouge"
    assert table.view.rows == (
        Row("noir", ("Ks", "Qs", "9d", "2d"), 31, True, (2, 3)),
        Row("rouge", ("As", "Kd", "9c"), 20, False, (0, 2)),
    )
    table.draw("Jd Ad")
    assert table.view.rows[1] == Row("rouge", ("As", "Kd", "9c", "Jd", "Ad"), 31, True, (0, 2))
    assert table.view.active is None
    assert table.view.results == (Result(1, "refait-31", (31, 31), ("Un après",), True, None),)


def test_results_of_coups() -> None:
    table = Played(TQ).open().draw(NOIR_WINS).post(e.RoundOpened()).draw("Ks joker").post(e.FaultResolved("void"))
    assert table.view.results == (
        Result(2, "void"),
        Result(1, "noir", (31, 32), ("Rouge perd", "Couleur gagne"), False, "gagne"),
    )
    assert by_hand(table.post(e.RoundOpened()), "Ks").draw("joker").post(e.FaultResolved("void")).view.results[0].manual


def test_stakes_of_coups() -> None:
    table = Played(TQ, prison=r.Prison("stay")).open().bet(coup=1, player="a", on="noir", stake=5, refait="prison")
    table.bet(coup=1, player="b", on="rouge", stake=3, insured=True).bet(coup=1, player="c", on="inverse", stake=2)
    assert table.view.stakes == (Stake("a", "noir", D(5)), Stake("b", "rouge", D(3), "insured"),
                                 Stake("c", "inverse", D(2)))  # fmt: skip
    assert at_stake(table) == 10
    table.draw(REFAIT_31)
    assert table.view.stakes == (Stake("a", "noir", D(5), "prison"), Stake("c", "inverse", D(2), "half"))
    assert at_stake(table) == 5
    table.post(e.RefaitChosen("c", "inverse", "prison"), e.RoundOpened())
    assert table.view.stakes == (Stake("a", "noir", D(5), "prison"), Stake("c", "inverse", D(2), "prison"))
    table.bet(coup=2, player="d", on="noir", stake=1).draw(REFAIT_31)
    assert [(stake.player, stake.state) for stake in table.view.stakes] == [
        ("a", "prison"), ("c", "prison"), ("d", "half"),
    ]  # fmt: skip
    assert at_stake(table) == 7


def test_a_late_choice_is_for_the_players_own_stake_alone_and_may_transfer_it() -> None:
    table = Played(TQ, prison=r.Prison("lose", True)).open()
    for player, on in (("a", "noir"), ("b", "noir"), ("a", "rouge")):
        table.bet(player=player, on=on, stake=5)
    table.draw(REFAIT_31).post(e.RefaitChosen("a", "noir", "prison", True))
    assert [item.result for item in table.one(o.Settlement).items] == ["prison", "half", "half"]
    assert [(kept.player, kept.on) for kept in table.state.play.prison] == [("a", "rouge")]  # type: ignore[union-attr]
    table.post(e.RefaitChosen("a", "noir", "half"))
    assert [item.result for item in table.one(o.Settlement).items] == ["half"] * 3
    table.post(e.RefaitChosen("a", "noir", "prison"))
    assert [(kept.player, kept.on) for kept in table.state.play.prison] == [("a", "noir")]  # type: ignore[union-attr]
    table.post(e.RefaitChosen("b", "noir", "prison"))
    assert len(table.state.play.prison) == 2  # type: ignore[union-attr]


def test_a_wish_may_be_said_before_the_coup_is_over_and_outlives_an_undo() -> None:
    table = (
        Played(TQ).open().bet(player="a", on="noir", stake=5).draw("Ks Qs").post(e.RefaitChosen("a", "noir", "prison"))
    )
    table.draw("9d").post(e.Undone()).draw("9d 2d Kd 9c Jd 2c")
    assert table.one(o.Settlement).items[0].result == "prison"


# ---- red and black ---------------------------------------------------------------------------------------


def test_rows_and_results_of_a_round() -> None:
    table = Played(RB, seats=2).open()
    assert (table.view.active, table.view.rows) == ("1", (Row("1", (), 0), Row("2", (), 0)))
    by_hand(table.draw("Ah 2h"), "3s").draw("4s 5h")
    by_hand(table.draw("6h"), "7s")
    assert table.view.rows == (
        Row("1", ("Ah", "2h", "3s", "4s", "5h"), 3, True, (2,)),
        Row("2", ("6h", "7s"), 1, False, (1,)),
    )
    assert table.view.active == "2"
    assert [line.manual for line in table.lines(o.RbHand)] == [True]
    table.draw("8s 9s Ts")
    assert table.view.active is None
    assert table.view.results == (Result(1, "settled", (3, 1), (), True),)
    clean = Played(RB, seats=2).open().draw("Ah 2h 3s 4s")
    by_hand(clean.draw("5h"), "6h").draw("7s 8s 9s Ts")
    assert [line.manual for line in clean.lines(o.RbHand)] == [False, True]


def test_stakes_of_a_round() -> None:
    table = Played(RB, seats=2).open().bet(seat=2, on="black", stake=5).bet(seat=1, on="red", stake=3)
    assert table.view.stakes == (Stake("2", "black", D(5)), Stake("1", "red", D(3)))
    assert at_stake(table) == 8
    table.draw("Ah 2h 3s 4s").post(e.DoubleDecided(True))
    assert table.view.stakes == (Stake("2", "black", D(5)), Stake("1", "red", D(6), "doubled"))
    assert table.draw("5s").view.stakes == (Stake("2", "black", D(5)),)
    table.post(e.ShoeEmptied())
    assert (table.view.stakes, at_stake(table)) == ((), 0)


def test_stakes_on_a_round_that_never_begins_go_back() -> None:
    for table in (
        Played(TQ).open().bet(player="a", on="noir", stake=5),
        Played(RB).open().bet(seat=1, on="red", stake=5),
    ):
        table.post(e.ShoeEnded())
        assert items(table.one(o.Settlement)) == [("push", D(0), D(5), D(0))]
        assert (table.view.stakes, at_stake(table), table.one(o.Ended).reason) == ((), 0, "dealer")


# ---- zecchinetta -----------------------------------------------------------------------------------------


def test_rows_of_a_hand() -> None:
    table = Played(ZE).open().show("As 2h Kd")
    assert table.view.rows == (
        Row("A", ("As",)), Row("2", ("2h",)), Row("banker", ("Kd",)), Row("box", ("Kd",)), Row("fan"),
    )  # fmt: skip
    table.show("5s Ad")
    assert table.view.rows == (
        Row("2", ("2h",)), Row("5", ("5s",)), Row("banker", ("Kd",)), Row("box", ("Ad",)), Row("fan", ("As",)),
    )  # fmt: skip
    assert table.view.active is None
    assert Played(ZE).open().view.rows == (Row("banker"), Row("box"), Row("fan"))


def test_results_and_marks_of_a_hand() -> None:
    table = by_hand(Played(ZE).open().show("As 2h Kd Ad"), "5s").show("Kh")
    assert [line.manual for line in table.lines(o.ZeTurn)] == [False, True, True]
    assert table.one(o.ZeHand).manual
    assert table.view.results == (Result(1, "bank-loses", (3,), ("A",), True),)
    assert table.state.manual == (4,)
    clean = Played(ZE).open().show("As 2h Kd Ad Kh")
    assert not clean.one(o.ZeHand).manual
    assert clean.view.results == (Result(1, "bank-loses", (2,), ("A",)),)
    assert by_hand(Played(ZE).open().show("As"), "Ad").show("Kd").view.results[0] == Result(1, "void", manual=True)


def test_stakes_of_a_hand() -> None:
    table = Played(ZE).open().show("As 2h Kd").bet(player="a", on="A", stake=5).bet(player="b", on="2", stake=1)
    assert table.view.stakes == (Stake("a", "A", D(5)), Stake("b", "2", D(1)))
    assert at_stake(table) == 6
    table.post(e.ShoeEmptied())
    assert (table.view.stakes, at_stake(table)) == ((), 0)


def test_a_drawn_card_left_the_box_and_can_be_put_back() -> None:
    table = Played(ZE).open().show("As 2h Kd").draw("Kd")
    hand = table.state.play
    assert (hand.drawn, GAMES[ZE].in_box(hand), GAMES[ZE].on_cloth(hand)) == (True, 0, 3)  # type: ignore[union-attr]
    assert table.draw("Kd").one(o.Fault).code == "composition"
    table.post(e.FaultResolved("put-back"), e.Undone(), e.Undone(), e.Undone())
    assert table.one(o.Undone).what == "Kd"
    assert (table.view.phase, GAMES[ZE].in_box(table.state.play)) == ("betting", 1)


@pytest.mark.parametrize(("key", "value"), [("player", 3), ("on", True), ("stake", "")])
def test_a_bet_without_one_of_its_parts_is_malformed(key: str, value: object) -> None:
    tq = {"player": "a", "on": "noir", "stake": "5", key: value}
    ze = {"player": "a", "on": "A", "stake": "5", key: value}
    for table, bet in ((Played(TQ).open(), tq), (Played(ZE).open().show("As 2h Kd"), ze)):
        assert table.post(e.BetPlaced(bet)).why == "malformed: player, on and stake are needed"  # type: ignore[arg-type]
    if key != "player":
        rb = {"seat": 1, "on": "red", "stake": "5", key: value}
        answer = Played(RB).open().post(e.BetPlaced(rb))  # type: ignore[arg-type]
        assert answer.why == "malformed: seat, on and stake are needed"


def test_the_flags_of_a_bet_are_true_or_false() -> None:
    for flag in ("insured", "transfer"):
        bet = {"player": "a", "on": "noir", "stake": "5", flag: "yes"}
        assert Played(TQ).open().post(e.BetPlaced(bet)).why is not None  # type: ignore[arg-type]


def test_nothing_may_be_chosen_after_another_coup() -> None:
    assert Played(TQ).open().bet(player="a", on="noir", stake=5).draw(NOIR_WINS).view.stakes == ()


def test_a_bank_with_something_left_is_not_broken() -> None:
    table = Played(TQ, bank=r.Bank(D(10))).open().bet(player="a", on="noir", stake=9).draw(NOIR_WINS)
    assert table.one(o.Bank) == o.Bank(D(1), 0)


def test_a_dead_card_joins_the_fan_when_it_is_drawn() -> None:
    table = Played(ZE).open().show("As 2h Kd Ah Ad 5s")
    assert [row.cards for row in table.view.rows if row.name == "fan"] == [("As", "Ah", "Ad")]
    assert [row.name for row in table.view.rows] == ["2", "banker", "box", "fan"]


def test_marks_stand_at_the_first_and_last_card_of_a_hand() -> None:
    table = by_hand(Played(RB, seats=2).open(), "Ah").draw("2h 3h 4s")
    by_hand(by_hand(table, "5s"), "6h").draw("7h 8h 9s")
    assert [row.manual for row in by_hand(table, "Ts").view.rows] == [(0, 4), (0, 4)]
