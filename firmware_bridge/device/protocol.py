"""The panel's end of PROTOCOL.md, version 1. No input, no output, no clock: bytes in, bytes and a screen out. Runs
under MicroPython (Raspberry Pi Pico, unix port) and CPython. Leaves LEDs to outputs.py and the wiring to board.py."""

import struct
from binascii import crc32

VERSION = 1
PROGRAM = 1  # this program's own number, told in WELCOME

HELLO, PICTURE, HEARTBEAT = 0x01, 0x02, 0x03
WELCOME, ACK, STATUS, NAK = 0x81, 0x82, 0x83, 0x84
UNREADABLE, NO_SESSION, UNKNOWN, MALFORMED = 1, 2, 3, 4

MAX_ENCODED = 61  # between two delimiters
TEXT_MAX = 32
LAMPS_MAX = 16
SILENCE_MS = 2000  # without a good frame: "no link" rather than an old total
UNASKED_MS = 20  # between two unasked STATUS, and between two NAK of unreadable frames

IDLE_TEXT = "the cards on the table decide"
NO_LINK_TEXT = "no link"

# A screen is what the outputs show: (upper row, lower row, text, lamps, brightness); rows have four characters.
DARK_ROW = "    "
IDLE = (DARK_ROW, DARK_ROW, IDLE_TEXT, 0, 8)
NO_LINK = ("----", "----", NO_LINK_TEXT, 0, 8)


def cobs_encode(data):
    """`data` (at most 253 bytes) without zero bytes, one byte longer."""
    out = bytearray(len(data) + 1)
    code_at = 0
    for at, byte in enumerate(data, 1):
        if byte:
            out[at] = byte
        else:
            out[code_at] = at - code_at
            code_at = at
    out[code_at] = len(out) - code_at
    return out


def cobs_decode(data):
    """The bytes behind `data` (no zero byte in it, at most 254 long), or None where it is no COBS."""
    out = bytearray(data)
    at = 0
    while at < len(data):
        code = data[at]
        out[at] = 0
        at += code
    return out[1:] if at == len(data) and data else None


def frame(body):
    """`body` with its CRC, stuffed, between delimiters."""
    return b"\x00" + cobs_encode(body + struct.pack("<I", crc32(body))) + b"\x00"


def message(kind, session, sequence, payload=b""):
    """The frame of one message."""
    return frame(struct.pack("<BIH", kind, session, sequence) + payload)


class Receiver:
    """Byte by byte to bodies, in one fixed buffer."""

    def __init__(self):
        self._buffer = bytearray(MAX_ENCODED)
        self._length = 0
        self.refused = 0

    def byte(self, value):
        """None while nothing ended; b"" where what ended was no frame; else its body."""
        if value:
            if self._length < MAX_ENCODED:
                self._buffer[self._length] = value
            self._length += 1  # beyond the buffer: too long, refused at the delimiter
            return None
        length, self._length = self._length, 0
        if not length:
            return None
        body = self._unwrap(self._buffer[:length]) if length <= MAX_ENCODED else b""
        if not body:
            self.refused = (self.refused + 1) & 0xFFFF
        return body

    def _unwrap(self, encoded):
        content = cobs_decode(encoded)
        if content is None or len(content) < 5:
            return b""
        body = bytes(content[:-4])
        return body if struct.pack("<I", crc32(body)) == content[-4:] else b""


def parse_picture(payload):
    """The screen of a PICTURE's payload, or None where any field breaks the protocol: it is taken whole or not at
    all."""
    if len(payload) < 12:
        return None
    brightness, lamps, upper, lower, length = struct.unpack("<BH4s4sB", payload[:12])
    text = payload[12:]
    if brightness > 15 or length > TEXT_MAX or len(text) != length:
        return None
    for byte in upper + lower + text:
        if not 0x20 <= byte <= 0x7E:
            return None
    return (upper.decode(), lower.decode(), text.decode(), lamps, brightness)


class Panel:
    """The conversation. `boot`: drawn at this start; `exits()`: the exit beam's count; `diff(later, earlier)`: of two
    clock readings in milliseconds (time.ticks_diff on a board)."""

    def __init__(self, boot, exits, diff):
        self._receiver = Receiver()
        self._boot = boot
        self._exits = exits
        self._diff = diff
        self._session = None
        self._sequence = None  # of the newest picture of this session
        self._heard = 0
        self._told = 0  # the count that the host was last told
        self._spoke = 0
        self._may_speak = True
        self.screen = IDLE
        self.changed = True

    def receive(self, value, now):
        """One byte came: the frame to answer with, or None."""
        body = self._receiver.byte(value)
        if body is None:
            return None
        if not body:
            return self._unasked(now, NAK, 0, 0, bytes((UNREADABLE,)))
        if len(body) < 7:
            return None
        kind, session, sequence = struct.unpack("<BIH", body[:7])
        return self._take(kind, session, sequence, body[7:], now)

    def tick(self, now):
        """Time passed: a frame to send, or None."""
        if not self._may_speak and self._diff(now, self._spoke) >= UNASKED_MS:
            self._may_speak = True
        if self._session is None:
            return None
        if self._diff(now, self._heard) >= SILENCE_MS:
            self._session = None
            self._show(NO_LINK)
        elif self._exits() != self._told and self._may_speak:
            self._spoke, self._may_speak = now, False
            return self._status()
        return None

    def _take(self, kind, session, sequence, payload, now):
        if kind == HELLO and len(payload) >= 2:  # a later version may say more
            return self._hello(session, payload, now)
        if session != self._session:
            return message(NAK, session, sequence, bytes((NO_SESSION,)))
        self._heard = now
        if kind == PICTURE:
            return self._picture(sequence, payload)
        if kind == HEARTBEAT and not payload:
            return self._status()
        why = MALFORMED if kind in (HELLO, HEARTBEAT) else UNKNOWN
        return message(NAK, session, sequence, bytes((why,)))

    def _hello(self, session, payload, now):
        common = payload[0] <= VERSION <= payload[1]
        if common and session != self._session:
            self._session, self._sequence = session, None
            self._show(IDLE)
        if common:
            self._heard = now
        self._told = self._exits()
        fields = (VERSION if common else 0, VERSION, VERSION, self._boot, self._told, PROGRAM, TEXT_MAX, LAMPS_MAX)
        return message(WELCOME, session, self._sequence or 0, struct.pack("<BBBIIHBB", *fields))

    def _picture(self, sequence, payload):
        screen = parse_picture(payload)
        if screen is None:
            return message(NAK, self._session, sequence, bytes((MALFORMED,)))
        # An older one was held up on its way; a repeat changes nothing. Either is answered with what stands.
        if self._sequence is None or 0 < (sequence - self._sequence) & 0xFFFF < 0x8000:
            self._sequence = sequence
            self._show(screen)
        return message(ACK, self._session, self._sequence)

    def _status(self):
        self._told = self._exits()
        shows = 0 if self._sequence is None else 1
        payload = struct.pack("<IIBH", self._boot, self._told, shows, self._receiver.refused)
        return message(STATUS, self._session, self._sequence or 0, payload)

    def _unasked(self, now, kind, session, sequence, payload):
        if not self._may_speak or self._session is None:
            return None
        self._spoke, self._may_speak = now, False
        return message(kind, session, sequence, payload)

    def _show(self, screen):
        self.changed = self.changed or screen != self.screen
        self.screen = screen
