"""Level-stable debouncing of a beam that is counted. No pins, no clock: edges in, a count out.

A card interrupts the beam for 20 ms and more. A level counts once it has stood for DEBOUNCE_MS; shorter flutter at a
card's edge, or a spike on the wire, does not."""

DEBOUNCE_MS = 4


class Interruptions:
    """Counts how often the level became `blocked` and stayed so. `diff(later, earlier)`: of two clock readings in
    milliseconds."""

    def __init__(self, level, blocked, diff, now):
        self._blocked = blocked
        self._diff = diff
        self._level = self._stable = level
        self._since = now
        self._count = 0

    def edge(self, level, now):
        """The level is this from now on."""
        self._settle(now)
        if level != self._level:
            self._level = level
            self._since = now

    def count(self, now):
        """Interruptions since the start, modulo 2^32."""
        self._settle(now)
        return self._count

    def _settle(self, now):
        """The level before this moment counts if it has stood long enough."""
        if self._level != self._stable and self._diff(now, self._since) >= DEBOUNCE_MS:
            self._stable = self._level
            if self._stable == self._blocked:
                self._count = (self._count + 1) & 0xFFFFFFFF
