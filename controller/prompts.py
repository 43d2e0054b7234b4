"""What the dealer is asked for now, and which requests would be accepted (the first is the one that goes on)."""

from __future__ import annotations

from controller.events import CardDrawn, CardEntered, CardExposed, CardUnread, FaultResolved
from controller.phases import Phase
from controller.plays import Coup
from controller.rounds import begun, why_not_opened
from controller.state import Held, State
from controller.view import Prompt

_PHASES: dict[Phase, tuple[str, tuple[str, ...]]] = {
    "closed": ("The table is closed.", ()),
    "no shoe": ("Load a shuffled shoe.", ("shoe-loaded", "banker-sought", "table-closed")),
    "loaded": ("Open the round.", ("round-opened", "shoe-loaded", "banker-sought", "shoe-ended", "table-closed")),
    "banker": ("Deal round to find the first banker.", ("card-entered", "undone")),
    "burning": ("Burn the first cards.", ("card-entered", "shoe-ended", "undone", "card-corrected")),
    "betting": ("Bets are open; the next card closes them.", ("bet-placed", "card-entered", "shoe-ended")),
    "dealing": ("Deal the next card.", ("card-entered", "undone", "card-corrected")),
    "result": (
        "Settle, then open the next round.",
        (
            "round-opened",
            "refait-chosen",
            "shoe-loaded",
            "banker-sought",
            "undone",
            "card-corrected",
            "shoe-ended",
            "table-closed",
        ),
    ),
    "ended": ("The shoe is over: load a shuffled one.", ("shoe-loaded", "card-entered", "undone", "table-closed")),
}


def prompt(state: State) -> Prompt:
    if state.hold is not None:
        return _at_hold(state, state.hold)
    text, requests = _PHASES[state.phase]
    if any(device.name == "camera" and device.state == "lost" for device in state.devices):
        text = f"The camera is lost: enter the cards by hand. {text}"
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
    if tag == "round-opened":
        return why_not_opened(state) is None
    if tag == "shoe-ended":
        return not begun(state)
    if tag == "undone":
        return any(
            isinstance(event, CardDrawn | CardEntered | CardExposed | CardUnread | FaultResolved) for event in state.log
        )
    if tag == "card-corrected":
        return any(isinstance(event, CardDrawn | CardEntered | CardExposed) for event in state.log)
    if tag == "refait-chosen":
        return bool(state.results) and state.results[0].outcome == "refait-31" and isinstance(state.play, Coup)
    if tag == "banker-sought":
        return not isinstance(state.play, Coup)
    return True
