"""The exit beam's counter: level-stable debouncing of one pin, in the microcontroller's memory, so that it outlives
the host's program.

A card interrupts the beam for 20 ms and more. A level counts once it has stood for DEBOUNCE_MS; shorter flutter does
not."""

import time

import machine

DEBOUNCE_MS = 4


class ExitBeam:
    """Counts interruptions of the beam at `pin`, whose level is `blocked` while a card is in it."""

    def __init__(self, pin, blocked):
        self._pin = pin
        self._blocked = blocked
        self._level = self._stable = pin.value()
        self._since = time.ticks_ms()
        self._count = 0
        pin.irq(self._edge, machine.Pin.IRQ_RISING | machine.Pin.IRQ_FALLING)

    def count(self):
        """Interruptions since the start, modulo 2^32."""
        state = machine.disable_irq()
        self._settle(time.ticks_ms())
        count = self._count
        machine.enable_irq(state)
        return count

    def _edge(self, pin):
        now = time.ticks_ms()
        self._settle(now)
        self._level = pin.value()
        self._since = now

    def _settle(self, now):
        """The level before this moment counts if it stood long enough."""
        if self._level != self._stable and time.ticks_diff(now, self._since) >= DEBOUNCE_MS:
            self._stable = self._level
            if self._stable == self._blocked:
                self._count = (self._count + 1) & 0xFFFFFFFF
