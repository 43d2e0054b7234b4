"""What the tests of the simulator share: clean conditions, a sink that keeps frames, and a small real page."""

from __future__ import annotations

import json
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from controller import table
from controller.events import REQUESTS, AnyEvent, DeviceChanged, TableOpened
from controller.rules import Rules
from hw_sim.conditions import Conditions

Json = dict[str, Any]

CLEAN = Conditions(
    light=1.0,
    gradient=(0.0, 0.0),
    cast=(1.0, 1.0, 1.0),
    flicker=0.0,
    defocus_px=0.0,
    noise=0.0,
    glass_specks=0,
    card_smudges=0,
)


def rng(*seed: int) -> np.random.Generator:
    return np.random.default_rng(list(seed) or 1)


class Kept:
    """A reader that keeps every frame."""

    def __init__(self) -> None:
        self.frames: list[tuple[np.ndarray, float]] = []

    def write(self, frame: np.ndarray, time_s: float) -> bool:
        self.frames.append((frame.copy(), time_s))
        return True


def until(done: Callable[[], Any], timeout_s: float = 20.0) -> Any:
    """What `done` gives once it is true; fails where it does not come true."""
    deadline = time.monotonic() + timeout_s
    while not (value := done()):
        assert time.monotonic() < deadline, "did not come true in time"
        time.sleep(0.005)
    return value


class Page:
    """A real HTTP server that speaks the page's interface over the real core: events, requests, page.json."""

    def __init__(self, folder: Path, rules: Rules | None = None) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        state = table.initial(TableOpened("trente-et-quarante", rules or Rules()))
        self.state, _ = table.step(state, DeviceChanged("camera", "ok"))
        self.number = 1
        self.asked: list[Json] = []
        self.refused: list[str] = []
        self._streams: set[queue.SimpleQueue[bytes | None]] = set()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def post(self, event: AnyEvent) -> None:
        """A fact, or a granted request, at the table."""
        with self._lock:
            self.state, _ = table.step(self.state, event)
            self.number += 1
            for stream in self._streams:
                stream.put(self.view())

    def view(self) -> bytes:
        with self._lock:
            shown = {"seq": self.number, **msgspec.to_builtins(table.view(self.state))}
        return b"event: view\ndata: " + json.dumps(shown).encode() + b"\n\n"

    def request(self, body: bytes, seen: str | None) -> tuple[int, Json]:
        asked = json.loads(body)
        with self._lock:
            self.asked.append(asked)
            event = msgspec.json.decode(body, type=_ANY_REQUEST)
            moved = seen is not None and int(seen.strip('"')) != self.number
            why = "the table has moved on" if moved else table.verify(self.state, event)
            if why is not None:
                self.refused.append(why)
                return 409, {"why": why}
            self.post(event)
            return 200, {"number": self.number}

    @contextmanager
    def stream(self) -> Iterator[queue.SimpleQueue[bytes | None]]:
        lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        with self._lock:
            self._streams.add(lines)
            lines.put(self.view())
        try:
            yield lines
        finally:
            with self._lock:
                self._streams.discard(lines)

    def end_streams(self) -> None:
        """Whoever follows the page loses it."""
        with self._lock:
            for stream in self._streams:
                stream.put(None)

    def __enter__(self) -> Page:
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / "page.json").write_text(json.dumps({"url": self.url, "pid": os.getpid()}))
        return self

    def __exit__(self, *_: object) -> None:
        (self._folder / "page.json").unlink(missing_ok=True)
        self.end_streams()
        self.server.shutdown()
        self.server.server_close()


def _union(kinds: tuple[type, ...]) -> Any:
    made: Any = kinds[0]
    for kind in kinds[1:]:
        made = made | kind
    return made


_ANY_REQUEST = _union(REQUESTS)


def _handler(page: Page) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            assert self.path == "/api/events"
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            with page.stream() as lines:
                while (chunk := lines.get()) is not None:
                    try:
                        self.wfile.write(chunk)
                    except OSError:
                        return

        def do_POST(self) -> None:
            assert self.headers["Content-Type"] == "application/json"
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, answer = page.request(body, self.headers["If-Match"])
            text = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    return Handler
