"""Opening a journal's file: to write (made where missing, checked as a whole) and to read (also on a read-only mount).

Who may write is lock's matter; what is in the file, journal_format's.
"""

from __future__ import annotations

import contextlib
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from controller.edge import journal_format
from controller.edge.journal_format import (
    BUSY_TIMEOUT_S,
    FILE_NAME,
    FORMAT,
    SCHEMA,
    JournalDamaged,
    JournalMissing,
    JournalUnusable,
    genesis,
    in_words,
    refuse_other_formats,
)
from controller.edge.problems import os_line

_WAL_LIMIT = 4 * 2**20  # bytes the write-ahead log is cut back to after a checkpoint


def for_writing(folder: Path) -> sqlite3.Connection:
    """A checked connection that commits with fsync. Raises JournalUnusable or JournalDamaged, one line."""
    path = folder / FILE_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalUnusable(os_line(error, folder)) from error
    try:
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise in_words(error, path) from error
    try:
        _prepare(connection, path)
    except (sqlite3.Error, UnicodeError) as error:
        connection.close()
        raise in_words(error, path) from error
    except BaseException:
        connection.close()
        raise
    return connection


@contextlib.contextmanager
def for_reading(folder: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection, beside a running daemon too. Raises JournalMissing, JournalUnusable or JournalDamaged.

    What cannot be opened where it lies (SQLite needs to write beside a database in WAL mode) is read from a copy.
    """
    path = folder / FILE_NAME
    if not path.is_file():
        raise JournalMissing(f"{folder}: no journal here ({FILE_NAME} is missing)")
    with contextlib.ExitStack() as stack:
        try:
            connection = _read_only(path, stack)
            refuse_other_formats(connection, path)
            yield connection
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise in_words(error, path) from error


def _read_only(path: Path, stack: contextlib.ExitStack) -> sqlite3.Connection:
    try:
        return _connect_read_only(path, stack)
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorname", "").removeprefix("SQLITE_").split("_")[0] not in ("CANTOPEN", "READONLY"):
            raise
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sabot-journal-")))
    return _connect_read_only(_copy(path, folder), stack)


def _connect_read_only(path: Path, stack: contextlib.ExitStack) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.absolute()))}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    stack.callback(connection.close)
    connection.text_factory = journal_format.text
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # only now SQLite opens its files
    return connection


def _copy(path: Path, folder: Path) -> Path:
    """The database and its write-ahead log, copied to `folder`."""
    try:
        for part in (path, path.with_name(FILE_NAME + "-wal")):
            if part is path or part.exists():
                shutil.copyfile(part, folder / part.name)
    except OSError as error:
        raise JournalUnusable(os_line(error, path)) from error
    return folder / path.name


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Durable settings; a new file gets its tables, an old one is checked."""
    connection.text_factory = journal_format.text
    connection.execute("PRAGMA synchronous = FULL")
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,):
        refuse_other_formats(connection, path)
    _check_pages(connection, path)
    if connection.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
        raise JournalUnusable(f"{path}: this file system cannot carry a write-ahead log (a network drive?)")
    connection.execute(f"PRAGMA journal_size_limit = {_WAL_LIMIT}")
    connection.execute("BEGIN IMMEDIATE")  # proves that it can be written to
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
        _create(connection)
    connection.execute("COMMIT")


def _check_pages(connection: sqlite3.Connection, path: Path) -> None:
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != ("ok",):
        raise JournalDamaged(f"{path}: the database file is damaged: {' '.join(str(found[0]).split())}")


def _create(connection: sqlite3.Connection) -> None:
    """Tables and names of a new journal; its random id is where its chain begins."""
    for statement in SCHEMA:
        connection.execute(statement)
    name = secrets.token_hex(16)
    connection.executemany("INSERT INTO meta VALUES (?, ?)", (("format", str(FORMAT)), ("id", name)))
    connection.execute("INSERT INTO head VALUES (1, 0, ?)", (genesis(name),))


def last_hash(connection: sqlite3.Connection) -> tuple[int, str]:
    """Number and hash that the next record follows: the newest record's, or the beginning of the chain."""
    row = connection.execute("SELECT number, hash FROM records ORDER BY number DESC LIMIT 1").fetchone()
    return row or (0, genesis(journal_format.journal_id(connection)))
