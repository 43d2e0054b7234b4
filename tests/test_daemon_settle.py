"""Device states: worse is told at once, better once it lasts, a flap leaves no trace; the same for a switch's level."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from controller.edge.daemon_settle import Settled
from controller.edge.sensors import OnLevel, Sensors, SocketSource
from controller.events import AnyEvent, LidChanged

LASTS_S = 0.05


def told(*changes: tuple[str, float]) -> list[str]:
    """What is told of states submitted one after the other, each followed by a wait in seconds."""

    async def run() -> list[str]:
        heard: list[str] = []
        settled = Settled(lambda state, _: heard.append(state), LASTS_S)
        for state, wait in changes:
            settled.submit(state, "")
            await asyncio.sleep(wait)
        return heard

    return asyncio.run(run())


def test_worse_is_told_at_once() -> None:
    assert told(("ok", 0.2), ("lost", 0)) == ["ok", "lost"]


def test_better_only_once_it_lasts() -> None:
    assert told(("lost", 0), ("ok", 0)) == ["lost"]
    assert told(("lost", 0), ("ok", 0.2)) == ["lost", "ok"]


def test_a_flap_while_lost_leaves_no_trace() -> None:
    assert told(("lost", 0), *[("ok", 0.001), ("lost", 0.001)] * 20, ("lost", 0.2)) == ["lost"]


def test_what_is_lost_and_starts_again_and_again_stays_lost() -> None:
    again = [("starting", 0.1), ("lost", 0.1)] * 2
    assert told(("starting", 0.1), ("lost", 0.1), *again, ("ok", 0.1)) == ["starting", "lost", "ok"]


class _Script:
    """A source that a test plays on."""

    def start(self, on_level: OnLevel) -> None:
        self.level = on_level

    async def stop(self) -> None:
        return


def test_a_bouncing_lid_is_one_event() -> None:
    async def run() -> list[AnyEvent]:
        posted: list[AnyEvent] = []
        source = _Script()
        sensors = Sensors(source, False, posted.append)
        sensors.start()
        for level in (True, False) * 10 + (True,):
            source.level("lid", level, time.monotonic())
        await asyncio.sleep(0.2)
        source.level("lid", False, time.monotonic())
        source.level("lid", True, time.monotonic())
        await asyncio.sleep(0.2)
        await sensors.stop()
        return posted

    assert asyncio.run(run()) == [LidChanged(open=True)]


def test_a_sensor_socket_is_read_and_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "sensors.sock"

    async def run() -> list[AnyEvent]:
        posted: list[AnyEvent] = []
        changed = asyncio.Event()

        def post(event: AnyEvent) -> None:
            posted.append(event)
            changed.set()

        def serve(line: bytes) -> object:
            async def once(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                writer.write(b"no edge\n" + line)
                await writer.drain()
                writer.close()

            return once

        sensors = Sensors(SocketSource(str(path)), False, post)
        sensors.start()
        for line in (b'{"line": "lid", "level": 1, "t": 0.5}\n', b'{"line": "lid", "level": 0, "t": 1.5}\n'):
            server = await asyncio.start_unix_server(serve(line), path)  # type: ignore[arg-type]
            async with asyncio.timeout(5):
                await changed.wait()
            changed.clear()
            server.close()
            await server.wait_closed()
        await sensors.stop()
        return posted

    assert asyncio.run(run()) == [LidChanged(open=True), LidChanged(open=False)]
