"""Is the journal what was written? Walks the hash chain and names what is changed, missing or out of place.

A record is *changed* where its own hash does not fit it, or where the next one was chained to another hash; *missing*
where its number is; *out of place* where it was chained to another record than the one before it. The note of the
newest record (`head`) shows records cut off at the end. What no chain can show (newest records lost together with that
note; a journal wholly rewritten) is in docs/journal.md.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator

import msgspec

from controller.edge.journal_format import (
    Record,
    genesis,
    head,
    journal_id,
    record_hash,
    records,
    snapshot_hash,
    snapshots,
)


class Finding(msgspec.Struct, frozen=True):
    """One thing wrong: `kind` is changed, missing, out-of-place or snapshot; `number` is the (first) record's."""

    number: int
    kind: str
    text: str


def verify(connection: sqlite3.Connection, after: int = 0) -> Generator[Finding, None, None]:
    """What is wrong with the records above `after` (taken as good), the head and the snapshots, each record once.

    Reads within one transaction, so that a running daemon's appends do not show as faults.
    """
    connection.execute("BEGIN")
    named = set()
    try:
        for finding in _chain(connection, after):
            if finding.number not in named:
                named.add(finding.number)
                yield finding
        yield from _snapshots(connection)
    finally:
        connection.execute("ROLLBACK")


def _chain(connection: sqlite3.Connection, after: int) -> Iterator[Finding]:
    before: Record | None = next(iter(records(connection, after - 1, after)), None)
    number, digest = (before.number, before.hash) if before else (0, genesis(journal_id(connection)))
    if before is None and after:
        yield _missing(after, after)
        number = after
    for record in records(connection, after):
        if record.number != number + 1:
            yield _missing(number + 1, record.number - 1)
            digest = record.previous  # nothing to compare with
        yield from _record(connection, record, digest)
        number, digest = record.number, record.hash
    yield from _end(connection, number, digest)


def _record(connection: sqlite3.Connection, record: Record, followed: str) -> Iterator[Finding]:
    """`followed` is the hash of the record before."""
    number = record.number
    own = record_hash(number, record.stamp, record.event, record.previous)
    if own == record.hash and record.previous == followed:
        return
    if record.previous == followed or own == record.hash:
        guilty = number if own != record.hash else max(number - 1, 1)
        yield Finding(guilty, "changed", f"record {guilty}: changed after it was written")
        return
    other = _with_hash(connection, record.previous)
    if other is None:
        yield Finding(number, "changed", f"record {number}: changed after it was written")
    else:
        yield Finding(number, "out-of-place", f"record {number}: out of place; it was written after record {other}")


def _with_hash(connection: sqlite3.Connection, digest: str) -> int | None:
    """The number of the record that has this hash; text that is no hash (damaged bytes, say) is nobody's."""
    if not digest.isascii():
        return None
    found = connection.execute("SELECT number FROM records WHERE hash = ?", (digest,)).fetchone()
    return None if found is None else int(found[0])


def _end(connection: sqlite3.Connection, number: int, digest: str) -> Iterator[Finding]:
    note = head(connection)
    if note is None:
        yield Finding(number, "missing", f"the note of the newest record is missing; {number} is the last one here")
        return
    noted, noted_hash = note
    if noted > number:
        yield _missing(number + 1, noted)
    elif noted < number:
        yield Finding(noted + 1, "changed", f"record {noted + 1}: not written by the journal, which ends with {noted}")
    elif noted_hash != digest:
        yield Finding(number, "changed", f"record {number}: changed after it was written")


def _missing(first: int, last: int) -> Finding:
    which = f"record {first} is" if first == last else f"records {first} to {last} are"
    return Finding(first, "missing", f"{which} missing")


def _snapshots(connection: sqlite3.Connection) -> Iterator[Finding]:
    for kept in snapshots(connection):
        whole = snapshot_hash(kept.number, kept.engine, kept.record_hash, kept.state) == kept.hash
        row = connection.execute("SELECT hash FROM records WHERE number = ?", (kept.number,)).fetchone()
        if not whole or (row is not None and row[0] != kept.record_hash):
            yield Finding(kept.number, "snapshot", f"snapshot at record {kept.number}: changed after it was written")
