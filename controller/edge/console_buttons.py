"""The dealer's buttons and the key switch: a press becomes a request, as from the page, or is refused with a buzz.

Key: `play`, `supervisor` (taking back is allowed) or `diagnostic` (all lamps are lit, presses buzz: a test that cannot
play). Leaves debouncing to `sensors`, what a request means to the core.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection

from controller.edge.loop import Table
from controller.edge.page.app import Refusal
from controller.events import AnyEvent, DeviceChanged, DoubleDecided, RoundOpened, Undone

PLAY, SUPERVISOR, DIAGNOSTIC = "play", "supervisor", "diagnostic"
BETS_CLOSED, CALL = "button_bets_closed", "button_call"
REQUESTS: dict[str, Callable[[str], AnyEvent]] = {
    "button_next": lambda by: RoundOpened(by),
    "button_undo": lambda by: Undone(by),
    "button_double_yes": lambda by: DoubleDecided(True, by),
    "button_double_no": lambda by: DoubleDecided(False, by),
}
BUTTONS = (*REQUESTS, BETS_CLOSED, CALL)
KEYS = {"key_supervisor": SUPERVISOR, "key_diagnostic": DIAGNOSTIC}
CALL_DEVICE, KEY_DEVICE = "supervisor", "key"

log = logging.getLogger(__name__)


class Buttons:
    """`lines` are those that are wired; `refused` and `changed` are called on the loop: a press did nothing; the key
    turned, bets were closed or the supervisor was called."""

    def __init__(
        self, table: Table, lines: Collection[str], refused: Callable[[], None], changed: Callable[[], None]
    ) -> None:
        self._table = table
        self._has_key = any(line in KEYS for line in lines)
        self._refused, self._changed = refused, changed
        self._released: set[str] = set()
        self._closed_for: int | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._down = dict.fromkeys(KEYS, False)
        self.key = PLAY
        self.called = False

    def bets_closed(self, round: int) -> bool:
        """Whether the button said so for this round."""
        return self._closed_for == round

    def line(self, line: str, level: bool) -> None:
        """A stable level: pressed is low. A button that is down from the start is none until it was up."""
        if line in KEYS:
            self._turn(line, not level)
        elif level:
            self._released.add(line)
        elif line in self._released:
            self._press(line)

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _turn(self, line: str, closed: bool) -> None:
        self._down[line] = closed
        key = next((KEYS[each] for each, down in self._down.items() if down), PLAY)
        if key == self.key:
            return
        self.key = key
        self._table.post(DeviceChanged(KEY_DEVICE, "ok", key))
        if key == SUPERVISOR and self.called:
            self.called = False
            self._table.post(DeviceChanged(CALL_DEVICE, "ok", "is here"))
        self._changed()

    def _press(self, line: str) -> None:
        if self.key == DIAGNOSTIC:
            self._refused()
        elif line == CALL:
            self._call()
        elif line == BETS_CLOSED:
            self._close_bets()
        elif line == "button_undo" and self._has_key and self.key != SUPERVISOR:
            log.warning("taking back needs the supervisor's key")
            self._refused()
        else:
            task = asyncio.get_running_loop().create_task(self._ask(REQUESTS[line](self._by())))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _by(self) -> str:
        return SUPERVISOR if self.key == SUPERVISOR else "dealer"

    async def _ask(self, request: AnyEvent) -> None:
        try:
            await self._table.request(request)
        except Refusal as refusal:
            log.warning("a button was refused: %s", refusal)
            self._refused()

    def _call(self) -> None:
        if not self.called:
            self.called = True
            self._table.post(DeviceChanged(CALL_DEVICE, "called", "the dealer calls the supervisor"))
            self._changed()

    def _close_bets(self) -> None:
        view = self._table.standing()[1]
        if view.phase != "betting":
            self._refused()
            return
        self._closed_for = view.round
        self._changed()
