"""Undo, correction and a late choice: the round is computed again from its base, never patched.

`State.base` is the state before the round began, `State.log` the events since; a changed log is played through the same
rules. What the journal says stays as it was: the request is one more record in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from controller import box
from controller.alarms import carried
from controller.cards import parse
from controller.events import (
    AnyEvent,
    BankerSought,
    CardCorrected,
    CardDrawn,
    CardEntered,
    CardExposed,
    CardsMissed,
    CardUnread,
    CountOpened,
    FaultResolved,
    RefaitChosen,
    ShoeLoaded,
    Undone,
)
from controller.games import GAMES
from controller.outcomes import Bank, Corrected, Outcome, Refused, Returned, Settlement
from controller.outcomes import Undone as TakenBack
from controller.state import UNREAD, Held, State, Step
from controller.view import CardSeen

Apply = Callable[[State, AnyEvent], Step]
Card = CardDrawn | CardEntered | CardExposed


NOWHERE = -1


class Logged(NamedTuple):
    """An event of the round, with what it met when it happened."""

    event: AnyEvent
    hold: Held | None
    at: int  # its card's index, NOWHERE where it counted none


class Misfit(Exception):
    """A logged resolution or hand entry no longer meets the hold that it answered."""


def undo(state: State, event: Undone, apply: Apply) -> Step | str:
    """The last card, or the last resolution where nothing was played since."""
    if (why := _why_not(state)) is not None:
        return why
    log = _logged(state, apply)
    place = _last(log, Card | CardUnread | CardsMissed | FaultResolved)
    if place is None:
        return "nothing of this round can be taken back"
    opening = log[0].event
    if isinstance(opening, FaultResolved) and place == _last_of_next(state, log):
        assert state.base is not None
        return _carried(state.base, state), (TakenBack(opening.resolution),)
    try:
        after, outcomes = _recompute(state, log[:place] + log[place + 1 :], place, apply)
    except Misfit as misfit:
        return str(misfit)
    return after, (TakenBack(_named(log[place].event, after)), *outcomes)


def _last_of_next(state: State, log: Sequence[Logged]) -> int:
    """The place of the last that `next` itself brought: its card, and what was still missing of a gap beneath it."""
    beneath = state.base.hold.beneath if state.base is not None and state.base.hold is not None else None
    missing = len(log) > 2 and isinstance(event := log[2].event, CardsMissed) and beneath is not None
    return 2 if missing and event.count == beneath.count else 1  # type: ignore[union-attr]


def correct(state: State, event: CardCorrected, apply: Apply) -> Step | str:
    """The card on the cloth decides; the round goes on from what it really was."""
    symbol = parse(event.symbol)
    if symbol is None:
        return f'"{event.symbol}" is not a card'
    if (why := _why_not(state)) is not None:
        return why
    log = _logged(state, apply)
    place = next((i for i, each in enumerate(log) if isinstance(each.event, Card) and each.at == event.index), None)
    if place is None or event.index < 0:
        return f"card {event.index} is not one of this round"
    old = log[place]
    changed = [*log[:place], old._replace(event=_corrected(old.event, symbol)), *log[place + 1 :]]
    try:
        after, outcomes = _recompute(state, changed, place, apply)
    except Misfit as misfit:
        return str(misfit)
    if after.hold is not None and after.hold.counted and after.hold.index == event.index:
        return f"{symbol} cannot have been card {event.index}"
    return after, (Corrected(event.index, _named(old.event, after), symbol), *outcomes)


def choose(state: State, event: RefaitChosen, apply: Apply) -> Step | str:
    """TQ-10: a choice made after the coup counts as if it had been made before its last card."""
    if not state.results or state.results[0].outcome != "refait-31" or state.hold is not None:
        return "there is no refait-31 to choose at"
    log = _logged(state, apply)
    place = _last(log, Card)
    if state.phase != "result" or place is None:
        return "there is no refait-31 to choose at"
    changed = [*log[:place], Logged(event, None, NOWHERE), *log[place:]]
    after, outcomes = _recompute(state, changed, place, apply)
    refused = [line.why for line in outcomes if isinstance(line, Returned)]
    return refused[0] if refused else (after, tuple(line for line in outcomes if isinstance(line, Settlement | Bank)))


def seen(state: State, apply: Apply) -> tuple[CardSeen, ...]:
    """The symbols that were counted since this round began, by their numbers."""
    cards = [(each.at, each.event) for each in _logged(state, apply) if each.at != NOWHERE]
    return tuple(CardSeen(at, event.symbol) for at, event in cards if isinstance(event, Card))


def without_last_face(state: State, apply: Apply) -> tuple[State, CardExposed, tuple[Outcome, ...]] | None:
    """The round as it was before the face now in the box's window, and that face; None where it cannot be had."""
    log = _logged(state, apply)
    place = _last(log, Card)
    face = log[place].event if place is not None else None
    if place is None or not isinstance(face, CardExposed):
        return None
    try:
        after, outcomes = _recompute(state, log[:place] + log[place + 1 :], place, apply)
    except Misfit:
        return None
    return after, face, (TakenBack(face.symbol), *outcomes)


