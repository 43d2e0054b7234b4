"""What every device must stand, whether simulated or real: the same tests. `conformance_support` says which
environment variables name a real panel, chip or camera; the rest is simulated."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conformance_support import (
    LAMPS,
    PATIENCE,
    AnyPanel,
    Lines,
    NodeCamera,
    SimulatedCamera,
    open_camera,
    open_lines,
    open_panel,
)
from link_support import Collector, eventually, open_descriptors

from firmware_bridge.events import LinkState
from firmware_bridge.gpio import GpioLines, GpioOutputs, GpioUnusable
from firmware_bridge.levels import StableLevel
from firmware_bridge.panel import PanelDriver
from firmware_bridge.picture import Picture
from firmware_bridge.port import PortSettings, why_unusable
from vision.sources.base import CameraLost, Frame, Source

LONG_S = 15.0 * PATIENCE
HOLDER = (
    "import serial, sys; p = serial.Serial(sys.argv[1], exclusive=True); print('held', flush=True); sys.stdin.read()"
)
pytestmark = pytest.mark.timeout(120 * PATIENCE)


@pytest.fixture
def panel(tmp_path: Path) -> Iterator[AnyPanel]:
    made = open_panel(tmp_path)
    yield made
    made.close()


class Driven:
    """A driver on the panel's port and what it says."""

    def __init__(self, panel: AnyPanel) -> None:
        self.events = Collector()
        self.driver = PanelDriver(str(panel.port), 115200, LAMPS, self.events)
        self.driver.start()

    def up(self, since: int = 0) -> None:
        self.events.wait_state(LinkState.UP, LONG_S, since)

    def show(self, text: str) -> int:
        return self.driver.show(Picture(("31", "36"), text, frozenset({"noir"})))


@pytest.fixture
def driven(panel: AnyPanel) -> Iterator[Driven]:
    made = Driven(panel)
    made.up()
    yield made
    made.driver.stop()


def test_a_picture_is_shown_and_acknowledged(panel: AnyPanel, driven: Driven) -> None:
    driven.events.wait_acked(driven.show("Rouge gagne"), LONG_S)
    assert eventually(lambda: panel.text() in (None, "Rouge gagne"))


def test_of_many_pictures_the_last_is_shown(panel: AnyPanel, driven: Driven) -> None:
    numbers = [driven.show(f"picture {number}") for number in range(300)]
    driven.events.wait_acked(numbers[-1], LONG_S)
    assert eventually(lambda: panel.text() in (None, "picture 299"))


def test_garbage_before_the_handshake(panel: AnyPanel) -> None:
    descriptor = os.open(panel.port, os.O_RDWR | os.O_NOCTTY)
    os.write(descriptor, b"AT\r\x03\x04\xff\x00ATI\r" * 20)
    os.close(descriptor)
    made = Driven(panel)
    try:
        made.events.wait_acked(made.show("after"), LONG_S)
    finally:
        made.driver.stop()


