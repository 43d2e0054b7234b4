"""Alarms: what somebody must look into, latched until a named person has. They hold nothing and change no round.

Suspicious order is found by order.py and wrong counts by counting.py; here they become alarms of the table.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller import order
from controller.events import AlarmAcknowledged
from controller.games import GAMES
from controller.outcomes import AlarmClosed, AlarmRaised, Outcome
from controller.state import State, Step
from controller.view import Alarm

KEPT = 100  # alarms that nobody acknowledges; more of the same kind are counted in the newest of it
ROLES = ("", "dealer", "supervisor", "operator")  # no names of people


def watched(state: State, position: int) -> Step:
    """The card at `position` of DECK left the shoe: its order goes on, and may be suspicious."""
    table = state.table
    limits = order.limits(len(GAMES[table.game].CARDS) // order.SUITS, table.decks)
    after, kinds = order.watch(state.order, position, limits)
    state = replace(state, order=after)
    outcomes: tuple[Outcome, ...] = ()
    for kind in kinds:
        cards = order.run_of(after, kind, limits)
        state, said = latched(state, kind, state.shoe.number, _TEXTS[kind].format(cards=len(cards) or "many"), cards)
        outcomes += said
    return state, outcomes


def unseen(state: State, cards: int = 1) -> State:
    """Cards left the shoe with nobody knowing their faces: no run goes on over them."""
    shoe = replace(state.shoe, unseen=state.shoe.unseen + cards)
    return replace(state, shoe=shoe, order=order.broken(state.order))


def latched(state: State, kind: str, shoe: int, text: str, cards: tuple[str, ...] = ()) -> Step:
    """The state with one alarm more."""
    alarm = Alarm(state.alarms_raised + 1, kind, shoe, state.index, text, cards)
    said = AlarmRaised(alarm.number, kind, shoe, state.index, text, cards)
    return replace(state, alarms=_with(state.alarms, alarm), alarms_raised=alarm.number), (said,)


def _with(alarms: tuple[Alarm, ...], alarm: Alarm) -> tuple[Alarm, ...]:
    same = [place for place, each in enumerate(alarms) if each.kind == alarm.kind]
    if len(alarms) < KEPT or not same:
        return (*alarms, alarm)
    place = same[-1]
    newest = replace(alarms[place], times=alarms[place].times + 1)
    return (*alarms[:place], newest, *alarms[place + 1 :])


def acknowledge(state: State, event: AlarmAcknowledged) -> Step | str:
    alarm = next((each for each in state.alarms if each.number == event.alarm), None)
    if alarm is None:
        return f"there is no alarm {event.alarm} to acknowledge"
    name = event.by.strip()
    if name.lower() in ROLES:
        return "an alarm is acknowledged by a person with a name"
    left = tuple(each for each in state.alarms if each is not alarm)
    return replace(state, alarms=left), (AlarmClosed(alarm.number, alarm.kind, name),)


def carried(now: State, state: State) -> State:
    """`now` is the round computed again: what was raised stays, whatever became of its cards; what is new comes too."""
    raised = state.order.raised
    base = state.base.alarms_raised if state.base is not None else 0
    new = [alarm for alarm in now.alarms if alarm.number > base and alarm.kind not in raised]
    kinds = (*raised, *(kind for kind in now.order.raised if kind not in raised))
    now = replace(
        now, alarms=state.alarms, alarms_raised=state.alarms_raised, order=replace(now.order, raised=kinds)
    )  # fmt: skip
    for alarm in new:
        now, _ = latched(now, alarm.kind, alarm.shoe, alarm.text, alarm.cards)
    return now


_TEXTS = {
    "same-rank": "{cards} cards of one rank in a row.",
    "same-suit": "{cards} cards of one suit in a row.",
    "rank-sequence": "{cards} cards in a row, each one rank from the last.",
    "repeated-sequence": "{cards} cards in a row came in the same order in an earlier shoe.",
}
