"""A sign on a serial port: give it pictures from any thread, the newest is shown."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.events import Event
from firmware_bridge.port import PortOwner, PortSettings
from firmware_bridge.signs.conversation import SignConversation
from firmware_bridge.signs.sign import Sign, SignPicture


class SignDriver:
    """`on_event` gets `LinkChanged` on the port's own thread and should only hand it on."""

    def __init__(self, settings: PortSettings, sign: Sign, on_event: Callable[[Event], None]) -> None:
        self._conversation = SignConversation(sign, settings.baud)
        self._owner = PortOwner(settings, self._conversation, on_event)

    def start(self) -> None:
        """Begin to look for the sign. A port that is not there is an event, not an error."""
        self._owner.start()

    def show(self, picture: SignPicture) -> None:
        """Show `picture` from now on (any thread; the newest wins)."""
        self._conversation.wanted = picture
        self._owner.wake()

    def stop(self) -> None:
        """End, within a second; the sign keeps what it shows."""
        self._owner.stop()
