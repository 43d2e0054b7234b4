"""From the reader's child process to events: readings become facts, the camera's state a device's.

Leaves reading, restarting a hung child and keeping frames to `vision.child`; what a card means to the core.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from controller.edge.daemon_settle import Settled
from controller.edge.eye import Eye
from controller.events import (
    AnyEvent,
    CardDrawn,
    CardExposed,
    CardPulledBack,
    CardUnread,
    DeviceChanged,
    SightEmptied,
)
from controller.state import UNREAD
from vision.child import ReaderChild, ReaderSettings
from vision.geometry import load_geometry
from vision.messages import Camera, Message, Reading

Post = Callable[[AnyEvent], None]
Watch = Callable[[Message], None]


def event_of(reading: Reading, boxed: bool = False) -> AnyEvent:
    """The fact that a reading states; `boxed`: of a zecchinetta box, where an unread card is exposed before it is
    drawn."""
    if reading.kind == "pulled back":
        return CardPulledBack(passage=reading.passage)
    if reading.kind == "emptied":
        return SightEmptied()
    if reading.symbol is None:
        if reading.kind == "drawn" and boxed:
            return CardDrawn(symbol=UNREAD, passage=reading.passage)
        return CardUnread(why=reading.why, passage=reading.passage)
    if reading.kind == "exposed":
        return CardExposed(symbol=reading.symbol, passage=reading.passage, confidence=reading.confidence)
    return CardDrawn(symbol=reading.symbol, passage=reading.passage, confidence=reading.confidence)


class CameraLink:
    """Starts and stops the child; `eye` and `watch` see each message on the loop, before its event is posted."""

    def __init__(self, settings: ReaderSettings, post: Post, eye: Eye, watch: Watch | None = None) -> None:
        self._post = post
        self._watch = watch
        self._eye = eye
        self._loop = asyncio.get_running_loop()
        self._state = Settled(lambda state, detail: post(DeviceChanged("camera", state, detail)))
        self._child = ReaderChild(settings, self._on_message)
        self._boxed = load_geometry(settings.geometry).motion == "box"

    def start(self) -> None:
        self._state.submit("starting", "the reader starts")
        self._child.start()

    async def stop(self) -> None:
        """Returns when the child has ended; what it said before has been posted."""
        await asyncio.to_thread(self._child.stop)
        self._state.close()

    def _on_message(self, message: Message) -> None:
        """On the child's own thread."""
        self._loop.call_soon_threadsafe(self._receive, message)

    def _receive(self, message: Message) -> None:
        self._eye.watch(message)
        if self._watch is not None:
            self._watch(message)
        if isinstance(message, Camera):
            self._state.submit(message.state, message.detail)
        elif isinstance(message, Reading):
            self._post(event_of(message, self._boxed))
