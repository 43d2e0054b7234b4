"""`kill -9` under load, and a write-ahead log cut short: no acknowledged record is lost, only a tail can be."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import journal_support as support
import pytest

from controller.edge.journal import Journal
from controller.edge.journal_reader import reading

CHILD = Path(__file__).parent / "journal_writer_child.py"


def kill_after(folder: Path, acknowledged: int) -> tuple[int, int]:
    """Run the child, `kill -9` it at that many acknowledgements; (newest it found, newest it acknowledged)."""
    with subprocess.Popen([sys.executable, str(CHILD), str(folder)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = int(process.stdout.readline())
        for _ in range(acknowledged):
            process.stdout.readline()
        process.kill()
        told = [int(line) for line in process.stdout.read().splitlines() if line]
    return found, max(told, default=found)


def test_no_acknowledged_record_is_lost(tmp_path: Path) -> None:
    newest = 0
    for acknowledged in (1, 40, 333, 1000, 2500):
        found, told = kill_after(tmp_path, acknowledged)
        assert found >= newest, "records were lost between two starts"
        numbers = support.numbers(tmp_path)
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= told, "an acknowledged record was lost"
        assert support.findings(tmp_path) == []
        newest = len(numbers)
    support.write(tmp_path, 10)
    assert len(support.numbers(tmp_path)) == newest + 10


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder as a kill leaves it: the newest records are in the write-ahead log alone."""
    folder = tmp_path_factory.mktemp("killed")
    support.write(folder, 20)
    kill_after(folder, 300)
    return folder


@pytest.mark.parametrize("part", [0.0, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1.0])
def test_a_log_cut_short_loses_a_tail_alone(tmp_path: Path, killed: Path, part: float) -> None:
    whole = tmp_path / "whole"
    shutil.copytree(killed, whole)
    with reading(whole) as journal:
        hashes = [record.hash for record in journal.records()]
    cut = tmp_path / "cut"
    shutil.copytree(killed, cut)
    log = cut / "journal.sqlite3-wal"
    with log.open("r+b") as file:
        file.truncate(int(log.stat().st_size * part))
    journal_again = Journal(cut)
    opened = journal_again.open()
    left = [record.hash for record in journal_again.records()]
    journal_again.append(support.event(1)).result(10)
    journal_again.close()
    assert left == hashes[: len(left)]
    assert opened.last == len(left) >= 20
    assert support.findings(cut) == []
