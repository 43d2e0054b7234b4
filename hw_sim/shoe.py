"""A commercial shoe with a serial port (USPC Bee-Tek) on a pty: its lines as they were seen, with the repeats and the
faults of the real one. Written from the published lines; knows nothing of our parser."""

from __future__ import annotations

import os
import tty
from pathlib import Path

GAME, BURN = "Game", "Manual Burn Cards"


def written(symbol: str) -> str:
    """A card as the shoe writes it: "4s" is "4S"."""
    return symbol.upper()


class SimulatedShoe:
    """`link` is its port's stable name while it is plugged in."""

    def __init__(self, link: Path) -> None:
        self._link = link
        self._master = self._slave = -1
        self._stray = ""

    def plug(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self._link.symlink_to(os.ttyname(self._slave))

    def unplug(self) -> None:
        if self._master >= 0:
            self._link.unlink()
            os.close(self._master)
            os.close(self._slave)
            self._master = -1

    def card(self, symbol: str, mode: str = GAME, *, repeats: int = 0, stray: bool = False) -> None:
        """A card leaves; its frame comes `1 + repeats` times, `stray` leaves its characters before the next line."""
        frame = f" [{mode}]<Card:{written(symbol)}> "
        for _ in range(1 + repeats):
            self.line(frame)
        self._stray = written(symbol) if stray else ""

    def not_read(self) -> None:
        self.line(" [Game]<Alarm:E3 Card Not Read> ")

    def line(self, text: str) -> None:
        self.send((self._stray + text + "\r\n").encode("ascii"))
        self._stray = ""

    def send(self, data: bytes) -> None:
        os.write(self._master, data)
