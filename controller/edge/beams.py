"""The beams before and behind the window against the cards that were seen: they must agree on every card.

A card leaves when the beam behind the window is free again; the beam before it tells the direction, so a card that is
pushed back in is no exit. A beam without a picture for `AGREE_S` is a missed card (a gap, entered by hand); a picture
without a beam is the sensor's fault, said on the page and forgotten. A beam that stays blocked is said too. Times are
the edges' own. Leaves debouncing to `sensors`, what a gap means to the core.
"""

from __future__ import annotations

import asyncio

from controller.edge.daemon_settle import GOOD, Settled
from controller.edge.eye import LOOK_S
from controller.edge.loop import Step, Table
from controller.events import CardEntered, CardsMissed, CardUnread, DeviceChanged, ExitCounted, Undone

AGREE_S = 1.0  # on the wall and before the camera; shorter than the panel's own count is waited for
STUCK_S = 10.0
BEFORE, BEHIND = "beam_before", "beam_behind"
DEVICE = "beams"


class Passages:
    """Exits from the levels of two beams, or of the one behind alone. Pure."""

    def __init__(self, two: bool) -> None:
        self._two = two
        self._blocked = {BEFORE: False, BEHIND: False}
        self._entered = False
        self._returning = False
        self.blind = False
        """A card left and the beam before the window saw nothing of it."""

    def beam(self, line: str, blocked: bool) -> int:
        """A beam changed; how many cards left by it (0 or 1)."""
        was, self._blocked[line] = self._blocked[line], blocked
        if was == blocked:
            return 0
        if line == BEFORE:
            self._before(blocked)
            return 0
        return self._left() if not blocked else 0

    def stuck(self) -> None:
        """The beam behind the window stays blocked: its end is no card, unless one had come through the window."""
        self._returning = not self._entered

    def _before(self, blocked: bool) -> None:
        if not blocked:
            return
        if self._blocked[BEHIND] and not self._entered:
            self._returning = True
        else:
            self._entered = True

    def _left(self) -> int:
        if self._returning:
            self._returning = False
            return 0
        self.blind = self._two and not self._entered
        self._entered = self._blocked[BEFORE]  # the next card follows already
        return 1


class BeamWatch:
    """Called on the loop: `beam` with each stable change, `shown` after each step of the table."""

    def __init__(self, table: Table, two: bool, agree_s: float = AGREE_S, stuck_s: float = STUCK_S) -> None:
        self._table = table
        self._agree_s, self._stuck_s = agree_s, stuck_s
        self._passages = Passages(two)
        self._state = Settled(lambda state, detail: table.post(DeviceChanged(DEVICE, state, detail)))
        self._known = table.cards_out()
        self._ahead = 0  # exits that were not seen; below 0: cards seen that the beam did not count
        self._mark = table.eye.mark()
        self._timer: asyncio.TimerHandle | None = None
        self._stuck: dict[str, asyncio.TimerHandle] = {}
        self._blocked = False

    def start(self) -> None:
        self._state.submit(GOOD, "count cards")

    def close(self) -> None:
        for timer in (*self._stuck.values(), *([self._timer] if self._timer else [])):
            timer.cancel()
        self._state.close()

    def beam(self, line: str, blocked: bool) -> None:
        self._watch_stuck(line, blocked)
        exits = self._passages.beam(line, blocked)
        if exits and self._passages.blind:
            self._state.submit("blind", "a card left and the beam before the window saw nothing of it")
        self._move(exits)

    def shown(self, step: Step) -> None:
        """The table knows of more cards: those are what the beam counted, or will count."""
        known = self._table.cards_out()
        seen, self._known = known - self._known, known
        if seen <= 0 or isinstance(step.event, CardsMissed | Undone):
            return
        if isinstance(step.event, CardEntered | ExitCounted):  # told by a person or the panel: no picture of a passage
            seen = min(seen, max(0, self._ahead))
        if isinstance(step.event, CardUnread):  # two in one pull interrupt the beam once or twice
            seen = min(seen, max(1, self._ahead))
        self._move(-seen)

    def _move(self, by: int) -> None:
        if not by:
            return
        before, self._ahead = self._ahead, self._ahead + by
        if self._ahead == 0 and not self._passages.blind and not self._blocked:
            self._state.submit(GOOD, "beam and reader agree")
        if self._ahead == 0 or before * self._ahead < 0:
            self._cancel()
        if self._ahead and self._timer is None:
            self._mark = self._table.eye.mark()
            self._timer = asyncio.get_running_loop().call_later(self._agree_s, self._lasted)

    def _lasted(self) -> None:
        self._timer = None
        read = self._table.eye.past(self._mark, self._agree_s)
        if self._ahead > 0 and (self._table.pending() or not read):  # a second witness, a slow reader is waited for
            self._timer = asyncio.get_running_loop().call_later(LOOK_S, self._lasted)
            return
        ahead, self._ahead = self._ahead, 0
        if ahead > 0:
            self._table.post(CardsMissed(ahead))
        elif ahead < 0:
            self._state.submit("fault", "a card was seen that the beam behind the window did not count")

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _watch_stuck(self, line: str, blocked: bool) -> None:
        timer = self._stuck.pop(line, None)
        if timer is not None:
            timer.cancel()
        if blocked:
            loop = asyncio.get_running_loop()
            self._stuck[line] = loop.call_later(self._stuck_s, self._stays_blocked, line)
        elif self._blocked:
            self._blocked = False
            self._state.submit(GOOD, "free again")

    def _stays_blocked(self, line: str) -> None:
        self._blocked = True
        if line == BEHIND:
            self._passages.stuck()
        where = "before" if line == BEFORE else "behind"
        text = f"the beam {where} the window is blocked for {self._stuck_s:g} s: a card stands in it, or it is dirty"
        self._state.submit("blocked", text)
