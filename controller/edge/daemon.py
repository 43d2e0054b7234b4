"""The daemon: wires camera, panel, sensors and page to the table, keeps its folder, starts and ends all of it.

Owns nothing of the game. What it must have to itself (folder, address, journal) is `Premises`, taken before anything
is started, so that a call that cannot work says so in one line. Which parts there are is `Parts`: real ones for
`sabot run`, simulated ones for `sabot bench`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

import msgspec

from controller.edge import daemon_notify
from controller.edge.camera_link import CameraLink
from controller.edge.camera_link import Watch as WatchCamera
from controller.edge.console import BEAMS, Console, ConsoleSettings
from controller.edge.journal import Journal
from controller.edge.live_odds import OddsWorker
from controller.edge.lock import FolderLock
from controller.edge.loop import Step, Table
from controller.edge.machine import machine_name
from controller.edge.page.app import build
from controller.edge.page.feed import Feed
from controller.edge.page.server import PageServer, listen
from controller.edge.panel_link import PanelLink, PanelSettings
from controller.edge.panel_link import Watch as WatchPanel
from controller.edge.restore import Restored, engine, restore
from controller.edge.sensors import Sensors, Source
from controller.edge.shoe_link import ShoeLink, ShoeSettings
from controller.edge.sign_link import SignLinks, SignSettings
from controller.edge.witnesses import Witnesses
from controller.events import DeviceChanged, TableOpened
from vision.child import ReaderSettings

DRAIN_S = 1.0  # for what was posted before the end
ENDING = (signal.SIGTERM, signal.SIGINT)

log = logging.getLogger(__name__)


class Premises:
    """State folder, page address and journal, for this daemon alone. Raises OSErrors of one line each."""

    def __init__(self, folder: Path, host: str, port: int) -> None:
        self.folder = folder
        self._host, self._port = host, port
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Premises:
        with contextlib.ExitStack() as stack:
            stack.enter_context(FolderLock(self.folder))
            self.listener = stack.enter_context(listen(self._host, self._port))
            self.journal = Journal(self.folder, engine())
            self.opened = self.journal.open()
            stack.callback(self.journal.close)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()


@dataclass(frozen=True)
class Parts:
    """What a table is made of, and its name."""

    name: str
    table: TableOpened
    camera: ReaderSettings | None
    panel: PanelSettings | None = None
    sensors: Source | None = None
    signs: tuple[SignSettings, ...] = ()
    shoe: ShoeSettings | None = None
    console: ConsoleSettings | None = None


@dataclass
class Hooks:
    """Who watches a running daemon: each is called on the loop and must not block."""

    up: Callable[[str, Restored], None] = lambda url, restored: None
    step: Callable[[Step], None] = lambda step: None
    camera: WatchCamera | None = None
    panel: WatchPanel | None = None
    stop: asyncio.Event = field(default_factory=asyncio.Event)


async def serve(premises: Premises, parts: Parts, hooks: Hooks) -> None:
    """Run the table until SIGTERM, SIGINT or `hooks.stop`."""
    end_on_signals(hooks.stop)
    opened = msgspec.structs.replace(parts.table, name=parts.name, machine=machine_name())
    restored = restore(premises.journal, premises.opened, opened)
    daemon = _Daemon(premises, parts, hooks, restored)
    try:
        await daemon.start()
        hooks.up(daemon.url, restored)
        daemon_notify.notify("READY=1")
        await hooks.stop.wait()
    finally:
        _ignore_signals()
        daemon_notify.notify("STOPPING=1")
        await daemon.stop()


def end_on_signals(stop: asyncio.Event) -> None:
    """SIGTERM and SIGINT set `stop`; told once is enough."""

    def told() -> None:
        _ignore_signals()
        stop.set()

    for number in ENDING:
        asyncio.get_running_loop().add_signal_handler(number, told)


def _ignore_signals() -> None:
    """From here on it ends anyway: a second Ctrl-C must not cut that short, neither before nor after the loop's end."""
    for number in ENDING:
        asyncio.get_running_loop().remove_signal_handler(number)
        signal.signal(number, signal.SIG_IGN)


