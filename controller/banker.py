"""Finding the first banker of a private game (RB-1, ZE-1): a phase of its own, before any round.

Red and black: one card to each place, the highest is banker (ace high), equal ones again. Zecchinetta: cards are dealt
round until the first ace falls. Afterwards all cards are gathered, and a shuffled shoe is loaded.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller.cards import RANKS
from controller.events import BankerSought, CardDrawn, CardEntered, CardExposed
from controller.outcomes import BankerCard, BankerFound, Outcome
from controller.phases import allows, move
from controller.plays import Coup, Hand, Round
from controller.rounds import fresh_shoe
from controller.state import State, Step, bare

_HEIGHT = {rank: height for height, rank in enumerate(RANKS[1:] + RANKS[0])}  # ace high
Tries = tuple[tuple[int, str], ...]


def begin(state: State, event: BankerSought) -> Step | str:
    if state.hold is not None:
        return "the table is on hold"
    if not allows(state.phase, "banker sought"):
        return "the banker is sought between rounds"
    fresh = fresh_shoe(state)
    if isinstance(fresh.play, Coup):
        return "the house is the banker"
    after = replace(fresh, phase=move(state.phase, "banker sought"), play=replace(fresh.play, tries=()))
    return replace(after, base=bare(state), log=(event,), manual=()), ()


def seek(state: State, event: CardDrawn | CardEntered | CardExposed, seen: tuple[int, ...]) -> Step:
    """One card, dealt to the next place that is still in it."""
    play = state.play
    assert isinstance(play, Round | Hand)
    places = state.table.seats + 1
    place = _next_place(play.tries, places, isinstance(play, Round))
    tries = (*play.tries, (place, event.symbol))
    found = _highest(tries, places) if isinstance(play, Round) else _first_ace(tries)
    said: tuple[Outcome, ...] = (BankerCard(state.index, event.symbol, place),)
    after = replace(state, seen=seen, index=state.index + 1, log=(*state.log, event), play=replace(play, tries=tries))
    if found is None:
        return replace(after, phase=move(state.phase, "card dealt round")), said
    cards = len(tries)
    ledger = replace(state.ledger, discarded=state.ledger.discarded + cards)
    after = replace(after, phase=move(state.phase, "banker found"), ledger=ledger)
    return replace(after, play=replace(play, tries=tries, banker=found)), (*said, BankerFound(found))


def _next_place(tries: Tries, places: int, cut: bool) -> int:
    """Round the table; after a tie only those who tied cut again."""
    if not cut:
        return len(tries) % places
    standing = list(range(places))
    dealt = 0
    while len(tries) - dealt >= len(standing):
        dealt, standing = dealt + len(standing), _tied(tries[dealt : dealt + len(standing)])
    return standing[len(tries) - dealt]


def _highest(tries: Tries, places: int) -> int | None:
    """The banker once one place alone has the highest card, else None."""
    standing, dealt = list(range(places)), 0
    while len(tries) - dealt >= len(standing):
        dealt, standing = dealt + len(standing), _tied(tries[dealt : dealt + len(standing)])
        if len(standing) == 1:
            return standing[0]
    return None


def _tied(turn: Tries) -> list[int]:
    best = max(_HEIGHT[card[0]] for _, card in turn)
    return [place for place, card in turn if _HEIGHT[card[0]] == best]


def _first_ace(tries: Tries) -> int | None:
    place, card = tries[-1]
    return place if card[0] == "A" else None
