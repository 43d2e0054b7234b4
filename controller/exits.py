"""The exit beam's counter, kept by the panel's microcontroller, against the symbols that were seen to leave.

A surplus at a handshake is a gap: cards that left while nobody looked. A new boot of the counter knows nothing of what
went before, so it sets a new baseline; so does a counter that stands below what it should.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller.box import in_sight, is_box
from controller.events import CardDrawn, CardExposed, CardsMissed, CardUnread, ExitCounted
from controller.holds import cards_of
from controller.state import Exits, State


def surplus(state: State, event: ExitCounted) -> int:
    """How many more cards left than the state knows of."""
    if state.exits.boot != event.boot:
        return 0
    return max(0, event.count - state.exits.base - out(state))


def rebased(state: State, event: ExitCounted) -> State:
    """The state with the counter's baseline set so that it agrees now, its surplus counted."""
    known = out(state) + surplus(state, event)
    return replace(state, exits=Exits(event.boot, event.count - known))


def out(state: State) -> int:
    """Cards known to have left the shoe: played, waiting, or waiting to be entered; not the one in the box's window."""
    pending, held, boxed = 0, state.hold, is_box(state)
    while held is not None:
        pending += 0 if held.counted else held.count
        held = held.beneath
    for event in state.queue:
        if isinstance(event, CardsMissed):
            pending += event.count
        elif isinstance(event, CardUnread):
            pending += cards_of(event.why)
        elif isinstance(event, CardExposed) or (isinstance(event, CardDrawn) and not boxed):
            pending += 1
    return state.index + pending - in_sight(state).inside
