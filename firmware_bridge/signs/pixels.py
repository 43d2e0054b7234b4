"""Lamps as runs of pixels of an LED strip, for the protocols that carry colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class LampPixels:
    """The pixels `first` to `first + count - 1` in `colour` (red, green, blue, 0..255) while the lamp is lit."""

    first: int
    count: int
    colour: Colour


@dataclass(frozen=True)
class Strip:
    """`length` pixels, and which of them are which lamp. ValueError where a lamp lies beyond its end."""

    length: int
    lamps: Mapping[str, LampPixels]

    def __post_init__(self) -> None:
        for name, pixels in self.lamps.items():
            if pixels.first < 0 or pixels.count < 1 or pixels.first + pixels.count > self.length:
                raise ValueError(f"lamp {name!r}: pixels {pixels.first}..{pixels.first + pixels.count - 1}, "
                                 f"the strip has 0..{self.length - 1}")  # fmt: skip

    def colours(self, lit: frozenset[str]) -> bytes:
        """Three bytes a pixel; lamps that the strip has not got are passed over."""
        data = bytearray(3 * self.length)
        for name in sorted(lit & self.lamps.keys()):
            pixels = self.lamps[name]
            data[3 * pixels.first : 3 * (pixels.first + pixels.count)] = bytes(pixels.colour) * pixels.count
        return bytes(data)
