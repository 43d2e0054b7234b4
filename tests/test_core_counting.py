"""A pack counted before play, a shoe's remainder reconciled after it, and the virtual cut card."""

from __future__ import annotations

from games_support import NOIR_WINS, TQ, ZE, Played

from controller import events as e
from controller import outcomes as o
from controller.cards import DECK, ZECCHINETTA_DECK
from controller.rules import Rules
from controller.table import initial


def test_a_whole_pack_has_nothing_missing_and_nothing_extra() -> None:
    table = Played(TQ, decks=2).post(e.CountOpened()).draw(" ".join(DECK * 2) + " cut").post(e.CountClosed())
    found = table.one(o.Receipt)
    assert (found.right, found.counted, found.missing, found.extra) == (True, 104, {}, {})
    assert table.view.phase == "no shoe"
    assert table.open().view.shoe.index == 0


def test_what_is_missing_or_extra_is_named() -> None:
    table = Played(TQ, decks=1).post(e.CountOpened()).draw(" ".join(DECK[2:]) + " Ks joker back")
    assert table.view.phase == "checking"
    found = table.post(e.CountClosed()).one(o.Receipt)
    assert (found.missing, found.extra) == ({"As": 1, "2s": 1}, {"Ks": 1, "joker": 1, "back": 1})


def test_a_card_that_was_not_read_is_entered_in_a_count_too() -> None:
    table = Played(ZE).post(e.CountOpened()).show(" ".join(ZECCHINETTA_DECK[1:])).post(e.CardUnread("unclear"))
    assert table.post(e.CountClosed()).why == "the table is on hold"
    table.post(e.CardEntered("As"), e.CountClosed())
    assert table.one(o.Receipt).missing == {}


def test_the_remainder_of_a_shoe_is_reconciled_by_name() -> None:
    table = Played(TQ, decks=1).open().draw(f"{NOIR_WINS} cut")
    left = [card for card in DECK if card not in NOIR_WINS.split() and card != "5h"]
    table.draw(" ".join(left)).post(e.CountClosed())
    found = table.one(o.Receipt)
    assert (found.counted, found.missing, found.extra) == (51, {"5h": 1}, {})
    assert table.draw("Ks").one(o.Fault).code == "composition"


def test_nothing_is_counted_elsewhere() -> None:
    assert Played(TQ).open().post(e.CountOpened()).why == "a pack is counted between shoes"
    assert Played(TQ).open().post(e.CountClosed()).why == "nothing is being counted"
    assert Played(TQ).post(e.CountOpened()).draw("Ks").post(e.Undone()).state.index == 0


def test_the_virtual_cut_card_ends_the_shoe_after_the_coup_that_reaches_it() -> None:
    table = Played(TQ)
    table.state = initial(e.TableOpened(TQ, Rules(), cut_after=10))
    table.open().draw(NOIR_WINS)
    assert table.view.phase == "result"
    table.post(e.RoundOpened()).draw(NOIR_WINS)
    assert table.one(o.Ended) == o.Ended(18, 2, 0, "cut")