class _Daemon:
    """The running parts."""

    def __init__(self, premises: Premises, parts: Parts, hooks: Hooks, restored: Restored) -> None:
        self._table = Table(premises.journal, restored.number, restored.state, restored.trouble)
        self._odds = OddsWorker(self._table.composition)
        self._table.show_odds(self._odds.found)
        self._feed = Feed(*self._table.standing())
        self._page = PageServer(build(self._table, self._feed, parts.name), self._feed, premises.listener)
        self._page_file = premises.folder / "page.json"
        self._witnesses = Witnesses(self._table.post, self._table.eye) if parts.camera and parts.shoe else None
        if self._witnesses is not None:
            self._table.pending = self._witnesses.pending
        self._camera = self._camera_link(parts.camera, hooks)
        self._shoe = self._shoe_link(parts.shoe)
        self._panel = _panel(parts.panel, self._table, hooks)
        self._signs = SignLinks(parts.signs, self._table)
        self._console = Console(parts.console, self._table) if parts.console else None
        self._sensors = self._sensors_of(parts)
        self._tasks: list[asyncio.Task[None]] = []
        for display in (self._publish, self._look, _say, hooks.step):
            self._table.add_display(display)

    @property
    def url(self) -> str:
        return self._page.url

    async def start(self) -> None:
        self._tasks = [
            asyncio.create_task(self._table.run(), name="table"),
            asyncio.create_task(daemon_notify.beat(), name="watchdog"),
        ]
        await self._page.start()
        _write_whole(self._page_file, json.dumps({"url": self.url, "pid": os.getpid()}) + "\n")
        if self._panel is not None:
            self._panel.start(self._table.standing()[1].display)
        self._signs.start(self._table.standing()[1])
        if self._console is not None:
            self._console.start()
        if self._sensors is not None:
            self._sensors.start()
        if self._shoe is not None:
            self._shoe.start()
        if self._camera is not None:
            self._camera.start()

    async def stop(self) -> None:
        """Sources first, then what they said is stepped, then the displays and the page."""
        self._table.refuse_requests()
        self._page_file.unlink(missing_ok=True)
        await asyncio.gather(*(part.stop() for part in (self._camera, self._shoe, self._sensors) if part))
        if self._witnesses is not None:
            self._witnesses.close()
        if self._console is not None:
            self._console.stop()
        self._table.close()
        await asyncio.wait(self._tasks[:1], timeout=DRAIN_S)
        await asyncio.gather(
            self._page.stop(), self._signs.stop(), self._odds.stop(), *([self._panel.stop()] if self._panel else [])
        )
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _camera_link(self, settings: ReaderSettings | None, hooks: Hooks) -> CameraLink | None:
        if settings is None:
            return None
        say = self._witnesses.camera if self._witnesses else self._table.post
        return CameraLink(settings, say, self._table.eye, hooks.camera)

    def _shoe_link(self, settings: ShoeSettings | None) -> ShoeLink | None:
        if settings is None:
            return None
        say = self._witnesses.shoe if self._witnesses else self._table.post
        return ShoeLink(settings, say, self._table.post)

    def _look(self, _: Step) -> None:
        self._odds.look()

    def _sensors_of(self, parts: Parts) -> Sensors | None:
        source = parts.sensors if parts.sensors or not parts.console else parts.console.source()
        if source is None:
            return None
        shoe, post = self._table.standing()[1].shoe, self._table.post
        if self._console is None:
            return Sensors(source, shoe.lid_open, post, shoe_empty=shoe.empty)
        return Sensors(source, shoe.lid_open, post, self._console.line, BEAMS, shoe.empty)

    def _publish(self, step: Step) -> None:
        self._feed.publish(step.number, step.view, step.outcomes)


def _panel(settings: PanelSettings | None, table: Table, hooks: Hooks) -> PanelLink | None:
    if settings is None:
        return None
    panel = PanelLink(settings, table, hooks.panel)
    table.add_display(panel.shown)
    return panel


def _say(step: Step) -> None:
    """A device's change of state, for whoever reads the daemon's log."""
    if isinstance(step.event, DeviceChanged):
        level = logging.INFO if step.event.state in ("ok", "starting") else logging.WARNING
        log.log(level, "%s %s: %s", step.event.device, step.event.state, step.event.detail)


def _write_whole(path: Path, text: str) -> None:
    """Readers see the old file or the new one, never half of it."""
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)
