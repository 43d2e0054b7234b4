"""A recorded shoe as text: symbols between white space, `#` starts a comment, `---` parts the hands of zecchinetta.

Reads in pieces of bounded size, whatever the length of a line, and gathers what is not usable: all of a file is
checked, also what lies behind the end of play.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from controller.edge.problems import UsageProblem

PIECE = 1 << 16  # characters of a line that are read at once
SEPARATOR = "---"
MOST_MISTAKES = 100  # named one by one; the rest are counted
_SHOWN = 40
_UTF8 = "utf-8-sig"  # some editors begin a file with a byte order mark


@contextmanager
def opened(path: str) -> Iterator[TextIO]:
    """The file, or standard input for `-`; what is no UTF-8 comes through as what it is, to be refused as a symbol."""
    if path == "-":
        if sys.stdin is None:
            raise UsageProblem("-: standard input is closed")
        yield io.TextIOWrapper(sys.stdin.buffer, _UTF8, "surrogateescape")
        return
    with Path(path).open(encoding=_UTF8, errors="surrogateescape") as file:
        yield file


def words(file: TextIO) -> Iterator[tuple[int, list[str]]]:
    """The words of the file with the number of their line, comments left out."""
    number, rest, comment = 1, "", False
    while piece := file.readline(PIECE):
        ends = piece.endswith("\n")
        text, mark, _ = ("", "", "") if comment else (rest + piece).partition("#")
        comment = not ends and (comment or bool(mark))
        found = text.split()
        rest = ""
        if found and not ends and not mark and not text[-1].isspace() and len(found[-1]) < PIECE:
            rest = found.pop()  # the word may go on in the next piece
        yield number, found
        number += ends
    if rest:
        yield number, [rest]


class Mistakes:
    """What is wrong in a file, one line each."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lines: list[str] = []
        self._more = 0

    def add(self, number: int, what: str) -> None:
        if len(self._lines) < MOST_MISTAKES:
            self._lines.append(f"{self._name}:{number}: {what}")
        else:
            self._more += 1

    def no_card(self, number: int, word: str) -> None:
        shown = word if len(word) <= _SHOWN else word[:_SHOWN] + "…"
        shown = shown.encode("utf-8", "backslashreplace").decode()  # what was no UTF-8 at all
        why = "is a symbol of zecchinetta alone" if word == SEPARATOR else "is not a card"
        self.add(number, f'"{shown}" {why}')

    @property
    def lines(self) -> list[str]:
        more = [f"{self._name}: {self._more} more mistakes"] if self._more else []
        return self._lines + more
