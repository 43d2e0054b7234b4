"""What a table display shows, free of any game: the whole of it, every time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Picture:
    """`rows`: up to four characters each for the two digit rows; `text`: one line, at most 32 characters of ASCII;
    `lamps`: names of lit lamps; `brightness` 0..15."""

    rows: tuple[str, str] = ("", "")
    text: str = ""
    lamps: frozenset[str] = frozenset()
    brightness: int = 8
