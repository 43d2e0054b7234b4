"""Labelled pictures for an enrolment: sub-folders named by symbol (`As/…`), or files whose names begin with one
(`As_3.jpg`). Finds and names them; what they show is left to `vision.enrol`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from vision.profile import SYMBOLS
from vision.sources.folder import pictures_in

_RANKS = {"10": "T", "t": "T", "a": "A", "j": "J", "q": "Q", "k": "K"}
_LABEL = re.compile(r"(?P<rank>10|[2-9TJQKA])(?P<suit>[shdc])", re.IGNORECASE)
_OTHERS = ("back", "cut", "joker", "empty")


@dataclass(frozen=True)
class Labelled:
    """A picture file and the symbol that it is said to show."""

    path: Path
    symbol: str


class EnrolRefused(ValueError):
    """No profile can be made of this; `lines` say which and why, each complete in itself."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def symbol_of(label: str) -> str | None:
    """The symbol that a folder's name is, or that a file's name begins with (`As_3`, `10h-2`, `back`)."""
    word = re.split(r"[^A-Za-z0-9]", label, maxsplit=1)[0]
    if word.lower() in _OTHERS:
        return word.lower()
    match = _LABEL.fullmatch(word)
    if match is None:
        return None
    rank = match["rank"]
    symbol = _RANKS.get(rank.lower(), rank) + match["suit"].lower()
    return symbol if symbol in SYMBOLS else None


def find_labelled(root: Path) -> list[Labelled]:
    """Every labelled picture of a folder, by symbol and name.

    Raises EnrolRefused where it holds none, or a picture or a folder of pictures whose name is no symbol; OSError
    where it cannot be read.
    """
    found, mistakes = [], []
    for place in [root, *sorted(path for path in root.iterdir() if path.is_dir())]:
        folder_symbol = None if place == root else symbol_of(place.name)
        for path in pictures_in(place):
            symbol = folder_symbol or (symbol_of(path.stem) if place == root else None)
            if symbol is not None:
                found.append(Labelled(path, symbol))
            elif place == root:
                mistakes.append(f"{path}: its name begins with no symbol (As, 10h, back, cut, joker, empty)")
            else:
                mistakes.append(f"{place}: its name is no symbol (As, 10h, back, cut, joker, empty)")
                break
    if mistakes or not found:
        raise EnrolRefused(mistakes or [f"{root}: no pictures in it or in folders below it"])
    return sorted(found, key=lambda one: one.symbol)
