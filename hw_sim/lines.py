"""A Unix socket that speaks JSON lines, one thread a client: the form of the simulator's sensors and of its control."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

Json = dict[str, Any]
LINE_MAX = 4096
log = logging.getLogger(__name__)


class LineServer:
    """Listens at `path` (an old socket is replaced). `greet` lines go to each new client, `answer`s to its lines."""

    def __init__(
        self, path: Path, greet: Callable[[], list[Json]] | None = None, answer: Callable[[Json], Json] | None = None
    ) -> None:
        self._path = path
        self._greet, self._answer = greet, answer
        self._clients: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._replying = threading.Lock()  # one line after the other, and no end before its answer
        path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(os.fspath(path))
        self._listener.listen(8)

    def start(self) -> None:
        threading.Thread(target=self._accept, name=self._path.name, daemon=True).start()

    def close(self) -> None:
        """End with all clients; the socket's file is removed."""
        self._path.unlink(missing_ok=True)
        with self._replying:
            for end in (self._listener, *self._everyone()):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits on it
                end.close()

    def send_all(self, line: Json) -> None:
        """One line to every client; who has gone is forgotten by its own thread."""
        for client in self._everyone():
            with contextlib.suppress(OSError):
                client.sendall(_encoded(line))

    def _everyone(self) -> list[socket.socket]:
        with self._lock:
            return list(self._clients)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:  # closed
                return
            threading.Thread(target=self._serve, args=(client,), name=f"{self._path.name} client", daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with self._lock:
            self._clients.add(client)
        try:
            with client, client.makefile("rb") as lines:
                for line in self._greet() if self._greet else []:
                    client.sendall(_encoded(line))
                while text := lines.readline(LINE_MAX):
                    with self._replying:
                        client.sendall(_encoded(self._reply(text)))
        except OSError as error:
            log.debug("%s: a client has gone: %s", self._path, error)
        finally:
            with self._lock:
                self._clients.discard(client)

    def _reply(self, text: bytes) -> Json:
        if self._answer is None:
            return {"ok": False, "why": "nothing is asked here"}
        try:
            line = json.loads(text)
        except ValueError as error:
            return {"ok": False, "why": f"no JSON: {error}"}
        return self._answer(line) if isinstance(line, dict) else {"ok": False, "why": "no JSON object"}


def ask(path: Path, line: Json, timeout_s: float = 10.0) -> Json:
    """Send one line to the server at `path` and return its answer. Raises OSError where nobody answers."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as end:
        end.settimeout(timeout_s)
        end.connect(os.fspath(path))
        end.sendall(_encoded(line))
        with end.makefile("rb") as lines:
            text = lines.readline()
    if not text:
        raise ConnectionError(f"{path}: closed without an answer")
    answer: Json = json.loads(text)
    return answer


def _encoded(line: Json) -> bytes:
    return json.dumps(line, ensure_ascii=False).encode() + b"\n"
