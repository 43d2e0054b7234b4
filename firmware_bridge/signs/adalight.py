"""Adalight: an LED strip on an Arduino, 115200 baud. "Ada", the number of LEDs less one (high, low), both XOR 0x55,
then the colours. Nothing is acknowledged and nothing protects the colours; the strip goes dark after 15 s of
silence. Source: adafruit/Adalight LEDstream.pde (its behaviour; no line of it is here)."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.signs.pixels import Strip
from firmware_bridge.signs.sign import Answer, SignPicture, Step


def header(leds: int) -> bytes:
    """The six bytes before the colours of 1..65536 LEDs."""
    high, low = divmod(leds - 1, 256)
    return b"Ada" + bytes((high, low, high ^ low ^ 0x55))


class Adalight:
    """Lamps on a strip; text is not shown."""

    answers = False

    def __init__(self, strip: Strip, refresh_s: float = 1.0) -> None:
        self._strip = strip
        self.refresh_s = refresh_s

    def begin(self) -> Sequence[Step]:
        return []

    def full(self, picture: SignPicture) -> Sequence[Step]:
        return [Step(header(self._strip.length) + self._strip.colours(picture.lamps))]

    def change(self, before: SignPicture, after: SignPicture) -> Sequence[Step]:
        same = self._strip.colours(before.lamps) == self._strip.colours(after.lamps)
        return [] if same else self.full(after)

    def receive(self, data: bytes) -> Answer | None:
        return None  # "Ada" once a second while it is idle
