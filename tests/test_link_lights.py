"""The device program's lights under CPython: the words that reach a MAX7219, the lines of a text, the font, and
that the bench's eyes read every display."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from firmware_bridge.device import font
from hw_sim.panel import DEVICE


@pytest.fixture
def outputs(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module as it lies on a board, where `font` is a top-level name."""
    monkeypatch.syspath_prepend(DEVICE)
    for name in ("font", "outputs"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    module = importlib.import_module("outputs")
    for name in ("font", "outputs"):
        monkeypatch.delitem(sys.modules, name)
    return module


class Bus:
    """SPI and chip select in one: keeps each word that was latched."""

    def __init__(self) -> None:
        self.latched: list[bytes] = []
        self._shifted = b""

    def write(self, data: bytes) -> None:
        self._shifted += bytes(data)

    def value(self, level: int) -> None:
        if level and self._shifted:
            self.latched.append(self._shifted)
            self._shifted = b""


def test_a_chain_is_set_up_in_the_published_order(outputs: ModuleType):
    bus = Bus()
    outputs.Max7219Chain(bus, bus, 2).show(7, [[0, 0]] * 8)
    digits = [bytes([register, 0, register, 0]) for register in range(1, 9)]
    words = ["0B 07 0B 07", "09 00 09 00", "0F 00 0F 00", "0A 07 0A 07"]
    assert bus.latched == [*map(bytes.fromhex, words), *digits, bytes.fromhex("0C 01 0C 01")]


def test_what_is_shifted_first_is_the_last_modules(outputs: ModuleType):
    bus = Bus()
    outputs.Max7219Chain(bus, bus, 3).write(1, [0xA0, 0xB0, 0xC0])
    assert bus.latched == [bytes.fromhex("01 C0 01 B0 01 A0")]


def test_unchanged_screens_cost_nothing(outputs: ModuleType):
    bus = Bus()
    digits = outputs.Digits(bus, bus)
    digits.show(("  36", "  32", "", 0, 8))
    written = len(bus.latched)
    digits.show(("  36", "  32", "other text", 5, 8))
    assert len(bus.latched) == written
    digits.refresh()
    assert len(bus.latched) == 2 * written


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("Rouge gagne", ["Rouge gagne"]),
        ("Rouge gagne, Couleur perd", ["Rouge gagne,", "Couleur perd"]),
        ("the cards on the table decide", ["the cards on the", "table decide"]),
        ("abcdefghijklmnopqrstuvwxyz012345", ["abcdefghijklmnop", "qrstuvwxyz012345"]),
        ("a abcdefghijklmnopqrstuvwxyz", ["a abcdefghijklmn", "opqrstuvwxyz"]),
    ],
)
def test_texts_are_broken_at_words_where_that_fits(outputs: ModuleType, text: str, lines: list[str]):
    assert outputs.wrapped(text, 16, 2) == lines


def test_every_character_has_a_shape_of_its_own():
    shapes = {bytes(font.columns(chr(code))) for code in range(0x20, 0x7F)}
    assert len(shapes) == 0x7F - 0x20


def test_digits_have_seven_segment_shapes_of_their_own():
    shapes = [font.segments(digit) for digit in "0123456789-"]
    assert len(set(shapes)) == len(shapes)
    # Segments a..g in bits 6..0, as the MAX7219's table of registers has them without decoding.
    assert shapes[:4] == [0b1111110, 0b0110000, 0b1101101, 0b1111001]


def test_the_wiring_in_the_documentation_is_the_boards():
    page = (Path(__file__).parents[1] / "docs" / "hardware.md").read_text()
    documented = dict(re.findall(r"^\| ([A-Z_]+) \| (\d+) \|", page, re.MULTILINE))
    source = (DEVICE / "board.py").read_text()
    wired: dict[str, str] = {}
    for names, pins in re.findall(r"^([A-Z_, ]+) = ([\d, ]+?)\s+#", source, re.MULTILINE):
        wired |= dict(zip(names.split(", "), pins.split(", "), strict=True))
    counts = {"TEXT_MODULES", "TEXT_LINES"}
    assert documented == {name: pin for name, pin in wired.items() if name not in counts}
    assert len(set(documented.values())) == len(documented)
