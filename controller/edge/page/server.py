"""The page's server: one socket, uvicorn inside the daemon's loop, gone within a second when told to stop.

uvicorn's own signal handling is switched off: it would wait for open event streams and then raise the signal anew, so
that nothing after it runs. The daemon handles signals and calls `stop`.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp

from controller.edge.page.feed import Feed

GRACE_S = 1  # for answers under way; event streams end at once
CONNECTIONS_MAX = 200  # what comes beyond is told to come later


class PageUnavailable(OSError):
    """The page's address cannot be served; the text is one line for a person."""


logging.getLogger("uvicorn").setLevel(logging.WARNING)  # its coming and going is the daemon's to tell


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.serving = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.serving.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any free one. Raises PageUnavailable."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=64)
    except OSError as error:
        raise PageUnavailable(f"page.port {port} on {host}: {_reason(error)}") from error
    except OverflowError as error:
        raise PageUnavailable(f"page.port {port}: a port is 0 to 65535") from error


def _reason(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "is in use by another program; choose another port"
    return error.strerror or str(error)


def address(listener: socket.socket) -> str:
    """The page's address as one types it."""
    host, port = listener.getsockname()[:2]
    name = "127.0.0.1" if host == "0.0.0.0" else "[::1]" if host == "::" else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


class PageServer:
    """Serves `app` on a listening socket until `stop`; `feed` is closed first, so that no stream holds it up."""

    def __init__(self, app: ASGIApp, feed: Feed, listener: socket.socket) -> None:
        self.url = address(listener)
        self._feed = feed
        self._listener = listener
        self._server = _Server(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                lifespan="off",
                http="h11",
                ws="none",
                loop="none",
                timeout_graceful_shutdown=GRACE_S,
                server_header=False,
                limit_concurrency=CONNECTIONS_MAX,
            )
        )
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Returns once the page answers."""
        self._task = asyncio.create_task(self._server.serve([self._listener]), name="page")
        await self._server.serving.wait()

    async def stop(self) -> None:
        """Returns when all is closed, within about a second."""
        self._feed.close()
        self._server.should_exit = True
        if self._task is not None:
            await self._task
        self._listener.close()
