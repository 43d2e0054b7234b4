"""The messages of PROTOCOL.md version 1 and their bytes. Pure; leaves framing to `framing`, their order and
repetition to `link`."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar

from firmware_bridge.errors import FrameError, PictureError
from firmware_bridge.picture import Picture

VERSION = 1  # the only version that this end speaks
TEXT_MAX = 32
ROW_MAX = 4
LAMPS_MAX = 16
BRIGHTNESS_MAX = 15

_HEADER = struct.Struct("<BIH")  # type, session, sequence
_HELLO = struct.Struct("<BB")
_WELCOME = struct.Struct("<BBBIIHBB")
_STATUS = struct.Struct("<IIBH")
_PICTURE = struct.Struct("<BH4s4sB")
_REFUSAL = struct.Struct("<B")
_SHOWS_PICTURE = 0x01


class Kind(IntEnum):
    """The first byte of a body. Bit 7: from the panel."""

    HELLO = 0x01
    PICTURE = 0x02
    HEARTBEAT = 0x03
    WELCOME = 0x81
    ACK = 0x82
    STATUS = 0x83
    NAK = 0x84


class Refusal(IntEnum):
    """Why a panel did not take a frame (NAK)."""

    UNREADABLE = 1
    NO_SESSION = 2
    UNKNOWN = 3
    MALFORMED = 4


@dataclass(frozen=True)
class Header:
    """What every message begins with. `sequence` counts pictures, modulo 65536; PROTOCOL.md says which one each kind
    carries."""

    session: int
    sequence: int


@dataclass(frozen=True)
class Hello:
    """Host to panel: the handshake's question, with the versions that the host speaks."""

    header: Header
    lowest: int = VERSION
    highest: int = VERSION
    kind: ClassVar[Kind] = Kind.HELLO


@dataclass(frozen=True)
class PictureFrame:
    """Host to panel: the whole picture. `lamps` is the bit mask of `lamp_mask`."""

    header: Header
    rows: tuple[str, str]
    text: str
    lamps: int
    brightness: int
    kind: ClassVar[Kind] = Kind.PICTURE


@dataclass(frozen=True)
class Heartbeat:
    """Host to panel: I am here, and `sequence` is the newest picture that I want shown."""

    header: Header
    kind: ClassVar[Kind] = Kind.HEARTBEAT


@dataclass(frozen=True)
class Welcome:
    """Panel to host: the handshake's answer. `version` 0: none in common. `boot` is drawn at each start of the panel;
    `exits` counts the exit beam's pulses since then, modulo 2^32."""

    header: Header
    version: int
    lowest: int
    highest: int
    boot: int
    exits: int
    program: int
    text: int
    lamps: int
    kind: ClassVar[Kind] = Kind.WELCOME


@dataclass(frozen=True)
class Ack:
    """Panel to host: `sequence` is the newest picture that I took."""

    header: Header
    kind: ClassVar[Kind] = Kind.ACK


@dataclass(frozen=True)
class Status:
    """Panel to host: the answer to a heartbeat, also sent unasked when the exit count changed. `refused` counts
    unreadable frames."""

    header: Header
    boot: int
    exits: int
    shows_picture: bool
    refused: int
    kind: ClassVar[Kind] = Kind.STATUS


@dataclass(frozen=True)
class Nak:
    """Panel to host: a frame was not taken. For an unreadable one session and sequence are 0."""

    header: Header
    why: Refusal
    kind: ClassVar[Kind] = Kind.NAK


FromHost = Hello | PictureFrame | Heartbeat
FromPanel = Welcome | Ack | Status | Nak
Message = FromHost | FromPanel


def lamp_mask(lit: frozenset[str], names: tuple[str, ...]) -> int:
    """The bits of the lit lamps: bit i is `names[i]`. PictureError for a lamp that the panel has not got."""
    unknown = sorted(lit - set(names))
    if unknown:
        raise PictureError(f"lamp {unknown[0]!r}: this panel has {', '.join(names) or 'no lamps'}")
    return sum(1 << bit for bit, name in enumerate(names) if name in lit)


