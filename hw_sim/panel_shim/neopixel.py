"""The board's `neopixel` module on a bench. See bench.py."""

import bench


class NeoPixel:
    """`count` pixels; `write` latches them."""

    def __init__(self, pin, count):
        self._pin = pin.number()
        self._bytes = bytearray(3 * count)

    def __setitem__(self, at, colour):
        self._bytes[3 * at : 3 * at + 3] = bytes(colour)

    def fill(self, colour):
        self._bytes[:] = bytes(colour) * (len(self._bytes) // 3)

    def write(self):
        bench.pixels(self._pin, self._bytes)
