"""A journal to look at: its records, whether it is whole, and its newest record; never written to.

For the command line and for restoring; what is a break of the chain is journal_verify's.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from controller.edge import journal_format, journal_open, journal_verify
from controller.edge.journal_format import FILE_NAME, JournalDamaged, Record, Snapshot
from controller.edge.journal_verify import Finding


class JournalReader:
    """Made by `reading`; good as long as that lasts."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self.path = path

    def records(self, after: int = 0) -> Iterator[Record]:
        """The committed records numbered above `after`, in order."""
        return journal_format.records(self._connection, after)

    def snapshots(self) -> Iterator[Snapshot]:
        """The snapshots kept, newest first, whole or not."""
        return journal_format.snapshots(self._connection)

    def count(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM records").fetchone()[0])

    def newest(self) -> tuple[int, str]:
        """Number and hash of the newest record; 0 and the beginning of the chain where there is none."""
        return journal_open.last_hash(self._connection)

    def verify(self) -> Iterator[Finding]:
        """What is wrong with it, from the first record on. Raises JournalDamaged where the database is broken."""
        pages = self._connection.execute("PRAGMA integrity_check(1)").fetchone()
        if pages != ("ok",):
            raise JournalDamaged(f"{self.path}: the database file is damaged: {' '.join(str(pages[0]).split())}")
        yield from journal_verify.verify(self._connection)


@contextlib.contextmanager
def reading(folder: Path) -> Iterator[JournalReader]:
    """The journal in a state folder, beside a running daemon and on a read-only mount too.

    Raises JournalMissing, JournalUnusable or JournalDamaged, also for what turns up while reading.
    """
    with journal_open.for_reading(folder) as connection:
        yield JournalReader(connection, folder / FILE_NAME)
