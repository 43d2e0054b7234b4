"""What a shoe does around the rounds: portions (CO-7), the deck check and its receipt, burning (CO-2), the virtual cut
card (TQ-13), and the remainder of an ended shoe, reconciled by rank and suit."""

from __future__ import annotations

import pytest
from games_support import NOIR_WINS, RB, TQ, ZE, Played

from controller import events as e
from controller import odds
from controller import outcomes as o
from controller.cards import DECK, ZECCHINETTA_DECK
from controller.rules import Rules
from controller.table import initial, supervisor

WHOLE = " ".join(DECK)
HOUSE = Rules()


def checked(table: Played, cards: str) -> o.Receipt:
    return table.post(e.CountOpened()).draw(cards).post(e.CountClosed("Anna")).one(o.Receipt)


def opened(game: str, rules: Rules = HOUSE, **more: object) -> Played:
    table = Played(game)
    table.state = initial(e.TableOpened(game, rules, **more))  # type: ignore[arg-type]
    return table


# ---- deck check --------------------------------------------------------------------------------------------


def test_a_deck_check_ends_with_a_receipt() -> None:
    table = opened(TQ, Rules(decks=1), name="salle 2", machine="Pi 4 1000")
    assert checked(table, WHOLE) == o.Receipt(
        number=1, kind="deck-check", shoe=1, right=True, expected=52, counted=52, missing={}, extra={}, unseen=0,
        by="Anna", table="salle 2", machine="Pi 4 1000", game=TQ, decks=1,
    )  # fmt: skip
    assert (table.view.phase, table.view.alarms) == ("no shoe", ())
    assert table.view.receipt is not None
    assert table.post(e.ShoeLoaded()).view.shoe.number == 1, "the shoe has the number that its receipt says"
    assert table.view.receipt is None


def test_missing_and_extra_cards_are_named_and_raise_an_alarm() -> None:
    table = Played(TQ, decks=2)
    cards = [card for card in DECK * 2 if card != "7d"]
    found = checked(table, " ".join([*cards, "7d", "9s", "9s", "joker"]))
    assert (found.right, found.missing, found.extra) == (False, {"7d": 1}, {"9s": 2, "joker": 1})
    assert (found.expected, found.counted) == (104, 106)
    alarm = table.view.alarms[0]
    assert (alarm.kind, alarm.shoe) == ("deck-check", 1)
    assert alarm.text == "Deck check: 106 of 104 cards; missing 7d; extra 9s x2 joker."


def test_a_deck_check_of_the_wrong_game_names_what_does_not_belong() -> None:
    table = Played(ZE).post(e.CountOpened()).show(WHOLE).post(e.CountClosed())
    found = table.one(o.Receipt)
    assert found.missing == {}
    assert set(found.extra) == set(DECK) - set(ZECCHINETTA_DECK)


def test_ze_1_two_equal_cards_one_after_the_other_in_a_box_are_two() -> None:
    table = Played(ZE).post(e.CountOpened(), e.CardExposed("As"), e.CardExposed("As"), e.CardDrawn("As"))
    count = table.view.count
    assert count is not None
    assert count.counted == 1, "the same face is no news"
    table.post(e.CardExposed("As"), e.CardDrawn("As"), e.CountClosed())
    assert table.one(o.Receipt).extra == {"As": 1}


def test_a_sorted_pack_raises_no_alarm_of_order_before_it_is_shuffled() -> None:
    table = Played(TQ, decks=1)
    checked(table, WHOLE)
    assert table.lines(o.AlarmRaised) == []
    checked(table, WHOLE)
    assert table.lines(o.AlarmRaised) == []


def test_how_far_a_check_has_come_is_shown_and_nothing_of_what_is_missing() -> None:
    table = Played(TQ, decks=1).post(e.CountOpened()).draw("As As joker")
    count = table.view.count
    assert count is not None
    assert (count.kind, count.expected, count.counted, count.extra, count.last) == (
        "deck-check",
        52,
        3,
        ("As", "joker"),
        "joker",
    )
    assert [line.extra for line in table.lines(o.CardCounted)] == [False, True, True]


def test_a_slip_in_a_check_is_taken_back_or_corrected() -> None:
    table = Played(TQ, decks=1).post(e.CountOpened()).draw(f"{WHOLE} back").post(e.Undone())
    table.post(e.CardCorrected(3, "5s")).post(e.CountClosed())
    found = table.one(o.Receipt)
    assert (found.missing, found.extra) == ({"4s": 1}, {"5s": 1})


