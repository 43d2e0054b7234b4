"""Undo and correction compute the round again, whatever the game; the outcomes say what changed."""

from __future__ import annotations

import pytest
from games_support import NOIR_WINS, RB, TQ, ZE, Played, items

from controller import events as e
from controller import outcomes as o


def test_the_last_card_is_taken_back() -> None:
    table = Played(TQ).open().draw("Ks Qs")
    before = table.state
    table.draw("9d").post(e.Undone())
    assert table.state == before
    assert table.one(o.Undone).what == "9d"


def test_an_undo_reopens_a_coup_that_the_card_ended() -> None:
    table = Played(TQ).open().bet(coup=1, player="a", on="noir", stake=5).draw(NOIR_WINS).post(e.Undone())
    assert (table.view.phase, table.state.rounds, table.view.results) == ("dealing", 0, ())
    table.draw("As")
    assert table.one(o.TqCoup).outcome == "refait-31"
    assert items(table.one(o.Settlement))[0][0] == "half"


def test_nothing_to_take_back_in_a_round_without_a_card() -> None:
    table = Played(TQ).open().draw(NOIR_WINS).post(e.RoundOpened(), e.Undone())
    assert table.why == "nothing of this round can be taken back"


def test_a_correction_restates_what_follows_from_it() -> None:
    table = Played(TQ).open().bet(coup=1, player="a", on="noir", stake=5).draw(NOIR_WINS)
    assert table.one(o.Settlement).bank == -5
    table.post(e.CardCorrected(8, "As"))
    corrected, card, coup, settlement = table.last
    assert corrected == o.Corrected(8, "2c", "As")
    assert isinstance(card, o.TqCard)
    assert (card.total, card.manual) == (31, True)
    assert isinstance(coup, o.TqCoup)
    assert coup.outcome == "refait-31"
    assert isinstance(settlement, o.Settlement)
    assert settlement.items[0].result == "half"
    assert table.view.results[0].manual
    assert (sum(table.state.seen), table.state.seen[0]) == (9, 2)


def test_a_correction_that_ends_the_row_earlier_moves_the_cards_after_it() -> None:
    table = Played(TQ).open().draw("Ks Qs 5d 2d 3d")
    assert table.view.rows[0].total == 30
    table.post(e.CardCorrected(2, "9d"))
    assert [row.cards for row in table.view.rows] == [("Ks", "Qs", "9d", "2d"), ("3d",)]


def test_a_correction_that_ends_the_coup_earlier_leaves_an_overdraw() -> None:
    table = Played(TQ).open().draw("Ks Qs Jd Ad Kd Qd 5d 2c 3c").post(e.CardCorrected(6, "Kc"))
    assert (table.one(o.TqCoup).outcome, table.one(o.Fault).card) == ("noir", "3c")
    assert table.post(e.FaultResolved("next")).view.rows[0].cards == ("3c",)


@pytest.mark.parametrize(
    ("index", "symbol", "why"),
    [
        (5, "2c", "card 5 is not one of this round"), (-1, "2c", "card -1 is not one of this round"),
        (0, "xx", '"xx" is not a card'), (1, "joker", "joker cannot have been card 1"),
        (1, "Ks", "Ks cannot have been card 1"),
    ],
)  # fmt: skip
def test_a_correction_that_cannot_be(index: int, symbol: str, why: str) -> None:
    table = Played(TQ, decks=1).open().draw("Ks Qs")
    state = table.state
    assert table.post(e.CardCorrected(index, symbol)).why == why
    assert table.state is state


def test_only_this_round_is_corrected() -> None:
    table = Played(TQ).open().draw(NOIR_WINS).post(e.RoundOpened(), e.CardCorrected(8, "As"))
    assert table.why == "card 8 is not one of this round"


def test_a_misread_joker_is_corrected_to_the_card_it_was() -> None:
    table = Played(TQ).open().draw("Ks joker").post(e.CardCorrected(1, "Qs"))
    assert table.state.hold is None
    assert table.view.rows[0].cards == ("Ks", "Qs")


def test_a_resolution_that_would_no_longer_fit_blocks_a_correction() -> None:
    table = Played(TQ, decks=1).open().draw("Ks Ks").post(e.FaultResolved("burn")).draw("5h")
    assert table.post(e.CardCorrected(0, "Qs")).why is not None
    assert table.view.rows[0].cards == ("Ks", "5h")


