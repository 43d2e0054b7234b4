"""Where the simulated shoe's faces come from: a design of the project's own, or a user's pictures in a folder.

Pictures are named by symbol (`As.png`, `AS.png`, `10H.png`, `Th.jpg`); each shows one squared-up card and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Protocol

import cv2

from hw_sim.decks import CARDS, draw_face, face_size
from hw_sim.outline import Image, pixels
from hw_sim.styles import Style

_PICTURES = (".png", ".jpg", ".jpeg")
_NAME = re.compile(r"(10|[2-9TJQKA])([SHDC])", re.IGNORECASE)
_OTHERS = ("back", "cut", "joker")


class DeckUnusable(ValueError):
    """A folder that is no deck; the text names the folder and all that is wrong with it, in one line."""


class Faces(Protocol):
    """What a camera asks of a deck."""

    def face(self, symbol: str, px_per_mm: float) -> Image:
        """BGR picture of the whole card, 63.5 × 88.9 mm, index upright."""


class DrawnFaces:
    """The faces of one design; each is drawn once."""

    def __init__(self, style: Style) -> None:
        self._style = style
        self._drawn: dict[tuple[str, float], Image] = {}

    def face(self, symbol: str, px_per_mm: float) -> Image:
        key = symbol, px_per_mm
        if key not in self._drawn:
            self._drawn[key] = draw_face(self._style, symbol, px_per_mm)
        return self._drawn[key]


class FolderFaces:
    """The faces of a folder; what it lacks of back, cut card and joker is drawn in `style`.

    Raises DeckUnusable where a card of `needed` is missing, there twice or unreadable, or the folder cannot be listed.
    """

    def __init__(self, folder: Path, style: Style, needed: Collection[str] = CARDS) -> None:
        self._drawn = DrawnFaces(style)
        self._scaled: dict[tuple[str, float], Image] = {}
        paths = _paths(folder)
        missing = [card for card in needed if card not in paths]
        if missing:
            raise DeckUnusable(f"{folder}: no picture of {', '.join(missing)} (wanted: As.png, 10H.png, ...)")
        self._pictures = {symbol: read_face(path) for symbol, path in paths.items()}

    def face(self, symbol: str, px_per_mm: float) -> Image:
        if symbol not in self._pictures:
            return self._drawn.face(symbol, px_per_mm)
        key = symbol, px_per_mm
        if key not in self._scaled:
            picture = self._pictures[symbol]
            size = face_size(px_per_mm)
            method = cv2.INTER_AREA if size[0] < picture.shape[1] else cv2.INTER_CUBIC
            self._scaled[key] = pixels(cv2.resize(picture, size, interpolation=method))
        return self._scaled[key]


def symbol_of(name: str) -> str | None:
    """The symbol that a picture's name (without ending) says, or None."""
    if name.lower() in _OTHERS:
        return name.lower()
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    return ("T" if match[1] == "10" else match[1].upper()) + match[2].lower()


def _paths(folder: Path) -> dict[str, Path]:
    try:
        files = sorted(p for p in folder.iterdir() if p.suffix.lower() in _PICTURES)
    except OSError as error:
        raise DeckUnusable(f"{folder}: {error.strerror}") from error
    found: dict[str, Path] = {}
    for path in files:
        symbol = symbol_of(path.stem)
        if symbol in found:
            raise DeckUnusable(f"{folder}: {found[symbol].name} and {path.name} are both {symbol}")
        if symbol is not None:
            found[symbol] = path
    return found


def read_face(path: Path) -> Image:
    """BGR, whatever the file holds; what is see-through shows white. Raises DeckUnusable."""
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise DeckUnusable(f"{path}: is no readable picture")
    if picture.ndim == 2:
        return pixels(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR))
    if picture.dtype != "uint8":
        raise DeckUnusable(f"{path}: is no picture of 8 bits a channel")
    if picture.shape[2] == 4:
        alpha = picture[:, :, 3:].astype("float32") / 255
        return (picture[:, :, :3] * alpha + 255 * (1 - alpha)).astype("uint8")
    return pixels(picture)
