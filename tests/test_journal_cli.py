"""`sabot journal verify|show|export`, as a person or a script calls it."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import journal_support as support
import pytest
from cli_support import sabot

from controller.edge.journal import Journal


def test_verify_a_whole_journal(tmp_path: Path) -> None:
    support.write(tmp_path, 12)
    answer = sabot("journal", "verify", "--state", tmp_path)
    assert (answer.status, len(answer.lines), answer.err) == (0, 1, "")
    assert "12 records" in answer.out
    assert sabot("journal", "verify", "--state", tmp_path, "--json").json()[0]["findings"] == 0


def test_verify_names_the_record(tmp_path: Path) -> None:
    support.write(tmp_path, 12)
    support.change(tmp_path, "UPDATE records SET event = '{}' WHERE number = 4", "DELETE FROM records WHERE number = 9")
    answer = sabot("journal", "verify", "--state", tmp_path)
    assert answer.status == 1
    assert [line.split(": ", 1)[1] for line in answer.lines] == [
        "record 4: changed after it was written",
        "record 9 is missing",
    ]
    told = sabot("journal", "verify", "--state", tmp_path, "--json").json()
    assert [(line["number"], line["kind"]) for line in told[:-1]] == [(4, "changed"), (9, "missing")]


def test_show_and_export(tmp_path: Path) -> None:
    support.write(tmp_path, 12)
    shown = sabot("journal", "show", "--state", tmp_path)
    assert (shown.status, len(shown.lines)) == (0, 12)
    assert shown.lines[1].split()[0] == "2"
    assert "card-drawn" in shown.lines[1]
    exported = sabot("journal", "export", "--state", tmp_path)
    assert exported.status == 0
    lines = exported.json()
    assert [line["number"] for line in lines] == list(range(1, 13))
    assert lines[0]["event"] == {"type": "round-opened", "by": "dealer"}
    assert exported.out == sabot("journal", "show", "--json", "--state", tmp_path).out


def test_an_export_can_be_checked_without_this_program(tmp_path: Path) -> None:
    """The rule of docs/journal.md, from the exported lines alone."""
    support.write(tmp_path, 12)
    followed = None
    for line in sabot("journal", "export", "--state", tmp_path).lines:
        record = json.loads(line)
        event = line.split('"event":', 1)[1].rsplit(',"utc_trusted"', 1)[0]
        trusted = "trusted" if record["utc_trusted"] else "untrusted"
        time = [record["boot"], str(record["monotonic_ns"]), record["utc"], trusted]
        text = "\n".join(["sabot-record 1", str(record["number"]), *time, record["previous"], event])
        assert hashlib.sha256(text.encode()).hexdigest() == record["hash"]
        assert followed in (None, record["previous"])
        followed = record["hash"]


def test_a_damaged_event_is_still_exported(tmp_path: Path) -> None:
    support.write(tmp_path, 3)
    support.change(tmp_path, "UPDATE records SET event = 'no json' WHERE number = 2")
    support.change(tmp_path, "UPDATE records SET event = x'ff22' WHERE number = 3")
    lines = sabot("journal", "export", "--state", tmp_path).json()
    assert [line["event"] for line in lines[1:]] == ["no json", '�"']
    assert len(sabot("journal", "show", "--state", tmp_path).lines) == 3


@pytest.mark.parametrize("what", ["verify", "show", "export"])
def test_no_journal(tmp_path: Path, what: str) -> None:
    answer = sabot("journal", what, "--state", tmp_path)
    assert (answer.status, answer.out, len(answer.mistakes)) == (2, "", 1)
    assert str(tmp_path) in answer.err


@pytest.mark.parametrize("content", [b"", b"hello\n" * 1000, b"SQLite format 3\0" + b"\xff" * 5000])
def test_not_a_journal(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "journal.sqlite3").write_bytes(content)
    answer = sabot("journal", "verify", "--state", tmp_path)
    assert (answer.status, answer.out, len(answer.mistakes)) == (2, "", 1)


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    support.write(tmp_path, 1)
    support.change(tmp_path, "UPDATE meta SET value = '2' WHERE key = 'format'")
    answer = sabot("journal", "show", "--state", tmp_path)
    assert (answer.status, len(answer.mistakes)) == (2, 1)
    assert "format 2" in answer.err


def test_beside_a_running_daemon(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.open()
    for index in range(30):
        journal.append(support.event(index)).result(10)
    answer = sabot("journal", "verify", "--state", tmp_path)
    assert "30 records" in answer.out
    journal.append(support.event(31)).result(10)
    journal.close()
    assert support.findings(tmp_path) == []


@pytest.mark.parametrize("open_too", [False, True], ids=["closed", "with its log"])
def test_on_a_read_only_mount(tmp_path: Path, open_too: bool) -> None:
    folder = tmp_path / "state"
    journal = Journal(folder)
    journal.open()
    for index in range(30):
        journal.append(support.event(index)).result(10)
    if not open_too:
        journal.close()
    with support.read_only(folder, tmp_path / "mount") as mount:
        answer = sabot("journal", "verify", "--state", mount)
    journal.close()
    assert (answer.status, answer.err) == (0, "")
    assert "30 records" in answer.out


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    support.write(tmp_path, 2000)
    command = [str(Path(sys.executable).parent / "sabot"), "journal", "export", "--state", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 2
