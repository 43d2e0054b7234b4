"""The port's owner thread on real ptys: missing, taken, unplugged, replugged, never drained, and what no pty can
produce by pytest-mock."""

from __future__ import annotations

import os
import subprocess
import sys
import termios
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from link_support import Collector, eventually, open_descriptors
from pytest_mock import MockerFixture

from firmware_bridge.events import LinkChanged, LinkState, Turn
from firmware_bridge.panel import PanelDriver
from firmware_bridge.port import STOP_S, PortOwner, PortSettings, holders, why_unusable

HOLDER = (
    "import serial, sys; port = serial.Serial(sys.argv[1], exclusive=True); print('held', flush=True); sys.stdin.read()"
)


class Talker:
    """A conversation of a test: says what it is told to, keeps what it hears."""

    def __init__(self, greeting: bytes = b"hello", flood: bytes = b"") -> None:
        self.greeting, self.flood = greeting, flood
        self.heard = b""
        self.polls = 0

    def opened(self, now: float) -> Turn:
        return Turn(self.greeting, (LinkChanged(LinkState.UP, "open"),))

    def closed(self, now: float, why: str) -> Turn:
        return Turn(events=(LinkChanged(LinkState.NO_PORT, why),))

    def receive(self, data: bytes, now: float) -> Turn:
        self.heard += data
        return Turn()

    def poll(self, now: float) -> Turn:
        self.polls += 1
        return Turn(self.flood)

    def deadline(self) -> float | None:
        return 0.0 if self.flood else None

    def wrote(self, now: float) -> None:
        pass


