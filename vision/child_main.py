"""The vision child: source and reader in a process of their own, messages up a pipe. Started by `vision.child`.

It ends when the pipe closes (its parent stops it, or died) and never for a picture: whatever goes wrong with one is
said as a `Camera` message and the next frame is read. Restarting a child that hangs is the parent's work.
"""

from __future__ import annotations

import ctypes
import json
import logging
import os
import signal
import sys
import threading
import time
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

from vision.barcode_table import load_codes
from vision.box_reader import BoxReader
from vision.card_codes import CardCodes
from vision.corner_read import FrameUnusable
from vision.deck import Deck, open_deck
from vision.geometry import Geometry, load_geometry
from vision.messages import Camera, Heartbeat, Message
from vision.quiet import quiet_opencv
from vision.slot_reader import SlotReader
from vision.sources.base import CameraLost, Source, SourceError
from vision.sources.opening import open_source

log = logging.getLogger("sabot.vision")

HEARTBEAT_S = 0.25
_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_RETRY_FIRST_S, _RETRY_MOST_S = 0.2, 3.0


class Child:
    """The child's loop. `say` sends a message to the parent; `ending` wakes it from its pauses."""

    def __init__(self, settings: dict[str, object], pipe: Connection) -> None:
        self._source_name = str(settings["source"])
        self._fps = float(str(settings["fps"]))
        keep = settings["keep_folder"]
        self._keep = Path(str(keep)) if keep else None
        self._geometry: Geometry = load_geometry(str(settings["geometry"]))
        self._deck: Deck | None = open_deck(str(settings["deck"]), self._geometry) if settings["deck"] else None
        self._codes = CardCodes(load_codes(str(settings["codes"]))) if settings["codes"] else None
        self._pipe = pipe
        self._camera, self._note = "", ""
        self._frames, self._time_s = 0, 0.0
        self._beat = 0.0
        self._retry_s = _RETRY_FIRST_S

    def run(self) -> None:
        """Until a file's end. A lost camera is opened again, with growing pauses; a broken frame costs that frame."""
        reader = self._reader()
        while True:
            try:
                source = open_source(self._source_name, self._geometry, self._fps)
                with closing(source):
                    self._read(source, reader)
                return
            except (CameraLost, SourceError, FrameUnusable) as error:
                card = "; a card was in the window" if reader.busy else ""
                self._state("lost", f"{error}{card}")
            except (BrokenPipeError, ConnectionResetError):
                raise  # the parent has gone; the sources' own are lost cameras
            except Exception as error:  # the one at the top: a picture must not end the reader
                log.exception("the reader failed")
                self._state("lost", f"the reader failed: {error!r}")
            reader = self._reader()
            self._pause()

    def _reader(self) -> SlotReader | BoxReader:
        if self._geometry.motion == "box":
            return BoxReader(self._geometry, self._keep, deck=self._deck, codes=self._codes)
        return SlotReader(self._geometry, self._keep, deck=self._deck, codes=self._codes)

    def _read(self, source: Source, reader: SlotReader | BoxReader) -> None:
        for frame in source.frames():
            self._heartbeat()
            if frame is None:
                continue
            self._frames, self._time_s = self._frames + 1, frame.time_s
            said = reader.feed(frame)
            for message in said:
                self._pipe.send(message)
            if said:
                self._note = self._notes()
            self._state("ok", self._note)
            self._retry_s = _RETRY_FIRST_S
        for message in reader.finish():
            self._pipe.send(message)
        self._state("ended", self._source_name)

    def _state(self, state: str, detail: str) -> None:
        """Said once for each change."""
        if state != "ok" or f"{state} {detail}" != self._camera:
            self._pipe.send(Camera(state, detail))
        self._camera = f"{state} {detail}"

    def _notes(self) -> str:
        """What a person should know while the camera works: light that drifted, barcodes that are off, a label."""
        notes = list(self._deck.drift.notes()) if self._deck is not None else []
        if self._codes is not None:
            label, own = self._codes.label, self._deck.profile.name if self._deck is not None else None
            notes += [self._codes.note] if self._codes.note else []
            notes += [f"shoe {label.shoe}, deck {label.deck} by their label"] if label is not None else []
            if label is not None and own is not None and label.deck != own:
                notes.append(f"the label names deck {label.deck}, the reader has {own}")
        return "; ".join(notes)

    def _heartbeat(self) -> None:
        now = time.monotonic()
        if now - self._beat >= HEARTBEAT_S:
            self._beat = now
            self._say(Heartbeat(self._frames, self._time_s))

    def _say(self, message: Message) -> None:
        self._pipe.send(message)

    def _pause(self) -> None:
        """Wait before the next try, with heartbeats; the end of the pipe ends the process meanwhile."""
        until = time.monotonic() + self._retry_s
        self._retry_s = min(2 * self._retry_s, _RETRY_MOST_S)
        quiet = threading.Event()
        while (left := until - time.monotonic()) > 0:
            self._heartbeat()
            quiet.wait(min(left, HEARTBEAT_S))


def _end_with_parent(pipe: Connection) -> None:
    """The parent never sends: the pipe becomes readable when the parent closes it or dies."""
    pipe.poll(None)
    os._exit(0)  # a camera's call in C may hang for ever; nothing here is worth waiting for


def main(arguments: list[str]) -> int:
    """`arguments`: the pipe's descriptor and the settings as JSON."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent ends this process
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # also where it is stopped, or deaf in a driver's call
    quiet_opencv()
    pipe = Connection(int(arguments[0]))
    threading.Thread(target=_end_with_parent, args=(pipe,), name="parent", daemon=True).start()
    try:
        Child(json.loads(arguments[1]), pipe).run()
    except (BrokenPipeError, ConnectionResetError):
        return 0  # the parent has gone
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
