"""Frames from another process: a ring of slots in shared memory, and a Unix socket that says which slot holds what.

The writer listens, one reader at a time is attached; a second waits in the queue until the first has gone. The memory
is an anonymous file handed over the socket (no name in /dev/shm, nothing to clean up, freed with its last holder).
Every slot is a credit: the writer blocks while the reader holds them all, and drops, at once, only where no reader is
attached. Numbers count every frame that was written, so a reader sees what it missed. What a frame means is left to
`vision.sources`.

Packets (SOCK_SEQPACKET, little endian): writer to reader `M generation slots bytes` with the memory's descriptor, and
`F generation slot number time_s height width channels`; reader to writer `generation slot`, the credit given back.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import select
import socket
import struct
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

_MEMORY = struct.Struct("<cIIQ")
_FRAME = struct.Struct("<cIIQdIII")
_CREDIT = struct.Struct("<II")


class RingClosed(ConnectionError):
    """The other end of the ring has gone."""


@dataclass(frozen=True)
class RingFrame:
    """One frame: `image` (height, width[, channels]) is read-only and stands only until the next `read` or `close`."""

    image: Image
    number: int
    time_s: float


class RingWriter:
    """The camera's end: `socket_path` is made (an old socket there is replaced), `slots` frames may be under way."""

    def __init__(self, socket_path: str | Path, slots: int = 4) -> None:
        if slots < 1:
            raise ValueError(f"slots: {slots} is not allowed, at least 1")
        self._path = Path(socket_path)
        self._slots = slots
        self._number = 0
        self._generation = 0
        self._memory: mmap.mmap | None = None
        self._memory_fd = -1
        self._slot_bytes = 0
        self._free: list[int] = []
        self._reader: socket.socket | None = None
        self._path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._listener.bind(os.fspath(self._path))
        self._listener.listen(4)
        self._listener.setblocking(False)

    def __enter__(self) -> RingWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def attached(self) -> bool:
        """Whether a reader is attached now (looks at the socket, does not wait)."""
        if self._reader is not None:
            self._take_credits(0.0)
        return self._reader is not None or self._accept()

    def wait_reader(self, timeout_s: float) -> bool:
        """Wait until a reader is attached; False where none came in time."""
        deadline = time.monotonic() + timeout_s
        while not self.attached:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            select.select([self._listener], [], [], left)
        return True

    def write(self, frame: Image, time_s: float, timeout_s: float | None = None) -> bool:
        """Hand on one uint8 frame. True: the reader has it; False: no reader is attached and the frame is dropped.

        Blocks while the reader holds all slots; raises TimeoutError after `timeout_s` of that (the frame is not sent).
        """
        if frame.dtype != np.uint8 or frame.ndim not in (2, 3):
            raise ValueError(f"a frame is uint8 with 2 or 3 axes, not {frame.dtype} with {frame.ndim}")
        number = self._number
        self._number += 1
        if not self.attached:
            return False
        if frame.nbytes > self._slot_bytes and not self._new_memory(frame.nbytes):
            return False
        slot = self._free_slot(timeout_s)
        return slot is not None and self._send(frame, slot, number, time_s)

    def close(self) -> None:
        """End the ring: the reader sees it closed, the socket's file is removed."""
        self._detach()
        self._listener.close()
        self._path.unlink(missing_ok=True)
        self._drop_memory()

    def _accept(self) -> bool:
        try:
            self._reader, _ = self._listener.accept()
        except BlockingIOError:
            return False
        return self._slot_bytes == 0 or self._offer_memory()

    def _detach(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _drop_memory(self) -> None:
        if self._memory is not None:
            self._memory.close()
            os.close(self._memory_fd)
            self._memory = None

    def _new_memory(self, frame_bytes: int) -> bool:
        self._drop_memory()
        self._slot_bytes = frame_bytes
        self._memory_fd = os.memfd_create("sabot-frames", os.MFD_CLOEXEC)
        os.ftruncate(self._memory_fd, frame_bytes * self._slots)
        self._memory = mmap.mmap(self._memory_fd, frame_bytes * self._slots)
        return self._offer_memory()

    def _offer_memory(self) -> bool:
        """All slots become free: what an earlier reader left in them is of no use to a new one."""
        assert self._reader is not None
        self._generation += 1
        self._free = list(range(self._slots))
        packet = _MEMORY.pack(b"M", self._generation, self._slots, self._slot_bytes)
        try:
            socket.send_fds(self._reader, [packet], [self._memory_fd])
        except OSError:
            self._detach()
        return self._reader is not None

    def _free_slot(self, timeout_s: float | None) -> int | None:
        self._take_credits(0.0)
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while not self._free and self._reader is not None:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise TimeoutError(f"the reader took no frame for {timeout_s} s")
            self._take_credits(left)
        return self._free.pop(0) if self._reader is not None else None

    def _take_credits(self, wait_s: float | None) -> None:
        """Take what the reader has given back, waiting at most `wait_s` for the first; notice that it has gone."""
        while self._reader is not None and select.select([self._reader], [], [], wait_s)[0]:
            wait_s = 0.0
            try:
                packet = self._reader.recv(_CREDIT.size)
            except OSError:
                packet = b""
            if len(packet) != _CREDIT.size:
                self._detach()
                return
            generation, slot = _CREDIT.unpack(packet)
            if generation == self._generation:
                self._free.append(slot)

    def _send(self, frame: Image, slot: int, number: int, time_s: float) -> bool:
        assert self._memory is not None
        assert self._reader is not None
        start = slot * self._slot_bytes
        self._memory[start : start + frame.nbytes] = np.ascontiguousarray(frame).data.cast("B")
        height, width = frame.shape[:2]
        channels = frame.shape[2] if frame.ndim == 3 else 0
        try:
            self._reader.send(_FRAME.pack(b"F", self._generation, slot, number, time_s, height, width, channels))
        except OSError:
            self._detach()
        return self._reader is not None


class RingReader:
    """The reading end. Raises ConnectionError or FileNotFoundError where nobody listens at `socket_path`."""

    def __init__(self, socket_path: str | Path) -> None:
        self._memory: mmap.mmap | None = None
        self._slot_bytes = 0
        self._held: tuple[int, int] | None = None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._socket.connect(os.fspath(socket_path))
        except OSError:
            self._socket.close()
            raise

    def __enter__(self) -> RingReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def read(self, timeout_s: float) -> RingFrame | None:
        """The next frame, or None where none came within `timeout_s`. Raises RingClosed when the writer has gone."""
        self._give_back()
        deadline = time.monotonic() + timeout_s
        while select.select([self._socket], [], [], max(0.0, deadline - time.monotonic()))[0]:
            packet, descriptors = self._receive()
            if packet[:1] == b"M":
                self._map(packet, descriptors)
            elif packet[:1] == b"F":
                return self._frame(packet)
            else:
                raise RingClosed("the writer of the frames has gone")
        return None

    def close(self) -> None:
        """Leave the ring; the memory goes with the last picture that is still held."""
        self._socket.close()
        self._memory = None

    def _receive(self) -> tuple[bytes, Sequence[int]]:
        try:
            packet, descriptors, _, _ = socket.recv_fds(self._socket, _FRAME.size, 1)
        except OSError as error:
            raise RingClosed(f"the writer of the frames has gone: {error.strerror}") from error
        return packet, descriptors

    def _give_back(self) -> None:
        if self._held is not None:
            with contextlib.suppress(OSError):  # a writer that has gone is noticed by the read that follows
                self._socket.send(_CREDIT.pack(*self._held))
            self._held = None

    def _map(self, packet: bytes, descriptors: Sequence[int]) -> None:
        _, _, slots, self._slot_bytes = _MEMORY.unpack(packet)
        self._memory = mmap.mmap(descriptors[0], slots * self._slot_bytes, prot=mmap.PROT_READ)
        os.close(descriptors[0])

    def _frame(self, packet: bytes) -> RingFrame:
        _, generation, slot, number, time_s, height, width, channels = _FRAME.unpack(packet)
        if self._memory is None:
            raise RingClosed("a frame came before its memory")
        self._held = (generation, slot)
        shape = (height, width, channels) if channels else (height, width)
        count = height * width * max(1, channels)
        image = np.frombuffer(self._memory, np.uint8, count, slot * self._slot_bytes).reshape(shape)
        return RingFrame(image, number, time_s)
