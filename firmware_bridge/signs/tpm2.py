"""TPM2: an LED strip on WLED or another controller, 115200 baud. C9, DA (colours), length (high, low), colours, 36.
The ping C9 AA is answered AC by WLED, which serves as its acknowledgement. Source: the published format (gist
jblang)."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.signs.pixels import Strip
from firmware_bridge.signs.sign import Answer, SignPicture, Step

PING = b"\xc9\xaa"
_PONG = 0xAC


def frame(colours: bytes) -> bytes:
    """The frame of these colours (at most 65535 bytes)."""
    return b"\xc9\xda" + len(colours).to_bytes(2, "big") + colours + b"\x36"


class Tpm2:
    """Lamps on a strip; text is not shown. `answers`: a WLED at the far end, asked after each frame."""

    def __init__(self, strip: Strip, answers: bool = True, refresh_s: float = 1.0) -> None:
        self._strip = strip
        self.answers = answers
        self.refresh_s = refresh_s

    def begin(self) -> Sequence[Step]:
        return []

    def full(self, picture: SignPicture) -> Sequence[Step]:
        return [Step(frame(self._strip.colours(picture.lamps)) + (PING if self.answers else b""))]

    def change(self, before: SignPicture, after: SignPicture) -> Sequence[Step]:
        same = self._strip.colours(before.lamps) == self._strip.colours(after.lamps)
        return [] if same else self.full(after)

    def receive(self, data: bytes) -> Answer | None:
        return Answer.TAKEN if self.answers and _PONG in data else None
