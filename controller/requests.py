"""Requests: what a person asks of the table, each done or refused with its reason (a text instead of a step).

Facts are table.py's; undo, correction and the late choice are in corrections.py.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller import box, holds, rounds, shoe
from controller.cards import parse
from controller.counting import FEEDS
from controller.events import (
    BankPassed,
    BetPlaced,
    CardEntered,
    Confirmed,
    DoubleDecided,
    Event,
    FaultResolved,
    PortionLoaded,
    RoundOpened,
    ShoeEnded,
    ShoeLoaded,
    TableClosed,
)
from controller.games import GAMES, red_and_black
from controller.outcomes import Outcome, Refused
from controller.phases import allows, move
from controller.plays import Hand, Round
from controller.state import State, Step, in_round, rebased

Answer = Step | str
ON_HOLD = "the table is on hold"


def load(state: State, event: ShoeLoaded) -> Answer:
    if state.hold is not None:
        return ON_HOLD
    opens = GAMES[state.table.game].OPENS_ON_LOADING
    if not allows(state.phase, "hand opened" if opens else "shoe loaded"):
        return f"no shoe can be loaded: the table is {rounds.shown(state)}"
    return rounds.load_shoe(state, event)


def portion(state: State, event: PortionLoaded) -> Answer:
    """CO-7: the same shoe goes on; nothing that was counted changes."""
    if state.phase in ("closed", "no shoe", *FEEDS):
        return "no shoe is in place"
    return replace(state, shoe=replace(state.shoe, portions=state.shoe.portions + 1)), ()


def open_round(state: State, event: RoundOpened) -> Answer:
    if state.hold is not None:
        return ON_HOLD
    why = rounds.why_not_opened(state)
    if why is None and (reader := rounds.reader_lost(state)):
        why = f"the {reader} is lost"  # a round that began may be played by hand; none begins so
    return why or (rounds.open_round(state, event), ())


def end_shoe(state: State, event: ShoeEnded) -> Answer:
    if state.hold is not None:
        return ON_HOLD
    if not allows(state.phase, "shoe ended") or rounds.begun(state):
        return f"the shoe cannot be ended: the table is {rounds.shown(state)}"
    return rounds.end_shoe(replace(state, log=(*state.log, event)), "dealer")


def close(state: State, event: TableClosed) -> Answer:
    if state.hold is not None:
        return ON_HOLD
    if not allows(state.phase, "table closed"):
        return f"the table cannot be closed: it is {rounds.shown(state)}"
    return rebased(replace(state, phase=move(state.phase, "table closed"))), ()


def confirm(state: State, event: Confirmed) -> Answer:
    if state.hold is None or state.hold.code != "restored":
        return "there is nothing to confirm"
    return replace(state, hold=state.hold.beneath), ()


def enter(state: State, event: CardEntered) -> Answer:
    """An unread or missing card, or play by hand while no camera reads."""
    symbol = parse(event.symbol)
    if symbol is None:
        return f'"{event.symbol}" is not a card'
    event = CardEntered(symbol, event.by)
    if state.hold is None:
        if state.phase not in ("betting", "dealing", "burning", "banker", *FEEDS):
            return f"no card is due: the table is {rounds.shown(state)}"
        return shoe.arrive(box.entered(state, event), event, True)
    if not state.hold.enter:
        return ON_HOLD
    return _enter_missing(state, event)


def _enter_missing(state: State, event: CardEntered) -> Step:
    """The card is played as if it had been read; what is still missing of a gap stays to be entered after it."""
    rest = holds.release(state).hold
    if box.known_already(state, event):
        return replace(box.entered(state, event), hold=rest, log=(*state.log, event)), ()
    state = box.entered(state, event)
    after, lines = shoe.arrive(replace(state, hold=None), event, True)
    if rest is None:
        return after, lines
    if after.hold is None:
        return replace(after, hold=replace(rest, index=after.index)), lines
    return replace(after, hold=replace(after.hold, beneath=rest)), lines


def resolve(state: State, event: FaultResolved) -> Answer:
    return holds.resolve(state, event)


def bet(state: State, event: BetPlaced) -> Answer:
    """CO-5, CO-6: taken, or refused whole."""
    if state.hold is not None:
        return ON_HOLD
    if not in_round(state):
        return "bets are not open"
    play = GAMES[state.table.game].place_bet(state, event.bet)
    if isinstance(play, str):
        return play
    return replace(state, play=play, log=(*state.log, event)), ()


def refusal(event: Event, why: str) -> tuple[Outcome, ...]:
    if isinstance(event, BetPlaced):
        return (Refused(why, bet=event.bet),)
    return (Refused(why, request=str(type(event).__struct_config__.tag)),)


def double(state: State, event: DoubleDecided) -> Answer:
    if state.hold is not None:
        return ON_HOLD
    if not isinstance(state.play, Round):
        return "nothing is doubled in this game"
    after = red_and_black.decide(state, event)
    return after if isinstance(after, str) else (after, ())


def pass_bank(state: State, event: BankPassed) -> Answer:
    """ZE-12: while no bet is unsettled. A hand that is not over is given up: it is void."""
    hand = state.play
    if state.hold is not None:
        return ON_HOLD
    if not isinstance(hand, Hand):
        return "the bank is not passed in this game"
    if hand.bets:
        return "bets are not settled"
    if hand.over:
        return "the bank passes already"
    passed = replace(state, play=replace(hand, over=True), log=(*state.log, event))
    return rounds.void_round(passed) if in_round(state) else (passed, ())
