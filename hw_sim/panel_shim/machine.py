"""The board's `machine` module on a bench: pins, SPI, watchdog. See bench.py."""

import bench


class Pin:
    """A pin: an input follows the bench, an output is remembered; a falling chip select opens a chain, a rising one
    latches it."""

    IN, OUT = 0, 1
    PULL_UP = 1
    IRQ_FALLING, IRQ_RISING = 4, 8

    def __init__(self, number, mode=IN, pull=None):
        self._number = number
        self._mode = mode
        self._level = 1 if pull == self.PULL_UP else 0

    def value(self, new=None):
        if new is None:
            return bench.level(self._number, self._level) if self._mode == self.IN else self._level
        self._level = new
        bench.select(self._number, new)
        return None

    def irq(self, handler, trigger):
        bench.handle(self._number, lambda: handler(self))

    def number(self):
        return self._number


class SPI:
    """A bus that only writes."""

    def __init__(self, number, baudrate=1_000_000, sck=None, mosi=None):
        pass

    def write(self, data):
        bench.shift(data)


class WDT:
    """A watchdog that does not bite: a bench that is starved of time is no fault of the program."""

    def __init__(self, timeout):
        pass

    def feed(self):
        bench.rest()


def disable_irq():
    """Interrupts come only while the program waits in poll."""
    return 0


def enable_irq(state):
    """See disable_irq."""
