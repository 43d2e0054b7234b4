"""The journal's one writing thread: takes what waits, commits it as one transaction, then resolves its futures.

Group commit: while one fsync runs, whatever arrives waits and goes together with the next. A failed commit counts for
nothing and ends the writing: after a failed fsync nobody knows what the disk holds, so the journal is opened anew or
not at all.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from controller.edge.journal_format import JournalError, JournalFailed, in_words, record_hash, snapshot_hash
from controller.edge.stamp import Stamp

LARGEST_GROUP = 1000  # items in one transaction
SNAPSHOTS_KEPT = 16

log = logging.getLogger(__name__)


def _running() -> Future[int]:
    """A future that can no longer be cancelled: what was handed in is written, whoever still waits for it."""
    future: Future[int] = Future()
    future.set_running_or_notify_cancel()
    return future


@dataclass(frozen=True)
class Append:
    event: str
    stamp: Stamp
    done: Future[int] = field(default_factory=_running)


@dataclass(frozen=True)
class Keep:
    """A snapshot of the state after record `number`."""

    number: int
    engine: str
    state: str
    done: Future[int] = field(default_factory=_running)


Item = Append | Keep


class Writer:
    """Owns the connection while it runs. `follows` is number and hash of the newest record."""

    def __init__(
        self, connection: sqlite3.Connection, path: Path, follows: tuple[int, str], on_failure: Callable[[str], None]
    ) -> None:
        self._connection = connection
        self._path = path
        self._number, self._hash = follows
        self._on_failure = on_failure
        self._waiting: queue.SimpleQueue[Item | None] = queue.SimpleQueue()
        self._door = threading.Lock()  # nothing may enter the queue after the None that ends it
        self._closed = False
        self._failure: JournalError | None = None
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def put(self, item: Item) -> Future[int]:
        """Hand in; never waits. The future is resolved after the commit, with the record's number."""
        with self._door:
            if not self._closed:
                self._waiting.put(item)
                return item.done
        item.done.set_exception(JournalFailed(f"{self._path}: the journal is closed"))
        return item.done

    def stop(self) -> None:
        """Write what was handed in, then end the thread."""
        with self._door:
            if not self._closed:
                self._closed = True
                self._waiting.put(None)
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        more = True
        while more:
            group, more = self._next_group()
            try:
                self._commit(group)
            except Exception as error:  # the top of the thread: a defect must not leave futures waiting
                log.exception("journal thread")
                self._give_up(group, JournalFailed(f"{self._path}: {type(error).__name__}: {error}"))

    def _next_group(self) -> tuple[list[Item], bool]:
        """At least one item, and all that wait behind it; False after the last."""
        item = self._waiting.get()
        group: list[Item] = []
        while item is not None:
            group.append(item)
            if len(group) == LARGEST_GROUP or self._waiting.empty():
                return group, True
            item = self._waiting.get()
        return group, False

    def _commit(self, group: Sequence[Item]) -> None:
        if not group:
            return
        if self._failure is not None:
            self._give_up(group, self._failure)
            return
        try:
            results = self._transaction(group)
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            self._give_up(group, JournalFailed(str(in_words(error, self._path))))
            return
        for item, result in zip(group, results, strict=True):
            if isinstance(result, int):
                item.done.set_result(result)
            else:
                item.done.set_exception(result)

    def _transaction(self, group: Sequence[Item]) -> list[int | ValueError]:
        """One result an item. Number and hash move on only once all is committed."""
        number, digest = self._number, self._hash
        results: list[int | ValueError] = []
        self._connection.execute("BEGIN IMMEDIATE")
        for item in group:
            if isinstance(item, Append):
                number, digest = self._insert(item, number + 1, digest)
                results.append(number)
            else:
                results.append(self._keep(item))
        self._connection.execute("UPDATE head SET number = ?, hash = ?", (number, digest))
        self._connection.execute("COMMIT")
        self._number, self._hash = number, digest
        return results

    def _insert(self, item: Append, number: int, previous: str) -> tuple[int, str]:
        stamp = item.stamp
        digest = record_hash(number, stamp, item.event, previous)
        row = (number, stamp.boot, stamp.monotonic_ns, stamp.utc, int(stamp.utc_trusted), item.event, previous, digest)
        self._connection.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return number, digest

    def _keep(self, item: Keep) -> int | ValueError:
        found = self._connection.execute("SELECT hash FROM records WHERE number = ?", (item.number,)).fetchone()
        if found is None:
            return ValueError(f"{self._path}: no record {item.number} to keep a snapshot of")
        digest = snapshot_hash(item.number, item.engine, found[0], item.state)
        row = (item.number, item.engine, found[0], item.state, digest)
        self._connection.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?)", row)
        newest = f"SELECT number FROM snapshots ORDER BY number DESC LIMIT {SNAPSHOTS_KEPT}"
        self._connection.execute(f"DELETE FROM snapshots WHERE number NOT IN ({newest})")
        return item.number

    def _give_up(self, group: Sequence[Item], failure: JournalError) -> None:
        first = self._failure is None
        self._failure = failure
        if first:
            self._on_failure(str(failure))
        for item in group:
            if not item.done.done():
                item.done.set_exception(failure)
