"""Journals of every format ever released stay readable, and their chain says what docs/journal.md says."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from pathlib import Path

import journal_support as support
import pytest

from controller.edge.journal import Journal
from controller.edge.journal_reader import reading
from controller.events import CardDrawn, Confirmed, TableOpened

JOURNALS = Path(__file__).parent / "journals"
RECORDS = 17


@pytest.fixture
def format_1(tmp_path: Path) -> Path:
    """A copy: reading a journal in place leaves SQLite's own files beside it."""
    shutil.copy(JOURNALS / "format-1" / "journal.sqlite3", tmp_path)
    return tmp_path


def test_format_1_is_read(format_1: Path) -> None:
    with reading(format_1) as journal:
        events = [record.decoded() for record in journal.records()]
        trust = [record.stamp.utc_trusted for record in journal.records()]
    assert len(events) == RECORDS
    assert isinstance(events[0], TableOpened)
    assert str(events[0].rules.limits.max) == "500.50"
    assert Confirmed(by="Zoë") in events
    assert events[4] == CardDrawn("As", passage=1, confidence=0.97)
    assert trust == [False] * 10 + [True] * 7
    assert support.findings(format_1) == []


def test_format_1_is_gone_on_with(format_1: Path) -> None:
    journal = Journal(format_1)
    opened = journal.open()
    assert (opened.created, opened.last) == (False, RECORDS)
    assert journal.append(support.event(1)).result(10) == RECORDS + 1
    journal.close()
    assert support.findings(format_1) == []


def test_format_1_by_its_page(format_1: Path) -> None:
    """The chain computed from the text of docs/journal.md alone, with nothing of the program."""
    connection = sqlite3.connect(format_1 / "journal.sqlite3")
    (name,) = connection.execute("SELECT value FROM meta WHERE key = 'id'").fetchone()
    rows = connection.execute("SELECT * FROM records ORDER BY number").fetchall()
    kept = connection.execute("SELECT number, engine, record_hash, state, hash FROM snapshots").fetchall()
    head = connection.execute("SELECT number, hash FROM head").fetchone()
    connection.close()
    followed = sha256(f"sabot-journal 1\n{name}")
    for number, boot, monotonic_ns, utc, trusted, event, previous, digest in rows:
        word = "trusted" if trusted else "untrusted"
        assert previous == followed
        followed = sha256(f"sabot-record 1\n{number}\n{boot}\n{monotonic_ns}\n{utc}\n{word}\n{previous}\n{event}")
        assert digest == followed
    assert head == (RECORDS, followed)
    for number, engine, record_hash, state, digest in kept:
        assert record_hash == rows[number - 1][-1]
        assert digest == sha256(f"sabot-snapshot 1\n{number}\n{engine}\n{record_hash}\n{state}")


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
