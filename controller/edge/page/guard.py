"""Who may talk to the page: browsers that opened it from this machine, by address or by its own name.

A page of another site that a browser on the table's network has open must reach nothing here: its requests carry a
foreign `Origin`, or (by DNS rebinding) a foreign `Host`. People and their rights are another matter.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = (
    (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


def own_names() -> frozenset[str]:
    """Names under which this machine may be called; addresses are always good, as no name resolves into them."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name.split('.')[0]}.local"})


def host_allowed(host: str, names: frozenset[str]) -> bool:
    """Whether a `Host` header names this machine."""
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return False
    if name is None:
        return False
    return name in names or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def refusal(method: str, headers: Mapping[str, str], names: frozenset[str]) -> tuple[int, str] | None:
    """(status, why) of a request that must not pass, or None."""
    host, origin = headers.get("host", ""), headers.get("origin")
    if not host_allowed(host, names):
        return 403, f"host {host!r} is not this machine"
    if origin is not None and _netloc(origin) != host:
        return 403, f"origin {origin!r} is not this page"
    if method == "POST" and headers.get("content-type", "").split(";")[0].strip() != "application/json":
        return 415, "a request is sent as application/json"
    return None


def _netloc(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


class Guard:
    """ASGI middleware: refuses foreign requests and adds the security headers to every answer.

    An answer that the server's end cancels (a body that never came whole, a stream that nobody reads) ends there: it
    is no error of the page.
    """

    def __init__(self, app: ASGIApp, names: frozenset[str] | None = None) -> None:
        self._app = app
        self._names = own_names() if names is None else names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        refused = refusal(scope["method"], Headers(scope=scope), self._names)
        app: ASGIApp = self._app if refused is None else JSONResponse({"why": refused[1]}, refused[0])
        with contextlib.suppress(asyncio.CancelledError):
            await app(scope, receive, _with_headers(send))


def _with_headers(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *HEADERS]
        await send(message)

    return wrapped
