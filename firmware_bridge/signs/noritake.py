"""Noritake GU-7000 fluorescent displays, 38400 baud: 1B 40 initialises, 0C clears (200 ms), 1F 43 n shows the cursor,
1F 24 xL xH yL yH puts it (x in dots, y in rows of eight dots). Source: os.mbed.com irsanjul/Noritake."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.signs.character_display import CharacterDisplay
from firmware_bridge.signs.sign import Step

_INITIALISE, _CLEAR, _NO_CURSOR = b"\x1b\x40", b"\x0c", b"\x1f\x43\x00"
_DOTS = 6  # a character's width
_CLEAR_S = 0.2


class Noritake(CharacterDisplay):
    """Lines as rows; lamps are not shown."""

    def begin(self) -> Sequence[Step]:
        return [Step(_INITIALISE, _CLEAR_S), Step(_NO_CURSOR + _CLEAR, _CLEAR_S)]

    def at(self, column: int, row: int) -> bytes:
        return b"\x1f\x24" + (column * _DOTS).to_bytes(2, "little") + row.to_bytes(2, "little")
