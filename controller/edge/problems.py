"""The one error that means "the call or its input is unusable": a line for each mistake, saying what and where.

The command line prints the lines on standard error and ends with 2. Nothing else is decided here, and nothing heavy
is imported: every part may raise it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


class UsageProblem(ValueError):
    """`lines`: one a mistake, each complete in itself (`deck.txt:12: "1x" is not a card`)."""

    def __init__(self, lines: str | Iterable[str]) -> None:
        self.lines: tuple[str, ...] = (lines,) if isinstance(lines, str) else tuple(lines)
        super().__init__("\n".join(self.lines))


def os_line(error: OSError, path: Path | str | None = None) -> str:
    """One line for an error of the operating system, with the path it speaks of."""
    where = path if path is not None else error.filename
    what = error.strerror or str(error)
    return what if where is None else f"{where}: {what}"
