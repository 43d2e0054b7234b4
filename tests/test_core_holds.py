"""Holds: each resolution in every phase of every game, taking it back, and what waits meanwhile (CO-2, CO-3)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from games_support import NOIR_WINS, RB, TQ, ZE, Played, items

from controller import events as e
from controller import outcomes as o
from controller.rounds import accounts
from controller.state import State


def empty(game: str) -> Played:
    return Played(game)


def loaded(game: str) -> Played:
    return Played(game).post(e.ShoeLoaded())


def burning(game: str) -> Played:
    return Played(game, burn=3).post(e.ShoeLoaded()).draw("Ks")


def seeking(game: str) -> Played:
    return Played(game).post(e.BankerSought()).show("2s") if game == ZE else Played(game).post(e.BankerSought())


def betting(game: str) -> Played:
    table = Played(game).open()
    return table.show("As 2h Kd").bet(hand=1, after_turn=0, player="a", on="A", stake=5) if game == ZE else table


def dealing(game: str) -> Played:
    table = Played(game).open()
    if game == ZE:
        return table.show("As")
    bet = {"coup": 1, "player": "a", "on": "noir"} if game == TQ else {"round": 1, "seat": 1, "on": "red"}
    return table.bet(**bet, stake=5).draw("Ah")


def result(game: str) -> Played:
    if game == ZE:
        return Played(game).open().show("As 2h Kd Kh")
    return Played(game).open().draw(NOIR_WINS if game == TQ else "Ah 2h 3s 4s 5s")


def ended(game: str) -> Played:
    return result(game).post(e.ShoeEnded())


PHASES: dict[str, list[Callable[[str], Played]]] = {
    TQ: [empty, loaded, burning, betting, dealing, result, ended],
    RB: [empty, loaded, seeking, betting, dealing, result, ended],
    ZE: [empty, seeking, betting, dealing, result, ended],
}
EVERYWHERE = [(game, phase) for game, phases in PHASES.items() for phase in phases]
FAULTS = [(game, phase, how) for game, phase in EVERYWHERE for how in ("put-back", "burn", "void")]


def fault(table: Played) -> Played:
    if table.state.table.game == ZE:
        return table.show("joker")
    return table.draw("joker")


def without_accounts(state: State) -> tuple[object, ...]:
    return (state.phase, state.play, state.seen, state.round, state.rounds, state.void, state.results)


@pytest.mark.parametrize(("game", "phase", "how"), FAULTS)
def test_each_resolution_in_every_phase_and_its_undo(game: str, phase: Callable[[str], Played], how: str) -> None:
    table = phase(game)
    before = table.state
    fault(table)
    held = table.state
    assert table.one(o.Fault).code in ("foreign", "overdraw")
    assert table.view.phase == "hold"
    assert without_accounts(held) == without_accounts(before)  # the state before the fault is never lost
    in_progress = phase is dealing or (phase is betting and game == ZE)
    table.post(e.FaultResolved(how))
    assert table.state.hold is None
    assert table.one(o.Resolved).resolution == how
    if how == "void" and in_progress:
        assert (table.state.void, table.state.phase) == (before.void + 1, "result")
    elif phase is burning and how == "burn":
        assert table.state.ledger.burnt == 2
    else:
        assert without_accounts(table.state) == without_accounts(before)
    account = {"put-back": "refused", "burn": "burnt", "void": "void"}[how]
    assert accounts(table.state)[account] >= 1
    assert table.post(e.Undone()).why is None
    assert without_accounts(table.state) == without_accounts(held)
    assert table.state.hold == held.hold
    assert table.post(e.FaultResolved(how)).why is None


def test_a_resolution_that_the_hold_does_not_offer_is_refused() -> None:
    table = dealing(TQ).draw("joker")
    assert table.post(e.FaultResolved("next")).why == "this hold offers put-back, burn, void"
    assert dealing(TQ).post(e.FaultResolved("burn")).why == "the table is not on hold"


@pytest.mark.parametrize("how", ["put-back", "burn", "void"])
def test_tq_12_an_overdrawn_card_is_counted_unless_it_goes_back(how: str) -> None:
    table = result(TQ).draw("5h").post(e.FaultResolved(how))
    assert sum(table.state.seen) == 9 + (how != "put-back")
    assert (table.state.phase, table.state.void) == ("result", 0)


def test_tq_12_next_opens_the_next_coup_and_can_be_taken_back() -> None:
    table = result(TQ).draw("5h")
    held = table.state
    table.post(e.FaultResolved("next"))
    assert (table.view.round, table.view.rows[0].cards) == (2, ("5h",))
    table.post(e.Undone())
    assert table.one(o.Undone).what == "next"
    assert (table.state.hold, table.state.round) == (held.hold, 1)
    assert table.view.rows[0].total == 31
    table.post(e.FaultResolved("burn"))
    assert table.state.phase == "result"
    assert table.post(e.Undone()).state.hold == held.hold
    assert table.post(e.FaultResolved("next")).draw("2h").post(e.Undone(), e.Undone()).state.hold == held.hold
    assert table.post(e.Undone()).state.hold is None  # the overdrawn card itself
    assert table.state.log == result(TQ).state.log


def test_a_void_after_the_cut_card_ends_the_shoe() -> None:
    table = dealing(TQ).draw("cut joker").post(e.FaultResolved("void"))
    assert table.one(o.Ended) == o.Ended(3, 0, 1, "cut")
    assert items(table.one(o.Settlement))[0][0] == "push"


def test_a_second_cut_card_is_impossible() -> None:
    assert dealing(TQ).draw("cut cut").one(o.Fault).code == "composition"


# ---- what cannot be seen ---------------------------------------------------------------------------------


def test_an_unread_card_is_entered_by_hand_and_marked() -> None:
    table = dealing(TQ).post(e.CardUnread("unclear"))
    assert table.one(o.Unread) == o.Unread(1, "unclear")
    assert (table.view.hold and table.view.hold.enter, table.view.prompt.requests[0]) == (True, "card-entered")
    assert table.post(e.CardEntered("zz")).why == '"zz" is not a card'
    table.post(e.CardEntered("kh"))
    assert table.one(o.TqCard) == o.TqCard(1, "Kh", 1, "noir", 11, True)
    assert table.view.rows[0].manual == (1,)
    table.draw("Qs Td As Kd 9c Jd 2c")
    assert table.one(o.TqCoup).manual
    assert table.view.results[0].manual


def test_an_entered_card_may_be_a_fault_itself() -> None:
    table = dealing(TQ).post(e.CardUnread("unclear"), e.CardEntered("joker"))
    assert (table.one(o.Fault).code, table.one(o.Fault).index) == ("foreign", 1)
    assert table.post(e.FaultResolved("put-back")).draw("5h").one(o.TqCard).index == 2


@pytest.mark.parametrize("how", ["put-back", "burn", "void"])
def test_an_unread_card_can_be_put_away_unknown(how: str) -> None:
    table = dealing(TQ).post(e.CardUnread("unclear"), e.FaultResolved(how))
    assert table.state.hold is None
    assert table.state.index == 2
    assert table.state.void == (how == "void")


def test_two_cards_in_one_pull_are_entered_in_their_order() -> None:
    table = dealing(TQ).post(e.CardUnread("two cards"), e.CardEntered("5h"))
    assert table.view.hold is not None
    assert (table.view.hold.count, table.view.hold.index) == (1, 2)
    table.post(e.CardEntered("6h"))
    assert table.view.hold is None
    assert [(card.index, card.total) for card in table.lines(o.TqCard)] == [(0, 1), (1, 6), (2, 12)]


def test_a_gap_is_entered_card_by_card_over_the_end_of_a_coup() -> None:
    table = Played(TQ).open().draw("Ks Qs 9d 2d As Kd 9c Jd").post(e.CardsMissed(3))
    assert table.one(o.Gap) == o.Gap(8, 3)
    table.post(e.CardEntered("2c"))
    assert table.one(o.TqCoup).outcome == "noir"
    assert table.view.hold is not None
    assert (table.view.hold.code, table.view.hold.count) == ("gap", 2)
    table.post(e.CardEntered("5h"))
    assert table.view.hold.code == "overdraw" if table.view.hold else False
    table.post(e.FaultResolved("next"))
    assert table.view.rows[0].cards == ("5h",)
    assert table.view.hold is not None
    assert (table.view.hold.code, table.view.hold.count, table.view.hold.index) == ("gap", 1, 10)
    table.post(e.CardEntered("6h"))
    assert table.view.rows[0].cards == ("5h", "6h")
    assert table.view.hold is None


def test_a_false_alarm_is_taken_back() -> None:
    table = dealing(TQ).post(e.CardUnread("unclear"), e.Undone())
    assert (table.state.hold, table.state.index) == (None, 1)


def test_play_goes_on_by_hand_when_the_camera_dies_and_no_coup_opens_without_it() -> None:
    table = dealing(TQ).post(e.DeviceChanged("camera", "lost", "unplugged"))
    assert table.view.devices[0].detail == "unplugged"
    assert "by hand" in table.view.prompt.text
    for card in ["Kh", "Qs", "Td", "As", "Kd", "9c", "Jd", "2c"]:
        table.post(e.CardEntered(card))
    assert table.one(o.TqCoup).manual
    assert table.view.manual
    assert table.would(e.RoundOpened()) == "the camera is lost"
    assert "round-opened" not in table.view.prompt.requests
    assert table.post(e.DeviceChanged("camera", "ok")).would(e.RoundOpened()) is None


# ---- what arrives meanwhile ------------------------------------------------------------------------------


def test_cards_that_leave_during_a_hold_wait_and_are_played_in_their_order() -> None:
    table = dealing(TQ).post(e.CardUnread("unclear")).draw("5h 6h")
    assert [line.card for line in table.lines(o.Waiting)] == ["5h", "6h"]
    assert table.view.hold is not None
    assert "5h 6h" in table.view.hold.text
    assert len(table.view.rows[0].cards) == 1
    table.post(e.CardEntered("4h"))
    assert table.view.rows[0].cards == ("Ah", "4h", "5h", "6h")
    assert table.state.queue == ()


def test_a_waiting_card_after_a_void_is_an_overdraw_not_a_new_coup() -> None:
    table = dealing(TQ).draw("joker 5h").post(e.FaultResolved("void"))
    assert (table.one(o.Fault).code, table.one(o.Fault).card) == ("overdraw", "5h")


def test_an_unread_card_and_a_gap_wait_too() -> None:
    table = dealing(TQ).draw("joker").post(e.CardUnread("unclear"), e.CardsMissed(2), e.ShoeEmptied())
    table.post(e.FaultResolved("put-back"))
    assert table.one(o.Unread).index == 2
    assert table.view.hold is not None
    assert "2 left the shoe meanwhile, played in turn afterwards: ? ?." in table.view.hold.text
    table.post(e.CardEntered("5h"))
    assert table.one(o.Gap) == o.Gap(3, 2)
    table.post(e.CardEntered("6h"), e.CardEntered("7h"))
    assert table.one(o.Ended) == o.Ended(5, 0, 1, "empty")


# ---- restarts and the exit beam --------------------------------------------------------------------------


def test_a_restarted_daemon_waits_for_the_dealer() -> None:
    table = dealing(TQ).post(e.DaemonStarted())
    assert table.view.hold is not None
    assert table.view.hold.code == "restored"
    assert table.view.prompt.requests == ("confirmed",)
    table.draw("5h")
    assert table.view.rows[0].cards == ("Ah",)
    assert table.post(e.Undone()).why == "confirm what was restored first"
    assert table.post(e.CardCorrected(0, "Kh")).why == "confirm what was restored first"
    table.post(e.DaemonStarted(), e.Confirmed())
    assert table.view.rows[0].cards == ("Ah", "5h")
    assert table.post(e.Confirmed()).why == "there is nothing to confirm"


def test_a_hold_survives_a_restart() -> None:
    table = dealing(TQ).draw("joker").post(e.DaemonStarted(), e.Confirmed())
    assert table.view.hold is not None
    assert table.view.hold.code == "foreign"


def test_a_card_that_left_while_nobody_looked_is_a_gap() -> None:
    table = dealing(TQ).post(e.ExitCounted(7, 100)).draw("5h")
    assert table.post(e.ExitCounted(7, 101)).state.hold is None
    table.post(e.DaemonStarted(), e.ExitCounted(7, 103), e.Confirmed())
    assert table.one(o.Gap) == o.Gap(2, 2)
    table.post(e.CardEntered("6h"), e.CardEntered("7h"))
    assert table.post(e.ExitCounted(7, 103)).state.hold is None


def test_a_new_boot_of_the_counter_sets_a_new_baseline() -> None:
    table = dealing(TQ).post(e.ExitCounted(7, 100), e.ExitCounted(8, 40))
    assert table.state.hold is None
    assert table.draw("5h").post(e.ExitCounted(8, 42)).one(o.Gap).count == 1


def test_the_counter_goes_on_over_a_new_shoe() -> None:
    table = dealing(TQ).post(e.ExitCounted(1, 1), e.ShoeEmptied(), e.ShoeLoaded(), e.RoundOpened()).draw("5h 6h")
    assert table.post(e.ExitCounted(1, 3)).state.hold is None
    assert table.post(e.ExitCounted(1, 4)).one(o.Gap) == o.Gap(2, 1)


def test_the_card_in_the_window_of_the_box_has_not_left() -> None:
    table = Played(ZE).open().show("As").post(e.ExitCounted(1, 0)).show("2h Kd")
    assert table.post(e.ExitCounted(1, 2)).state.hold is None
    assert table.post(e.ExitCounted(1, 3)).one(o.Gap).count == 1


# ---- requests out of place -------------------------------------------------------------------------------


def test_nothing_else_goes_on_during_a_hold() -> None:
    table = result(TQ).draw("joker")
    for request in (
        e.ShoeLoaded(), e.RoundOpened(), e.ShoeEnded(), e.TableClosed(), e.CardEntered("5h"), e.DoubleDecided(True),
        e.BetPlaced({"coup": 2, "player": "a", "on": "noir", "stake": "5"}), e.BankPassed(), e.BankerSought(),
    ):  # fmt: skip
        state = table.state
        assert table.post(request).why is not None
        assert table.state is state


@pytest.mark.parametrize(("game", "phase"), EVERYWHERE)
def test_what_the_prompt_offers_would_be_taken(game: str, phase: Callable[[str], Played]) -> None:
    table = phase(game)
    plain = {"shoe-loaded": e.ShoeLoaded(), "round-opened": e.RoundOpened(), "shoe-ended": e.ShoeEnded(),
             "table-closed": e.TableClosed(), "undone": e.Undone(), "banker-sought": e.BankerSought(),
             "bank-passed": e.BankPassed(), "double-decided": e.DoubleDecided(True)}  # fmt: skip
    for tag, request in plain.items():
        if tag in table.view.prompt.requests:
            assert table.would(request) is None, tag


def test_a_table_closes_and_opens_again_with_other_rules() -> None:
    table = result(TQ).post(e.TableClosed())
    assert table.view.phase == "closed"
    assert table.post(e.ShoeLoaded()).why is not None
    assert table.post(e.Undone()).why == "nothing of this round can be taken back"
    table.draw("5h").post(e.FaultResolved("put-back"))
    assert table.post(e.Undone()).view.hold is not None
    table.post(e.FaultResolved("put-back"))
    table.post(e.TableOpened(RB, table.state.table.rules, 3))
    assert table.view.phase == "no shoe"
    assert table.open().view.game == RB
    assert len(table.view.rows) == 3


def test_new_house_rules_wait_for_the_next_round() -> None:
    rules = Played(TQ, burn=4).state.table.rules
    table = dealing(TQ).post(e.TableOpened(TQ, rules))
    assert table.state.table.rules.burn == 0
    table.draw("Kh Qs Td As Kd 9c Jd 2c").post(e.RoundOpened())
    assert table.state.table.rules.burn == 4


def test_co_7_portions_neither_end_the_shoe_nor_reset_it() -> None:
    table = dealing(TQ).post(e.LidChanged(True), e.PortionLoaded(), e.LidChanged(False)).draw("5h")
    assert (table.view.rows[0].cards, table.view.shoe.index, table.view.shoe.lid_open) == (("Ah", "5h"), 2, False)
    assert Played(TQ).post(e.PortionLoaded()).why == "no shoe is in place"


def test_the_remainder_of_an_ended_shoe_is_read_and_counted() -> None:
    table = ended(TQ).draw("5h")
    assert table.one(o.Remainder) == o.Remainder(9, "5h")
    assert table.state.ledger.discarded == 1
    assert table.state.seen[table.state.seen.index(1)] == 1
