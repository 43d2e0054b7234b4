"""A restarted daemon stands where the last one stood: the state folded from the journal, checked against its snapshots.

The newest snapshot by these rules is where the folding starts; it is first recomputed from the one before (or from the
first record), and a difference is a hold that only people can end, never a silent change of the past. Leaves what a
restart means at the table to the core's `DaemonStarted`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Restored:
    """Where the table stands; `records` is how many were read again, `trouble` what the journal contradicts."""

    number: int
    state: State
    records: int = 0
    trouble: Hold | None = None


class JournalForeign(UsageProblem):
    """The journal belongs to a table of another game or cannot be folded; one line."""


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
    now_valid = state.next_table or state.table
    same = (now_valid.game, now_valid.rules, now_valid.seats) == (table.game, table.rules, table.seats)
    return [DaemonStarted()] if same else [table, DaemonStarted()]


def _append(journal: Journal, event: AnyEvent) -> int:
    return journal.append(event, now()).result()


def _fold_all(journal: Journal) -> Restored:
    newest, before = _snapshots(journal)
    if newest is None:
        number, state, count = _fold(None, journal.records())
        return Restored(number, state, count)
    trouble = _contradiction(journal, newest, before)
    number, state, count = _fold(newest, journal.records(newest.number))
    return Restored(number, state, count, trouble)


def _snapshots(journal: Journal) -> tuple[Snapshot | None, Snapshot | None]:
    """The newest snapshot by these rules, and the one before it."""
    with journal_open.for_reading(journal.path.parent) as connection:
        kept = [found for found in journal_format.snapshots(connection) if found.engine == core.ENGINE]
    return (kept[0] if kept else None), (kept[1] if len(kept) > 1 else None)


def _contradiction(journal: Journal, newest: Snapshot, before: Snapshot | None) -> Hold | None:
    """A hold where the state recomputed up to the newest snapshot is not what that snapshot says."""
    after = before.number if before else 0
    records = (record for record in journal.records(after) if record.number <= newest.number)
    _, state, _ = _fold(before, records)
    if state == decode(newest.state):
        return None
    text = (
        f"The state recomputed from records {after + 1} to {newest.number} is not the one that was kept. "
        "Nothing further is played; keep the journal and call the supervisor."
    )
    return Hold(code="contradiction", text=text)


def _fold(base: Snapshot | None, records: Iterable[Record]) -> tuple[int, State, int]:
    """(number of the newest record, state, how many records were folded)."""
    count = 0
    number, state = (base.number, decode(base.state)) if base else (0, None)
    for record in records:
        state = _advance(state, record)
        number, count = record.number, count + 1
    if state is None:
        raise JournalForeign("the journal holds no records")
    return number, state, count


def _advance(state: State | None, record: Record) -> State:
    event = record.decoded()
    if state is not None:
        return core.step(state, event)[0]
    if not isinstance(event, TableOpened):
        raise JournalForeign(f"record {record.number} comes first and does not open a table")
    return core.initial(event)


def encode(state: State) -> bytes:
    """A state as the journal keeps it."""
    return msgspec.json.encode(state)


def decode(text: str) -> State:
    """The state that `encode` wrote."""
    state: State = msgspec.json.decode(text, type=State)
    return state
