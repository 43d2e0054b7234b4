"""Between the table and the signs of other makers: the view becomes each sign's lines and lamps, a sign's link state
becomes a device of the table. A sign that is not there costs the others nothing.

Leaves bytes, differences and reopening to `firmware_bridge.signs`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from controller.edge.daemon_settle import GOOD, Settled
from controller.edge.loop import Step, Table
from controller.events import DeviceChanged
from controller.sign_lines import Template
from controller.view import View
from firmware_bridge.events import Event, LinkChanged, LinkState
from firmware_bridge.signs.sign import SignPicture

LAST_S = 0.4  # for the blank picture at the end


class SignLike(Protocol):
    """A sign's driver."""

    def start(self) -> None: ...
    def show(self, picture: SignPicture) -> None: ...
    def wait_shown(self, timeout: float) -> bool: ...
    def stop(self) -> None: ...


@dataclass(frozen=True)
class SignSettings:
    """One sign: its templates, the lamps that it has, and how its driver is made."""

    name: str
    make: Callable[[Callable[[Event], None]], SignLike]
    lines: tuple[Template, ...] = ()
    urgent: Template | None = None
    lamps: frozenset[str] = field(default_factory=frozenset)
    numbers: bool = False  # its lines are numbers (Modbus)

    def picture(self, view: View) -> SignPicture:
        urgent = self.urgent.render(view) if self.urgent is not None else ""
        lit = frozenset(view.display.lamps) & self.lamps
        return SignPicture(tuple(template.render(view) for template in self.lines), lit, urgent)


class SignLink:
    """One sign beside the table."""

    def __init__(self, settings: SignSettings, table: Table) -> None:
        device = f"sign {settings.name}"
        self._settings = settings
        self._loop = asyncio.get_running_loop()
        self._state = Settled(lambda state, detail: table.post(DeviceChanged(device, state, detail)))
        self._driver = settings.make(self._on_event)
        self._picture: SignPicture | None = None

    def start(self, view: View) -> None:
        self._state.submit("starting", "waits for the sign")
        self.show(view)
        self._driver.start()

    def show(self, view: View) -> None:
        """Hand the driver the picture where it differs from the last one."""
        self._show(self._settings.picture(view))

    async def stop(self) -> None:
        """A sign cannot know that the daemon ended: it is left blank, not with an old total."""
        self._show(SignPicture(("",) * len(self._settings.lines)))
        await asyncio.to_thread(self._end)
        self._state.close()

    def _end(self) -> None:
        self._driver.wait_shown(LAST_S)
        self._driver.stop()

    def _show(self, picture: SignPicture) -> None:
        if picture != self._picture:
            self._picture = picture
            self._driver.show(picture)

    def _on_event(self, event: Event) -> None:
        """On the driver's own thread."""
        self._loop.call_soon_threadsafe(self._receive, event)

    def _receive(self, event: Event) -> None:
        if isinstance(event, LinkChanged):
            self._state.submit(GOOD if event.state is LinkState.UP else "lost", event.detail)


class SignLinks:
    """All signs of a table; `shown` is the display's end of the table."""

    def __init__(self, signs: Sequence[SignSettings], table: Table) -> None:
        self._links = [SignLink(settings, table) for settings in signs]
        table.add_display(self.shown)

    def start(self, view: View) -> None:
        for link in self._links:
            link.start(view)

    def shown(self, step: Step) -> None:
        for link in self._links:
            link.show(step.view)

    async def stop(self) -> None:
        await asyncio.gather(*(link.stop() for link in self._links))
