"""Counting a pack: fed through before play, and the remainder of a shoe after it, against what the decks must hold.

Nothing is played here. Before play a card too many is no fault but the very thing that is looked for, named at the
end; after a shoe, shoe.py has raised it already.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller.cards import CUT, DECK, POSITION
from controller.events import CardDrawn, CardEntered, CardExposed, CountClosed, CountOpened
from controller.games import GAMES
from controller.outcomes import Counted
from controller.phases import allows, move
from controller.rounds import fresh_shoe
from controller.state import State, Step, account, bare


def begin(state: State, event: CountOpened) -> Step | str:
    if state.hold is not None:
        return "the table is on hold"
    if not allows(state.phase, "count opened"):
        return "a pack is counted between shoes"
    fresh = fresh_shoe(state)
    return replace(fresh, phase=move(state.phase, "count opened"), base=bare(state), log=(event,), manual=()), ()


def count(state: State, event: CardDrawn | CardEntered | CardExposed) -> Step:
    """One symbol of the pack; the cut card is no part of it."""
    position, seen, extra = POSITION.get(event.symbol), state.seen, state.shoe.extra
    ledger = account(state, cut=1) if event.symbol == CUT else account(state, discarded=1)
    if position is None or event.symbol not in GAMES[state.table.game].CARDS or seen[position] >= state.table.decks:
        extra = extra if event.symbol == CUT else (*extra, event.symbol)
    else:
        seen = (*seen[:position], seen[position] + 1, *seen[position + 1 :])
    after = replace(
        state,
        phase=move(state.phase, "card counted"),
        index=state.index + 1,
        seen=seen,
        shoe=replace(state.shoe, extra=extra),
        log=(*state.log, event),
        ledger=ledger,
    )
    return after, ()


def close(state: State, event: CountClosed) -> Step | str:
    """By name: what the decks must hold and was not seen, and what was seen beyond it."""
    if state.hold is not None:
        return "the table is on hold"
    if state.phase not in ("checking", "ended"):
        return "nothing is being counted"
    cards = GAMES[state.table.game].CARDS
    missing = tuple(
        card
        for card, seen in zip(DECK, state.seen, strict=True)
        for _ in range(state.table.decks - seen if card in cards else 0)
    )
    extra = state.shoe.extra
    unknown = state.index - sum(state.seen) - len(extra) - state.ledger.cut
    said = (Counted(state.index, missing, extra, unknown),)
    if state.phase == "ended":
        return replace(state, log=(*state.log, event)), said
    return replace(state, phase=move(state.phase, "count closed"), log=(*state.log, event)), said
