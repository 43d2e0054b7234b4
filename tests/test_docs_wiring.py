"""The wiring's drawing is what the board's file says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

DOCS = Path(__file__).resolve().parent.parent / "docs"
BOARD = DOCS.parent / "firmware_bridge" / "device" / "board.py"


def test_the_drawing_is_made_from_the_board() -> None:
    done = subprocess.run([sys.executable, str(DOCS / "draw_wiring.py")], capture_output=True, text=True, check=True)
    assert (DOCS / "wiring.svg").read_text() == done.stdout, "run: python docs/draw_wiring.py > docs/wiring.svg"


def test_the_table_of_pins_is_the_boards() -> None:
    drawn = [each.text for each in ElementTree.parse(DOCS / "wiring.svg").iter("{http://www.w3.org/2000/svg}text")]
    table = (DOCS / "hardware.md").read_text()
    for name, pin in {"PIXELS": 22, "TEXT_CLOCK": 2, "DIGITS_SELECT": 13, "EXIT_BEAM": 17, "ESCAPE": 15}.items():
        assert name in BOARD.read_text()
        assert f"GP{pin}" in drawn
        assert f"| {name} | {pin} |" in table
