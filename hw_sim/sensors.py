"""The shoe's switches as the daemon's wiring sees them: levels as JSON lines on DIR/sim/sensors.sock.

A new client is told every level as it is, then each edge. What a level means is the daemon's matter.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path

from hw_sim.lines import Json, LineServer


class Sensors:
    """The lid's switch (1: open) and the shoe's own light barrier (`empty`, 1: no card lies in it). Any thread."""

    def __init__(self, path: Path) -> None:
        self._levels = {"lid": 0, "empty": 1}
        self._lock = threading.Lock()
        self._server = LineServer(path, greet=self._standing)

    def start(self) -> None:
        self._server.start()

    def close(self) -> None:
        self._server.close()

    def turn(self, line: str, level: int) -> None:
        """An edge; raises KeyError for a line that is not there."""
        with self._lock:
            if self._levels[line] == level:
                return
            self._levels[line] = level
        self._server.send_all(_edge(line, level))

    def _standing(self) -> list[Json]:
        with self._lock:
            return [_edge(line, level) for line, level in self._levels.items()]


def _edge(line: str, level: int) -> Json:
    return {"line": line, "level": level, "t": time.monotonic()}
