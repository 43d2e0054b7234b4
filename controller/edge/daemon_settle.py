"""Debouncing of device states, before they become events: worse is told at once, better only once it lasts.

A connector that flaps would else fill the journal and flicker on the page; so would a part that is lost and starts
again and again: it stays lost until it is good. Knows no devices and no events.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

GOOD, STARTING = "ok", "starting"
LASTS_S = 0.3


class Settled:
    """Call `submit` on the loop; `tell(state, detail)` gets what has settled."""

    def __init__(self, tell: Callable[[str, str], None], lasts_s: float = LASTS_S) -> None:
        self._tell = tell
        self._lasts_s = lasts_s
        self._told: str | None = None
        self._timer: asyncio.TimerHandle | None = None

    def submit(self, state: str, detail: str) -> None:
        """The newest state; it replaces one that has not settled yet."""
        self.close()
        if state == STARTING and self._told is not None:
            return
        if self._told in (None, GOOD) and state != GOOD:
            self._settle(state, detail)
        elif state != self._told:
            self._timer = asyncio.get_running_loop().call_later(self._lasts_s, self._settle, state, detail)

    def close(self) -> None:
        """Forget what has not settled."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _settle(self, state: str, detail: str) -> None:
        if state != self._told:
            self._told = state
            self._tell(state, detail)
