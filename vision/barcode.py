"""Barcodes beside the face: pictures of a region go to a process that may die, what was found comes back.

The reader never waits for it longer than a passage's end allows. When the process dies it is started again; dies it
too often, or is zbar not there, barcodes are off, `note` says so, and faces are read on. What a code means is
`vision.barcode_table`'s.
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

from vision.answer import Answer, abstain
from vision.barcode_child import Found
from vision.barcode_table import Codes, Label, label_of
from vision.geometry import Geometry
from vision.slot import Corner, cut

Image = NDArray[np.uint8]
log = logging.getLogger("sabot.vision")

DIFFER = "barcode and face differ"
_MOST_DEATHS = 3  # within _DEATHS_WITHIN_S, and barcodes are off
_DEATHS_WITHIN_S = 60.0
_MOST_WAITING = 2  # pictures on their way; more are not sent
_MOST_BYTES = 80_000  # of a picture: what waits fits the socket, so that sending never blocks
_PATIENCE_S = 0.25  # at a passage's end
_HANGS_S = 2.0  # a picture takes a few ms


class BarcodeProcess:
    """Sends pictures, receives codes. Starts its process when the first picture comes; not for several threads."""

    def __init__(self, kinds: tuple[str, ...]) -> None:
        self._kinds = kinds
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._waiting: deque[tuple[int, float]] = deque()
        self._deaths: deque[float] = deque(maxlen=_MOST_DEATHS)
        self._number = 0
        self.note = ""

    @property
    def pid(self) -> int | None:
        """The process's id while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def send(self, image: Image) -> None:
        """Hand over a copy of a BGR or grey picture; it is dropped where the process is behind or off."""
        if self.note or len(self._waiting) >= _MOST_WAITING:
            return
        grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        try:
            self._open().send((self._number, self._kinds, _small(np.asarray(grey, np.uint8))))
        except OSError:
            self._died()
            return
        self._waiting.append((self._number, time.monotonic()))
        self._number += 1

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
            self._waiting.popleft()
            found += codes
            if why:
                self._off(why)
        if self._waiting and time.monotonic() - self._waiting[0][1] > _HANGS_S:
            self._died()
        return found

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._pipe is not None:
            self._pipe.close()
        self._process, self._pipe = None, None
        self._waiting.clear()

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
        log.warning("the barcode process ended or hung")
        if len(self._deaths) == _MOST_DEATHS and now - self._deaths[0] < _DEATHS_WITHIN_S:
            self._off("its process dies again and again")

    def _off(self, why: str) -> None:
        self.note = f"barcode is off: {why}"
        self.close()


class CardCodes:
    """The barcodes of one passage after another: look at its frames, then ask what they said."""

    def __init__(self, codes: Codes | None, process: BarcodeProcess | None = None) -> None:
        """`codes` None: only labels (QR of a cut card or a lid) are looked for."""
        kinds = ("qr",) if codes is None else tuple(sorted({codes.symbology, "qr"}))
        self._codes = codes
        self._process = process if process is not None else BarcodeProcess(kinds)
        self._symbols: set[str] = set()
        self.label: Label | None = None

    @property
    def note(self) -> str:
        """Why barcodes are off; empty while they are read."""
        return self._process.note

    def look(self, region: Image) -> None:
        """One frame's region."""
        self._process.send(region)
        self._take(self._process.receive())

    def passage(self, answer: Answer) -> Answer:
        """A passage has ended with this answer of its face: it stands, unless a code says another card."""
        self._take(self._process.receive(_PATIENCE_S))
        symbols, self._symbols = self._symbols, set()
        return agree(answer, symbols)

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def _take(self, found: Found) -> None:
        for kind, text in found:
            self.label = label_of(kind, text) or self.label
            symbol = self._codes.symbol(kind, text) if self._codes is not None else None
            if symbol is not None:
                self._symbols.add(symbol)


def agree(answer: Answer, symbols: set[str]) -> Answer:
    """The face's answer where no barcode was read or it says the same; a code alone names no card, it only hints."""
    if not symbols or symbols == {answer.symbol}:
        return answer
    if answer.symbol is not None:
        return abstain(DIFFER, answer.confidence)
    hint = "the barcodes differ" if len(symbols) > 1 else f"the barcode says {next(iter(symbols))}"
    return abstain(f"{answer.why}; {hint}", answer.confidence)


def region_of(upright: Image, corner: Corner, geometry: Geometry) -> Image | None:
    """Where the geometry says that a card's barcode is; None where it has none, or it is not wholly in view."""
    scale = geometry.px_per_mm
    size = round(geometry.barcode_width_mm * scale), round(geometry.barcode_height_mm * scale)
    left, top = geometry.barcode_left_mm * scale, geometry.barcode_top_mm * scale
    x = corner.x + corner.along[0] * left + corner.down[0] * top
    y = corner.y + corner.along[1] * left + corner.down[1] * top
    if min(size) == 0 or x < 0 or x + size[0] > upright.shape[1] or y + size[1] > upright.shape[0]:
        return None
    return cut(upright, Corner(x, y, corner.along, corner.down), scale, scale, size)


def _small(grey: Image) -> Image:
    scale = (_MOST_BYTES / max(1, grey.size)) ** 0.5
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
