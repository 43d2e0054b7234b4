"""The shoe: what a symbol that left it means in the phase that the table is in (CO-1, CO-2, TQ-12, TQ-13).

Checks composition and phase, then hands a card to its game; burning, the cut card and the remainder of an ended shoe
are settled here. Holds are made by holds.py.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller import counting, rounds
from controller.alarms import unseen, watched
from controller.banker import seek
from controller.cards import BACK, CUT, POSITION
from controller.events import CardDrawn, CardEntered, CardExposed
from controller.games import GAMES
from controller.holds import fault
from controller.outcomes import Burnt
from controller.state import State, Step, account

CardEvent = CardDrawn | CardEntered | CardExposed


def arrive(state: State, event: CardEvent, manual: bool) -> Step:
    """One symbol left the shoe (or, in zecchinetta's box, came into sight)."""
    symbol = event.symbol
    game = GAMES[state.table.game]
    if state.phase == "checking":
        return counting.count(state, event)
    if symbol not in game.CARDS:
        return _no_card_of_the_deck(state, event, game.CUT_CARD)
    phase = state.phase
    if phase not in _TAKES_CARDS:
        return fault(state, event, "overdraw")
    position = POSITION[symbol]
    seen = state.seen
    count = seen[position]
    if count >= state.table.decks:
        return fault(state, event, "composition")
    seen = (*seen[:position], count + 1, *seen[position + 1 :])
    if phase == "dealing" or phase == "betting":
        watching, alarms = watched(state, position)
        after, outcomes, result = game.take(watching, event, symbol, seen, manual)
        if len(outcomes) > 1:
            after = rounds.with_settled(after, outcomes)
        if result is None:
            return after, outcomes + alarms
        after, ends = rounds.complete(after, result)
        return after, outcomes + alarms + ends
    return _TAKES_CARDS[phase](state, event, seen)


def _burn(state: State, event: CardEvent, seen: tuple[int, ...]) -> Step:
    watching, alarms = watched(state, POSITION[event.symbol])
    after, said = _burnt(watching, event, seen)
    return after, said + alarms


def _burnt(state: State, event: CardEvent, seen: tuple[int, ...]) -> Step:
    after = replace(state, seen=seen, index=state.index + 1, log=(*state.log, event), ledger=account(state, burnt=1))
    return rounds.burnt(after), (Burnt(state.index, event.symbol),)


def _no_card_of_the_deck(state: State, event: CardEvent, cut_belongs: bool) -> Step:
    if event.symbol == BACK and state.phase == "burning":
        return _burnt(unseen(state), event, state.seen)
    if event.symbol == CUT and cut_belongs:
        if state.phase in _TAKES_THE_CUT_CARD:
            return _cut(state, event)
        if state.phase != "banker":
            return fault(state, event, "overdraw")
    return fault(state, event, "foreign")


def _cut(state: State, event: CardEvent) -> Step:
    """TQ-13, RB-6: it ends the shoe after the round in progress; at once where none is (a round begins with its
    first card)."""
    if state.cut_seen:
        return fault(state, event, "composition")
    after = replace(state, cut_seen=True, index=state.index + 1, log=(*state.log, event), ledger=account(state, cut=1))
    if state.phase in ("dealing", "ended", "reconciling"):
        return after, ()
    return rounds.end_shoe(after, "cut")


_TAKES_CARDS = {
    "betting": _burn,
    "dealing": _burn,
    "burning": _burn,
    "banker": seek,
    **dict.fromkeys(("ended", "reconciling"), counting.remainder),
}
_TAKES_THE_CUT_CARD = ("loaded", "burning", "betting", "dealing", "result", "ended", "reconciling")
