"""Between the table and the panel's driver: the view's display becomes a picture, the link's state and the exit
beam's count become events.

Leaves bytes, retries and reopening to `firmware_bridge`; when a count becomes a fact to `exit_watch`.
"""

from __future__ import annotations

import asyncio
import contextlib
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from controller.edge.daemon_settle import GOOD, Settled
from controller.edge.exit_watch import ExitWatch
from controller.edge.loop import Step, Table
from controller.events import DeviceChanged
from controller.view import Display
from firmware_bridge.events import Event as PanelEvent
from firmware_bridge.events import ExitCount, LinkChanged, LinkState, PictureAcked
from firmware_bridge.panel import PanelDriver
from firmware_bridge.picture import Picture

TEXT_MAX = 32
LAST_S = 0.5  # for the last picture at the end
Watch = Callable[[PanelEvent], None]


def plain(text: str) -> str:
    """ASCII that a seven-segment or matrix panel can show: "Après" is "Apres"."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()[:TEXT_MAX]


def picture_of(display: Display, lamps: Sequence[str]) -> Picture:
    """The whole picture of a view's display, as far as a panel with these lamps can show it."""
    return Picture(rows=display.rows, text=plain(display.text), lamps=frozenset(display.lamps) & frozenset(lamps))


@dataclass(frozen=True)
class PanelSettings:
    """The panel's port by path, its speed, the names of its lamps in their order, and whether to raise DTR."""

    port: str
    baud: int = 115200
    lamps: tuple[str, ...] = ()
    dtr: bool = True


class PanelLink:
    """Owns the driver; `shown` is the display's end of the table, `watch` sees each of the driver's events."""

    def __init__(self, settings: PanelSettings, table: Table, watch: Watch | None = None) -> None:
        self._exits = ExitWatch(table.exits_ahead, table.post, table.eye)
        self._watch = watch
        self._loop = asyncio.get_running_loop()
        self._state = Settled(lambda state, detail: table.post(DeviceChanged("panel", state, detail)))
        self._picture: Picture | None = None
        self._up = False
        self._wanted = 0  # number of the newest picture
        self._acked = asyncio.Event()  # the panel shows that one
        self._lamps = settings.lamps
        self._driver = PanelDriver(settings.port, settings.baud, settings.lamps, self._on_event, dtr=settings.dtr)

    def start(self, display: Display) -> None:
        self._state.submit("starting", "waits for the panel")
        self._show(display)
        self._driver.start()

    async def stop(self) -> None:
        """Returns when the port is closed; a panel that is there shows the last picture first."""
        if self._up:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._acked.wait(), LAST_S)
        await asyncio.to_thread(self._driver.stop)
        self._state.close()
        self._exits.close()

    def shown(self, step: Step) -> None:
        """A display of the table: hands the driver what differs from its picture; the beam is compared anew."""
        self._show(step.view.display)
        self._exits.look()

    def _show(self, display: Display) -> None:
        picture = picture_of(display, self._lamps)
        if picture != self._picture:
            self._picture = picture
            self._acked.clear()
            self._wanted = self._driver.show(picture)

    def _on_event(self, event: PanelEvent) -> None:
        """On the port's owner thread."""
        self._loop.call_soon_threadsafe(self._receive, event)

    def _receive(self, event: PanelEvent) -> None:
        if self._watch is not None:
            self._watch(event)
        if isinstance(event, PictureAcked):
            if event.sequence == self._wanted:
                self._acked.set()
        elif isinstance(event, LinkChanged):
            self._up = event.state is LinkState.UP
            self._state.submit(GOOD if event.state is LinkState.UP else "lost", event.detail)
        elif isinstance(event, ExitCount):
            self._exits.counted(event.boot, event.count)
