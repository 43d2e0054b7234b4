"""The panel of PROTOCOL.md on a serial port: give it pictures from any thread, it sees to it that the newest is
shown."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence

from firmware_bridge.events import Event, Turn
from firmware_bridge.link import Link
from firmware_bridge.messages import Header, picture_frame
from firmware_bridge.picture import Picture
from firmware_bridge.port import PortOwner, PortSettings


class PanelDriver:
    """`port`: a path, best a stable link; `lamps`: the lamps' names, the first one the panel's lamp 0. `on_event`
    gets `LinkChanged`, `ExitCount` and `PictureAcked` on the port's own thread and should only hand them on."""

    def __init__(
        self, port: str, baud: int, lamps: Sequence[str], on_event: Callable[[Event], None], *, dtr: bool = True
    ) -> None:
        self._lamps = tuple(lamps)
        self._conversation = _NewestPicture(Link(self._lamps, int.from_bytes(os.urandom(4)), baud))
        self._owner = PortOwner(PortSettings(str(port), baud, dtr), self._conversation, on_event)

    def start(self) -> None:
        """Begin to look for the panel. A port that is not there is an event, not an error."""
        self._owner.start()

    def show(self, picture: Picture) -> int:
        """Show `picture` from now on (any thread; the newest wins). Its number, which `PictureAcked.sequence` will
        name. PictureError where no panel can show it."""
        picture_frame(picture, Header(0, 0), self._lamps)
        number = self._conversation.replace(picture)
        self._owner.wake()
        return number

    def stop(self) -> None:
        """End, within a second; the panel falls back to "no link" by itself."""
        self._owner.stop()


class _NewestPicture:
    """The link as a `Conversation`, with the one slot that other threads may fill."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._lock = threading.Lock()
        self._fresh: tuple[Picture, int] | None = None
        self._number = 0

    def replace(self, picture: Picture) -> int:
        with self._lock:
            self._number += 1
            self._fresh = (picture, self._number)
            return self._number

    def opened(self, now: float) -> Turn:
        return self._link.opened(now)

    def closed(self, now: float, why: str) -> Turn:
        return self._link.closed(now, why)

    def receive(self, data: bytes, now: float) -> Turn:
        return self._link.receive(data, now)

    def poll(self, now: float) -> Turn:
        with self._lock:
            fresh, self._fresh = self._fresh, None
        return self._link.show(*fresh, now) if fresh else self._link.poll(now)

    def deadline(self) -> float | None:
        with self._lock:
            return 0.0 if self._fresh else self._link.deadline()

    def wrote(self, now: float) -> None:
        self._link.wrote(now)
