"""`sabot bench` as a process, for tests: its JSON lines, its page, its simulator's control."""

from __future__ import annotations

import contextlib
import json
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from hw_sim.lines import ask

Json = dict[str, Any]
PATIENCE_S = 60.0
END_S = 6.0  # 2 s are promised and half a second is usual; a machine that runs other tests beside takes longer
POINTS = {"A": 1, **{str(n): n for n in range(2, 10)}, "T": 10, "J": 10, "Q": 10, "K": 10}


class Bench:
    """`with Bench(folder, "--speed", "20") as bench:`; what still runs at the end is ended, its simulator too."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "controller.cli.main", "bench", "--json", "--state", str(folder), *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines: list[Json] = []
        self._waiting: queue.Queue[Json | None] = queue.Queue()
        self._errors: list[str] = []
        self._readers = [
            threading.Thread(target=self._read_lines, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _read_lines(self) -> None:
        assert self.process.stdout is not None
        for text in self.process.stdout:
            self._waiting.put(json.loads(text))
        self._waiting.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self._errors.extend(self.process.stderr)

    def __enter__(self) -> Bench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        with contextlib.suppress(OSError, ValueError):
            self.control("stop")
        for reader in self._readers:
            reader.join(PATIENCE_S)
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()

    @property
    def errors(self) -> str:
        return "".join(self._errors)

    def next_line(self, event: str) -> Json:
        """The next line of this kind; all on the way to it are kept in `lines`."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            line = self._waiting.get(timeout=max(0.01, deadline - time.monotonic()))
            assert line is not None, f"ended before {event}: {self.errors}"
            self.lines.append(line)
            if line["event"] == event:
                return line

    def rest(self) -> None:
        """Wait for the end of the output."""
        while (line := self._waiting.get(timeout=PATIENCE_S)) is not None:
            self.lines.append(line)
        self.process.wait(PATIENCE_S)

    def of(self, event: str) -> list[Json]:
        return [line for line in self.lines if line["event"] == event]

    def control(self, command: str, **fields: Any) -> Json:
        """A command to the simulator."""
        return ask(self.folder / "sim" / "control.sock", {"command": command, **fields})

    @property
    def url(self) -> str:
        return str(json.loads((self.folder / "page.json").read_text(encoding="utf-8"))["url"])

    def view(self) -> Json:
        return dict(httpx.get(f"{self.url}/api/view", timeout=10).json())

    def wait_view(self, done: Callable[[Json], bool]) -> Json:
        """The view once it is as wanted."""
        return until(lambda: (view := self._view_or_none()) and done(view) and view)

    def _view_or_none(self) -> Json | None:
        try:
            return self.view()
        except (OSError, ValueError, httpx.HTTPError):
            return None

    def ask(self, request: Json) -> httpx.Response:
        return httpx.post(f"{self.url}/api/requests", json=request, timeout=10)

    def end(self, number: signal.Signals = signal.SIGTERM) -> float:
        """Send a signal; the seconds until the process has ended."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(PATIENCE_S)
        return time.monotonic() - began


def until(done: Callable[[], Any], patience_s: float = PATIENCE_S) -> Any:
    """What `done` gives once it is true."""
    deadline = time.monotonic() + patience_s
    while not (value := done()):
        assert time.monotonic() < deadline, "did not come true in time"
        time.sleep(0.02)
    return value


def added_up(cards: list[str]) -> tuple[list[Json], list[str]]:
    """An adder of its own: (the coups that these cards make, as far as they go; the cards left over)."""
    coups: list[Json] = []
    start = place = 0
    while True:
        rows: list[list[str]] = []
        for _ in range(2):
            row: list[str] = []
            while sum(POINTS[card[0]] for card in row) < 31:
                if place == len(cards):
                    return coups, cards[start:]
                row.append(cards[place])
                place += 1
            rows.append(row)
        coups.append(_judged(*rows))
        start = place


def _judged(noir: list[str], rouge: list[str]) -> Json:
    totals = [sum(POINTS[card[0]] for card in row) for row in (noir, rouge)]
    coup: Json = {"noir": {"cards": noir, "total": totals[0]}, "rouge": {"cards": rouge, "total": totals[1]}}
    if totals[0] == totals[1]:
        tie = totals[0] == 31
        return {**coup, "outcome": "refait-31" if tie else "refait", "couleur": None}
    red_wins = totals[1] < totals[0]
    gagne = (noir[0][1] in "hd") == red_wins
    return {**coup, "outcome": "rouge" if red_wins else "noir", "couleur": "gagne" if gagne else "perd"}
