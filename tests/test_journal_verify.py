"""A changed, missing or reordered record is named by its number."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import tempfile
from pathlib import Path

import journal_support as support
import pytest
from cli_support import sabot
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.edge.journal import Journal, JournalDamaged

SWAP = tuple(f"UPDATE records SET number = {new} WHERE number = {old}" for old, new in ((5, 99), (6, 5), (99, 6)))
SWAP_EVENTS = (
    "CREATE TABLE other AS SELECT * FROM records WHERE number IN (5, 8)",
    "UPDATE records SET event = (SELECT event FROM other WHERE number = 13 - records.number) WHERE number IN (5, 8)",
    "DROP TABLE other",
)
HEAD_BACK = ("UPDATE head SET number = 19, hash = (SELECT hash FROM records WHERE number = 19)",)
CASES = {
    "event": (("UPDATE records SET event = replace(event, '\"', '''') WHERE number = 5",), [(5, "changed")]),
    "hash": (("UPDATE records SET hash = upper(hash) WHERE number = 5",), [(5, "changed")]),
    "previous": (("UPDATE records SET previous = upper(previous) WHERE number = 5",), [(5, "changed")]),
    "time": (("UPDATE records SET utc = '2001' || substr(utc, 5) WHERE number = 5",), [(5, "changed")]),
    "clock": (("UPDATE records SET monotonic_ns = monotonic_ns + 1 WHERE number = 5",), [(5, "changed")]),
    "boot": (("UPDATE records SET boot = 'x' WHERE number = 5",), [(5, "changed")]),
    "trust": (("UPDATE records SET utc_trusted = 1 - utc_trusted WHERE number = 5",), [(5, "changed")]),
    "no text": (("UPDATE records SET event = x'ff00fe' WHERE number = 5",), [(5, "changed")]),
    "two": (("UPDATE records SET event = '{}' WHERE number IN (3, 9)",), [(3, "changed"), (9, "changed")]),
    "first": (("UPDATE records SET event = '{}' WHERE number = 1",), [(1, "changed")]),
    "last": (("UPDATE records SET event = '{}' WHERE number = 20",), [(20, "changed")]),
    "missing": (("DELETE FROM records WHERE number = 5",), [(5, "missing")]),
    "missing run": (("DELETE FROM records WHERE number IN (5, 6, 7)",), [(5, "missing")]),
    "missing first": (("DELETE FROM records WHERE number = 1",), [(1, "missing")]),
    "cut off": (("DELETE FROM records WHERE number > 17",), [(18, "missing")]),
    "all gone": (("DELETE FROM records",), [(1, "missing")]),
    "reordered": (SWAP, [(5, "out-of-place"), (6, "out-of-place")]),
    "reordered events": (SWAP_EVENTS, [(5, "changed"), (8, "changed")]),
    "head gone": (("DELETE FROM head",), [(20, "missing")]),
    "head back": (HEAD_BACK, [(20, "changed")]),
    "other journal": (("UPDATE meta SET value = 'x' WHERE key = 'id'",), [(1, "changed")]),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of 20 records."""
    folder = tmp_path_factory.mktemp("journal")
    support.write(folder, 20)
    return folder / "journal.sqlite3"


@pytest.fixture
def folder(tmp_path: Path, whole: Path) -> Path:
    """A copy of it, to do as one likes with."""
    shutil.copy(whole, tmp_path)
    return tmp_path


def test_a_whole_journal_has_no_findings(folder: Path) -> None:
    assert support.findings(folder) == []


@pytest.mark.parametrize("case", CASES)
def test_what_was_done_is_named_by_its_number(folder: Path, case: str) -> None:
    statements, expected = CASES[case]
    support.change(folder, *statements)
    assert support.findings(folder) == expected


@pytest.mark.parametrize("number", [1, 7, 20])
def test_a_record_hashed_anew_is_named_by_what_follows_it(folder: Path, number: int) -> None:
    """Whoever changes a record and its hash breaks the link to the next one, or to the note of the newest."""
    connection = sqlite3.connect(folder / "journal.sqlite3")
    columns = "number, boot, monotonic_ns, utc, utc_trusted, previous, event"
    row = list(connection.execute(f"SELECT {columns} FROM records WHERE number = ?", (number,)).fetchone())
    row[6] = '{"type":"card-drawn","symbol":"Ks"}'
    row[4] = "trusted" if row[4] else "untrusted"
    forged = hashlib.sha256("\n".join(["sabot-record 1", *map(str, row)]).encode()).hexdigest()
    with connection:
        connection.execute("UPDATE records SET event = ?, hash = ? WHERE number = ?", (row[6], forged, number))
    connection.close()
    assert support.findings(folder) == [(number, "changed")]


COLUMNS = ("boot", "monotonic_ns", "utc", "event", "previous", "hash")


VALUES = st.text(max_size=5) | st.integers(-(2**63), 2**63 - 1) | st.binary(max_size=5)


@given(st.integers(1, 20), st.sampled_from(COLUMNS), VALUES)
@settings(max_examples=60)
def test_no_change_of_a_record_escapes(whole: Path, number: int, column: str, value: object) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = shutil.copy(whole, name)
        connection = sqlite3.connect(path)
        query = f"SELECT {column}, typeof({column}) FROM records WHERE number = ?"
        before = connection.execute(query, (number,)).fetchone()
        with connection:
            connection.execute(f"UPDATE records SET {column} = ? WHERE number = ?", (value, number))
        after = connection.execute(query, (number,)).fetchone()
        connection.close()
        assert support.findings(Path(name)) == ([(number, "changed")] if after != before else [])


def test_a_broken_chain_is_not_opened_for_writing(folder: Path) -> None:
    support.change(folder, "UPDATE records SET event = '{}' WHERE number = 13")
    with pytest.raises(JournalDamaged, match=r"journal\.sqlite3: record 13: changed"):
        Journal(folder).open()


def test_broken_pages_are_found(folder: Path) -> None:
    path = folder / "journal.sqlite3"
    connection = sqlite3.connect(path)
    (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'records'").fetchone()
    connection.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xa5" * 100)
    with pytest.raises(JournalDamaged, match="damaged"):
        Journal(folder).open()
    answer = sabot("journal", "verify", "--state", folder)
    assert (answer.status, len(answer.lines), answer.err) == (1, 1, "")
    assert "damaged" in answer.out
