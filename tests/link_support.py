"""Fixtures of the link's tests: the protocol's document as data, and a bad wire between its two pure ends on a
simulated clock."""

from __future__ import annotations

import heapq
import itertools
import os
import random
import re
import threading
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import firmware_bridge
from firmware_bridge.device import protocol as device
from firmware_bridge.events import Event, LinkChanged, LinkState, PictureAcked, Turn
from firmware_bridge.link import Link
from firmware_bridge.picture import Picture

DOCUMENT = Path(firmware_bridge.__file__).parent / "PROTOCOL.md"
VECTORS = Path(__file__).parent / "vectors"
LAMPS = tuple(f"lamp{number}" for number in range(16))
TICK_S = 0.005


def document() -> dict[str, Any]:
    """The examples of PROTOCOL.md: {"example": {name: fields}, "not-a-frame": {name: fields}}."""
    return tomllib.loads("\n".join(re.findall(r"```toml\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)))


def constants() -> dict[str, float]:
    """The table "Constants" of PROTOCOL.md."""
    rows = re.findall(r"^\| ([A-Z_]+) \| ([0-9.]+) \|", DOCUMENT.read_text(), re.MULTILINE)
    return {name: float(value) for name, value in rows}


def milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


@dataclass(frozen=True)
class Faults:
    """How bad a wire is; each a probability. `flip` a bit, `drop` a byte; `delay`, `repeat` a write; `cut` the wire
    at a write."""

    flip: float = 0.0
    drop: float = 0.0
    delay: float = 0.0
    repeat: float = 0.0
    cut: float = 0.0


@dataclass
class Wire:
    """One direction. `carry` gives what arrives of a write: (seconds later, bytes), in order but for what is
    repeated."""

    faults: Faults
    chance: random.Random
    byte_s: float
    cut_until: float = 0.0
    clear_at: float = 0.0

    def carry(self, data: bytes, now: float) -> list[tuple[float, bytes]]:
        faults, chance = self.faults, self.chance
        if chance.random() < faults.cut:
            self.cut_until = now + chance.uniform(0.05, 4.0)
        self.clear_at = max(self.clear_at, now) + len(data) * self.byte_s
        if chance.random() < faults.delay:
            self.clear_at += chance.uniform(0.0, 0.7)
        arrived = [(self.clear_at, self._spoilt(data))]
        if chance.random() < faults.repeat:
            arrived.append((self.clear_at + chance.uniform(0.0, 1.0), self._spoilt(data)))
        return [] if now < self.cut_until else arrived

    def _spoilt(self, data: bytes) -> bytes:
        kept = bytearray(byte for byte in data if self.chance.random() >= self.faults.drop)
        if self.faults.flip:
            for at in range(len(kept)):
                if self.chance.random() < 8 * self.faults.flip:
                    kept[at] ^= 1 << self.chance.randrange(8)
        return bytes(kept)


@dataclass
class Bench:
    """Both ends, two wires and a clock. `screens`: every change of what the panel shows, with its time."""

    faults: Faults
    seed: int
    baud: int = 115200
    now: float = 100.0
    exits: int = 0
    events: list[Event] = field(default_factory=list)
    screens: list[tuple[float, Any]] = field(default_factory=list)
    sent_bytes: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.down = Wire(self.faults, self.chance, 10 / self.baud)
        self.up = Wire(self.faults, self.chance, 10 / self.baud)
        self.link = Link(LAMPS, self.chance.getrandbits(32), self.baud)
        self._order = itertools.count()
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._number = 0
        self.restart_panel()
        self._tick()

    def restart_panel(self) -> None:
        """The panel loses and regains power."""
        self.exits = 0
        self.panel = device.Panel(
            self.chance.getrandbits(32) or 1, lambda: self.exits, lambda later, before: later - before
        )

    def open(self) -> None:
        self._host(self.link.opened(self.now))

    def show(self, picture: Picture) -> int:
        self._number += 1
        self._host(self.link.show(picture, self._number, self.now))
        return self._number

    def run(self, seconds: float) -> None:
        """Let simulated time pass."""
        self.run_until(lambda: False, seconds)

    def run_until(self, done: Callable[[], bool], limit: float) -> float:
        """Until `done()`, checked after each happening; simulated seconds that it took, at most `limit`."""
        start, end = self.now, self.now + limit
        while not done():
            deadline = self.link.deadline()
            host = end if deadline is None else deadline
            if min(host, self._due[0][0]) >= end:
                self.now = end
                break
            if host <= self._due[0][0]:
                self.now = max(self.now, host)
                self._host(self.link.poll(self.now))
            else:
                self.now, _, happen = heapq.heappop(self._due)
                happen()
        return self.now - start

    def shows(self, picture: Picture) -> bool:
        return bool(self.panel.screen == screen_of(picture))

    @property
    def acked(self) -> list[int]:
        return [event.sequence for event in self.events if isinstance(event, PictureAcked)]

    @property
    def states(self) -> list[str]:
        return [str(event.state) for event in self.events if isinstance(event, LinkChanged)]

    def _at(self, when: float, happen: Callable[[], None]) -> None:
        heapq.heappush(self._due, (when, next(self._order), happen))

    def _host(self, turn: Turn) -> None:
        self.events += turn.events
        if turn.reopen:
            self._host(self.link.opened(self.now))
        if turn.send:
            self.sent_bytes += len(turn.send)
            for when, data in self.down.carry(turn.send, self.now):
                self._at(when, lambda data=data: self._to_panel(data))

    def _to_panel(self, data: bytes) -> None:
        for byte in data:
            self._from_panel(self.panel.receive(byte, milliseconds(self.now)))

    def _from_panel(self, answer: bytes | None) -> None:
        if self.panel.changed:
            self.panel.changed = False
            self.screens.append((self.now, self.panel.screen))
        if answer:
            for when, data in self.up.carry(bytes(answer), self.now):
                self._at(when, lambda data=data: self._to_host(data))

    def _to_host(self, data: bytes) -> None:
        for byte in data:  # one byte at a time
            self._host(self.link.receive(bytes((byte,)), self.now))

    def _tick(self) -> None:
        self._from_panel(self.panel.tick(milliseconds(self.now)))
        self._at(self.now + TICK_S, self._tick)


def screen_of(picture: Picture) -> tuple[str, str, str, int, int]:
    """The picture as the device program holds it."""
    upper, lower = (row.rjust(4) for row in picture.rows)
    lamps = sum(1 << LAMPS.index(name) for name in picture.lamps)
    return (upper, lower, picture.text, lamps, picture.brightness)


def picture_number(number: int) -> Picture:
    """The n-th of a run of pictures, no two alike."""
    lamps = frozenset(name for bit, name in enumerate(LAMPS) if number >> bit & 1)
    return Picture((str(number % 10_000), str(number * 7 % 10_000)), f"coup {number}", lamps, number % 16)


class Collector:
    """Gathers a driver's events and lets a test wait for one. No sleeping."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._changed = threading.Condition()

    def __call__(self, event: Event) -> None:
        with self._changed:
            self.events.append(event)
            self._changed.notify_all()

    def wait(self, wanted: Callable[[Event], bool], timeout: float = 10.0, since: int = 0) -> Event:
        """The first event from number `since` on that is wanted; AssertionError where none comes."""
        with self._changed:
            assert self._changed.wait_for(lambda: any(map(wanted, self.events[since:])), timeout), self.events[since:]
            return next(event for event in self.events[since:] if wanted(event))

    def wait_state(self, state: LinkState, timeout: float = 10.0, since: int = 0) -> LinkChanged:
        found = self.wait(lambda event: isinstance(event, LinkChanged) and event.state is state, timeout, since)
        assert isinstance(found, LinkChanged)
        return found

    def wait_acked(self, number: int, timeout: float = 10.0) -> PictureAcked:
        found = self.wait(lambda event: isinstance(event, PictureAcked) and event.sequence >= number, timeout)
        assert isinstance(found, PictureAcked)
        return found


def eventually(check: Callable[[], bool], timeout: float = 10.0) -> bool:
    """Whether `check()` comes true within `timeout`: for what only a file or another process's state tells."""
    end = time.monotonic() + timeout
    while not check():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))
