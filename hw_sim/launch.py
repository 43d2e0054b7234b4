"""Starts the simulator for a state folder, or finds the one that runs there. What `sabot bench` and tests use.

The simulator has a session of its own: what ends the daemon, a signal to its group included, does not end it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hw_sim.lines import Json, ask
from hw_sim.options import SimOptions
from hw_sim.process import process_alive

START_S = 30.0
STOP_S = 3.0
ANSWER_S = 10.0
STOP_ANSWER_S = 1.0  # a simulator that hangs is ended by signals instead
_LOOK_S = 0.02


class SimFailed(RuntimeError):
    """The simulator did not begin; the text is its own line."""


@dataclass(frozen=True)
class SimHandle:
    """A running simulator."""

    folder: Path
    pid: int
    child: subprocess.Popen[bytes] | None = None  # where this process started it

    @property
    def camera_socket(self) -> Path:
        return self.folder / "camera.sock"

    @property
    def sensors_socket(self) -> Path:
        return self.folder / "sensors.sock"

    @property
    def panel_port(self) -> Path:
        return self.folder / "panel"

    @property
    def alive(self) -> bool:
        return self.child.poll() is None if self.child is not None else process_alive(self.pid)

    def command(self, command: str, timeout_s: float = ANSWER_S, **fields: Any) -> Json:
        """Do one of the control's commands; its answer. Raises OSError where the simulator has gone."""
        return ask(self.folder / "control.sock", {"command": command, **fields}, timeout_s)

    def stop(self) -> None:
        """Returns when it has ended: told, else by signals."""
        try:
            self.command("stop", STOP_ANSWER_S)
        except (OSError, ValueError):
            self._signal(signal.SIGTERM)
        for number in (signal.SIGTERM, signal.SIGKILL):
            if _until(lambda: not self.alive, STOP_S):
                return
            self._signal(number)
        _until(lambda: not self.alive, STOP_S)

    def _signal(self, number: signal.Signals) -> None:
        if self.alive:
            os.kill(self.pid, number)


def find(state: Path) -> SimHandle | None:
    """The simulator that runs for a state folder, None where none answers."""
    folder = state / "sim"
    try:
        pid = int(json.loads((folder / "sim.json").read_text(encoding="utf-8"))["pid"])
        ask(folder / "control.sock", {"command": "status"})
    except (OSError, ValueError, KeyError):
        return None
    return SimHandle(folder, pid)


def ensure(options: SimOptions) -> SimHandle:
    """The simulator of `options.state`, ready on return. Raises SimFailed.

    One that runs there and deals the same game and deck takes over speed and habits, else a new one is started.
    """
    found = find(options.state)
    if found is not None:
        if _taken_over(found, options):
            return found
        found.stop()
    return _start(options)


def _taken_over(sim: SimHandle, options: SimOptions) -> bool:
    """Whether that simulator deals what is asked for; it then has the new daemon's speed and habits."""
    deck = None if options.deck is None else str(options.deck.resolve())
    try:
        about = sim.command("set", speed=options.speed, on_fault=options.on_fault, confirm=options.confirm)
    except OSError:  # it was about to end
        return False
    return (about.get("game"), about.get("deck")) == (options.game, deck)


def _start(options: SimOptions) -> SimHandle:
    options.folder.mkdir(parents=True, exist_ok=True)
    ready, log = options.folder / "sim.json", options.folder / "log"
    ready.unlink(missing_ok=True)
    with log.open("wb") as errors:
        command = [sys.executable, "-m", "hw_sim", *options.arguments()]
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors, start_new_session=True
        )
    if _until(lambda: ready.exists() or child.poll() is not None, START_S) and child.poll() is None:
        return SimHandle(options.folder, child.pid, child)
    child.kill()
    child.wait()
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines() or ["said nothing"]
    raise SimFailed(f"the simulator did not begin: {lines[-1].removeprefix('hw_sim: ')}")


def _until(done: Callable[[], bool], timeout_s: float) -> bool:
    """Whether `done` came true in time: another process' end and files can only be looked at again and again."""
    deadline = time.monotonic() + timeout_s
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(_LOOK_S)
    return True
