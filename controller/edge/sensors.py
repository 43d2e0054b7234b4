"""Sensors of the shoe: levels of lines (the lid's switch) become events once they are stable.

A source calls back with each level it sees; a mechanical switch bounces, so a level counts only when it has stood
for `STABLE_S`. Sources: a Unix socket with JSON lines `{"line": "lid", "level": 1}` (1: open), and GPIO pins, which
`firmware_bridge.gpio` reads.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec

from controller.events import AnyEvent, LidChanged
from firmware_bridge.gpio import GpioLines

STABLE_S = 0.05
RETRY_S = 0.5

log = logging.getLogger(__name__)

OnLevel = Callable[[str, bool], None]


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
        on_level(edge.line, edge.level != 0)


class PinSource:
    """A Raspberry Pi's pins, `pins` being BCM numbers by line name. Raises GpioUnusable."""

    def __init__(self, pins: Mapping[str, int], factory: Any = None) -> None:
        self._on_level: OnLevel = lambda line, level: None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lines = GpioLines(pins, self._changed, factory)

    def start(self, on_level: OnLevel) -> None:
        self._on_level, self._loop = on_level, asyncio.get_running_loop()
        self._lines.start()

    async def stop(self) -> None:
        self._lines.stop()

    def _changed(self, line: str, level: bool) -> None:
        """On gpiozero's thread: it only hands the level on."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._on_level, line, level)


class Sensors:
    """Debounces a source's levels and posts what a change means; `lid_open` is what the table believes so far."""

    def __init__(self, source: Source, lid_open: bool, post: Callable[[AnyEvent], None]) -> None:
        self._source = source
        self._post = post
        self._stable: dict[str, bool] = {"lid": lid_open}
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def start(self) -> None:
        self._source.start(self._level)

    async def stop(self) -> None:
        await self._source.stop()
        for timer in self._timers.values():
            timer.cancel()

    def _level(self, line: str, level: bool) -> None:
        timer = self._timers.pop(line, None)
        if timer is not None:
            timer.cancel()
        if self._stable.get(line) != level:
            self._timers[line] = asyncio.get_running_loop().call_later(STABLE_S, self._settle, line, level)

    def _settle(self, line: str, level: bool) -> None:
        self._stable[line] = level
        if line == "lid":
            self._post(LidChanged(open=level))