def test_a_second_program_is_refused_and_the_first_named(panel: AnyPanel) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(panel.port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        why = why_unusable(PortSettings(str(panel.port)))
        holder.stdin.close()
    assert why == f"{panel.port}: in use by another program (process {holder.pid})"


def test_unplugged_is_lost_and_replugged_shows_the_newest(panel: AnyPanel, driven: Driven) -> None:
    driven.events.wait_acked(driven.show("before"), LONG_S)
    count = len(driven.events.events)
    began = time.monotonic()
    panel.unplug()
    assert driven.events.wait_state(LinkState.NO_PORT, LONG_S, count).detail.startswith(str(panel.port))
    assert time.monotonic() - began < 3.0 * PATIENCE
    newest = driven.show("meanwhile")
    panel.plug()
    driven.up(count)
    driven.events.wait_acked(newest, LONG_S)
    assert eventually(lambda: panel.text() in (None, "meanwhile"))


def test_it_comes_back_under_another_name(panel: AnyPanel, driven: Driven) -> None:
    before = os.path.realpath(panel.port)
    stale = os.open(before, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)  # somebody holds the old node open
    try:
        count = len(driven.events.events)
        panel.unplug()
        driven.events.wait_state(LinkState.NO_PORT, LONG_S, count)
        panel.plug()
        driven.up(count)
        assert os.path.realpath(panel.port) != before
        driven.events.wait_acked(driven.show("renamed"), LONG_S)
    finally:
        os.close(stale)


def test_a_device_that_stops_is_told_and_found_again(panel: AnyPanel, driven: Driven) -> None:
    driven.events.wait_acked(driven.show("before"), LONG_S)
    count = len(driven.events.events)
    panel.stall()
    newest = driven.show("stalled")
    driven.events.wait(
        lambda event: getattr(event, "state", None) in (LinkState.SILENT, LinkState.NO_PORT), LONG_S, count
    )
    panel.resume()
    driven.events.wait_acked(newest, LONG_S)


def test_nothing_is_left_after_replugs(panel: AnyPanel, driven: Driven) -> None:
    driven.events.wait_acked(driven.show("x"), LONG_S)
    counts = threading.active_count(), open_descriptors()
    for cycle in range(3):
        count = len(driven.events.events)
        panel.unplug()
        driven.events.wait_state(LinkState.NO_PORT, LONG_S, count)
        panel.plug()
        driven.up(count)
        driven.events.wait_acked(driven.show(f"cycle {cycle}"), LONG_S)
    assert (threading.active_count(), open_descriptors()) == counts


def test_the_end_comes_in_time(panel: AnyPanel) -> None:
    made = Driven(panel)
    made.up()
    began = time.monotonic()
    made.driver.stop()
    assert time.monotonic() - began < 1.5 * PATIENCE


# Pins.


@pytest.fixture
def lines() -> Iterator[Lines]:
    made = open_lines()
    yield made
    made.factory.close()


class Input:
    """The input through `GpioLines` and a debounced level, as the daemon has it."""

    def __init__(self, lines: Lines, stable_s: float) -> None:
        self.changes: list[bool] = []
        self.edges = 0
        self._level = StableLevel(stable_s, True)
        self._lock = threading.Lock()
        self._lines = GpioLines({"line": lines.input}, self._edge, lines.factory)
        self._lines.start()

    def _edge(self, line: str, level: bool, when: float) -> None:
        with self._lock:
            self.edges += 1
            self.changes += [each for each, _ in self._level.edge(level, when)]

    def settled(self) -> list[bool]:
        with self._lock:
            self.changes += [each for each, _ in self._level.settle(time.monotonic())]
        return self.changes

    def stop(self) -> None:
        self._lines.stop()


def test_presses_come_through_the_chip_in_order(lines: Lines) -> None:
    lines.drive(True)
    made = Input(lines, 0.0)
    try:
        for press in range(1, 21):
            lines.drive(False)
            assert eventually(lambda: made.settled()[-1:] == [False], LONG_S)
            lines.drive(True)
            assert eventually(lambda: made.settled()[-1:] == [True], LONG_S)
            assert made.changes == [False, True] * press
    finally:
        made.stop()


def test_bounces_are_one_press(lines: Lines) -> None:
    lines.drive(True)
    made = Input(lines, 0.2 * PATIENCE)
    try:
        for _ in range(10):
            lines.drive(False)
            lines.drive(True)
        lines.drive(False)
        assert eventually(lambda: made.settled() == [False], LONG_S)
        assert made.edges >= 2
    finally:
        made.stop()


def test_an_output_is_seen_and_goes_dark_at_the_end(lines: Lines) -> None:
    if lines.seen() is None:
        pytest.skip("nobody can look at this chip's outputs")
    outputs = GpioOutputs({"lamp": lines.output}, (), lines.factory)
    outputs.set("lamp", 1)
    assert eventually(lambda: lines.seen() is True, LONG_S)
    outputs.set("lamp", 0)
    assert eventually(lambda: lines.seen() is False, LONG_S)
    outputs.stop()


def test_a_pin_that_is_taken_is_one_line(lines: Lines) -> None:
    made = Input(lines, 0.0)
    try:
        with pytest.raises(GpioUnusable, match=f"pin {lines.input}: "):
            GpioLines({"again": lines.input}, lambda line, level, when: None, lines.factory).start()
    finally:
        made.stop()


# Cameras.


@pytest.fixture
def camera(tmp_path: Path) -> Iterator[SimulatedCamera | NodeCamera]:
    made = open_camera(tmp_path)
    yield made
    made.close()


def frames(source: Source, count: int) -> list[Frame]:
    found: list[Frame] = []
    for frame in source.frames():
        if frame is not None:
            found.append(frame)
        if len(found) == count:
            return found
    return found


def opened(camera: SimulatedCamera | NodeCamera) -> Source:
    """The camera once it opens: it may just have been plugged in."""
    end = time.monotonic() + LONG_S
    while True:
        try:
            return camera.open()
        except CameraLost:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_frames_come_in_order_and_are_new(camera: SimulatedCamera | NodeCamera) -> None:
    source = opened(camera)
    try:
        found = frames(source, 5)
    finally:
        source.close()
    assert [frame.number for frame in found] == sorted({frame.number for frame in found})
    assert found[0].image.ndim in (2, 3)


def test_an_unplugged_camera_is_lost_and_opens_again(camera: SimulatedCamera | NodeCamera) -> None:
    source = opened(camera)
    frames(source, 2)
    camera.unplug()
    began = time.monotonic()
    with pytest.raises(CameraLost):
        frames(source, 10_000)
    assert time.monotonic() - began < 20.0 * PATIENCE
    source.close()
    camera.plug()
    again = opened(camera)
    assert len(frames(again, 2)) == 2
    again.close()
