"""Receipts of counted packs and shoes, with the time that the journal says: for the page and for the command line.

What a receipt says is the core's (`counting.py`), recomputed from the events; its time is the stamp of the record that
closed the count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from controller import table as core
from controller.edge import journal_open
from controller.edge.journal_format import JournalDamaged, Record
from controller.edge.problems import UsageProblem
from controller.events import AnyEvent, CountClosed, TableOpened
from controller.outcomes import Outcome, Receipt
from controller.state import State

TITLES = {"deck-check": "DECK CHECK", "remainder": "END OF SHOE"}
_CLOSED = f'{{"type":"{CountClosed.__struct_config__.tag}"%'  # how the event's text begins


class StampedReceipt(msgspec.Struct, frozen=True):
    """`record` is the journal's number; `utc` is only as good as the machine's clock was then (`utc_trusted`)."""

    record: int
    utc: str
    utc_trusted: bool
    receipt: Receipt


def issued(records: Iterable[Record]) -> Iterator[StampedReceipt]:
    """All receipts of a journal, oldest first: its events played through the rules.

    Raises UsageProblem where it is of no table, JournalDamaged where an event is unknown.
    """
    state: State | None = None
    for record in records:
        event = _event(record)
        outcomes: tuple[Outcome, ...] = ()
        if state is not None:
            state, outcomes = core.step(state, event)
        elif isinstance(event, TableOpened):
            state = core.initial(event)
        else:
            raise UsageProblem("the journal does not begin with the opening of a table")
        stamp = record.stamp
        for outcome in outcomes:
            if isinstance(outcome, Receipt):
                yield StampedReceipt(record.number, stamp.utc, stamp.utc_trusted, outcome)


def _event(record: Record) -> AnyEvent:
    try:
        return record.decoded()
    except (msgspec.DecodeError, UnicodeError) as error:
        raise JournalDamaged(f"record {record.number} is no event that this version knows: {error}") from error


def stamped(folder: Path, receipts: Sequence[Receipt]) -> list[StampedReceipt]:
    """The newest receipts of a table, newest first, each with the record that closed its count: one closes one."""
    query = "SELECT number, utc, utc_trusted FROM records WHERE event LIKE ? ORDER BY number DESC LIMIT ?"
    with journal_open.for_reading(folder) as connection:
        rows = connection.execute(query, (_CLOSED, len(receipts))).fetchall()
    return [
        StampedReceipt(number, str(utc), bool(trusted), receipt)
        for (number, utc, trusted), receipt in zip(rows, receipts, strict=False)
    ]


def as_text(stamped: StampedReceipt) -> str:
    """A receipt as it is printed."""
    made = stamped.receipt
    clock = "" if stamped.utc_trusted else " (the machine's clock was not set)"
    lines = [
        f"{TITLES[made.kind]}, receipt {made.number}: {'COMPLETE' if made.right else 'NOT RIGHT'}",
        f"  table    {made.table or '-'}",
        f"  machine  {made.machine or '-'}",
        f"  shoe     {made.shoe} ({made.game}, decks: {made.decks})",
        f"  time     {stamped.utc}{clock}, record {stamped.record} of the journal",
        f"  by       {made.by}",
        f"  counted  {made.counted} of {made.expected}, {made.unseen} of them unseen",
        *(f"  missing  {card} x {number}" for card, number in made.missing.items()),
        *(f"  extra    {card} x {number}" for card, number in made.extra.items()),
    ]
    return "\n".join(lines)