class Pty:
    """A pty whose port has a name of its own, and whose device end is this test."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self.master = -1

    def plug(self) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.link.unlink(missing_ok=True)
        self.link.symlink_to(os.ttyname(slave))
        self._slave = slave

    def unplug(self) -> None:
        if self.master >= 0:
            os.close(self.master)
            os.close(self._slave)
            self.link.unlink()
            self.master = -1

    def read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            data += os.read(self.master, count - len(data))
        return data


@pytest.fixture
def pty(tmp_path: Path) -> Iterator[Pty]:
    made = Pty(tmp_path / "port")
    made.plug()
    yield made
    made.unplug()


@pytest.fixture
def owners() -> Iterator[list[PortOwner]]:
    started: list[PortOwner] = []
    yield started
    for owner in started:
        owner.stop()


def start(owners: list[PortOwner], path: Path, talker: Talker) -> Collector:
    events = Collector()
    owner = PortOwner(PortSettings(str(path)), talker, events)
    owners.append(owner)
    owner.start()
    return events


def test_bytes_go_both_ways(pty: Pty, owners: list[PortOwner]):
    talker = Talker()
    start(owners, pty.link, talker).wait_state(LinkState.UP)
    assert pty.read(5) == b"hello"
    os.write(pty.master, b"\x03\x00\xff")
    assert eventually(lambda: talker.heard == b"\x03\x00\xff")


def test_a_missing_port_is_waited_for(tmp_path: Path, owners: list[PortOwner]):
    missing = Pty(tmp_path / "port")
    events = start(owners, missing.link, Talker())
    assert events.wait_state(LinkState.NO_PORT).detail == f"{missing.link}: no such port"
    missing.plug()
    events.wait_state(LinkState.UP)
    missing.unplug()


def test_what_is_no_serial_port_is_named(tmp_path: Path, owners: list[PortOwner]):
    (tmp_path / "notes.txt").write_text("x")
    events = start(owners, tmp_path / "notes.txt", Talker())
    assert "not a serial port" in events.wait_state(LinkState.NO_PORT).detail


def test_a_port_in_use_is_told_with_its_holder(pty: Pty, owners: list[PortOwner]):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(pty.link)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    with holder:
        assert holder.stdout.readline() == "held\n"
        assert holder.pid in holders(str(pty.link))
        events = start(owners, pty.link, Talker())
        detail = events.wait_state(LinkState.NO_PORT).detail
        assert detail == f"{pty.link}: in use by another program (process {holder.pid})"
        holder.stdin.close()
        events.wait_state(LinkState.UP)


def test_our_own_second_driver_is_refused_too(pty: Pty, owners: list[PortOwner]):
    start(owners, pty.link, Talker()).wait_state(LinkState.UP)
    assert "in use" in start(owners, pty.link, Talker()).wait_state(LinkState.NO_PORT).detail


def test_unplugged_and_replugged_elsewhere(pty: Pty, owners: list[PortOwner]):
    talker = Talker()
    events = start(owners, pty.link, talker)
    events.wait_state(LinkState.UP)
    blocker, other = os.openpty()  # keeps the old number taken: the port comes back under another
    pty.unplug()
    assert events.wait_state(LinkState.NO_PORT).detail.endswith("unplugged")
    count = len(events.events)
    pty.plug()
    events.wait_state(LinkState.UP, since=count)
    assert pty.read(5) == b"hello"
    os.close(blocker)
    os.close(other)


def test_a_device_that_stops_reading_is_a_lost_link(pty: Pty, owners: list[PortOwner]):
    events = start(owners, pty.link, Talker(flood=b"x" * 65536))
    began = time.monotonic()
    detail = events.wait_state(LinkState.NO_PORT).detail
    assert detail == f"{pty.link}: the device has stopped reading (write timed out)"
    assert time.monotonic() - began < 3.0


def test_stop_comes_through_a_stuck_write(pty: Pty):
    owner = PortOwner(PortSettings(str(pty.link)), Talker(flood=b"x" * 65536), events := Collector())
    owner.start()
    events.wait_state(LinkState.UP)
    began = time.monotonic()
    owner.stop()
    assert time.monotonic() - began < STOP_S + 0.5
    assert not owner._thread.is_alive()


@pytest.mark.parametrize("error", [termios.error(5, "Input/output error"), TypeError("NoneType"), OSError(5, "EIO")])
def test_every_kind_of_error_is_a_lost_link_and_another_try(
    pty: Pty, owners: list[PortOwner], mocker: MockerFixture, error: Exception
):
    talker = Talker()
    events = start(owners, pty.link, talker)
    events.wait_state(LinkState.UP)
    read = mocker.patch.object(serial.Serial, "read", side_effect=error)
    os.write(pty.master, b"x")
    events.wait_state(LinkState.NO_PORT)
    mocker.stop(read)
    count = len(events.events)
    events.wait_state(LinkState.UP, since=count - 1)
    os.write(pty.master, b"y")
    assert eventually(lambda: talker.heard.endswith(b"y"))


def test_a_fault_of_ours_does_not_end_the_thread(pty: Pty, owners: list[PortOwner], mocker: MockerFixture):
    talker = Talker()
    events = start(owners, pty.link, talker)
    events.wait_state(LinkState.UP)
    mocker.patch.object(talker, "receive", side_effect=[ZeroDivisionError("ours"), Turn()])
    os.write(pty.master, b"x")
    assert events.wait_state(LinkState.NO_PORT).detail == "internal error: ours"
    events.wait_state(LinkState.UP, since=len(events.events) - 1)


def test_a_quiet_port_costs_nothing(pty: Pty, owners: list[PortOwner]):
    talker = Talker()
    start(owners, pty.link, talker).wait_state(LinkState.UP)
    began = time.process_time()
    threading.Event().wait(0.3)
    assert talker.polls <= 1
    assert time.process_time() - began < 0.15


def test_a_flood_starves_nobody(pty: Pty, owners: list[PortOwner]):
    talker = Talker()
    start(owners, pty.link, talker).wait_state(LinkState.UP)
    for _ in range(50):
        os.write(pty.master, b"z" * 4000)
    assert eventually(lambda: len(talker.heard) == 200_000)
    assert talker.polls >= 10


def test_nothing_is_left_after_many_replugs(pty: Pty, owners: list[PortOwner]):
    talker = Talker()
    events = start(owners, pty.link, talker)
    events.wait_state(LinkState.UP)
    descriptors, threads = open_descriptors(), threading.active_count()
    for cycle in range(1, 41):
        count = len(events.events)
        pty.unplug()
        events.wait_state(LinkState.NO_PORT, since=count)
        pty.plug()
        events.wait_state(LinkState.UP, since=count)
        os.write(pty.master, b"w")  # a device that talks is given the short pause again
        assert eventually(lambda cycle=cycle: len(talker.heard) == cycle)
    assert threading.active_count() == threads
    assert open_descriptors() == descriptors


def test_nothing_is_left_after_stop(pty: Pty):
    descriptors, threads = open_descriptors(), threading.active_count()
    for _ in range(10):
        driver = PanelDriver(str(pty.link), 115200, ("amber",), events := Collector())
        driver.start()
        assert pty.read(15)
        driver.stop()
    PanelDriver(str(pty.link), 115200, (), events).stop()  # never started
    assert (open_descriptors(), threading.active_count()) == (descriptors, threads)


def test_a_port_can_be_asked_for_beforehand(pty: Pty, tmp_path: Path, owners: list[PortOwner]):
    assert why_unusable(PortSettings(str(pty.link))) is None
    assert why_unusable(PortSettings(str(tmp_path / "none"))) == f"{tmp_path / 'none'}: no such port"
    start(owners, pty.link, Talker()).wait_state(LinkState.UP)
    assert "in use" in (why_unusable(PortSettings(str(pty.link))) or "")


def test_settings_that_no_port_can_have_are_our_error():
    with pytest.raises(ValueError, match="baud"):
        PanelDriver("/dev/null", -1, (), Collector())
