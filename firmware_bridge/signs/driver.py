"""A sign on a serial port: give it pictures from any thread, the newest is shown."""

from __future__ import annotations

import threading
from collections.abc import Callable

from firmware_bridge.events import Event, Turn
from firmware_bridge.port import PortOwner, PortSettings
from firmware_bridge.signs.conversation import SignConversation
from firmware_bridge.signs.sign import Sign, SignPicture


class SignDriver:
    """`on_event` gets `LinkChanged` on the port's own thread and should only hand it on."""

    def __init__(self, settings: PortSettings, sign: Sign, on_event: Callable[[Event], None]) -> None:
        self._conversation = _Told(sign, settings.baud)
        self._owner = PortOwner(settings, self._conversation, on_event)

    def start(self) -> None:
        """Begin to look for the sign. A port that is not there is an event, not an error."""
        self._owner.start()

    def show(self, picture: SignPicture) -> None:
        """Show `picture` from now on (any thread; the newest wins)."""
        self._conversation.want(picture)
        self._owner.wake()

    def wait_shown(self, timeout: float) -> bool:
        """Whether the sign has been told the newest picture (and has taken it, where it answers) within `timeout`
        seconds."""
        return self._conversation.told.wait(timeout)

    def stop(self) -> None:
        """End, within a second; the sign keeps what it shows."""
        self._owner.stop()


class _Told(SignConversation):
    """The conversation, and an event for other threads that is set while the sign has been told everything."""

    def __init__(self, sign: Sign, baud: int) -> None:
        super().__init__(sign, baud)
        self.told = threading.Event()

    def want(self, picture: SignPicture) -> None:
        self.told.clear()
        self.wanted = picture

    def receive(self, data: bytes, now: float) -> Turn:
        return self._look(super().receive(data, now), now)

    def poll(self, now: float) -> Turn:
        return self._look(super().poll(now), now)

    def deadline(self) -> float | None:
        due, settled = super().deadline(), self.settled_at
        if self.told.is_set() or settled is None:
            return due
        return settled if due is None else min(due, settled)

    def _look(self, turn: Turn, now: float) -> Turn:
        settled = self.settled_at
        if settled is not None and now >= settled and not turn.send:
            self.told.set()
        return turn
