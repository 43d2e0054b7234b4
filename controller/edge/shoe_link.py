"""Between the table and a commercial shoe on a serial port: its lines become facts, its state a device's.

An unknown line may have been a card, so it is logged and holds the table as a card that was not read. Leaves the lines
to `firmware_bridge.shoe_beetek`, agreement with a camera to `witnesses`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from controller.edge.daemon_settle import GOOD, Settled
from controller.events import AnyEvent, CardDrawn, CardUnread, DeviceChanged
from firmware_bridge.events import (
    Event,
    LinkChanged,
    LinkState,
    ShoeAlarm,
    ShoeCard,
    ShoeUnknown,
    ShoeUnread,
    ShoeWarning,
)
from firmware_bridge.port import PortOwner, PortSettings
from firmware_bridge.shoe_beetek import BeeTekShoe

log = logging.getLogger(__name__)
DEVICE = "shoe"


@dataclass(frozen=True)
class ShoeSettings:
    """The shoe's port by path, and its speed."""

    port: str
    baud: int = 9600
    dtr: bool = True


class ShoeLink:
    """`say` gets cards and failures, `post` the device's states; both on the loop."""

    def __init__(
        self, settings: ShoeSettings, say: Callable[[AnyEvent], None], post: Callable[[AnyEvent], None]
    ) -> None:
        self._say = say
        self._post = post
        self._loop = asyncio.get_running_loop()
        self._state = Settled(lambda state, detail: post(DeviceChanged(DEVICE, state, detail)))
        self._burn: bool | None = None
        port = PortSettings(settings.port, settings.baud, settings.dtr)
        self._owner = PortOwner(port, BeeTekShoe(), self._on_event)

    def start(self) -> None:
        self._state.submit("starting", "waits for the shoe")
        self._owner.start()

    async def stop(self) -> None:
        await asyncio.to_thread(self._owner.stop)
        self._state.close()

    def _on_event(self, event: Event) -> None:
        """On the port's owner thread."""
        self._loop.call_soon_threadsafe(self._receive, event)

    def _receive(self, event: Event) -> None:
        match event:
            case LinkChanged(state, detail):
                self._state.submit(GOOD if state is LinkState.UP else "lost", detail)
            case ShoeCard(symbol, burn):
                self._card(symbol, burn)
            case ShoeUnread(why):
                self._say(CardUnread(why))
            case ShoeUnknown(line):
                log.warning("shoe: a line that it is not known to send: %r", line)
                self._say(CardUnread(f'the shoe sent "{line}"'))
            case ShoeAlarm(text):
                self._state.submit("alarm", f"the shoe's alarm: {text}")
            case ShoeWarning(code):
                log.warning("shoe: warning %s", code)
                self._post(DeviceChanged(DEVICE, GOOD, f"the shoe's warning {code}"))

    def _card(self, symbol: str, burn: bool) -> None:
        self._state.submit(GOOD, "reads cards")  # an alarm is over
        if burn != self._burn:
            self._burn = burn
            self._post(DeviceChanged(DEVICE, GOOD, "burn mode" if burn else "game mode"))
        self._say(CardDrawn(symbol, source="shoe"))