def _why_not(state: State) -> str | None:
    if state.hold is not None and state.hold.code == "restored":
        return "confirm what was restored first"
    return None


def _logged(state: State, apply: Apply) -> list[Logged]:
    """The round's events with the hold and the index that each met."""
    log: list[Logged] = []
    now = state.base
    for event in state.log if now is not None else ():
        assert now is not None
        met = Logged(event, now.hold, now.index)
        after, _ = _again(now, met, apply)
        log.append(met if after.index > now.index else met._replace(at=NOWHERE))
        now = after
    return log


def _last(log: Sequence[Logged], kinds: object) -> int | None:
    places = [place for place, each in enumerate(log) if isinstance(each.event, kinds)]  # type: ignore[arg-type]
    return places[-1] if places else None


def _named(event: AnyEvent, after: State) -> str:
    if isinstance(event, Card):
        return event.symbol if event.symbol != UNREAD else str(getattr(after.play, "sight", UNREAD))
    return event.resolution if isinstance(event, FaultResolved) else "unread"


def _corrected(event: AnyEvent, symbol: str) -> AnyEvent:
    if isinstance(event, CardEntered):
        return CardEntered(symbol, event.by)
    return CardExposed(symbol, "hand") if isinstance(event, CardExposed) else CardDrawn(symbol, "hand")


def _recompute(state: State, log: Sequence[Logged], changed: int, apply: Apply) -> Step:
    """The state after `log`, and the outcomes of its events from number `changed` on. Raises Misfit."""
    assert state.base is not None
    now = state.base
    outcomes: list[Outcome] = []
    for place, each in enumerate(log):
        now, lines = _again(now, each, apply)
        outcomes += [_returned(line) for line in lines] if place >= changed else ()
    return _carried(now, state), tuple(outcomes)


def _returned(line: Outcome) -> Outcome:
    """What no longer fits is no refusal of the request that is made now."""
    return Returned(line.why, line.bet, line.request) if isinstance(line, Refused) else line


def _again(now: State, logged: Logged, apply: Apply) -> Step:
    """One logged event, met once more."""
    event = logged.event
    if isinstance(event, FaultResolved) or (isinstance(event, CardEntered) and logged.hold is not None):
        if not _same(now.hold, logged.hold):
            raise Misfit("it would undo what was resolved or entered since: take that back first")
    elif isinstance(event, CardEntered):
        # Played by hand: the card lies on the cloth, whatever the round has become.
        boxed = GAMES[now.table.game].OPENS_ON_LOADING
        event = CardExposed(event.symbol, "hand") if boxed else CardDrawn(event.symbol, "hand")
    if box.is_box(now) and isinstance(event, CardExposed | CardUnread | CardDrawn):
        return box.again(now, event)
    after, lines = apply(now, event)
    if isinstance(event, FaultResolved | ShoeLoaded | BankerSought | CountOpened):  # what they play is logged by itself
        after = replace(after, queue=now.queue)
    return after, lines


def _same(hold: Held | None, other: Held | None) -> bool:
    if hold is None or other is None:
        return hold is other
    return (hold.code, hold.index, hold.count) == (other.code, other.index, other.count)


def _carried(now: State, state: State) -> State:
    """What no round's log holds: devices, counters, the lid, alarms, waiting facts and rules to come."""
    now = replace(
        carried(now, state),
        devices=state.devices,
        exits=state.exits,
        sight=state.sight,
        shoe=replace(now.shoe, lid_open=state.shoe.lid_open, empty=state.shoe.empty, portions=state.shoe.portions),
        queue=(*now.queue, *state.queue),
        next_table=state.next_table,
    )
    return now if now.base is not None else replace(now, base=state.base)
