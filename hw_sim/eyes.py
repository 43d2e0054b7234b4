"""The simulated dealer's eyes and hand on the page: follows its event stream and posts requests, as a browser would.

Finds the page by DIR/page.json, and again when its daemon has gone and another came. What is then done is dealer.py's.
"""

from __future__ import annotations

import http.client
import json
import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

QUIET_S = 5.0  # the page says it is alive every second
RETRY_S = 0.1

Json = dict[str, Any]
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PageFile:
    """What DIR/page.json says: where the page is and whose it is."""

    url: str
    pid: int


def page_file(folder: Path) -> PageFile | None:
    """The page that is served for a state folder now, None while there is none."""
    try:
        content = json.loads((folder / "page.json").read_text(encoding="utf-8"))
        return PageFile(content["url"], int(content["pid"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def post_request(url: str, request: Json, seen: int | None = None) -> tuple[int, Json]:
    """POST a request, decided on view `seen`; the answer's status and body. Raises OSError or HTTPException."""
    connection = _connect(url)
    headers = {"Content-Type": "application/json"}
    if seen is not None:
        headers["If-Match"] = f'"{seen}"'
    try:
        connection.request("POST", "/api/requests", json.dumps(request), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"{}")
    finally:
        connection.close()


def events(lines: Iterator[bytes]) -> Iterator[tuple[str, str]]:
    """Server-sent events out of their lines: (event, data)."""
    kind = "message"
    data: list[str] = []
    for raw in lines:
        line = raw.decode("utf-8").rstrip("\r\n")
        if not line:
            if data:
                yield kind, "\n".join(data)
            kind, data = "message", []
        name, _, value = line.partition(":")
        if name == "event":
            kind = value.removeprefix(" ")
        elif name == "data":
            data.append(value.removeprefix(" "))


class Eyes:
    """Follows the page of `folder` on its own thread: `on_view(url, view)`, with None for the view when it is lost."""

    def __init__(self, folder: Path, on_view: Callable[[str, Json | None], None]) -> None:
        self._folder = folder
        self._on_view = on_view
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """No view comes after this; a stream that is being read ends with its next line."""
        self._end.set()

    def _run(self) -> None:
        told: PageFile | None = None
        while not self._end.is_set():
            page = page_file(self._folder)
            if page is not None:
                try:
                    self._follow(page.url)
                except (OSError, http.client.HTTPException, ValueError) as error:
                    if page != told:  # once for each daemon: one that was killed leaves its page.json behind
                        log.info("the page at %s is out of sight: %r", page.url, error)
                    told = page
                self._on_view(page.url, None)
            self._end.wait(RETRY_S)

    def _follow(self, url: str) -> None:
        connection = _connect(url)
        try:
            connection.request("GET", "/api/events", headers={"Accept": "text/event-stream"})
            answer = connection.getresponse()
            if answer.status != 200:
                raise http.client.HTTPException(f"status {answer.status}")
            for kind, data in events(iter(answer.readline, b"")):
                if self._end.is_set():
                    return
                if kind == "view":
                    self._on_view(url, json.loads(data))
        finally:
            connection.close()


def _connect(url: str) -> http.client.HTTPConnection:
    parts = urlsplit(url)
    if parts.hostname is None:
        raise ValueError(f"{url} is no address of a page")
    return http.client.HTTPConnection(parts.hostname, parts.port, timeout=QUIET_S)
