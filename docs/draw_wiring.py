"""Draws docs/wiring.svg: what is wired to the panel's Pico, its pins read from firmware_bridge/device/board.py.

`python docs/draw_wiring.py > docs/wiring.svg`; a test makes it again and fails on a difference."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

BOARD = Path(__file__).resolve().parent.parent / "firmware_bridge" / "device" / "board.py"
WIDTH, ROW, TOP = 1000, 34, 120
PICO_LEFT, PICO_RIGHT, PART_LEFT, PART_RIGHT = 300, 440, 640, 980
SIGNAL, POWER, GROUND = "#1f6feb", "#d1242f", "#24292f"


@dataclass(frozen=True)
class Part:
    """Something beside the Pico: its name, a note, and its wires: (board.py's name or a supply, terminal)."""

    name: str
    note: str
    wires: tuple[tuple[str, str], ...]


LIGHTS = (("5V", "VCC"), ("GND", "GND"))
PARTS = (
    Part(
        "74AHCT125 level shifter, then NeoPixel matrix 32 × 16",
        "3.3 V in, 5 V out; 330 Ω in series; 1000 µF at the matrix",
        (("PIXELS", "1A, 1Y → DIN"), *LIGHTS),
    ),
    Part(
        "MAX7219 dot modules, 24 in a chain",
        "two lines of 12, from the upper left",
        (("TEXT_CLOCK", "CLK"), ("TEXT_DATA", "DIN"), ("TEXT_SELECT", "CS"), *LIGHTS),
    ),
    Part(
        "MAX7219 with eight seven-segment digits",
        "upper row 0 to 3, lower 4 to 7",
        (("DIGITS_CLOCK", "CLK"), ("DIGITS_DATA", "DIN"), ("DIGITS_SELECT", "CS"), *LIGHTS),
    ),
    Part(
        "Exit beam behind the window",
        "open collector, low while a card interrupts it",
        (("EXIT_BEAM", "OUT"), ("3V3", "+"), ("GND", "−")),
    ),
    Part("ESCAPE jumper", "closed at power-on: MicroPython's prompt", (("ESCAPE", "1"), ("GND", "2"))),
)
SUPPLIES = {
    "5V": ("5 V supply of the lights", POWER),
    "3V3": ("3V3 (pin 36)", POWER),
    "GND": ("ground, common", GROUND),
}


def pins() -> dict[str, int]:
    """The board's pins by name."""
    found: dict[str, int] = {}
    lines = re.findall(r"^([A-Z_]+(?:, [A-Z_]+)*) = (\d+(?:, \d+)*)", BOARD.read_text(), re.MULTILINE)
    for names, numbers in lines:
        found.update(zip(names.split(", "), map(int, numbers.split(", ")), strict=True))
    return found


def text(x: float, y: float, words: str, size: int = 13, anchor: str = "start", colour: str = GROUND) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'


def box(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" fill="{fill}" stroke="{GROUND}"/>'


def wire(y: float, colour: str) -> str:
    return f'<line x1="{PICO_RIGHT}" y1="{y:g}" x2="{PART_LEFT}" y2="{y:g}" stroke="{colour}" stroke-width="2"/>'


def drawing() -> str:
    numbers = pins()
    rows = sum(len(part.wires) + 2 for part in PARTS)
    height = TOP + rows * ROW + 90
    shapes = [box(PICO_LEFT, TOP - 20, PICO_RIGHT - PICO_LEFT, rows * ROW, "#dafbe1")]
    shapes += [text((PICO_LEFT + PICO_RIGHT) / 2, TOP - 30, "Raspberry Pi Pico", 15, "middle")]
    y = float(TOP)
    for part in PARTS:
        shapes += [box(PART_LEFT, y - 14, PART_RIGHT - PART_LEFT, (len(part.wires) + 1.4) * ROW, "#ddf4ff")]
        shapes += [
            text(PART_LEFT + 10, y + 6, part.name, 13),
            text(PART_LEFT + 10, y + 24, part.note, 11, colour="#57606a"),
        ]
        for at, (source, terminal) in enumerate(part.wires, start=1):
            shapes += connection(numbers, y + at * ROW + 10, source, terminal)
        y += (len(part.wires) + 2) * ROW
    shapes += host()
    shapes += [
        text(20, height - 60, "The lights have a 5 V supply of their own, fused for what the wiring stands;"),
        text(20, height - 40, "its ground is joined to the Pico's. The Pico is fed by USB."),
        text(
            20, height - 18, "Made by docs/draw_wiring.py from firmware_bridge/device/board.py.", 11, colour="#57606a"
        ),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" font-family="sans-serif">'
    return "\n".join(
        [
            head,
            f'<rect width="{WIDTH}" height="{height:g}" fill="white"/>',
            text(20, 40, "The panel's wiring", 22),
            *shapes,
            "</svg>",
            "",
        ]
    )


def connection(numbers: dict[str, int], y: float, source: str, terminal: str) -> list[str]:
    """One wire: from a pin of the Pico, or from a supply beside it."""
    end = text(PART_LEFT + 10, y + 4, terminal, 12)
    if source in numbers:
        label = text(PICO_RIGHT - 8, y + 4, f"GP{numbers[source]}", 13, "end")
        name = text(PICO_RIGHT + 10, y - 4, source, 10, colour=SIGNAL)
        return [wire(y, SIGNAL), label, name, end]
    words, colour = SUPPLIES[source]
    return [
        f'<line x1="{PART_LEFT - 60}" y1="{y:g}" x2="{PART_LEFT}" y2="{y:g}" stroke="{colour}" stroke-width="2"/>',
        text(PART_LEFT - 66, y + 4, words, 11, "end", colour),
        end,
    ]


def host() -> list[str]:
    y = TOP + 60
    return [
        box(20, y - 40, 200, 90, "#fff8c5"),
        text(120, y - 10, "Raspberry Pi or PC", 14, "middle"),
        text(120, y + 14, "firmware_bridge/PROTOCOL.md", 11, "middle", "#57606a"),
        f'<line x1="220" y1="{y}" x2="{PICO_LEFT}" y2="{y}" stroke="{GROUND}" stroke-width="4"/>',
        text(260, y - 8, "USB", 12, "middle"),
    ]


if __name__ == "__main__":
    sys.stdout.write(drawing())
