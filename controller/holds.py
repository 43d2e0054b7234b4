"""Holds: why the table stands still, and what an operator can do about it (CO-3).

A hold changes nothing of the round: the state before the fault is the state itself. Facts that arrive meanwhile wait
in `State.queue`; table.py plays them in their order when the hold is released.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller.alarms import unseen
from controller.cards import BACK, POSITION
from controller.events import AnyEvent, CardDrawn, CardEntered, CardExposed, CardsMissed, FaultResolved
from controller.outcomes import Fault, Gap, Resolved, Unread
from controller.rounds import begun, burnt, open_round, void_round, why_not_opened
from controller.state import Held, State, Step, account, bare

PUT_BACK, BURN, VOID, NEXT = "put-back", "burn", "void", "next"
RESOLUTIONS = (PUT_BACK, BURN, VOID)


def fault(state: State, event: CardDrawn | CardEntered | CardExposed, code: str) -> Step:
    """The symbol left the shoe and is not played: the table is on hold until an operator decides."""
    resolutions: tuple[str, ...] = RESOLUTIONS
    if code == "overdraw" and why_not_opened(state) is None:
        resolutions = (*RESOLUTIONS, NEXT)
    source = "hand" if isinstance(event, CardEntered) else event.source
    held = Held(code, resolutions, event.symbol, state.index, counted=True, source=source)
    after = replace(state, index=state.index + 1, hold=held, log=(*state.log, event))
    return after, (Fault(code, event.symbol, state.index, resolutions),)


def unread(state: State, event: AnyEvent, why: str) -> Step:
    """A card left the shoe and was not read: it is to be entered by hand."""
    held = Held("unread", RESOLUTIONS, index=state.index, why=why, enter=True, count=cards_of(why))
    return replace(state, hold=held, log=(*state.log, event)), (Unread(state.index, why),)


def cards_of(why: str) -> int:
    """How many cards an abstention stands for: two that came in one pull are entered in their order."""
    return 2 if why == "two cards" else 1


def gap(state: State, event: AnyEvent, count: int) -> Step:
    """`count` cards left the shoe unseen: they are to be entered by hand, in their order."""
    held = Held("gap", RESOLUTIONS, index=state.index, enter=True, count=count)
    return replace(state, hold=held, log=(*state.log, event)), (Gap(state.index, count),)


def restored(state: State) -> State:
    """A daemon took up the journal: nothing goes on before the dealer confirms."""
    if state.hold is not None and state.hold.code == "restored":
        return state
    return replace(state, hold=Held("restored", index=state.index, beneath=state.hold))


def release(state: State) -> State:
    """One card of the hold is dealt with; a gap of several goes on, and so does what was held before."""
    held = state.hold
    assert held is not None
    if held.count > 1:
        return replace(state, hold=replace(held, count=held.count - 1, index=state.index))
    return replace(state, hold=_again(held.beneath, state.index))


def _again(held: Held | None, index: int) -> Held | None:
    """A hold that comes up again waits for the card that is next now."""
    return held if held is None or held.counted else replace(held, index=index)


def resolve(state: State, event: FaultResolved) -> Step | str:
    """CO-3; the reason where the hold does not offer that resolution."""
    held = state.hold
    if held is None:
        return "the table is not on hold"
    if event.resolution not in held.resolutions:
        return f"this hold offers {', '.join(held.resolutions) or 'no resolution'}"
    said = Resolved(held.code, event.resolution, held.index or 0)
    if event.resolution == NEXT:
        return _next(state, held, event), (said,)
    after = _put_away(replace(state, log=(*state.log, event)), held, event.resolution)
    if event.resolution != VOID or not begun(after):
        return after, (said,)
    after, outcomes = void_round(after)
    return after, (said, *outcomes)


def _next(state: State, held: Held, event: FaultResolved) -> State:
    """TQ-12: the overdrawn card opens the next round and is its first; it waits first in the queue."""
    opened = open_round(replace(state, hold=None, index=state.index - 1), event)
    queue: tuple[AnyEvent, ...] = (CardDrawn(held.card or "", held.source),)
    if held.beneath is not None and held.beneath.count:
        queue = (*queue, CardsMissed(held.beneath.count))
    before = replace(state, base=None if state.base is None else bare(state.base), queue=())  # to undo it to the hold
    return replace(opened, base=before, queue=(*queue, *state.queue))


def _put_away(state: State, held: Held, resolution: str) -> State:
    """The card of the hold is accounted for (CO-2) and never played."""
    name = {PUT_BACK: "refused", BURN: "burnt", VOID: "void"}[resolution]
    cards = 1 if resolution != VOID or held.counted else held.count
    after = replace(state, ledger=account(state, **{name: cards}))
    if resolution != PUT_BACK or state.phase in ("ended", "reconciling"):  # nothing goes back into a shoe that is over
        after = _stays_out(after, held, cards)
    if not held.counted:
        after = replace(after, index=state.index + cards)
    elif held.code == "overdraw" and resolution != PUT_BACK:
        after = replace(after, seen=_counted(state, held.card or ""))
    if resolution == VOID:
        return replace(after, hold=_again(held.beneath, after.index))
    after = release(after)
    return burnt(after) if resolution == BURN and state.phase == "burning" else after


def _stays_out(state: State, held: Held, cards: int) -> State:
    """A count of the shoe will name a symbol that does not belong to it, and know how many were never seen."""
    if not held.counted or held.card == BACK:
        return unseen(state, cards)
    if held.code == "overdraw" or held.card is None:
        return state
    return replace(state, shoe=replace(state.shoe, extra=(*state.shoe.extra, held.card)))


def _counted(state: State, card: str) -> tuple[int, ...]:
    """An overdrawn card that stays out is one of the shoe's cards (CO-1)."""
    position = POSITION.get(card)
    if position is None or state.seen[position] >= state.table.decks:
        return state.seen
    return (*state.seen[:position], state.seen[position] + 1, *state.seen[position + 1 :])
