"""What a person sees on the panel: the lights' state, as the bench's board modules report it, read back to characters
and lamps.

Every display is read by itself, from its bars, dots and pixels; whether they agree is part of the answer. The layout
is the reference board's (`firmware_bridge/device/board.py`, `outputs.py`); pins are not needed, each kind of display
is there once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from firmware_bridge.device import font

_INTENSITY, _ON, _TEST = 0x0A, 0x0C, 0x0F
_LINE = 16  # characters of a text line
_WIDE, _LAMPS_FROM, _LAMPS = 32, 24, 16
UNREADABLE = "�"

_GLYPHS = {bytes(font.columns(chr(code))): chr(code) for code in range(0x20, 0x7F)}


@dataclass(frozen=True)
class Seen:
    """`rows` and `text` without the blanks around them; `lines`: the text as it stands in its two lines; `lamps`:
    names of the lit ones; `brightness` 0..15; `agree`: the digits show the rows that the matrix shows, as far as
    seven bars can."""

    rows: tuple[str, str] = ("", "")
    text: str = ""
    lamps: frozenset[str] = frozenset()
    brightness: int = 0
    lines: tuple[str, str] = ("", "")
    agree: bool = True
    serial: int = field(default=0, compare=False)
    """How often the lights had changed."""


def read_lights(path: Path, lamps: Sequence[str]) -> Seen | None:
    """What the report at `path` shows; None where the panel has not lit up yet. `lamps`: their names in order."""
    try:
        return see(path.read_text(), lamps)
    except FileNotFoundError:
        return None


def see(report: str, lamps: Sequence[str]) -> Seen:
    """What one report (a line of `lights.log`, or all of `lights`) shows."""
    state = json.loads(report)
    chains = [_modules(bytes.fromhex(registers)) for registers in state["chains"].values()]
    digits = next((chain[0] for chain in chains if len(chain) == 1), bytes(16))
    dots = next((chain for chain in chains if len(chain) > 1), [])
    lit = [any(pixel) for pixel in _pixels(bytes.fromhex(next(iter(state["pixels"].values()), "")))]
    rows = (_matrix_row(lit, 0), _matrix_row(lit, 8))
    lines = _text_lines(dots)
    return Seen(
        rows=(rows[0].strip(), rows[1].strip()),
        text=_joined(lines),
        lamps=frozenset(_lamp_name(at, lamps) for at in range(_LAMPS) if lit and lit[_lamp_corner(at)]),
        brightness=digits[_INTENSITY] & 0x0F,
        lines=lines,
        agree=_bars(digits) == [font.segments(character) for character in "".join(rows)],
        serial=state["serial"],
    )


def _modules(registers: bytes) -> list[bytes]:
    return [registers[at : at + 16] for at in range(0, len(registers), 16)]


def _pixels(data: bytes) -> list[bytes]:
    return [data[at : at + 3] for at in range(0, len(data), 3)]


def _matrix_row(lit: list[bool], top: int) -> str:
    cells = range(0, _LAMPS_FROM, font.PITCH)
    return "".join(_glyph([_column(lit, top, x) for x in range(at, at + font.WIDTH)]) for at in cells)


def _column(lit: list[bool], top: int, x: int) -> int:
    return sum(lit[(top + y) * _WIDE + x] << y for y in range(font.HEIGHT)) if lit else 0


def _glyph(columns: list[int]) -> str:
    return _GLYPHS.get(bytes(columns), UNREADABLE)


def _bars(digits: bytes) -> list[int]:
    if digits[_TEST]:
        return [0xFF] * 8
    return list(digits[1:9]) if digits[_ON] else [0] * 8


def _text_lines(dots: list[bytes]) -> tuple[str, str]:
    abreast = len(dots) // 2
    upper, lower = (_text_line(dots[start : start + abreast]) for start in (0, abreast))
    return upper, lower


def _text_line(modules: list[bytes]) -> str:
    columns = [_dot_column(module, x) for module in modules for x in range(8)]
    cells = range(0, min(len(columns), _LINE * font.PITCH), font.PITCH)
    return "".join(_glyph(columns[at : at + font.WIDTH]) for at in cells).rstrip()


def _dot_column(module: bytes, x: int) -> int:
    if module[_TEST]:
        return 0xFF
    return sum((module[1 + y] >> (7 - x) & 1) << y for y in range(8)) if module[_ON] else 0


def _joined(lines: tuple[str, str]) -> str:
    """Two lines read as one: a word ends with its line, unless the text then had more than 32 characters."""
    upper, lower = lines
    together = f"{upper} {lower}".strip()
    return together if len(together) <= 2 * _LINE else upper + lower


def _lamp_corner(at: int) -> int:
    return at // 2 * 2 * _WIDE + _LAMPS_FROM + at % 2 * 4


def _lamp_name(at: int, names: Sequence[str]) -> str:
    return names[at] if at < len(names) else f"lamp {at}"
