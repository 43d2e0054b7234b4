"""The simulated dealer: sees the page, acts on it and on the shoe, two cards a second at speed 1.

One thread acts; views come in from eyes.py and only the newest counts. A request is posted with the number of the view
it was decided on, so that a table that has moved on refuses it, and no act is done twice for one view.
"""

from __future__ import annotations

import http.client
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from hw_sim.decisions import Act, Habits, Json, decide
from hw_sim.eyes import Eyes, post_request
from hw_sim.mechanism import Stack
from hw_sim.window import Window

CARD_S = 0.5  # from one pull to the next at speed 1
ROUND_S = 1.5  # a look at the result before the next round
DOUBLE_S = 3.0  # for a player to decide on doubling; then the next card is drawn
LOADED_S = 0.4  # from a pack put into the box to saying so
LATE_S = 5.0  # after which a card that the page does not show is entered by hand; a reader restarts in less
REFUSED_S = 1.0  # before a request that was refused is tried again

log = logging.getLogger(__name__)


class Dealer:
    """Deals from `stack` through `window` by the page of `folder`; `poke` tells it that a card came to rest."""

    def __init__(
        self, folder: Path, stack: Stack, window: Window, habits: Habits, speed: float, late_s: float = LATE_S
    ) -> None:
        self._stack, self._window = stack, window
        self.habits, self.speed = habits, speed
        self._late_s = late_s
        self._eyes = Eyes(folder, self._see)
        self._change = threading.Condition()
        self._page: tuple[str, Json] | None = None
        self._news = False
        self._done: int | None = None  # number of the view that was acted upon
        self._pulled = self._seen = self._loaded = 0.0
        self.resting = False  # a scenario deals by itself
        self.on_load: Callable[[], None] = lambda: None  # cards were put into the shoe
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="dealer", daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._eyes.start()

    def stop(self) -> None:
        self._eyes.stop()
        with self._change:
            self._ended = True
            self._change.notify_all()
        self._thread.join(0.5)

    def poke(self) -> None:
        """Something changed at the shoe: look again."""
        with self._change:
            self._news = True
            self._change.notify_all()

    def _see(self, url: str, view: Json | None) -> None:
        with self._change:
            self._page = None if view is None else (url, view)
            self._seen = time.monotonic()
            self._done = None if view is None else self._done
            self._news = True
            self._change.notify_all()

    def _run(self) -> None:
        wait: float | None = None
        while True:
            with self._change:
                self._change.wait_for(lambda: self._news or self._ended, wait)
                if self._ended:
                    return
                self._news = False
                page = self._page
            try:
                wait = self._look(*page) if page is not None else None
            except Exception:  # top of the thread
                log.exception("the dealer stumbled")
                wait = REFUSED_S

    def _look(self, url: str, view: Json) -> float | None:
        """Act on the view if it is time; seconds until it is, None to wait for news."""
        if view["seq"] == self._done or self._window.busy or self.resting:
            return None
        act = decide(view, self._stack, self.habits)
        if act is None:
            return None
        wait = self._ready_at(act) - time.monotonic()
        if wait > 0:
            return wait
        return self._do(act, url, view["seq"])

    def _ready_at(self, act: Act) -> float:
        pauses = {"": 0.0, "round": ROUND_S / self.speed, "double": DOUBLE_S / self.speed, "late": self._late_s}
        ready = self._seen + pauses[act.pause]
        if act.pull:
            return max(ready if act.pause else 0.0, self._pulled + CARD_S / self.speed)
        return max(ready, self._loaded + LOADED_S) if self._stack.box else ready

    def _do(self, act: Act, url: str, number: int) -> float | None:
        if act.pack or act.load or act.portion:
            return self._fill(act, url, number)
        return self._pull_or_ask(act, url, number)

    def _fill(self, act: Act, url: str, number: int) -> float | None:
        """Cards into the shoe, then what the act says besides."""
        if act.pack:
            self._stack.load_pack()
        if act.load and not self._stack.fresh:
            self._stack.load()
            self._loaded = time.monotonic()
            self.on_load()
            if self._stack.box:
                return LOADED_S  # the page is told when the pack lies in it
        if act.portion:
            self._stack.load_portion()
        self.on_load()
        return self._pull_or_ask(act, url, number)

    def _pull_or_ask(self, act: Act, url: str, number: int) -> float | None:
        if act.pull:
            self._pulled = time.monotonic()
            self._window.pull()
            return None
        assert act.request is not None
        if act.pause == "late":
            log.warning("the page does not show card %s: it is entered", act.request)
        return self._ask(act.request, url, number)

    def _ask(self, request: Json, url: str, number: int) -> float | None:
        try:
            status, answer = post_request(url, request, number)
        except (OSError, http.client.HTTPException) as error:
            log.info("%s was not answered: %r", request["type"], error)
            return REFUSED_S
        if status == 200:
            self._done = number
            return None
        log.warning("%s was refused: %s", request["type"], answer.get("why"))
        return REFUSED_S
