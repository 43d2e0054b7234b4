"""A restarted daemon stands where the last one stood: the state folded from the journal, checked against its snapshots.

The newest snapshot by these rules is where the folding starts; it is first recomputed from the one before (or from the
first record), and a difference is a hold that only people can end, never a silent change of the past. Leaves what a
restart means at the table to the core's `DaemonStarted`.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from controller import table as core
from controller.edge import journal_format, journal_open
from controller.edge.journal import Journal, Opened
from controller.edge.journal_format import Record, Snapshot
from controller.edge.problems import UsageProblem
from controller.edge.stamp import now
from controller.events import AnyEvent, DaemonStarted, TableOpened
from controller.state import State
from controller.view import Hold

CORE = Path(core.__file__).parent


@dataclass(frozen=True)
class Restored:
    """Where the table stands; `records` is how many were read again, `trouble` what the journal contradicts."""

    number: int
    state: State
    records: int = 0
    trouble: Hold | None = None


class JournalForeign(UsageProblem):
    """The journal belongs to a table of another game or cannot be folded; one line."""


@functools.cache
def engine() -> str:
    """The version of the rules that make a state: a digest of the core's very source, so that none is forgotten."""
    digest = hashlib.sha256()
    for path in sorted([*CORE.glob("*.py"), *(CORE / "games").glob("*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def restore(journal: Journal, opened: Opened, table: TableOpened) -> Restored:
    """The state to go on from, with the event that says that a daemon has started already in the journal."""
    if opened.created:
        return Restored(_append(journal, table), core.initial(table))
    found = _fold_all(journal)
    state, number = found.state, found.number
    for event in _changes(state, table):
        number = _append(journal, event)
        state, _ = core.step(state, event)
    return Restored(number, state, found.records, found.trouble)


def _changes(state: State, table: TableOpened) -> list[AnyEvent]:
    """What this start adds to the journal: that a daemon took over, and the house rules where they have changed."""
    same = (state.next_table or state.table) == core.initial(table).table
    return [DaemonStarted()] if same else [table, DaemonStarted()]


def _append(journal: Journal, event: AnyEvent) -> int:
    return journal.append(event, now()).result()


def _fold_all(journal: Journal) -> Restored:
    ours, others = _snapshots(journal)
    if others and (not ours or others[0].number > ours[0].number):
        return _under_new_rules(journal, others[0])
    if not ours:
        return Restored(*_fold(None, journal.records()))
    newest, before = ours[0], ours[1] if len(ours) > 1 else None
    _, recomputed, _ = _fold(before, _until(journal, before, newest))
    trouble = None if recomputed == decode(newest.state) else _contradiction(newest)
    return Restored(*_fold(newest, journal.records(newest.number)), trouble)


def _under_new_rules(journal: Journal, newest: Snapshot) -> Restored:
    """Everything is folded again; rounds that other rules have finished must come out as they did."""
    middle = _fold(None, _until(journal, None, newest))
    trouble = None if _past(msgspec.json.encode(middle[1])) == _past(newest.state) else _contradiction(newest)
    number, state, count = _advance_all(middle, journal.records(newest.number))
    return Restored(number, state, count, trouble)


def _snapshots(journal: Journal) -> tuple[list[Snapshot], list[Snapshot]]:
    """The whole snapshots made by these rules and those by others, newest first."""
    with journal_open.for_reading(journal.path.parent) as connection:
        kept = [found for found in journal_format.snapshots(connection) if _is_whole(found)]
    ours = [found for found in kept if found.engine == engine()]
    return ours, [found for found in kept if found.engine != engine()]


def _is_whole(kept: Snapshot) -> bool:
    return journal_format.snapshot_hash(kept.number, kept.engine, kept.record_hash, kept.state) == kept.hash


def _until(journal: Journal, after: Snapshot | None, last: Snapshot) -> Iterable[Record]:
    records = journal.records(after.number if after else 0)
    return itertools.takewhile(lambda record: record.number <= last.number, records)


class _Round(msgspec.Struct, frozen=True):
    round: int
    outcome: str
    totals: tuple[int, ...]


class _Past(msgspec.Struct, frozen=True):
    """What no other program may change of rounds that are over; how else it keeps its state is its own matter."""

    rounds: int
    void: int
    results: tuple[_Round, ...]


def _past(state: bytes | str) -> _Past:
    return msgspec.json.decode(state, type=_Past)


def _contradiction(newest: Snapshot) -> Hold:
    text = (
        f"The state recomputed up to record {newest.number} is not the one that was kept. "
        "Nothing further is played; keep the journal and call the supervisor."
    )
    return Hold(code="contradiction", text=text)


_Folded = tuple[int, State, int]  # number of the newest record, state, how many records were folded


def _fold(base: Snapshot | None, records: Iterable[Record]) -> _Folded:
    if base is not None:
        return _advance_all((base.number, decode(base.state), 0), records)
    rest = iter(records)
    first = next(rest, None)
    opened = first.decoded() if first is not None else None
    if first is None or not isinstance(opened, TableOpened):
        raise JournalForeign("the journal does not begin with the opening of a table")
    return _advance_all((first.number, core.initial(opened), 1), rest)


def _advance_all(folded: _Folded, records: Iterable[Record]) -> _Folded:
    number, state, count = folded
    for record in records:
        state, _ = core.step(state, record.decoded())
        number, count = record.number, count + 1
    return number, state, count


def decode(text: str) -> State:
    """The state that a snapshot holds."""
    state: State = msgspec.json.decode(text, type=State)
    return state
