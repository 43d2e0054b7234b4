"""The devices of tests/test_conformance.py: simulated ones, or the nodes that environment variables name.

SABOT_PANEL_PORT       a panel's port, best under /dev/serial/by-id
SABOT_PANEL_UNPLUG, SABOT_PANEL_PLUG, SABOT_PANEL_STALL, SABOT_PANEL_RESUME   shell commands that do that to it
SABOT_GPIO_CHIP        label of a GPIO chip
SABOT_GPIO_LOOP        "OUT,IN": two of its pins that are wired together; or
SABOT_GPIO_SIM         the sysfs folder of a gpio-sim chip, whose lines are driven there
SABOT_CAMERA           a V4L2 camera, best under /dev/v4l/by-id
SABOT_CAMERA_UNPLUG, SABOT_CAMERA_PLUG   shell commands
SABOT_PATIENCE         how much slower than a desk this machine is (1)
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.paths import config_folder
from firmware_bridge.gpio import pi_factory
from hw_sim.panel import PanelProcess
from vision.geometry import load_geometry
from vision.ring import RingWriter
from vision.sources.base import Source
from vision.sources.opening import open_source

PATIENCE = float(os.environ.get("SABOT_PATIENCE", "1"))
LAMPS = ("noir", "rouge", "bets")


def named(variable: str) -> str:
    return os.environ.get(variable, "")


def command(variable: str) -> None:
    """Run what the variable says, or skip the test."""
    line = named(variable)
    if not line:
        pytest.skip(f"{variable} is not set: this device cannot do that by itself")
    subprocess.run(["sh", "-c", line], check=True, timeout=60)


class SimulatedPanel:
    """The device program on a pty; it dies to be unplugged and is stopped to stall."""

    def __init__(self, folder: Path) -> None:
        self.port = folder / "panel"
        self._process = PanelProcess(self.port, LAMPS)
        self._process.start()

    def unplug(self) -> None:
        self._process.kill()

    def plug(self) -> None:
        self._process.start()

    def stall(self) -> None:
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def text(self) -> str | None:
        """What its text line says; None where nobody can look."""
        seen = self._process.picture()
        return seen.text if seen is not None else ""

    def close(self) -> None:
        self._process.close()

    def _signal(self, number: signal.Signals) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, number)


class NodePanel:
    """A panel on a real device node."""

    def __init__(self) -> None:
        self.port = Path(named("SABOT_PANEL_PORT"))

    def unplug(self) -> None:
        command("SABOT_PANEL_UNPLUG")

    def plug(self) -> None:
        command("SABOT_PANEL_PLUG")

    def stall(self) -> None:
        command("SABOT_PANEL_STALL")

    def resume(self) -> None:
        command("SABOT_PANEL_RESUME")

    def text(self) -> str | None:
        return None

    def close(self) -> None:
        pass


AnyPanel = SimulatedPanel | NodePanel


def open_panel(folder: Path) -> AnyPanel:
    return NodePanel() if named("SABOT_PANEL_PORT") else SimulatedPanel(folder)


class Lines:
    """One input and one output of a GPIO chip: `drive` moves the input from outside, `seen` is the output there."""

    INPUT, OUTPUT = 17, 27

    def __init__(self, factory: Any, drive: Callable[[bool], None], seen: Callable[[], bool | None]) -> None:
        self.factory = factory
        self.drive = drive
        self.seen = seen
        self.input, self.output = self.INPUT, self.OUTPUT


def open_lines() -> Lines:
    if named("SABOT_GPIO_SIM"):
        return _sim_lines(Path(named("SABOT_GPIO_SIM")))
    if named("SABOT_GPIO_LOOP"):
        return _loop_lines()
    return _mock_lines()


def _mock_lines() -> Lines:
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    factory = MockFactory(pin_class=MockPWMPin)

    def drive(high: bool) -> None:
        pin = factory.pin(Lines.INPUT)
        pin.drive_high() if high else pin.drive_low()

    return Lines(factory, drive, lambda: bool(factory.pin(Lines.OUTPUT).state))


def _factory() -> Any:
    return pi_factory((named("SABOT_GPIO_CHIP"),)) if named("SABOT_GPIO_CHIP") else pi_factory()


def _sim_lines(folder: Path) -> Lines:
    def drive(high: bool) -> None:
        (folder / f"sim_gpio{Lines.INPUT}" / "pull").write_text("pull-up" if high else "pull-down")

    def seen() -> bool:
        return (folder / f"sim_gpio{Lines.OUTPUT}" / "value").read_text().strip() == "1"

    drive(True)
    return Lines(_factory(), drive, seen)


def _loop_lines() -> Lines:
    from gpiozero import DigitalOutputDevice

    factory = _factory()
    out, into = (int(pin) for pin in named("SABOT_GPIO_LOOP").split(","))
    driver = DigitalOutputDevice(out, initial_value=True, pin_factory=factory)
    lines = Lines(factory, lambda high: setattr(driver, "value", int(high)), lambda: None)
    lines.input = into
    return lines


class SimulatedCamera:
    """The simulator's ring, written by a thread at 60 frames a second."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "camera.sock"
        self._geometry = load_geometry(config_folder() / "cameras" / "reference-slot.toml")
        self._stop = threading.Event()
        self.plug()

    def open(self) -> Source:
        return open_source(f"shared:{self._path}", self._geometry, 60)

    def plug(self) -> None:
        self._stop.clear()
        self._writer = RingWriter(self._path)
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        self._stop.set()
        self._thread.join()
        self._writer.close()
        self._path.unlink(missing_ok=True)

    close = unplug

    def _write(self) -> None:
        image = np.zeros((self._geometry.height, self._geometry.width, 3), np.uint8)
        number = 0
        while not self._stop.wait(1 / 60):
            image[:] = number % 256
            self._writer.write(image, number / 60)
            number += 1


class NodeCamera:
    """A V4L2 camera on a real device node."""

    def __init__(self) -> None:
        self._geometry = load_geometry(config_folder() / "cameras" / "free.toml")

    def open(self) -> Source:
        return open_source(f"v4l2:{named('SABOT_CAMERA')}", self._geometry, 30)

    def unplug(self) -> None:
        command("SABOT_CAMERA_UNPLUG")

    def plug(self) -> None:
        command("SABOT_CAMERA_PLUG")

    def close(self) -> None:
        pass


def open_camera(folder: Path) -> SimulatedCamera | NodeCamera:
    return NodeCamera() if named("SABOT_CAMERA") else SimulatedCamera(folder)
