"""Alpha signs (M-Protocol: BetaBrite, Alpha 215C, 4120R and their kin): a text file that calls one string file a
line, so that a new total changes without flicker, and the priority text for what is urgent.

Packet: five NUL, SOH, type, address, STX, command, data, ETX, checksum (sum of STX to ETX, four hexadecimal
digits), EOT. Sources: alphasignpy docs/protocol-reference.md (MIT), tenderlove/betabrite tests (MIT). Baud and
parity differ between signs (9600 7E1, 4800 7E2, 9600 8N1): they are the port's configuration."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.signs.sign import Answer, SignPicture, Step, line, plain

_SOH, _STX, _ETX, _EOT, _ESC, _CALL = b"\x01", b"\x02", b"\x03", b"\x04", b"\x1b", b"\x10"
_ACK, _NAK = 0x06, 0x15
_TEXT_BYTES = 0x100
TEXT_FILE, PRIORITY_FILE = b"A", b"0"
STRING_FILES = b"123456789"  # "0" is the priority file's label
STRING_BYTES = 125
HOLD = b"b"  # mode: stands still
FILL = b"0"  # position: the whole sign


def packet(content: bytes, address: bytes = b"Z00", checksum: bool = True) -> bytes:
    """One packet; `address`: type code and two digits, "Z00" is every sign."""
    body = _STX + content + (_ETX if checksum else b"")
    check = b"%04X" % (sum(body) & 0xFFFF) if checksum else b""
    return bytes(5) + _SOH + address + body + check + _EOT


def allocation(strings: int) -> bytes:
    """The content that sets the sign's memory up: the text file, and that many string files."""
    text = TEXT_FILE + b"AU%04XFF00" % _TEXT_BYTES  # shown always
    return b"E$" + text + b"".join(b"%cBL%04X0000" % (label, STRING_BYTES) for label in STRING_FILES[:strings])


class AlphaSign:
    """`lines`: how many string files (1..9); `address` as in `packet`; `answers`: the sign has ACK and NAK (Alpha 2.0
    and later) and is to be waited for."""

    def __init__(self, lines: int = 1, address: str = "Z00", answers: bool = False, refresh_s: float = 5.0) -> None:
        if not 1 <= lines <= len(STRING_FILES):
            raise ValueError(f"lines {lines}: 1..{len(STRING_FILES)}")
        self._lines = lines
        self._address = address.encode("ascii")
        self.answers = answers
        self.refresh_s = refresh_s

    def begin(self) -> Sequence[Step]:
        calls = b"\r".join(_CALL + STRING_FILES[at : at + 1] for at in range(self._lines))
        show = b"A" + TEXT_FILE + _ESC + FILL + HOLD + calls
        # Memory is cleared by an allocation; the sign wants time for it.
        return [Step(self._packet(allocation(self._lines)), 0.5), Step(self._packet(show), 0.1)]

    def full(self, picture: SignPicture) -> Sequence[Step]:
        return [*(self._string(picture, at) for at in range(self._lines)), self._urgent(picture)]

    def change(self, before: SignPicture, after: SignPicture) -> Sequence[Step]:
        changed = [at for at in range(self._lines) if line(before, at) != line(after, at)]
        urgent = [self._urgent(after)] if plain(before.urgent) != plain(after.urgent) else []
        return [*(self._string(after, at) for at in changed), *urgent]

    def receive(self, data: bytes) -> Answer | None:
        answers = [byte for byte in data if byte in (_ACK, _NAK)]
        if not answers:
            return None
        return Answer.REFUSED if _NAK in answers else Answer.TAKEN

    def _string(self, picture: SignPicture, at: int) -> Step:
        text = line(picture, at).encode("ascii")[:STRING_BYTES]
        return Step(self._packet(b"G" + STRING_FILES[at : at + 1] + text), 0.05)

    def _urgent(self, picture: SignPicture) -> Step:
        text = plain(picture.urgent).encode("ascii")[:STRING_BYTES]
        content = b"A" + PRIORITY_FILE + (_ESC + FILL + HOLD + text if text else b"")  # nothing: the files again
        return Step(self._packet(content), 0.05)

    def _packet(self, content: bytes) -> bytes:
        return packet(content, self._address)
