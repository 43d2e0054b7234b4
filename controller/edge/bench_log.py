"""What `sabot bench` says: JSON lines or lines for a person, made of the table's steps; and when it has dealt enough.

Knows nothing of the simulator: it sees what any watcher of a daemon sees. `time` is the camera's own clock, which in
a bench is simulated seconds from the start.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

import msgspec

from controller import table as core
from controller.edge.loop import Step
from controller.edge.restore import Restored
from controller.events import CardDrawn, CardExposed, CardPulledBack, CardUnread
from controller.outcomes import (
    BankerFound,
    Ended,
    Fault,
    Outcome,
    RbHand,
    Refused,
    TqCoup,
    Unread,
    ZeHand,
    ZePlayette,
)
from controller.view import Result, View
from vision.messages import Heartbeat, Message, Reading

SILENT = "settlement"  # replay's alone
HELD_S = 0.1  # lost seconds that are no loss of pace
PASSAGES_KEPT = 64
UNUSABLE = 2  # the exit status


@dataclass(frozen=True)
class Task:
    """`rounds` 0: until stopped. `on_fault` is the resolution that the operator takes each time, if any."""

    rounds: int = 0
    on_fault: str | None = None
    json: bool = False


@dataclass
class _Clock:
    """The camera's time beside the wall's, from the first frame on."""

    first_s: float | None = None
    last_s: float = 0.0
    wall: float = 0.0

    def heard(self, time_s: float) -> None:
        if self.first_s is None:
            self.first_s, self.wall = time_s, time.monotonic()
        self.last_s = max(self.last_s, time_s)

    def simulated(self) -> float:
        return self.last_s - (self.first_s or 0.0)

    def taken(self) -> float:
        return time.monotonic() - self.wall if self.first_s is not None else 0.0


class BenchLog:
    """`finish` is called once when the task is done or cannot go on; `status` is then the exit status."""

    def __init__(self, task: Task, out: TextIO, err: TextIO, finish: Callable[[], None]) -> None:
        self.status = 0
        self._task = task
        self._out, self._err = out, err
        self._finish = finish
        self._clock = _Clock()
        self._ends: dict[tuple[bool, int], float] = {}  # exposed (in a box) or not, passage: when
        self._now = 0.0
        self._start: View | None = None
        self._shoe = (0, 0)
        self._cards = self._rounds = self._void = 0
        self._reason = ""

    def begin(self, what: str, url: str, restored: Restored) -> None:
        """Says what is dealt, where the page is and what stood before: rounds and cards are counted from there."""
        view = core.view(restored.state)
        self._start = view
        self._shoe = (view.shoe.number, view.shoe.index)
        out = self._err if self._task.json else self._out
        out.write(f"The dealer's page: {url}\n{what}. Ctrl-C ends.\n")
        if restored.records and view.hold is not None:
            out.write(f"Restored from {restored.number} records: {view.hold.text}\n")
        out.flush()

    def camera(self, message: Message) -> None:
        """Keeps when each passage ended."""
        if isinstance(message, Heartbeat):
            self._clock.heard(message.time_s)
        elif isinstance(message, Reading):
            self._clock.heard(message.end_s)
            self._ends[message.kind == "exposed", message.passage] = message.end_s
            while len(self._ends) > PASSAGES_KEPT:
                del self._ends[next(iter(self._ends))]

    def step(self, step: Step) -> None:
        """A display of the table."""
        if self._reason:
            return
        self._tell_time(step)
        self._count(step.view)
        for outcome in step.outcomes:
            self._say(outcome, step.view)
        self._judge(step)

    def give_up(self, why: str) -> None:
        """The bench cannot go on."""
        if not self._reason:
            self.status = 1
            self._err.write(f"{why}\n")
            self._stop("fault")

    def end(self, behind_s: float) -> None:
        """The last line, and for a person how real time was held (`behind_s`: what the camera lost of it)."""
        reason = self._reason or "stopped"
        if self._task.json:
            self._line(Ended(self._cards, self._rounds, self._void, reason))
        else:
            self._print(f"{self._rounds} rounds, {self._void} void, {self._cards} cards ({reason}).")
        self._err.write(f"{self._pace(behind_s)}\n")

    def _tell_time(self, step: Step) -> None:
        event = step.event
        if not isinstance(event, CardDrawn | CardExposed | CardUnread | CardPulledBack) or event.passage is None:
            return
        exposed = isinstance(event, CardExposed) or (
            isinstance(event, CardUnread) and (True, event.passage) in self._ends
        )
        self._now = self._ends.get((exposed, event.passage), self._now)

    def _count(self, view: View) -> None:
        number, index = view.shoe.number, view.shoe.index
        before = self._shoe[1] if number == self._shoe[0] else 0
        self._cards += max(0, index - before)
        self._shoe = (number, index)

    def _judge(self, step: Step) -> None:
        if self._start is not None:
            self._rounds = step.view.rounds - self._start.rounds
            self._void = step.view.void - self._start.void
        faults = [outcome for outcome in step.outcomes if isinstance(outcome, Fault)]
        if faults:
            self.status = 1
        if any(self._task.on_fault not in fault.resolutions for fault in faults):
            self._stop("fault")
        elif step.event is None:
            self.status = 1
            self._stop("fault")
        elif self._task.rounds and self._rounds >= self._task.rounds:
            self._stop("rounds")

    def _stop(self, reason: str) -> None:
        self._reason = reason
        self._finish()

    def _say(self, outcome: Outcome, view: View) -> None:
        if outcome.__struct_config__.tag == SILENT:
            return
        if self._task.json:
            self._line(outcome)
        else:
            text = _in_words(outcome, view)
            if text:
                self._print(text)

    def _line(self, outcome: Outcome) -> None:
        fields = msgspec.to_builtins(outcome)
        self._print(msgspec.json.encode({**fields, "time": round(self._now, 4)}).decode())

    def _print(self, text: str) -> None:
        try:
            self._out.write(text + "\n")
            self._out.flush()
        except BrokenPipeError:  # nobody reads any more: end as if told to
            if not self._reason:
                self._stop("stopped")
        except OSError as error:
            if self.status != UNUSABLE:
                self._err.write(f"standard output: {error.strerror}\n")
            self.status = UNUSABLE
            self._stop("stopped")

    def _pace(self, behind_s: float) -> str:
        text = f"{self._clock.simulated():.1f} simulated seconds took {self._clock.taken():.1f}"
        if behind_s < HELD_S:
            return f"{text}; the camera's pace was held."
        return f"{text}; the camera's pace was not held: {behind_s:.1f} s were lost waiting for the reader."


def _in_words(outcome: Outcome, view: View) -> str:
    """A line for a person; "" for what need not be said."""
    if isinstance(outcome, Fault):
        return f"FAULT {outcome.code}: {outcome.card} at {outcome.index}; offers {', '.join(outcome.resolutions)}"
    if isinstance(outcome, Unread):
        return f"card {outcome.index} was not read ({outcome.why}): it is entered by hand"
    if isinstance(outcome, Refused):
        return f"refused: {outcome.why}"
    if isinstance(outcome, Ended):
        return f"The shoe ends ({outcome.reason})."
    if isinstance(outcome, RbHand):
        by_hand = "  (by hand)" if outcome.manual else ""
        return f"{outcome.round:>5}  seat {outcome.seat}  {' '.join(outcome.cards)}  {outcome.red} red{by_hand}"
    if isinstance(outcome, ZeHand):
        by_hand = "  (by hand)" if outcome.manual else ""
        won = f", the bank won {' '.join(outcome.won)}" if outcome.won else ""
        return f"{outcome.hand:>5}  {outcome.turns} turns, the bank lost on {outcome.banker_rank}{won}{by_hand}"
    if isinstance(outcome, ZePlayette):
        return f"{outcome.hand:>5}  playette: the deal is void"
    if isinstance(outcome, BankerFound):
        return f"The first banker sits at place {outcome.place}."
    if isinstance(outcome, TqCoup) and view.results:
        return _round(view.results[0], view)
    return ""


def _round(result: Result, view: View) -> str:
    rows = "  ".join(f"{row.name} {row.total:>2}" for row in view.rows if row.total is not None)
    by_hand = "  (by hand)" if result.manual else ""
    return f"{result.round:>5}  {rows}  {', '.join(result.call) or result.outcome}{by_hand}"
