"""What goes to the page's event streams: the newest view for every client, whole; a slow client skips, it never queues.

Knows server-sent events' text form and nothing of HTTP or of games.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence

import msgspec

from controller.outcomes import Outcome
from controller.view import View

ALIVE_S = 1.0  # a page calls the connection lost after three of these
OUTCOMES_KEPT = 32  # for one client that does not read; the view carries all that stands


def view_json(number: int, view: View) -> bytes:
    """The whole view as JSON with `seq`, the journal number that it stands for."""
    return msgspec.json.encode({"seq": number, **msgspec.to_builtins(view)})


def sse(event: str, data: bytes, ident: int | None = None) -> bytes:
    """One server-sent event; `data` is one line of JSON."""
    head = b"" if ident is None else b"id: %d\n" % ident
    return head + b"event: " + event.encode() + b"\ndata: " + data + b"\n\n"


class _Client:
    """What one stream has not been sent yet: at most one view and a bounded number of outcomes."""

    def __init__(self, view: bytes) -> None:
        self.view: bytes | None = view
        self.outcomes: deque[bytes] = deque(maxlen=OUTCOMES_KEPT)
        self.wake = asyncio.Event()

    def take(self) -> bytes:
        """All that waits, outcomes first: they happened before the view that shows them."""
        parts = [*self.outcomes, self.view or b""]
        self.outcomes.clear()
        self.view = None
        self.wake.clear()
        return b"".join(parts)


class Feed:
    """The publisher (the daemon's loop) at one end, the event streams at the other; all on one asyncio loop."""

    def __init__(self, number: int, view: View) -> None:
        self._clients: set[_Client] = set()
        self._closed = False
        self._view = sse("view", view_json(number, view), number)

    @property
    def clients(self) -> int:
        """How many streams are open."""
        return len(self._clients)

    def publish(self, number: int, view: View, outcomes: Sequence[Outcome] = ()) -> None:
        """Hand the newest view, and what just happened, to every stream."""
        self._view = sse("view", view_json(number, view), number)
        lines = [sse("outcome", msgspec.json.encode(outcome)) for outcome in outcomes]
        for client in self._clients:
            client.view = self._view
            client.outcomes.extend(lines)
            client.wake.set()

    def close(self) -> None:
        """End every stream: a server that waits for open streams cannot stop."""
        self._closed = True
        for client in self._clients:
            client.wake.set()

    async def follow(self) -> AsyncIterator[bytes]:
        """Chunks of one event stream: the view at once, each newer one, and an `alive` event while nothing happens.

        `alive` is an event and not a comment because a browser hides comments from the page, which must notice
        a connection that hangs without breaking.
        """
        client = _Client(self._view)
        self._clients.add(client)
        try:
            while not self._closed:
                yield client.take() or sse("alive", b"{}")
                await _woken(client.wake)
        finally:
            self._clients.discard(client)


async def _woken(wake: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(wake.wait(), ALIVE_S)
    except TimeoutError:
        return