def test_an_unread_card_of_a_check_holds_it_until_it_is_entered() -> None:
    table = Played(TQ, decks=1).post(e.CountOpened()).draw(" ".join(DECK[:-1])).post(e.CardUnread("unclear"))
    assert table.post(e.CountClosed()).why == "the table is on hold"
    assert table.post(e.CardEntered("Kc"), e.CountClosed()).one(o.Receipt).right


def test_a_check_that_is_abandoned_has_no_receipt_and_one_without_cards_cannot_end() -> None:
    table = Played(TQ).post(e.CountOpened(), e.CountClosed())
    assert table.why == "no card was fed"
    table.draw("As").post(e.CountAbandoned())
    assert (table.view.phase, table.state.receipts, table.view.alarms) == ("no shoe", (), ())
    assert table.post(e.CountAbandoned()).why == "no pack is being counted"


def test_a_table_on_hold_is_asked_nothing_of_a_count() -> None:
    held = Played(TQ).post(e.DaemonStarted())
    assert held.post(e.CountOpened()).why == "the table is on hold"
    counting = Played(TQ).post(e.CountOpened()).draw("As").post(e.CardUnread("unclear"))
    for request in (e.CountAbandoned(), e.CountClosed()):
        assert counting.post(request).why == "the table is on hold"


def test_no_check_during_a_shoe() -> None:
    table = Played(TQ).open()
    assert table.post(e.CountOpened()).why == "a pack is counted between shoes"
    assert supervisor(table.state).total == 312


def test_receipts_are_numbered_and_the_newest_are_kept() -> None:
    table = Played(ZE)
    for _ in range(25):
        table.post(e.CountOpened()).show("As").draw("As").post(e.CountClosed())
    assert [each.number for each in table.state.receipts] == list(range(25, 5, -1))


# ---- remainder ---------------------------------------------------------------------------------------------


def to_the_end(table: Played, *left_out: str, then: str = "cut") -> list[str]:
    """One coup, the cut card; what the shoe still holds, without one of each `left_out`."""
    table.open().draw(f"{NOIR_WINS} {then}")
    left = [card for card, number in supervisor(table.state).remaining.items() for _ in range(number)]
    for card in left_out:
        left.remove(card)
    return left


def mixed(cards: list[str]) -> str:
    """Not in a row."""
    return " ".join(cards[start] for step in range(7) for start in range(step, len(cards), 7))


def test_a_shoe_is_reconciled_by_rank_and_suit() -> None:
    table = Played(TQ, decks=2)
    left = to_the_end(table)
    assert table.view.phase == "ended"
    table.draw(mixed(left)).post(e.CountClosed("Anna"))
    found = table.one(o.Receipt)
    assert (found.kind, found.shoe, found.right, found.counted) == ("remainder", 1, True, 104)
    assert (table.view.phase, table.view.alarms, table.view.receipt) == ("ended", (), found)


def test_a_card_that_never_came_is_missing_and_flagged() -> None:
    table = Played(TQ, decks=2)
    table.draw(mixed(to_the_end(table, "7d", "7d"))).post(e.CountClosed())
    assert table.one(o.Receipt).missing == {"7d": 2}
    assert table.view.alarms[0].text == "End of shoe: 102 of 104 cards; missing 7d x2."


@pytest.mark.parametrize("resolution", ["put-back", "burn", "void"])
def test_a_card_too_many_in_the_remainder_is_a_fault_and_extra_whatever_becomes_of_it(resolution: str) -> None:
    table = Played(TQ, decks=1)
    table.draw(mixed(to_the_end(table))).draw("Ks")
    assert table.one(o.Fault).code == "composition"
    table.post(e.FaultResolved(resolution), e.CountClosed())
    assert table.one(o.Receipt).extra == {"Ks": 1}


@pytest.mark.parametrize(("resolution", "extra"), [("burn", {"joker": 1}), ("void", {"joker": 1}), ("put-back", {})])
def test_what_was_put_away_in_play_is_extra_at_the_end(resolution: str, extra: dict[str, int]) -> None:
    table = Played(TQ, decks=1).open().draw("Ks joker").post(e.FaultResolved(resolution))
    if resolution == "void":
        table.post(e.RoundOpened())
    table.draw("cut").post(*([e.ShoeEmptied()] if table.view.phase != "ended" else []))
    left = [card for card, number in supervisor(table.state).remaining.items() if number]
    table.draw(mixed(left)).post(e.CountClosed())
    found = table.one(o.Receipt)
    assert (found.extra, found.missing, found.right) == (extra, {}, not extra)


