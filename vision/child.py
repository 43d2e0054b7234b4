"""The parent's end of the vision child: starts it, hands its messages on, restarts it when it hangs or dies.

A hung camera call or a crash in a C library costs a restart of the child, not the table. What a message means is
left to whoever gets it; what the child does to `vision.child_main`.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection, Pipe
from pathlib import Path

from vision.barcode_table import load_codes
from vision.geometry import load_geometry
from vision.messages import Camera, Message
from vision.profile import load_profile
from vision.sources.opening import check_source

log = logging.getLogger("sabot.vision")

HANG_S = 4.0  # without a word from a child that reads
START_S = 30.0  # from its start to its first word: a cold disk and a busy machine
_END_S = 1.0
_BACKOFF_FIRST_S, _BACKOFF_MOST_S = 0.1, 5.0


@dataclass(frozen=True)
class ReaderSettings:
    """`source`: see `vision.sources.opening`; `geometry`: a TOML file's path; `keep_folder`: None keeps no pictures;
    `deck`: an enrolled deck's folder; `codes`: a code table's path, for cards that bear barcodes."""

    source: str
    geometry: str
    deck: str | None = None
    keep_folder: str | None = None
    fps: float = 120.0
    codes: str | None = None


class ReaderChild:
    """Raises GeometryError, SourceError, ProfileError or CodesError (all ValueError) at once for unusable settings;
    `on_message` runs on a thread of its own."""

    def __init__(self, settings: ReaderSettings, on_message: Callable[[Message], None]) -> None:
        geometry = load_geometry(settings.geometry)
        check_source(settings.source)
        if settings.deck is not None:
            load_profile(Path(settings.deck), geometry)
        if settings.codes is not None:
            load_codes(settings.codes)
        self._settings = settings
        self._on_message = on_message
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._thread = threading.Thread(target=self._keep_running, name="vision-child", daemon=True)

    @property
    def pid(self) -> int | None:
        """The child's process id while it runs."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def start(self) -> None:
        """Start the child and the thread that listens to it."""
        self._thread.start()

    def stop(self) -> None:
        """End the child; returns when it has gone and no message will come any more (within two seconds)."""
        self._stopping.set()
        with self._lock:
            if self._process is not None:
                self._process.kill()  # it holds nothing that could be lost: a reading is said when its passage ends
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join()

    def _keep_running(self) -> None:
        backoff_s = _BACKOFF_FIRST_S
        while not self._stopping.is_set():
            self._on_message(Camera("starting", self._settings.source))
            started = time.monotonic()
            why = self._one_child()
            if why is None or self._stopping.is_set():
                return
            log.warning("vision child: %s", why)
            self._on_message(Camera("lost", why))
            if time.monotonic() - started > START_S:
                backoff_s = _BACKOFF_FIRST_S
            self._stopping.wait(backoff_s)
            backoff_s = min(2 * backoff_s, _BACKOFF_MOST_S)

    def _one_child(self) -> str | None:
        """Run one child to its end: why another is needed, or None where it came to the end of its file."""
        with self._lock:
            if self._stopping.is_set():
                return None
            ours, theirs = Pipe(duplex=True)
            self._process = process = self._spawn(theirs)
            theirs.close()
        with ours:
            why = self._listen(ours)
        try:
            status = process.wait(timeout=_END_S if why is None else 0)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        if why is None and status != 0:
            return f"the reader ended with status {status}, it is started again"
        return why

    def _spawn(self, pipe: Connection) -> subprocess.Popen[bytes]:
        number = os.dup(pipe.fileno())
        try:
            return subprocess.Popen(
                [sys.executable, "-P", "-m", "vision.child_main", str(number), json.dumps(asdict(self._settings))],
                pass_fds=(number,),
                stdin=subprocess.DEVNULL,
                env=_environment(),
            )
        finally:
            os.close(number)

    def _listen(self, pipe: Connection) -> str | None:
        """Hand on messages until the pipe ends (None) or the child is silent for too long (why)."""
        patience_s = START_S
        ended = False
        while True:
            if not pipe.poll(patience_s):
                return f"the reader said nothing for {patience_s:g} s, it is started again"
            try:
                message: Message = pipe.recv()
            except (EOFError, OSError):
                return None if ended or self._stopping.is_set() else "the reader ended, it is started again"
            patience_s = HANG_S
            ended = isinstance(message, Camera) and message.state == "ended"
            if not self._stopping.is_set():
                self._on_message(message)


def _environment() -> dict[str, str]:
    """The child finds this very package, whatever folder it is started in."""
    here = str(Path(__file__).resolve().parent.parent)
    others = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": here + (os.pathsep + others if others else "")}
