"""A table with its page for tests: the real journal, loop and server on a thread; no camera and no panel."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType

from controller.edge.daemon import Premises
from controller.edge.loop import Table
from controller.edge.page.app import build
from controller.edge.page.feed import Feed
from controller.edge.page.server import PageServer
from controller.edge.restore import restore
from controller.events import AnyEvent, TableOpened
from controller.rules import Rules
from controller.view import View

OPENED = TableOpened("trente-et-quarante", Rules())
PATIENCE_S = 10.0


class ServedTable:
    """`with ServedTable(folder) as table:`; `port` 0 takes any free one."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self._folder = folder
        self._port = port
        self._up: Future[None] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()), name="served table")

    def __enter__(self) -> ServedTable:
        self._thread.start()
        self._up.result(PATIENCE_S)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        assert not self._thread.is_alive(), "the page did not stop"

    async def _main(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        try:
            with Premises(self._folder, "127.0.0.1", self._port) as premises:
                restored = restore(premises.journal, premises.opened, OPENED)
                self.journal = premises.journal
                self.table = Table(premises.journal, restored.number, restored.state, restored.trouble)
                self.feed = Feed(*self.table.standing())
                self.table.add_display(lambda step: self.feed.publish(step.number, step.view, step.outcomes))
                page = PageServer(build(self.table, self.feed, "table-7"), self.feed, premises.listener)
                self.url = page.url
                self.port = premises.listener.getsockname()[1]
                await self._serve(page)
        except BaseException as error:
            if not self._up.done():
                self._up.set_exception(error)
            raise

    async def _serve(self, page: PageServer) -> None:
        running = asyncio.create_task(self.table.run())
        await page.start()
        self._up.set_result(None)
        await self._stop.wait()
        self.table.close()
        await running
        await page.stop()

    @property
    def stopped(self) -> bool:
        return not self._thread.is_alive()

    def post(self, *events: AnyEvent) -> View:
        """Post facts and give the view that stands once all of them are stepped."""
        done: Future[View] = Future()

        def watch(_: object) -> None:
            number, view = self.table.standing()
            if number >= wanted and not done.done():
                done.set_result(view)

        def begin() -> None:
            nonlocal wanted
            wanted = self.table.standing()[0] + len(events)
            self.table.add_display(watch)
            for event in events:
                self.table.post(event)

        wanted = 0
        self.loop.call_soon_threadsafe(begin)
        return done.result(PATIENCE_S)

    def request(self, event: AnyEvent, seen: int | None = None) -> int:
        """As the page does; raises Refusal."""
        return asyncio.run_coroutine_threadsafe(self.table.request(event, seen), self.loop).result(PATIENCE_S)

    def on_loop(self, call: Callable[[], object]) -> None:
        self.loop.call_soon_threadsafe(call)

    def stop(self, within_s: float = PATIENCE_S) -> None:
        """End it, as a signal does; may be called twice."""
        if self._thread.is_alive():
            self.loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(within_s)