def test_co_2_cards_burnt_face_down_may_be_missing_and_no_others() -> None:
    table = Played(TQ, decks=2, burn=3).post(e.ShoeLoaded()).draw("back 2h back").post(e.RoundOpened())
    table.draw(f"{NOIR_WINS} cut")
    left = [card for card, number in supervisor(table.state).remaining.items() for _ in range(number)]
    for card in ("7d", "8h"):
        left.remove(card)
    table.draw(mixed(left)).post(e.CountClosed())
    found = table.one(o.Receipt)
    assert (found.right, found.unseen, found.missing) == (True, 2, {"8h": 1, "7d": 1})
    assert found.counted == found.expected


def test_an_unread_card_that_was_put_away_is_one_that_nobody_saw() -> None:
    table = Played(TQ, decks=2).open().draw("Ks").post(e.CardUnread("unclear"), e.FaultResolved("burn"))
    table.post(e.ShoeEmptied(), e.CountClosed())
    assert table.one(o.Receipt).unseen == 1


def test_a_shoe_is_reconciled_once_unless_more_is_fed() -> None:
    table = Played(TQ, decks=1)
    left = to_the_end(table)
    table.draw(mixed(left[:-1])).post(e.CountClosed(), e.CountClosed())
    assert table.why == "the shoe is reconciled already"
    assert not table.one(o.Receipt).right
    table.draw(left[-1]).post(e.CountClosed())
    assert table.one(o.Receipt).right
    assert [alarm.kind for alarm in table.view.alarms] == ["remainder"], "latched all the same"


def test_no_shoe_is_loaded_while_one_is_counted() -> None:
    table = Played(TQ, decks=1)
    table.draw(to_the_end(table)[0])
    assert table.view.phase == "reconciling"
    assert table.post(e.ShoeLoaded()).why == "no shoe can be loaded: the table is in phase reconciling"
    assert table.post(e.CountOpened()).why == "a pack is counted between shoes"


def test_the_remainder_is_shown_to_nobody_before_it_is_fed() -> None:
    table = Played(TQ, decks=1)
    table.draw(to_the_end(table)[0])
    count = table.view.count
    assert count is not None
    assert (count.kind, count.expected, count.counted, count.extra) == ("remainder", 52, 10, ())


# ---- burning, cut cards, portions --------------------------------------------------------------------------


def test_burning_changes_no_probability() -> None:
    """TQ-1: on the average of all cards that may be burnt the refait-31 is as likely as in a fresh shoe."""
    fresh = odds.composition(TQ, Rules(decks=1))
    burnt = {rank: odds.advantage({**fresh, rank + "s": 0}) for rank in "A23456789T"}  # J, Q and K are a ten
    average = (sum(burnt.values()) + 3 * burnt["T"]) / 13
    assert average == pytest.approx(odds.advantage(fresh), rel=1e-12)


def test_tq_13_the_virtual_cut_card_ends_the_shoe_after_the_coup_in_progress() -> None:
    table = opened(TQ, cut_after=5).open().draw("Ks Qs 9d 2d As")
    assert (table.view.phase, table.view.shoe.cut_seen) == ("dealing", True)
    table.draw("Kd 9c Jd 2c")
    assert (table.view.phase, table.one(o.Ended).reason) == ("ended", "cut")


def test_a_virtual_cut_card_that_lies_in_the_burnt_cards_lets_no_coup_begin() -> None:
    table = opened(TQ, Rules(burn=3), cut_after=3).post(e.ShoeLoaded()).draw("Ks Qs 9d")
    assert table.post(e.RoundOpened()).why == "the cut card is out"
    assert "round-opened" not in table.view.prompt.requests
    assert table.post(e.ShoeEnded()).view.phase == "ended"


def test_rb_6_a_virtual_cut_card_in_red_and_black_and_none_in_the_box() -> None:
    table = opened(RB, cut_after=5).open().draw("Ks Qs 9d 2d As")
    assert table.one(o.Ended).reason == "cut"
    box = opened(ZE, cut_after=1).post(e.ShoeLoaded()).show("As 5h Kd 2s 3h")
    assert box.lines(o.Ended) == []
    assert not box.view.shoe.cut_seen


def test_co_7_the_next_portion_is_asked_for_when_one_is_out() -> None:
    table = opened(TQ, portion=8).open()
    assert "portion-loaded" in table.view.prompt.requests
    assert not table.view.prompt.text.startswith("Put in")
    table.draw("Ks Qs 9d 2d As Kd 9c Jd")
    assert table.view.prompt.text.startswith("Put in the next portion.")
    table.post(e.LidChanged(True), e.PortionLoaded(), e.LidChanged(False))
    assert not table.view.prompt.text.startswith("Put in")
    assert table.draw("2c").one(o.TqCoup).outcome == "noir", "the coup goes on over it"
    assert "portion-loaded" not in Played(TQ).open().view.prompt.requests, "where the whole shoe is put in at once"
