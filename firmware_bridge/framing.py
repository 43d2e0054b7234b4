"""Frames on the wire (PROTOCOL.md, "Frames"): COBS between zero bytes, CRC-32 behind the body. Pure; leaves meaning
to `messages`.

The buffer is bounded: whatever arrives, a decoder never holds more than one frame of the longest kind.
"""

from __future__ import annotations

import binascii
import struct

from cobs import cobs

from firmware_bridge.errors import FrameError

CRC_BYTES = 4
MAX_BODY = 56  # bytes; with CRC, COBS byte and both delimiters a frame is shorter than one 64-byte USB packet
MAX_ENCODED = MAX_BODY + CRC_BYTES + 1  # between the delimiters


def encode(body: bytes) -> bytes:
    """The frame for `body` (1..56 bytes), delimiters included; ValueError (ours) where it is empty or too long."""
    if not 1 <= len(body) <= MAX_BODY:
        raise ValueError(f"body of {len(body)} bytes: a frame carries 1..{MAX_BODY}")
    return b"\x00" + bytes(cobs.encode(body + struct.pack("<I", binascii.crc32(body)))) + b"\x00"


def unwrap(encoded: bytes) -> bytes:
    """The body of what stood between two delimiters; FrameError (theirs) says why it is none."""
    try:
        content = bytes(cobs.decode(encoded))
    except cobs.DecodeError as error:
        raise FrameError(f"COBS: {error}") from error
    body, check = content[:-CRC_BYTES], content[-CRC_BYTES:]
    if not 1 <= len(body) <= MAX_BODY:
        raise FrameError(f"body of {len(body)} bytes")
    if struct.pack("<I", binascii.crc32(body)) != check:
        raise FrameError("CRC-32 differs")
    return body


class Decoder:
    """Feeds on bytes as they come, in pieces of any size, and yields the bodies of good frames."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._overlong = False
        self.refused = 0
        """How many runs of bytes between two delimiters were no frame."""

    def feed(self, data: bytes) -> list[bytes]:
        """The bodies that `data` completes. What is no frame is dropped and counted in `refused`."""
        *ended, rest = data.split(b"\x00")
        bodies = [body for piece in ended if (body := self._end(piece)) is not None]
        self._append(rest)
        return bodies

    def reset(self) -> None:
        """Forget a half frame: the bytes to come are from another connection."""
        self._buffer.clear()
        self._overlong = False

    def _append(self, piece: bytes) -> None:
        room = MAX_ENCODED - len(self._buffer)
        self._overlong = self._overlong or len(piece) > room
        self._buffer += piece[:room]

    def _end(self, piece: bytes) -> bytes | None:
        self._append(piece)
        encoded, overlong = bytes(self._buffer), self._overlong
        self.reset()
        if not encoded:
            return None
        try:
            if overlong:
                raise FrameError("too long")
            return unwrap(encoded)
        except FrameError:
            self.refused += 1
            return None
