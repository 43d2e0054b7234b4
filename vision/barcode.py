"""Barcodes in a process that may die: pictures go to it, what was found comes back.

Nobody waits for it longer than asked. When it dies or hangs it is started again; dies it too often, or is zbar not
there, barcodes are off, `note` says so, and faces are read on. What a code means is `vision.barcode_table`'s, what
becomes of it beside the face `vision.card_codes`'s.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from collections import deque
from multiprocessing.connection import Connection, Pipe
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.barcode_child import Found

Image = NDArray[np.uint8]
log = logging.getLogger("sabot.vision")

_MOST_DEATHS = 3  # within _DEATHS_WITHIN_S, and barcodes are off
_DEATHS_WITHIN_S = 60.0
_MOST_WAITING = 2  # pictures on their way; more are not sent
_MOST_BYTES = 80_000  # of a picture: what waits fits the socket, so that sending never blocks
_MOST_BYTES_ALONE = 4_000_000  # of one that is waited for
_HANGS_S = 2.0  # a picture takes a few ms
_STARTS_S = 30.0  # until its first word: Python, numpy and zbar from a cold disk


class BarcodeProcess:
    """Sends pictures, receives codes. Starts its process when the first picture comes; not for several threads."""

    def __init__(self, kinds: tuple[str, ...]) -> None:
        self._kinds = kinds
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._spoke = False
        self._waiting: deque[tuple[int, float]] = deque()
        self._deaths: deque[float] = deque(maxlen=_MOST_DEATHS)
        self._died_times = 0
        self._number = 0
        self.note = ""

    @property
    def pid(self) -> int | None:
        """The process's id while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def start(self) -> None:
        """Start the process before the first picture comes: it takes a moment to be there."""
        try:
            self._open()
        except OSError:
            self._died()

    def send(self, image: Image) -> None:
        """Hand over a copy of a BGR or grey picture; it is dropped where the process is behind or off."""
        if len(self._waiting) < _MOST_WAITING:
            self._hand_over(image, _MOST_BYTES)

    def receive(self, patience_s: float = 0.0) -> Found:
        """What was found since; waits that long for pictures on their way."""
        found: Found = []
        until = time.monotonic() + patience_s
        while self._waiting and self._pipe is not None:
            try:
                if not self._pipe.poll(max(0.0, until - time.monotonic())):
                    break
                _, codes, why = self._pipe.recv()
            except (EOFError, OSError):
                self._died()
                break
            self._spoke = True
            self._waiting.popleft()
            found += codes
            if why:
                self._off(why)
        if self._waiting and time.monotonic() - self._waiting[0][1] > (_HANGS_S if self._spoke else _STARTS_S):
            self._died()
        return found

    def read(self, image: Image) -> Found:
        """What is in this one picture, waited for. A process that dies of it gets it once again, then it has none."""
        found = self.receive(_STARTS_S)
        for _ in range(2):
            died_times = self._died_times
            self._hand_over(image, _MOST_BYTES_ALONE)
            found += self.receive(_HANGS_S if self._spoke else _STARTS_S)
            if self._waiting:
                self._died()
            if self._died_times == died_times:
                break
        return found

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._pipe is not None:
            self._pipe.close()
        self._process, self._pipe, self._spoke = None, None, False
        self._waiting.clear()

    def _hand_over(self, image: Image, most_bytes: int) -> None:
        if self.note:
            return
        grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        try:
            self._open().send((self._number, self._kinds, _small(np.asarray(grey, np.uint8), most_bytes)))
        except OSError:
            self._died()
            return
        self._waiting.append((self._number, time.monotonic()))
        self._number += 1

    def _open(self) -> Connection:
        if self._pipe is None:
            self._pipe, theirs = Pipe(duplex=True)
            with theirs:
                self._process = _spawn(theirs)
        return self._pipe

    def _died(self) -> None:
        self.close()
        now = time.monotonic()
        self._deaths.append(now)
        self._died_times += 1
        log.warning("the barcode process ended or hung")
        if len(self._deaths) == _MOST_DEATHS and now - self._deaths[0] < _DEATHS_WITHIN_S:
            self._off("its process dies again and again")

    def _off(self, why: str) -> None:
        self.note = f"barcode is off: {why}"
        self.close()


def _small(grey: Image, most_bytes: int) -> Image:
    scale = (most_bytes / max(1, grey.size)) ** 0.5
    if scale >= 1.0:
        return np.ascontiguousarray(grey)
    return np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _spawn(pipe: Connection) -> subprocess.Popen[bytes]:
    number = os.dup(pipe.fileno())
    here = str(Path(__file__).resolve().parent.parent)
    others = os.environ.get("PYTHONPATH")
    environment = {**os.environ, "PYTHONPATH": here + (os.pathsep + others if others else "")}
    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "vision.barcode_child", str(number)],
            pass_fds=(number,),
            stdin=subprocess.DEVNULL,
            env=environment,
        )
    finally:
        os.close(number)
