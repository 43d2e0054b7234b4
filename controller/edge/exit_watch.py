"""When the exit beam's count becomes a fact: once it has disagreed with the cards that are known for long enough.

Beam and camera see the same card at different moments, so between the two the count is ahead of the table, or behind.
What has been ahead all the time for `LASTS_S`, and while the reader read on for as long, are cards that nobody saw: a
reader that stalls says its cards late, and a gap entered by hand before that would play them twice. Leaves what a gap
means to the core.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from controller.edge.eye import LOOK_S, Eye, Mark
from controller.events import AnyEvent, ExitCounted

LASTS_S = 2.0  # on the wall and before the camera; a reading follows its card by less of the camera's time

Ahead = Callable[[int, int], int | None]


class ExitWatch:
    """`ahead(boot, count)`: by how many cards a count is ahead of the table now (below 0: behind), None for a counter
    whose boot the table does not know; `eye`: how far the reader has looked. Called on the loop."""

    def __init__(self, ahead: Ahead, post: Callable[[AnyEvent], None], eye: Eye, lasts_s: float = LASTS_S) -> None:
        self._ahead = ahead
        self._post = post
        self._eye = eye
        self._mark: Mark = eye.mark()
        self._lasts_s = lasts_s
        self._newest: tuple[int, int] | None = None
        self._least = 0  # what has lasted since the timer was set
        self._timer: asyncio.TimerHandle | None = None

    def counted(self, boot: int, count: int) -> None:
        """The counter stands here. The first word of it after a start, or after the counter's own, counts at once:
        what left before is not going to be read any more."""
        first = self._newest is None or self._newest[0] != boot
        self._newest = (boot, count)
        if first:
            self._settle(count)
        else:
            self.look()

    def look(self) -> None:
        """The table has moved on, or the counter has."""
        ahead = self._now()
        if ahead * self._least <= 0:
            self.close()
        if ahead == 0:
            return
        self._least = ahead if self._timer is None else min(self._least, ahead, key=abs)
        if self._timer is None:
            self._mark = self._eye.mark()
            self._timer = asyncio.get_running_loop().call_later(self._lasts_s, self._lasted)

    def close(self) -> None:
        """Forget what has not lasted."""
        self._least = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _now(self) -> int:
        return 0 if self._newest is None else self._ahead(*self._newest) or 0

    def _lasted(self) -> None:
        """Cards that are on their way just now are not part of it."""
        assert self._newest is not None
        if not self._eye.past(self._mark, self._lasts_s):
            self._timer = asyncio.get_running_loop().call_later(LOOK_S, self._lasted)
            return
        under_way = self._now() - self._least
        self._settle(self._newest[1] - under_way)

    def _settle(self, count: int) -> None:
        assert self._newest is not None
        self.close()
        self._post(ExitCounted(self._newest[0], count))