def picture_frame(picture: Picture, header: Header, lamps: tuple[str, ...]) -> PictureFrame:
    """`picture` as a message; PictureError where the protocol cannot carry it."""
    _check_text("row", picture.rows[0], ROW_MAX)
    _check_text("row", picture.rows[1], ROW_MAX)
    _check_text("text", picture.text, TEXT_MAX)
    if not 0 <= picture.brightness <= BRIGHTNESS_MAX:
        raise PictureError(f"brightness {picture.brightness}: 0..{BRIGHTNESS_MAX}")
    return PictureFrame(header, picture.rows, picture.text, lamp_mask(picture.lamps, lamps), picture.brightness)


def _check_text(field: str, text: str, most: int) -> None:
    if len(text) > most:
        raise PictureError(f"{field} {text!r}: at most {most} characters")
    if not all(" " <= character <= "~" for character in text):
        raise PictureError(f"{field} {text!r}: printable ASCII only")


def encode(message: Message) -> bytes:
    """The body of `message`."""
    return _HEADER.pack(message.kind, message.header.session, message.header.sequence) + _payload(message)


def _payload(message: Message) -> bytes:
    match message:
        case Hello():
            return _HELLO.pack(message.lowest, message.highest)
        case PictureFrame():
            rows = [row.rjust(ROW_MAX).encode("ascii") for row in message.rows]
            text = message.text.encode("ascii")
            return _PICTURE.pack(message.brightness, message.lamps, *rows, len(text)) + text
        case Welcome():
            versions = (message.version, message.lowest, message.highest)
            return _WELCOME.pack(*versions, message.boot, message.exits, message.program, message.text, message.lamps)
        case Status():
            return _STATUS.pack(message.boot, message.exits, _SHOWS_PICTURE * message.shows_picture, message.refused)
        case Nak():
            return _REFUSAL.pack(message.why)
        case Heartbeat() | Ack():
            return b""


def decode(body: bytes) -> Message:
    """The message of a good frame's body, from either end; FrameError (theirs) where a field breaks the protocol."""
    if len(body) < _HEADER.size:
        raise FrameError(f"body of {len(body)} bytes: a header has {_HEADER.size}")
    kind, session, sequence = _HEADER.unpack_from(body)
    try:
        return _decode(Kind(kind), Header(session, sequence), body[_HEADER.size :])
    except (ValueError, struct.error) as error:
        raise FrameError(f"kind 0x{kind:02x}: {error}") from error


def _decode(kind: Kind, header: Header, payload: bytes) -> Message:
    match kind:
        case Kind.HELLO:
            return Hello(header, *_HELLO.unpack(payload))
        case Kind.PICTURE:
            return _decode_picture(header, payload)
        case Kind.WELCOME:
            return Welcome(header, *_WELCOME.unpack(_as_we_know_it(payload)))
        case Kind.STATUS:
            boot, exits, flags, refused = _STATUS.unpack(payload)
            return Status(header, boot, exits, bool(flags & _SHOWS_PICTURE), refused)
        case Kind.NAK:
            return Nak(header, Refusal(_REFUSAL.unpack(payload)[0]))
        case Kind.HEARTBEAT | Kind.ACK:
            if payload:
                raise FrameError(f"{len(payload)} bytes where none belong")
            return Heartbeat(header) if kind is Kind.HEARTBEAT else Ack(header)


def _as_we_know_it(welcome: bytes) -> bytes:
    """Of another version's WELCOME only the three version bytes are sure to be there."""
    if len(welcome) >= 3 and welcome[0] != VERSION:
        return welcome[: _WELCOME.size].ljust(_WELCOME.size, b"\0")
    return welcome


def _decode_picture(header: Header, payload: bytes) -> PictureFrame:
    brightness, lamps, first, second, length = _PICTURE.unpack_from(payload)
    text = payload[_PICTURE.size :]
    if len(text) != length or length > TEXT_MAX or brightness > BRIGHTNESS_MAX:
        raise FrameError(f"text of {len(text)} bytes (said {length}), brightness {brightness}")
    if not all(0x20 <= byte <= 0x7E for byte in first + second + text):
        raise FrameError("a character that is not printable ASCII")
    rows = (first.decode("ascii"), second.decode("ascii"))
    return PictureFrame(header, rows, text.decode("ascii"), lamps, brightness)
