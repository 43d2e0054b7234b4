"""Journals for the tests: written by the real thing, tampered with by plain SQL, on real mounts."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.edge.journal import Journal
from controller.edge.journal_reader import reading
from controller.events import AnyEvent, CardDrawn, RoundOpened

RANKS, SUITS = "A23456789TJQK", "shdc"


def event(index: int) -> AnyEvent:
    """A plausible event for each number: mostly cards, now and then a request."""
    if index % 11 == 0:
        return RoundOpened()
    return CardDrawn(RANKS[index % 13] + SUITS[index % 4], passage=index, confidence=0.875)


def write(folder: Path, count: int) -> None:
    """A journal of `count` records, closed."""
    journal = Journal(folder)
    journal.open()
    numbers = [journal.append(event(index)) for index in range(count)]
    assert [number.result(30) for number in numbers] == list(range(numbers[0].result(), numbers[0].result() + count))
    journal.close()


def change(folder: Path, *statements: str) -> None:
    """Do to the file what anyone with sqlite3 could do."""
    connection = sqlite3.connect(folder / "journal.sqlite3")
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def findings(folder: Path) -> list[tuple[int, str]]:
    """(number, kind) of all that is wrong."""
    with reading(folder) as journal:
        return [(finding.number, finding.kind) for finding in journal.verify()]


def numbers(folder: Path) -> list[int]:
    with reading(folder) as journal:
        return [record.number for record in journal.records()]


@contextmanager
def mounted(*arguments: str, at: Path) -> Iterator[Path]:
    """A real mount; the test is skipped where this machine lets us make none."""
    at.mkdir(exist_ok=True)
    made = subprocess.run(["mount", *arguments, str(at)], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        pytest.skip(f"mounting is not allowed here: {made.stderr.strip()}")
    try:
        yield at
    finally:
        subprocess.run(["umount", "--lazy", str(at)], check=True)


@contextmanager
def read_only(folder: Path, at: Path) -> Iterator[Path]:
    """`folder`, seen through a read-only bind mount (root passes permission bits by, not this)."""
    with mounted("--bind", str(folder), at=at):
        subprocess.run(["mount", "-o", "remount,ro,bind", str(at)], check=True)
        yield at


def numbers_of_any_format(folder: Path) -> list[int]:
    """Past the check of the format: what the table of records holds."""
    connection = sqlite3.connect(folder / "journal.sqlite3")
    found = [number for (number,) in connection.execute("SELECT number FROM records ORDER BY number")]
    connection.close()
    return found
