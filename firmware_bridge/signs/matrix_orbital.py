"""Matrix Orbital character displays, 19200 baud (compatible boards 9600): FE and a command, all else is text.
FE 58 clears, FE 48 goes home, FE 47 column row (from 1) puts the cursor, FE 42 00 lights the back for good.
Source: published captures (gists leetrout/1251447, kototoibashi)."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.signs.character_display import CharacterDisplay
from firmware_bridge.signs.sign import Step

_CLEAR, _HOME, _BACKLIGHT, _NO_SCROLL, _NO_WRAP = b"\xfe\x58", b"\xfe\x48", b"\xfe\x42\x00", b"\xfe\x52", b"\xfe\x44"


class MatrixOrbital(CharacterDisplay):
    """Lines as rows; lamps are not shown."""

    def begin(self) -> Sequence[Step]:
        return [Step(_BACKLIGHT + _NO_SCROLL + _NO_WRAP + _CLEAR, 0.01)]

    def at(self, column: int, row: int) -> bytes:
        return _HOME if column == row == 0 else b"\xfe\x47" + bytes((column + 1, row + 1))
