"""The live advantage of the shoe that is left: computed after each round by a worker, for the supervisor alone.

It is in no journal and no state. A result is labelled with the shoe and the number of symbols that had left it; one
that comes for a composition that is no longer the newest is dropped. What is computed is `controller.odds`'s.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from controller.rules import Rules
from controller.view import LiveOdds

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
NICE = 10

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Composition:
    """What a shoe holds after `index` symbols have left it; `between` rounds: no round is open or under way."""

    game: str
    rules: Rules
    shoe: int
    index: int
    between: bool
    left: dict[str, int]


Answer = tuple[int, float, dict[str, float | None]]  # the worker's pid, its seconds, figures


class OddsWorker:
    """A pool of one process, started when it is first needed. Called on the loop."""

    def __init__(self, composition: Callable[[], Composition | None]) -> None:
        self._composition = composition
        self._pool: ProcessPoolExecutor | None = None
        self._pid: int | None = None
        self._wanted: Composition | None = None
        self._done: Composition | None = None
        self._task: asyncio.Task[None] | None = None
        self._found: LiveOdds | None = None

    def found(self) -> LiveOdds | None:
        """The newest figures; None while none are known for this shoe."""
        return self._found

    def look(self) -> None:
        """The table has moved on."""
        now = self._composition()
        if now is None or (self._wanted is not None and now.shoe != self._wanted.shoe):
            self._wanted = self._done = self._found = None
        if now is None or not now.between or now == self._wanted:
            return
        self._wanted = now
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work(), name="live odds")

    async def stop(self) -> None:
        """No work goes on after this."""
        self._wanted = None
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._drop_pool()

    async def _work(self) -> None:
        """Until the figures are those of the newest composition."""
        while (wanted := self._wanted) is not None and wanted is not self._done:
            try:
                pool = self._running()
                work = pool.submit(compute, wanted.game, wanted.rules, wanted.left)
                answer: Answer = await asyncio.wrap_future(work)
            except (BrokenProcessPool, OSError) as error:
                log.warning("the worker of the live odds ended: %s", error)
                self._drop_pool()
                return  # the next round asks again
            self._pid, seconds, figures = answer
            if self._wanted is wanted:
                self._done, total = wanted, sum(wanted.left.values())
                self._found = LiveOdds(wanted.shoe, wanted.index, total, round(seconds, 4), figures)

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, context, initializer=_begin, initargs=(os.getpid(),))
        return self._pool

    def _drop_pool(self) -> None:
        if self._pool is None:
            return
        for worker in multiprocessing.active_children():  # the pool's one: this process has no others
            worker.kill()  # also while it still begins: the interpreter's end would wait for it and for its work
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._pid = None


# ---- in the worker ---------------------------------------------------------------------------------------


def _begin(parent: int) -> None:
    """Behind everything that is in a hurry, deaf to Ctrl-C, and gone with the daemon, however that ends."""
    os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def compute(game: str, rules: Rules, left: dict[str, int]) -> Answer:
    """The figures that one looks at live; for trente et quarante the bank's advantage alone, which is quick."""
    from controller import odds  # numpy is the worker's alone

    began = time.perf_counter()
    figures: dict[str, float | None] = {}
    if game == "trente-et-quarante":
        edge = odds.advantage(left)
        figures = {"edge": edge, "refait_31": 2 * edge}
    elif game == "red-and-black":
        found = odds.odds(game, rules, left)
        assert isinstance(found, odds.RedAndBlack)
        figures = {f"expectation_{colour}": value for colour, value in found.expectation.items()}
    else:
        hand = odds.odds(game, rules, left)
        assert isinstance(hand, odds.Zecchinetta)
        figures = {"playette": hand.playette, "mean_turns": hand.mean_turns}
    return os.getpid(), time.perf_counter() - began, figures
