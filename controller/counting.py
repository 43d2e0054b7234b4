"""Counting a pack: fed through before play, and the remainder of a shoe after it, against what the decks must hold.

Nothing is played here. Before play a card too many is no fault but the very thing that is looked for; after a shoe it
is one (CO-1), and whatever becomes of it the count names it. A receipt says what is missing and what is too much, and a
count that is not right raises an alarm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from controller.alarms import latched, watched
from controller.cards import CUT, DECK, POSITION
from controller.events import CardDrawn, CardEntered, CardExposed, CountAbandoned, CountClosed, CountOpened
from controller.games import GAMES
from controller.outcomes import CardCounted, Receipt, Remainder
from controller.phases import Phase, allows, move
from controller.rounds import fresh_shoe
from controller.state import State, Step, account, bare, rebased
from controller.view import Count

CardEvent = CardDrawn | CardEntered | CardExposed
FEEDS: tuple[Phase, ...] = ("checking", "ended", "reconciling")
RECEIPTS_KEPT = 20
NAMED = 8  # cards that an alarm's text names; the receipt names all
ON_HOLD = "the table is on hold"


# ---- cards -----------------------------------------------------------------------------------------------


def count(state: State, event: CardEvent) -> Step:
    """One symbol of a pack before play; the cut card is no part of it."""
    symbol, seen, extra = event.symbol, state.seen, state.shoe.extra
    position = POSITION.get(symbol)
    foreign = position is None or symbol not in GAMES[state.table.game].CARDS or seen[position] >= state.table.decks
    if foreign and symbol != CUT:
        extra = (*extra, symbol)
    elif position is not None:
        seen = (*seen[:position], seen[position] + 1, *seen[position + 1 :])
    after = replace(
        state,
        phase=move(state.phase, "card counted"),
        index=state.index + 1,
        seen=seen,
        shoe=replace(state.shoe, extra=extra),
        log=(*state.log, event),
        ledger=account(state, cut=1) if symbol == CUT else account(state, discarded=1),
    )
    return after, (CardCounted(state.index, symbol, extra is not state.shoe.extra),)


def remainder(state: State, event: CardEvent, seen: tuple[int, ...]) -> Step:
    """After the end of a shoe its remaining cards may be fed through; they are counted and never played."""
    watching, alarms = watched(state, POSITION[event.symbol])
    after = replace(
        watching,
        phase=move(state.phase, "remainder read"),
        seen=seen,
        index=state.index + 1,
        log=(*state.log, event),
        ledger=account(state, discarded=1),
    )
    return after, (Remainder(state.index, event.symbol), *alarms)


# ---- requests --------------------------------------------------------------------------------------------


def begin(state: State, event: CountOpened) -> Step | str:
    if state.hold is not None:
        return ON_HOLD
    if not allows(state.phase, "count opened"):
        return "a pack is counted between shoes"
    begun = replace(_nothing_counted(state), phase=move(state.phase, "count opened"))
    return replace(begun, base=bare(state), log=(event,), manual=()), ()


def close(state: State, event: CountClosed) -> Step | str:
    """By name: what the decks must hold and was not seen, and what was seen beyond it."""
    if (why := _why_not_closed(state)) is not None:
        return why
    checks = state.phase == "checking"
    shoe = state.shoe.number + checks
    after, said = _issued(state, _receipt(state, "deck-check" if checks else "remainder", shoe, event.by))
    return rebased(replace(_nothing_counted(after) if checks else after, phase=move(state.phase, "count closed"))), said


def _why_not_closed(state: State) -> str | None:
    if state.hold is not None:
        return ON_HOLD
    if not allows(state.phase, "count closed"):
        return "nothing is being counted"
    if state.index == 0:
        return "no card was fed"
    return "the shoe is reconciled already" if is_reconciled(state) else None


def abandon(state: State, event: CountAbandoned) -> Step | str:
    if state.hold is not None:
        return ON_HOLD
    if state.phase != "checking":
        return "no pack is being counted"
    return rebased(replace(_nothing_counted(state), phase=move(state.phase, "count closed"))), ()


def is_reconciled(state: State) -> bool:
    """Whether the newest receipt is that of the shoe which has ended, and nothing was fed since."""
    newest = state.receipts[0] if state.receipts else None
    return (
        state.phase == "ended" and newest is not None and (newest.kind, newest.shoe) == ("remainder", state.shoe.number)
    )


def _nothing_counted(state: State) -> State:
    """Nothing of the pack was seen; the shoe that it will be gets its number when it is loaded."""
    fresh = fresh_shoe(state)
    return replace(fresh, shoe=replace(fresh.shoe, number=state.shoe.number, portions=0))


# ---- what a count found ----------------------------------------------------------------------------------


def full(state: State) -> int:
    """Cards that the decks of this table must hold."""
    return state.table.decks * len(GAMES[state.table.game].CARDS)


def under_way(state: State) -> Count | None:
    """How far a count has come."""
    if state.phase not in ("checking", "reconciling"):
        return None
    cards = (event.symbol for event in reversed(state.log) if isinstance(event, CardEvent))
    kind = "deck-check" if state.phase == "checking" else "remainder"
    return Count(kind, full(state), _counted(state), state.shoe.extra, next(cards, None))


def receipt(state: State) -> Receipt | None:
    """The receipt that stands: of the pack that will be the next shoe, or of the shoe that has ended."""
    newest = state.receipts[0] if state.receipts else None
    if newest is None or (state.phase, newest.kind) not in (("no shoe", "deck-check"), ("ended", "remainder")):
        return None
    return newest if newest.shoe == state.shoe.number + (newest.kind == "deck-check") else None


def _counted(state: State) -> int:
    """Cards that left and stayed out; the cut card is none."""
    return sum(state.seen) + len(state.shoe.extra) + state.shoe.unseen


def _receipt(state: State, kind: Literal["deck-check", "remainder"], shoe: int, by: str) -> Receipt:
    cards, decks = GAMES[state.table.game].CARDS, state.table.decks
    missing = {
        card: decks - seen for card, seen in zip(DECK, state.seen, strict=True) if card in cards and seen < decks
    }
    return Receipt(
        number=state.receipts[0].number + 1 if state.receipts else 1,
        kind=kind,
        shoe=shoe,
        right=not state.shoe.extra and sum(missing.values()) == state.shoe.unseen,
        expected=full(state),
        counted=_counted(state),
        missing=missing,
        extra=dict(Counter(state.shoe.extra)),
        unseen=state.shoe.unseen,
        by=by,
        table=state.table.name,
        machine=state.table.machine,
        game=state.table.game,
        decks=decks,
    )


def _issued(state: State, made: Receipt) -> Step:
    after = replace(state, receipts=(made, *state.receipts[: RECEIPTS_KEPT - 1]))
    if made.right:
        return after, (made,)
    after, alarm = latched(after, made.kind, made.shoe, in_words(made))
    return after, (made, *alarm)


def in_words(made: Receipt) -> str:
    """One line: what a count that is not right found."""
    what = "Deck check" if made.kind == "deck-check" else "End of shoe"
    head = f"{what}: {made.counted} of {made.expected} cards"
    found = [_names(word, cards) for word, cards in (("missing", made.missing), ("extra", made.extra)) if cards]
    unseen = [f"{made.unseen} left unseen"] if made.unseen else []
    return f"{head}; {'; '.join([*found, *unseen])}."


def _names(word: str, cards: Mapping[str, int]) -> str:
    named = [card if number == 1 else f"{card} x{number}" for card, number in cards.items()]
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    return f"{word} {' '.join(named[:NAMED])}{more}"
