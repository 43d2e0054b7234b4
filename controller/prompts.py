"""What the dealer is asked for now, and which requests would be accepted (the first is the one that goes on)."""

from __future__ import annotations

from collections.abc import Callable

from controller.box import is_box
from controller.counting import full, is_reconciled
from controller.events import CardDrawn, CardEntered, CardExposed, CardsMissed, CardUnread, DoubleDecided, FaultResolved
from controller.games.red_and_black import decide
from controller.phases import Phase
from controller.plays import Coup, Hand, Round
from controller.rounds import begun, reader_lost, why_not_opened
from controller.state import Held, State
from controller.view import Prompt

_CARD = CardDrawn | CardEntered | CardExposed
_PHASES: dict[Phase, tuple[str, tuple[str, ...]]] = {
    "closed": ("The table is closed.", ("undone",)),
    "no shoe": ("Load a shuffled shoe.", ("shoe-loaded", "count-opened", "banker-sought", "table-closed")),
    "checking": (
        "Feed the whole pack through, then close the count.",
        ("count-closed", "card-entered", "undone", "card-corrected", "count-abandoned"),
    ),
    "loaded": (
        "Open the round.",
        (
            "round-opened",
            "portion-loaded",
            "shoe-loaded",
            "banker-sought",
            "shoe-ended",
            "shoe-exhausted",
            "table-closed",
        ),
    ),
    "banker": ("Deal round to find the first banker.", ("card-entered", "undone")),
    "burning": (
        "Burn the first cards.",
        ("portion-loaded", "card-entered", "shoe-ended", "shoe-exhausted", "undone", "card-corrected"),
    ),
    "betting": (
        "Bets are open; the next card closes them.",
        (
            "bet-placed",
            "portion-loaded",
            "card-entered",
            "undone",
            "card-corrected",
            "bank-passed",
            "shoe-ended",
            "shoe-exhausted",
        ),
    ),
    "dealing": (
        "Deal the next card.",
        ("double-decided", "portion-loaded", "card-entered", "undone", "card-corrected", "shoe-exhausted"),
    ),
    "result": (
        "Settle, then open the next round.",
        (
            "round-opened",
            "portion-loaded",
            "refait-chosen",
            "shoe-loaded",
            "banker-sought",
            "undone",
            "card-corrected",
            "bank-passed",
            "count-opened",
            "shoe-ended",
            "table-closed",
        ),
    ),
    "ended": (
        "The shoe is over: feed out what is left in it, or load a shuffled one.",
        ("shoe-loaded", "count-closed", "count-opened", "card-entered", "undone", "table-closed"),
    ),
    "reconciling": (
        "Feed out all that is left in the shoe, then close the count.",
        ("count-closed", "card-entered", "undone", "card-corrected"),
    ),
}


def prompt(state: State) -> Prompt:
    if state.hold is not None:
        return _at_hold(state, state.hold)
    text, requests = _PHASES[state.phase]
    if _portion_is_out(state):
        text = f"Put in the next portion. {text}"
    if (reader := reader_lost(state)) is not None:
        text = f"The {reader} is lost: enter the cards by hand. {text}"
    return Prompt(text, tuple(tag for tag in requests if _fits(state, tag)))


def _at_hold(state: State, held: Held) -> Prompt:
    if held.code == "restored":
        return Prompt("Confirm that the cloth shows this.", ("confirmed",))
    more = tuple(tag for tag in ("undone", "card-corrected") if _fits(state, tag))
    if held.enter:
        return Prompt("Enter the card that lies there.", ("card-entered", "fault-resolved", *more))
    return Prompt(f"Decide: {', '.join(held.resolutions)}.", ("fault-resolved", *more))


def _fits(state: State, tag: str) -> bool:
    """Whether a request that the phase offers fits this state too."""
    test = _TESTS.get(tag)
    return test is None or test(state)


def _undoable(state: State) -> bool:
    return any(isinstance(event, _CARD | CardUnread | CardsMissed | FaultResolved) for event in state.log)


def _correctable(state: State) -> bool:
    return any(isinstance(event, _CARD) for event in state.log)


def _refait(state: State) -> bool:
    return isinstance(state.play, Coup) and any(not bet.insured for bet in state.play.laid)


def _doubling(state: State) -> bool:
    return isinstance(state.play, Round) and not isinstance(decide(state, DoubleDecided(True)), str)


def _portions_wait(state: State) -> bool:
    """CO-7: cards of this shoe lie beside it."""
    portion = state.table.portion
    return portion > 0 and state.shoe.portions * portion < full(state)


def _portion_is_out(state: State) -> bool:
    there = "portion-loaded" in _PHASES[state.phase][1] and _portions_wait(state)
    return there and state.index >= state.shoe.portions * state.table.portion


def _may_be_empty(state: State) -> bool:
    """Its sensor says so, or all its cards are known; nothing waits beside it, and a box holds no round before its
    first card."""
    looks_empty = state.shoe.empty or state.index >= full(state)
    return looks_empty and not _portions_wait(state) and (begun(state) or not is_box(state))


def _passing(state: State) -> bool:
    return isinstance(state.play, Hand) and not state.play.bets and not state.play.over


_TESTS: dict[str, Callable[[State], bool]] = {
    "round-opened": lambda state: why_not_opened(state) is None and reader_lost(state) is None,
    "shoe-ended": lambda state: not begun(state),
    "shoe-exhausted": _may_be_empty,
    "undone": _undoable,
    "card-corrected": _correctable,
    "refait-chosen": _refait,
    "banker-sought": lambda state: not isinstance(state.play, Coup),
    "double-decided": _doubling,
    "bank-passed": _passing,
    "portion-loaded": _portions_wait,
    "count-closed": lambda state: state.index > 0 and not is_reconciled(state),
}
