"""The table: the one owner of the state. Events go in, are committed, stepped, and what stands goes out to displays.

An event is committed to the journal before `step` sees it, in the order in which it came; events that wait together
are committed together. A request is first asked of the state that stands when its turn comes: refused, it is answered
and not journalled. When the journal fails, or the program itself, nothing further is played and the view says so.
Leaves the meaning of events to the core and how things are shown to the displays.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from controller import exits
from controller import table as core
from controller.edge import receipts
from controller.edge.eye import Eye
from controller.edge.journal import Journal
from controller.edge.journal_format import JournalError
from controller.edge.live_odds import Composition
from controller.edge.page.app import Refusal
from controller.edge.receipts import StampedReceipt
from controller.edge.stamp import Stamp, now
from controller.events import AnyEvent
from controller.outcomes import Outcome
from controller.state import State, in_round
from controller.view import Hold, LiveOdds, Prompt, Supervisor, View

log = logging.getLogger(__name__)

ENDING = "the daemon is ending"
MOVED_ON = "the table has moved on since that was decided; look again"


@dataclass(frozen=True)
class Step:
    """What one committed event did: `view` is what stands after it. Without an event: the edge itself put a hold."""

    number: int
    event: AnyEvent | None
    outcomes: tuple[Outcome, ...]
    view: View


Display = Callable[[Step], None]


@dataclass(frozen=True)
class _Waiting:
    event: AnyEvent
    stamp: Stamp
    seen: int | None = None
    answer: asyncio.Future[int] | None = None  # a request's; None for a fact


class Table:
    """Runs on one asyncio loop; `post` and `request` are called on it. `trouble` is a hold of the edge's own."""

    def __init__(self, journal: Journal, number: int, state: State, trouble: Hold | None = None) -> None:
        self._journal = journal
        self._number = number
        self._state = state
        self._trouble = trouble
        self._view = self._make_view()
        self._queue: asyncio.Queue[_Waiting | None] = asyncio.Queue()
        self._displays: list[Display] = []
        self._odds: Callable[[], LiveOdds | None] = lambda: None
        self._closed = False
        self.pending: Callable[[], int] = lambda: 0
        """Cards that one witness told and that are not events yet."""
        self.eye = Eye()

    def add_display(self, display: Display) -> None:
        """`display` is called after each step, in order of steps; it must not block or raise."""
        self._displays.append(display)

    def standing(self) -> tuple[int, View]:
        """The journal number of the newest state, and its view."""
        return self._number, self._view

    def supervisor(self) -> Supervisor:
        """What only the supervisor may see."""
        return msgspec.structs.replace(core.supervisor(self._state), odds=self._odds())

    def show_odds(self, odds: Callable[[], LiveOdds | None]) -> None:
        """Where the supervisor's live odds come from."""
        self._odds = odds

    async def receipts(self) -> list[StampedReceipt]:
        """The newest receipts of counted packs and shoes, newest first."""
        return await asyncio.to_thread(receipts.stamped, self._journal.path.parent, self._state.receipts)

    def composition(self) -> Composition | None:
        """What is left in the shoe now; None where no shoe is dealt from."""
        if not self._view.shoe.loaded:
            return None
        table, shoe = self._state.table, self._view.shoe
        left = core.supervisor(self._state).remaining
        return Composition(table.game, table.rules, shoe.number, shoe.index, not in_round(self._state), left)

    def exits_ahead(self, boot: int, count: int) -> int | None:
        """By how many cards an exit beam's count is ahead of the cards known to have left; None for an unknown boot."""
        known = self._state.exits
        return None if known.boot != boot else count - known.base - exits.out(self._state) - self.pending()

    def cards_out(self) -> int:
        """How many cards are known to have left this shoe."""
        return exits.out(self._state)

    def post(self, event: AnyEvent) -> None:
        """A fact: it cannot be refused."""
        self._queue.put_nowait(_Waiting(event, now()))

    async def request(self, event: AnyEvent, seen: int | None = None) -> int:
        """A request's number once it is committed and stepped. Raises Refusal."""
        if self._closed:
            raise Refusal(ENDING)
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_Waiting(event, now(), seen, answer))
        return await answer

    def refuse_requests(self) -> None:
        """The end begins: facts still count, nobody may ask for anything."""
        self._closed = True

    def close(self) -> None:
        """`run` returns when all that was posted before has been stepped."""
        self.refuse_requests()
        self._queue.put_nowait(None)

    async def run(self) -> None:
        """Takes events until `close`."""
        while (first := await self._queue.get()) is not None:
            batch, more = self._all_that_waits(first)
            await self._take(batch)
            if not more:
                return

    def _all_that_waits(self, first: _Waiting) -> tuple[list[_Waiting], bool]:
        """The batch that begins with `first`, and False where `close` follows it."""
        batch = [first]
        while not self._queue.empty():
            item = self._queue.get_nowait()
            if item is None:
                return batch, False
            batch.append(item)
        return batch, True

    async def _take(self, items: Sequence[_Waiting]) -> None:
        """Commit a batch: facts side by side together, each request after all before it has been stepped."""
        for group in _groups(items):
            try:
                await self._commit(group)
            except JournalError as error:
                self._stop("journal", f"The journal cannot be written: {error}. Nothing further is played.")
                _refuse(group, str(error))
            except Exception as error:  # top of the loop: a defect stops the play, not the page
                log.exception("the table's loop")
                self._stop("defect", f"A defect in the program ({error!r}). Nothing further is played.")
                _refuse(group, str(error))

    async def _commit(self, group: Sequence[_Waiting]) -> None:
        if self._trouble is not None:
            _refuse(group, self._trouble.text)
            return
        admitted = [item for item in group if self._admits(item)]
        commits = [asyncio.wrap_future(self._journal.append(item.event, item.stamp)) for item in admitted]
        numbers = await asyncio.gather(*commits)
        for item, number in zip(admitted, numbers, strict=True):
            self._step(number, item)

    def _admits(self, item: _Waiting) -> bool:
        """Whether an item goes into the journal; a refused request is answered here."""
        if item.answer is None:
            return True
        moved = item.seen is not None and item.seen != self._number
        why = MOVED_ON if moved else core.verify(self._state, item.event)
        if why is not None:
            _refuse([item], why)
        return why is None

    def _step(self, number: int, item: _Waiting) -> None:
        before = self._view
        self._state, outcomes = core.step(self._state, item.event)
        self._number = number
        self._view = self._make_view()
        if (before.rounds, before.void) != (self._view.rounds, self._view.void):
            self._journal.snapshot(number, self._state)
        self._show(Step(number, item.event, outcomes, self._view))
        if item.answer is not None and not item.answer.done():
            item.answer.set_result(number)

    def _show(self, step: Step) -> None:
        for display in self._displays:
            display(step)

    def _stop(self, code: str, text: str) -> None:
        """No further play: the hold is the edge's own and only a restart ends it."""
        if self._trouble is None:
            log.error("%s", text)
            self._trouble = Hold(code=code, text=text)
            self._view = self._make_view()
            self._show(Step(self._number, None, (), self._view))

    def _make_view(self) -> View:
        view = core.view(self._state)
        if self._trouble is None:
            return view
        shown = msgspec.structs.replace(view.display, text="HOLD")
        return msgspec.structs.replace(view, phase="hold", hold=self._trouble, prompt=Prompt(""), display=shown)


def _groups(items: Sequence[_Waiting]) -> list[list[_Waiting]]:
    groups: list[list[_Waiting]] = []
    for item in items:
        alone = item.answer is not None or not groups or groups[-1][-1].answer is not None
        if alone:
            groups.append([item])
        else:
            groups[-1].append(item)
    return groups


def _refuse(group: Sequence[_Waiting], why: str) -> None:
    for item in group:
        if item.answer is not None and not item.answer.done():
            item.answer.set_exception(Refusal(why))
