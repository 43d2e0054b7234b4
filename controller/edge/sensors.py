"""Sensors of the shoe: levels of lines (the lid's switch) become events once they are stable.

A source calls back with each level it sees; a mechanical switch bounces, so a level counts only when it has stood
for `STABLE_S`. Sources: a Unix socket with JSON lines `{"line": "lid", "level": 1}` (1: open), and GPIO pins, which
`firmware_bridge.gpio` reads.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol

import msgspec

from controller.events import AnyEvent, LidChanged, ShoeLevelChanged
from firmware_bridge.gpio import GpioLines
from firmware_bridge.levels import StableLevel

STABLE_S = 0.05  # switches and buttons
FAST_S = 0.004  # beams
RETRY_S = 0.5

EMPTY = "empty"  # the line of the shoe's own light barrier, 1: no card lies in it

log = logging.getLogger(__name__)

OnLevel = Callable[[str, bool, float], None]  # line, level, monotonic seconds
OnStable = Callable[[str, bool, float], None]


class Edge(msgspec.Struct, frozen=True):
    """One line of a sensor socket; `t` is the sender's own clock, for its logs."""

    line: str
    level: int
    t: float = 0.0


class Source(Protocol):
    """Where levels come from; `start` is called on the loop, as is the callback it is given."""

    def start(self, on_level: OnLevel) -> None: ...

    async def stop(self) -> None: ...


class SocketSource:
    """Reads a Unix socket and opens it again when it breaks."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._task: asyncio.Task[None] | None = None

    def start(self, on_level: OnLevel) -> None:
        self._task = asyncio.create_task(self._run(on_level), name="sensors")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self, on_level: OnLevel) -> None:
        while True:
            with contextlib.suppress(OSError):
                await self._follow(on_level)
            await asyncio.sleep(RETRY_S)

    async def _follow(self, on_level: OnLevel) -> None:
        reader, writer = await asyncio.open_unix_connection(self._path)
        try:
            async for line in reader:
                self._edge(line, on_level)
        finally:
            writer.close()

    def _edge(self, line: bytes, on_level: OnLevel) -> None:
        try:
            edge = msgspec.json.decode(line, type=Edge)
        except msgspec.DecodeError as error:
            log.warning("%s: %r is no edge: %s", self._path, line[:80], error)
            return
        on_level(edge.line, edge.level != 0, time.monotonic())


class PinSource:
    """A Raspberry Pi's pins, `pins` being BCM numbers by line name. Raises GpioUnusable."""

    def __init__(self, pins: Mapping[str, int], factory: Any = None) -> None:
        self._on_level: OnLevel = lambda line, level, when: None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lines = GpioLines(pins, self._changed, factory)

    def start(self, on_level: OnLevel) -> None:
        self._on_level, self._loop = on_level, asyncio.get_running_loop()
        self._lines.start()

    async def stop(self) -> None:
        self._lines.stop()

    def _changed(self, line: str, level: bool, when: float) -> None:
        """On gpiozero's thread: it only hands the level on."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._on_level, line, level, when)


class Sensors:
    """Debounces a source's levels; `lid_open` and `shoe_empty` are what the table believes so far. Their
    changes are posted,
    `on_stable` gets those of every other line; `fast` names the lines that count after `FAST_S` (beams)."""

    def __init__(
        self,
        source: Source,
        lid_open: bool,
        post: Callable[[AnyEvent], None],
        on_stable: OnStable = lambda line, level, when: None,
        fast: Collection[str] = (),
        shoe_empty: bool = False,
    ) -> None:
        self._source = source
        self._post = post
        self._on_stable = on_stable
        self._fast = fast
        self._lines: dict[str, StableLevel] = {
            "lid": StableLevel(STABLE_S, lid_open),
            EMPTY: StableLevel(STABLE_S, shoe_empty),
        }
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def start(self) -> None:
        self._source.start(self._level)

    async def stop(self) -> None:
        await self._source.stop()
        for timer in self._timers.values():
            timer.cancel()

    def _level(self, line: str, level: bool, when: float) -> None:
        stable = self._lines.get(line)
        if stable is None:  # the first word of a line is what it is, no change
            self._lines[line] = StableLevel(FAST_S if line in self._fast else STABLE_S, level)
            self._tell(line, level, when)
            return
        self._told(line, stable.edge(level, when))

    def _told(self, line: str, changes: list[tuple[bool, float]]) -> None:
        for level, since in changes:
            self._tell(line, level, since)
        timer = self._timers.pop(line, None)
        if timer is not None:
            timer.cancel()
        deadline = self._lines[line].deadline()
        if deadline is not None:
            wait_s = max(0.0, deadline - time.monotonic())
            self._timers[line] = asyncio.get_running_loop().call_later(wait_s, self._settle, line)

    def _settle(self, line: str) -> None:
        self._told(line, self._lines[line].settle(time.monotonic()))

    def _tell(self, line: str, level: bool, when: float) -> None:
        if line == "lid":
            self._post(LidChanged(open=level))
        elif line == EMPTY:
            self._post(ShoeLevelChanged(empty=level))
        else:
            self._on_stable(line, level, when)
