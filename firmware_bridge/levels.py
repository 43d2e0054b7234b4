"""A level that bounces, debounced by standing still: pure, with the times of its edges, so that a late reader of the
edges comes to the same end. Used for every switch, button and beam on a pin."""

from __future__ import annotations


class StableLevel:
    """`stable_s`: how long a level must stand to count; `level`: what counts at the start."""

    def __init__(self, stable_s: float, level: bool) -> None:
        self._stable_s = stable_s
        self.level = level
        """The level that counts."""
        self._raw = level
        self._since = 0.0
        self.glitches = 0
        """Levels that did not stand."""

    def edge(self, level: bool, when: float) -> list[tuple[bool, float]]:
        """The pin has this level since `when` (seconds, in order); changes that have come to count, as (level, when
        it began)."""
        changes = self.settle(when)
        if level != self._raw:
            if self._raw != self.level:
                self.glitches += 1
            self._raw, self._since = level, when
        return changes

    def settle(self, now: float) -> list[tuple[bool, float]]:
        """Changes that have come to count by `now`."""
        if self._raw == self.level or now - self._since < self._stable_s:
            return []
        self.level = self._raw
        return [(self.level, self._since)]

    def deadline(self) -> float | None:
        """When `settle` will have something to say."""
        return None if self._raw == self.level else self._since + self._stable_s
