"""Signs of other makers as they look to a person: bytes in, what stands on the sign and what it answers out.
Written from the published protocols, not from our drivers; pure, so a test or a bench puts one behind any wire."""

from __future__ import annotations

import re
from typing import ClassVar


class CharacterFace:
    """A display of `columns` by `rows` cells with a cursor. `feed` takes bytes in pieces of any size."""

    def __init__(self, columns: int, rows: int) -> None:
        self.cells = [bytearray(b" " * columns) for _ in range(rows)]
        self._columns = columns
        self._column = self._row = 0
        self._held = b""

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(row.decode("ascii").rstrip() for row in self.cells)

    def feed(self, data: bytes) -> bytes:
        self._held += data
        while self._held and (used := self._take(self._held)):
            self._held = self._held[used:]
        return b""

    def _take(self, data: bytes) -> int:
        """How many bytes the next command or character took; 0: it is not all there yet."""
        raise NotImplementedError

    def _put(self, byte: int) -> int:
        if self._column < self._columns:
            self.cells[self._row][self._column] = byte
        self._column += 1
        return 1

    def _move(self, column: int, row: int) -> None:
        self._column, self._row = column, row

    def _clear(self) -> None:
        for row in self.cells:
            row[:] = b" " * self._columns
        self._move(0, 0)


class MatrixOrbitalFace(CharacterFace):
    """FE commands; their number of parameters by code."""

    _PARAMETERS: ClassVar = {0x58: 0, 0x48: 0, 0x47: 2, 0x42: 1, 0x46: 0, 0x52: 0, 0x44: 0}

    def _take(self, data: bytes) -> int:
        if data[0] != 0xFE:
            return self._put(data[0])
        if len(data) < 2 or len(data) < 2 + self._PARAMETERS[data[1]]:
            return 0
        if data[1] == 0x58:
            self._clear()
        elif data[1] == 0x48:
            self._move(0, 0)
        elif data[1] == 0x47:
            self._move(data[2] - 1, data[3] - 1)
        return 2 + self._PARAMETERS[data[1]]


class NoritakeFace(CharacterFace):
    """GU-7000: control characters and 1F sequences."""

    def _take(self, data: bytes) -> int:
        if data[0] >= 0x20:
            return self._put(data[0])
        if data[0] in (0x0C, 0x0B):
            self._clear() if data[0] == 0x0C else self._move(0, 0)
            return 1
        if len(data) < 2 or (length := {0x40: 2, 0x43: 3, 0x24: 6}[data[1]]) > len(data):
            return 0
        if data[1] == 0x40:
            self._clear()
        elif data[1] == 0x24:
            self._move(int.from_bytes(data[2:4], "little") // 6, int.from_bytes(data[4:6], "little"))
        return length


class SevenSegmentFace(CharacterFace):
    """S7S: four cells, the cursor goes round; points are a mask."""

    def __init__(self) -> None:
        super().__init__(4, 1)
        self.points = 0

    def _take(self, data: bytes) -> int:
        if data[0] == 0x76:
            self._clear()
            self.points = 0
            return 1
        if data[0] in (0x77, 0x79, 0x7A):
            if len(data) < 2:
                return 0
            if data[0] == 0x77:
                self.points = data[1]
            return 2
        if data[0] > 0x76:
            raise ValueError(f"byte {data[0]:02x} is a command and no character")
        self._put(data[0])
        self._column %= 4
        return 1


class AlphaFace:
    """Packets, nested or not, with or without checksums: memory, string files, the text that calls them, the priority
    text. Answers ACK or NAK."""

    _PACKET = re.compile(rb"\x00{5,}\x01(...)((?:\x02[^\x02\x03\x04]*(?:\x03(?:[0-9A-F]{4})?)?)+)\x04", re.DOTALL)
    _SECTION = re.compile(rb"\x02([^\x02\x03\x04]*)\x03?([0-9A-F]{4})?", re.DOTALL)

    def __init__(self) -> None:
        self.strings: dict[bytes, bytes] = {}
        self.text = self.priority = b""
        self._held = b""

    @property
    def lines(self) -> tuple[str, ...]:
        """What stands on it: the priority text, else the text with its strings called in."""
        if self.priority:
            return (self.priority[3:].decode("ascii"),)
        called = re.sub(rb"\x10(.)", lambda call: self.strings.get(call[1], b"?"), self.text[3:])
        return tuple(part.decode("ascii") for part in called.split(b"\r"))

    def feed(self, data: bytes) -> bytes:
        self._held += data
        answers = b""
        while found := self._PACKET.search(self._held):
            self._held = self._held[found.end() :]
            good = [self._section(*section.groups()) for section in self._SECTION.finditer(found[2])]
            answers += b"\x06" if all(good) else b"\x15"
        return answers

    def _section(self, content: bytes, checksum: bytes | None) -> bool:
        """One command of a packet: a checksum is optional, and right where it is there."""
        if checksum is not None and int(checksum, 16) != sum(b"\x02" + content + b"\x03") & 0xFFFF:
            return False
        return self._do(content)

    def _do(self, content: bytes) -> bool:
        kind, label, data = content[:1], content[1:2], content[2:]
        if kind == b"E" and label == b"$":
            self.strings = {data[at : at + 1]: b"" for at in range(0, len(data), 11) if data[at + 1 : at + 2] == b"B"}
            self.text = self.priority = b""
        elif kind == b"G" and label in self.strings:
            self.strings[label] = data
        elif kind == b"A" and label == b"0":
            self.priority = data
        elif kind == b"A":
            self.text = data
        else:
            return False
        return True


class StripFace:
    """An LED strip of `length` pixels that speaks Adalight and TPM2; answers TPM2's ping as WLED does."""

    def __init__(self, length: int) -> None:
        self.colours = bytes(3 * length)
        self._held = b""

    def feed(self, data: bytes) -> bytes:
        self._held += data
        answers = b""
        while self._held:
            used, answer = self._take(self._held)
            if not used:
                break
            answers += answer
            self._held = self._held[used:]
        return answers

    def _take(self, data: bytes) -> tuple[int, bytes]:
        if data[:3] == b"Ada"[: len(data)]:
            return self._frame(data, 6, 0, 3 * (int.from_bytes(data[3:5], "big") + 1)), b""
        if data[:1] == b"\xc9" and len(data) > 1:
            if data[1] == 0xAA:
                return 2, b"\xac"
            return self._frame(data, 4, 1, int.from_bytes(data[2:4], "big")), b""
        return (0, b"") if data == b"\xc9" else (1, b"")

    def _frame(self, data: bytes, header: int, tail: int, length: int) -> int:
        if len(data) < header or len(data) < header + length + tail:
            return 0
        self.colours = data[header : header + length]
        return header + length + tail
