"""The journal's file: tables, canonical bytes, hash chain, and opening it (format 1, docs/journal.md).

What is a record and what is a break of the chain is decided here and in journal_verify; when something is written, by
whom and how safely is journal's.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from controller.edge.stamp import Stamp
from controller.events import AnyEvent

FORMAT = 1
FILE_NAME = "journal.sqlite3"
BUSY_TIMEOUT_S = 5.0
_PAGE = 500  # records read at once: a short read transaction does not hold up the writer's checkpoints

SCHEMA = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE records (number INTEGER PRIMARY KEY, boot TEXT NOT NULL, monotonic_ns INTEGER NOT NULL,"
    " utc TEXT NOT NULL, utc_trusted INTEGER NOT NULL, event TEXT NOT NULL, previous TEXT NOT NULL,"
    " hash TEXT NOT NULL)",
    "CREATE TABLE snapshots (number INTEGER PRIMARY KEY, engine TEXT NOT NULL, record_hash TEXT NOT NULL,"
    " state TEXT NOT NULL, hash TEXT NOT NULL)",
    "CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL, hash TEXT NOT NULL)",
)
_COLUMNS = "number, boot, monotonic_ns, utc, utc_trusted, event, previous, hash"


class JournalError(OSError):
    """Base of the journal's errors; the text is one line that names the file."""


class JournalMissing(JournalError):
    """There is no journal in this folder."""


class JournalUnusable(JournalError, ValueError):
    """The file is no journal, of a newer format, or cannot be read or written here."""


class JournalDamaged(JournalError, ValueError):
    """The file is a journal, and what it holds is not what was written."""


class JournalFailed(JournalError):
    """A commit failed (disk full, I/O error): nothing of it counts, and nothing is accepted any more."""


class Record(msgspec.Struct, frozen=True):
    """One journalled event: `event` is its JSON text as hashed; `hash` covers all else (see `record_hash`)."""

    number: int
    stamp: Stamp
    event: str
    previous: str
    hash: str

    def decoded(self) -> AnyEvent:
        """The event itself. Raises msgspec.DecodeError where this version knows no such event."""
        event: AnyEvent = msgspec.json.decode(self.event, type=AnyEvent)
        return event


class Snapshot(msgspec.Struct, frozen=True):
    """The state after record `number`, as JSON, by the rules of `engine`."""

    number: int
    engine: str
    record_hash: str
    state: str
    hash: str


def genesis(journal_id: str) -> str:
    """What the first record follows: it ties the chain to this one journal."""
    return _sha256(f"sabot-journal {FORMAT}", journal_id)


def record_hash(number: int, stamp: Stamp, event: str, previous: str) -> str:
    """SHA-256, hex, over the record's canonical bytes: its fields as text lines, the event's JSON last."""
    trusted = "trusted" if stamp.utc_trusted else "untrusted"
    time = (stamp.boot, str(stamp.monotonic_ns), stamp.utc, trusted)
    return _sha256(f"sabot-record {FORMAT}", str(number), *time, previous, event)


def snapshot_hash(number: int, engine: str, followed: str, state: str) -> str:
    """SHA-256, hex, over a snapshot's canonical bytes; `followed` is the hash of record `number`."""
    return _sha256(f"sabot-snapshot {FORMAT}", str(number), engine, followed, state)


def _sha256(*lines: str) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def records(connection: sqlite3.Connection, after: int = 0, until: int | None = None) -> Iterator[Record]:
    """The records numbered above `after`, up to `until`, in order; JournalDamaged where the file has them in none."""
    query = f"SELECT {_COLUMNS} FROM records WHERE number > ? AND number <= ? ORDER BY number LIMIT {_PAGE}"
    last = 2**63 - 1 if until is None else until
    while rows := connection.execute(query, (after, last)).fetchall():
        for row in rows:
            if row[0] <= after:  # broken pages can give anything, without end
                raise JournalDamaged(f"{FILE_NAME}: the database file is damaged: {row[0]} comes after record {after}")
            yield _record(row)
            after = row[0]


def _record(row: Sequence[Any]) -> Record:
    number, boot, monotonic_ns, utc, trusted, event, previous, digest = row
    stamp = Stamp(text(boot), monotonic_ns, text(utc), bool(trusted))
    return Record(number, stamp, text(event), text(previous), text(digest))


def text(value: object) -> str:
    """A column's value as text, whatever stands there: a damaged one is named by its record, it stops no reading."""
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)


def snapshots(connection: sqlite3.Connection) -> Iterator[Snapshot]:
    """The snapshots kept, newest first."""
    query = "SELECT number, engine, record_hash, state, hash FROM snapshots ORDER BY number DESC"
    for row in connection.execute(query):
        number, engine, followed, state, digest = row
        yield Snapshot(number, text(engine), text(followed), text(state), text(digest))


def head(connection: sqlite3.Connection) -> tuple[int, str] | None:
    """Number and hash of the newest record, as noted beside the chain; None where that note is gone."""
    note: tuple[int, str] | None = connection.execute("SELECT number, hash FROM head").fetchone()
    return note


def journal_id(connection: sqlite3.Connection) -> str:
    """The random name of this journal, from which its chain begins."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'id'").fetchone()
    return "" if row is None else str(row[0])


def refuse_other_formats(connection: sqlite3.Connection, path: Path) -> None:
    """Raises JournalUnusable for a database that is no journal, or one of a newer format."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"meta", "records", "snapshots", "head"} <= tables:
        raise JournalUnusable(f"{path}: a database, but not a journal of sabot")
    row = connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
    found = "" if row is None else str(row[0])
    if not (found.isascii() and found.isdigit()):
        raise JournalUnusable(f"{path}: a journal that does not say its format")
    if int(found) != FORMAT:
        raise JournalUnusable(f"{path}: journal of format {found}; this version reads format {FORMAT}")


def in_words(error: sqlite3.Error | UnicodeError, path: Path) -> JournalError:
    """SQLite's error as one of ours, one line; a UnicodeError is its own message, about names that are damaged."""
    if isinstance(error, UnicodeError):
        return JournalDamaged(f"{path}: the database file is damaged: names in it are no text")
    name = getattr(error, "sqlite_errorname", "") or ""
    line = f"{path}: {_WORDS.get(name.removeprefix('SQLITE_').split('_')[0], str(error))} ({name or 'SQLite'})"
    return JournalDamaged(line) if name.startswith("SQLITE_CORRUPT") else JournalUnusable(line)


_WORDS = {
    "READONLY": "cannot be written to: read-only file or folder",
    "CANTOPEN": "cannot be opened or made: its folder is missing, read-only or not accessible",
    "NOTADB": "not a journal: the file is not an SQLite database",
    "CORRUPT": "the database file is damaged",
    "FULL": "the disk is full",
    "IOERR": "the disk fails: input or output error",
    "BUSY": "another program keeps the journal locked",
}
