"""The exit beam's pin and its counter, in the microcontroller's memory, so that the count outlives the host's
program. Leaves what is a pulse and what is flutter to debounce.py."""

import time

import machine
from debounce import Interruptions


class ExitBeam:
    """Counts interruptions of the beam at `pin`, whose level is `blocked` while a card is in it."""

    def __init__(self, pin, blocked):
        self._pin = pin
        self._interruptions = Interruptions(pin.value(), blocked, time.ticks_diff, time.ticks_ms())
        pin.irq(self._edge, machine.Pin.IRQ_RISING | machine.Pin.IRQ_FALLING)

    def count(self):
        """Interruptions since the start, modulo 2^32."""
        state = machine.disable_irq()
        count = self._interruptions.count(time.ticks_ms())
        machine.enable_irq(state)
        return count

    def _edge(self, pin):
        self._interruptions.edge(pin.value(), time.ticks_ms())
