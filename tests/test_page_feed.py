"""The event streams: whole views, newest wins, bounded for a client that does not read, alive, ended by close."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from controller.edge.page import feed as feed_module
from controller.edge.page.feed import OUTCOMES_KEPT, Feed
from controller.outcomes import Unread
from controller.view import Row, View


def view(total: int) -> View:
    return View("trente-et-quarante", "dealing", 1, rows=(Row("noir", ("As",), total),))


def events(chunk: bytes) -> list[tuple[str, dict[str, object]]]:
    found = []
    for block in chunk.decode().strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines())
        found.append((fields["event"], json.loads(fields["data"])))
    return found


async def following(feed: Feed) -> tuple[AsyncIterator[bytes], bytes]:
    stream = feed.follow()
    return stream, await anext(stream)


def test_the_view_comes_whole_at_once_with_its_number() -> None:
    async def run() -> None:
        _, chunk = await following(Feed(7, view(1)))
        ((name, data),) = events(chunk)
        assert name == "view"
        assert data["seq"] == 7
        assert data["rows"][0]["total"] == 1  # type: ignore[index]

    asyncio.run(run())


def test_a_slow_client_gets_the_newest_view_alone() -> None:
    async def run() -> None:
        feed = Feed(1, view(1))
        stream, _ = await following(feed)
        for number in range(2, 1002):
            feed.publish(number, view(number), (Unread(number, "unclear"),))
        got = events(await anext(stream))
        assert [name for name, _ in got] == ["outcome"] * OUTCOMES_KEPT + ["view"]
        assert got[-1][1]["seq"] == 1001
        assert got[0][1]["index"] == 1002 - OUTCOMES_KEPT

    asyncio.run(run())


def test_a_quiet_stream_says_that_it_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_module, "ALIVE_S", 0.01)

    async def run() -> None:
        stream, _ = await following(Feed(1, view(1)))
        assert events(await anext(stream)) == [("alive", {})]

    asyncio.run(run())


def test_close_ends_every_stream_and_forgets_its_client() -> None:
    async def run() -> None:
        feed = Feed(1, view(1))
        stream, _ = await following(feed)
        assert feed.clients == 1
        feed.close()
        with pytest.raises(StopAsyncIteration):
            await anext(stream)
        assert feed.clients == 0

    asyncio.run(run())
