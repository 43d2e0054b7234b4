"""SparkFun Serial 7-Segment (S7S): four digits, 9600 8N1, nothing is acknowledged. 76 clears, 77 sets points, 7A the
brightness; printable bytes go to the cursor. Source: its wiki, "Special Commands"."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.signs.sign import Answer, SignPicture, Step, line

_CLEAR, _POINTS, _BRIGHTNESS = b"\x76", b"\x77", b"\x7a"
DIGITS = 4


def spelled(text: str) -> tuple[bytes, int]:
    """Four characters, and the bit mask of the points behind them (bit 0: behind the left one)."""
    characters, points = "", 0
    for character in text:
        if character >= "v":  # 76 and above are commands
            character = character.upper() if character <= "z" else " "
        if character == "." and characters:
            points |= 1 << len(characters) - 1
        else:
            characters += character
    return characters[:DIGITS].encode("ascii"), points & 0x0F


class SevenSegment:
    """Shows line `number`, right-aligned; lamps are not shown. `brightness` 0..255."""

    answers = False

    def __init__(self, number: int = 0, brightness: int = 255, refresh_s: float = 5.0) -> None:
        self._number = number
        self._brightness = brightness
        self.refresh_s = refresh_s

    def begin(self) -> Sequence[Step]:
        return [Step(_BRIGHTNESS + bytes((self._brightness,)))]

    def full(self, picture: SignPicture) -> Sequence[Step]:
        characters, points = spelled(line(picture, self._number))
        padded = characters.rjust(DIGITS)
        points <<= DIGITS - len(characters)
        return [Step(_CLEAR + padded + (_POINTS + bytes((points,)) if points else b""))]

    def change(self, before: SignPicture, after: SignPicture) -> Sequence[Step]:
        # Clearing is what makes a lost byte harmless: the cursor begins at the left again.
        return [] if line(before, self._number) == line(after, self._number) else self.full(after)

    def receive(self, data: bytes) -> Answer | None:
        return None
