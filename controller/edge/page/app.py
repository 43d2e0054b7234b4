"""The page's addresses: what is asked of the table over HTTP and how it is answered.

Leaves the table's state to the `Desk` that it is handed (the daemon's loop), who may ask to `guard`, the streams to
`feed`, sockets and shutdown to `server`.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Protocol

import msgspec
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from controller.edge.page.feed import Feed, view_json
from controller.edge.page.guard import Guard
from controller.edge.page.openapi import AnyRequest, document
from controller.edge.receipts import StampedReceipt
from controller.events import AnyEvent
from controller.view import Supervisor, View

STATIC = Path(__file__).parent / "static"
BODY_MAX = 16_384  # bytes; the longest request is a bet of a few hundred


class Refusal(Exception):
    """A request that the table does not take now; its text is why."""


class Desk(Protocol):
    """The table as the page sees it."""

    def standing(self) -> tuple[int, View]:
        """The journal number of the newest state and its view."""

    def supervisor(self) -> Supervisor:
        """What only the supervisor may see."""

    async def receipts(self) -> list[StampedReceipt]:
        """The newest receipts of counted packs and shoes."""

    async def request(self, event: AnyEvent, seen: int | None) -> int:
        """Commit a request and give its number; raises Refusal. `seen` is the `seq` that the person decided on."""


class Malformed(ValueError):
    """A body or header that is no request: (status, why)."""

    def __init__(self, why: str, status: int = 400) -> None:
        super().__init__(why)
        self.status = status


def build(desk: Desk, feed: Feed, name: str) -> ASGIApp:
    """The ASGI application of the table that is called `name`."""
    about = {"name": name, "program": _program()}

    async def table(_: Request) -> Response:
        return JSONResponse(about)

    async def view(_: Request) -> Response:
        return Response(view_json(*desk.standing()), media_type="application/json")

    async def supervisor(_: Request) -> Response:
        return Response(msgspec.json.encode(desk.supervisor()), media_type="application/json")

    async def receipts(_: Request) -> Response:
        return Response(msgspec.json.encode(await desk.receipts()), media_type="application/json")

    async def events(_: Request) -> Response:
        return StreamingResponse(feed.follow(), media_type="text/event-stream")

    async def requests(request: Request) -> Response:
        return await _answer(desk, request)

    routes = [
        Route("/", _page),
        Route("/api/table", table),
        Route("/api/view", view),
        Route("/api/supervisor", supervisor),
        Route("/api/receipts", receipts),
        Route("/api/events", events),
        Route("/api/requests", requests, methods=["POST"]),
        Route("/openapi.json", _openapi),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    return Guard(Starlette(routes=routes))


def _program() -> str:
    """Names the page's very files: a page that stayed open over an upgrade loads itself anew."""
    digest = hashlib.sha256()
    for path in sorted(STATIC.iterdir()):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


async def _page(_: Request) -> Response:
    return FileResponse(STATIC / "index.html")


async def _openapi(_: Request) -> Response:
    return JSONResponse(document())


async def _answer(desk: Desk, request: Request) -> Response:
    try:
        event = _decode(await _body(request))
        number = await desk.request(event, _seen(request.headers.get("if-match")))
    except Malformed as error:
        return JSONResponse({"why": str(error)}, error.status)
    except Refusal as error:
        return JSONResponse({"why": str(error)}, 409)
    return JSONResponse({"number": number})


async def _body(request: Request) -> bytes:
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > BODY_MAX:
                raise Malformed(f"a request has at most {BODY_MAX} bytes", 413)
    except ClientDisconnect as error:
        raise Malformed("the request ended before its end") from error
    return body


def _decode(body: bytes) -> AnyEvent:
    try:
        event: AnyEvent = msgspec.json.decode(body, type=AnyRequest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed(str(error)) from error
    return event


def _seen(header: str | None) -> int | None:
    if header is None:
        return None
    match = re.fullmatch(r'"?(\d{1,18})"?', header.strip())
    if match is None:
        raise Malformed(f"If-Match: {header!r} is no seq")
    return int(match[1])
