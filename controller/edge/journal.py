"""The journal of a table: every event, committed before anything is computed from it or shown.

SQLite in WAL mode with synchronous FULL, one writing thread, group commit, a SHA-256 chain from the first record on,
snapshots of the state at round ends (docs/journal.md). What events mean, when a snapshot is due and what a failed
journal does to the table are the daemon's; that only one daemon writes is lock's.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

import msgspec

from controller.edge import journal_format, journal_open
from controller.edge.journal_format import (
    FILE_NAME,
    JournalDamaged,
    JournalError,
    JournalFailed,
    JournalMissing,
    JournalUnusable,
    Record,
    Snapshot,
    snapshot_hash,
)
from controller.edge.journal_verify import verify
from controller.edge.journal_writer import Append, Keep, Writer
from controller.edge.stamp import Stamp, now
from controller.events import Event

__all__ = [
    "Health",
    "Journal",
    "JournalDamaged",
    "JournalError",
    "JournalFailed",
    "JournalMissing",
    "JournalUnusable",
    "Opened",
    "Record",
    "Snapshot",
]


class Health(msgspec.Struct, frozen=True):
    """`state` is "closed", "ok" or "failed" (nothing is accepted until it is opened anew); `detail` is one line."""

    state: str
    detail: str = ""


class Opened(msgspec.Struct, frozen=True):
    """What `open` found: `created` where there was none, `last` and `hash` of the newest record (0 where none)."""

    created: bool
    last: int
    hash: str


class Journal:
    """`engine` names the version of the rules that made the snapshots: those of another are not used.

    `on_health` is called with each change of health; a failure comes on the journal's own thread.
    """

    def __init__(self, folder: Path, engine: str = "1", on_health: Callable[[Health], None] | None = None) -> None:
        self.path = folder / FILE_NAME
        self._folder = folder
        self._engine = engine
        self._on_health = on_health
        self._health = Health("closed")
        self._connection: sqlite3.Connection | None = None
        self._writer: Writer | None = None

    @property
    def health(self) -> Health:
        return self._health

    def open(self) -> Opened:
        """Open or make the file, check all its pages and the chain from the newest snapshot on, start the thread.

        Raises JournalUnusable (not writable, no journal, newer format) or JournalDamaged (names the record).
        """
        if self._connection is not None:
            raise ValueError(f"{self.path}: already open")
        connection = journal_open.for_writing(self._folder)
        try:
            self._check(connection)
            last, digest = journal_open.last_hash(connection)
        except (sqlite3.Error, UnicodeError) as error:
            connection.close()
            raise journal_format.in_words(error, self.path) from error
        except JournalError:
            connection.close()
            raise
        self._connection = connection
        self._writer = Writer(connection, self.path, (last, digest), lambda text: self._set(Health("failed", text)))
        self._writer.start()
        self._set(Health("ok"))
        return Opened(last == 0, last, digest)

    def append(self, event: Event, stamp: Stamp | None = None) -> Future[int]:
        """Hand in an event, never waiting; its number once it is on the disk, or JournalFailed.

        May be called on any thread; records are numbered in the order of the calls of one thread.
        """
        text = msgspec.json.encode(event).decode()
        return self._open_writer().put(Append(text, stamp or now()))

    def snapshot(self, number: int, state: msgspec.Struct) -> Future[int]:
        """Keep the state after record `number`, as JSON; the newest 16 are kept."""
        return self._open_writer().put(Keep(number, self._engine, msgspec.json.encode(state).decode()))

    def latest_snapshot(self) -> Snapshot | None:
        """The newest whole snapshot made by this engine; its `state` is JSON."""
        with journal_open.for_reading(self._folder) as connection:
            for kept in journal_format.snapshots(connection):
                if kept.engine == self._engine and _is_whole(kept):
                    return kept
        return None

    def records(self, after: int = 0) -> Iterator[Record]:
        """The committed records numbered above `after`, in order, on a connection of their own."""
        with journal_open.for_reading(self._folder) as connection:
            yield from journal_format.records(connection, after)

    def close(self) -> None:
        """Commit what was handed in and close; the write-ahead log goes into the file."""
        if self._writer is not None:
            self._writer.stop()
            self._writer = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None
            self._set(Health("closed"))

    def _open_writer(self) -> Writer:
        if self._writer is None:
            raise JournalFailed(f"{self.path}: the journal is not open")
        return self._writer

    def _check(self, connection: sqlite3.Connection) -> None:
        newest = next((kept.number for kept in journal_format.snapshots(connection) if _is_whole(kept)), 0)
        with contextlib.closing(verify(connection, newest)) as findings:
            for finding in findings:
                if finding.kind != "snapshot":  # a broken snapshot is passed over, an older one serves
                    raise JournalDamaged(f"{self.path}: {finding.text}")

    def _set(self, health: Health) -> None:
        self._health = health
        if self._on_health is not None:
            self._on_health(health)


def _is_whole(kept: Snapshot) -> bool:
    return snapshot_hash(kept.number, kept.engine, kept.record_hash, kept.state) == kept.hash
