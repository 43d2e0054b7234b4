"""`select` on a bench: poll waits for the bench's pins too, and runs their handlers while it waits, as interrupts
would. See bench.py."""

import time

import bench
import uselect

POLLIN = uselect.POLLIN


class poll:  # noqa: N801 (the module's own name for it)
    """As select.poll, for what the panel's program uses of it."""

    def __init__(self):
        self._poll = uselect.poll()
        self._poll.register(bench.pins, POLLIN)

    def register(self, stream, events):
        self._poll.register(stream, events)

    def poll(self, timeout):
        bench.rest()
        end = time.ticks_add(time.ticks_ms(), timeout)
        while True:
            left = time.ticks_diff(end, time.ticks_ms())
            ready = [found for found in self._poll.poll(max(left, 0)) if not self._interrupted(found[0])]
            if ready or left <= 0:
                return ready

    def _interrupted(self, stream):
        if stream not in (bench.pins, bench.pins.fileno() if hasattr(bench.pins, "fileno") else None):
            return False
        bench.interrupt()
        return True