def test_cards_entered_by_hand_are_corrected_too() -> None:
    table = Played(TQ).open().draw("Ks").post(e.CardUnread("unclear"), e.CardEntered("Qs")).draw("2d")
    table.post(e.CardCorrected(1, "Qd"))
    assert table.view.rows[0].cards == ("Ks", "Qd", "2d")
    table.post(e.CardCorrected(2, "3d"))
    assert table.view.rows[0].cards == ("Ks", "Qd", "3d")
    assert table.view.rows[0].manual == (1, 2)


def test_an_entered_card_is_taken_back_to_be_entered_again() -> None:
    table = Played(TQ).open().post(e.CardUnread("unclear"), e.CardEntered("Qs"), e.Undone())
    assert table.state.hold is not None
    assert table.state.hold.enter
    assert table.post(e.CardEntered("Qd")).view.rows[0].cards == ("Qd",)


def test_burnt_cards_are_taken_back_and_corrected() -> None:
    table = Played(TQ, burn=2).post(e.ShoeLoaded()).draw("Ks Qs").post(e.Undone())
    assert (table.view.phase, table.state.ledger.burnt) == ("burning", 1)
    table.post(e.CardCorrected(0, "Kd"))
    assert table.state.ledger.burnt == 1


def test_a_cut_card_is_taken_back() -> None:
    table = Played(TQ).open().draw("cut").post(e.Undone())
    assert (table.view.phase, table.state.cut_seen) == ("betting", False)


def test_a_correction_after_the_shoe_ran_out_keeps_the_coup_void() -> None:
    table = Played(TQ).open().draw("Ks Qs").post(e.ShoeEmptied(), e.CardCorrected(1, "Qd"))
    assert (table.view.phase, table.state.void) == ("ended", 1)


def test_a_card_before_any_shoe_is_taken_back_and_corrected_as_often_as_need_be() -> None:
    table = Played(TQ).draw("As").post(e.FaultResolved("put-back"), e.CardCorrected(0, "2c")).draw("As")
    held = table.state
    table.post(e.FaultResolved("put-back"), e.Undone())
    assert (table.state.hold, table.state.index) == (held.hold, 2)
    assert table.post(e.Undone(), e.Undone(), e.Undone()).state.index == 0


def test_red_and_black_settles_again_after_a_correction() -> None:
    table = Played(RB, seats=2).open().bet(round=1, seat=1, on="red", stake=5)
    table.draw("Ah 2h 3s 4s").post(e.DoubleDecided(True)).draw("5h 6h 7h")
    assert table.one(o.Settlement).items[0].net == 10
    table.post(e.CardCorrected(4, "5s"))
    assert table.one(o.Settlement).items[0].net == -10
    assert table.view.rows[1].cards == ("6h", "7h")
    table.post(e.CardCorrected(2, "3h"))  # three red of four: that double could not be
    assert table.lines(o.Returned)[0].request == "double-decided"
    assert table.one(o.Settlement).items[0].stake == 5


def test_zecchinetta_turns_again_after_a_correction() -> None:
    table = Played(ZE).open().show("As 2h Kd").bet(hand=1, after_turn=0, player="a", on="A", stake=5).show("Ad 6s")
    table.post(e.CardCorrected(3, "2d"))
    assert [turn.effect for turn in table.lines(o.ZeTurn)[-2:]] == ["bank-wins", "new"]
    assert table.lines(o.ZeTurn)[-2].table == ("A",)
    assert [stake.on for stake in table.view.stakes] == ["A"]
    table.post(e.Undone())
    assert table.one(o.Undone).what == "6s"
    assert table.state.play.turn == 1  # type: ignore[union-attr]


def test_a_bet_that_no_longer_fits_goes_back() -> None:
    table = Played(ZE).open().show("As 2h Kd 5s 6s").bet(hand=1, after_turn=2, player="a", on="5", stake=5)
    table.post(e.CardCorrected(3, "7s"))
    assert table.one(o.Returned).bet is not None
    assert not table.view.stakes
    drawn = Played(ZE).open().show("As 2h Kd").draw("Kd").show("5s").post(e.CardCorrected(3, "7s"))
    assert drawn.one(o.ZeTurn).exposed == "7s"


def test_a_face_that_becomes_foreign_by_a_correction_is_refused_whatever_came_after_it() -> None:
    table = Played(ZE).post(e.BankerSought()).show("3d 6c Js 8d Qs")
    assert table.post(e.CardCorrected(1, "Tc")).why == "Tc cannot have been card 1"
