"""A sign at the far end of a pty: a face of `hw_sim.sign_faces` that is fed what comes and answers."""

from __future__ import annotations

import os
import select
import threading
import tty
from pathlib import Path
from types import TracebackType
from typing import Protocol


class Face(Protocol):
    def feed(self, data: bytes) -> bytes: ...


class SignOnPty:
    """`with SignOnPty(face, folder / "sign") as port:`; `heard` is every byte that came."""

    def __init__(self, face: Face, link: Path) -> None:
        self.face = face
        self.link = link
        self.heard = b""
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> SignOnPty:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self._wake_read, self._wake_write = os.pipe()
        self.link.symlink_to(os.ttyname(self._slave))
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.write(self._wake_write, b"e")
        self._thread.join(5.0)
        self.link.unlink()
        for descriptor in (self._master, self._slave, self._wake_read, self._wake_write):
            os.close(descriptor)

    def _serve(self) -> None:
        while True:
            ready, _, _ = select.select([self._master, self._wake_read], [], [])
            if self._wake_read in ready:
                return
            data = os.read(self._master, 4096)
            self.heard += data
            answer = self.face.feed(data)
            if answer:
                os.write(self._master, answer)
