"""The card lock's solenoid: pulled in at full power, held at less, let go after a longest time. Pure; the pin is
`gpio_outputs`' matter, when to bar the owner's. Without power the lock is open."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LockTimes:
    """`hold`: the part of full power (0..1) that holds it; `max_on_s`: then it is let go, and rests for `rest_s`."""

    pull_in_s: float = 0.15
    hold: float = 0.4
    max_on_s: float = 60.0
    rest_s: float = 10.0


class LockDrive:
    """What the solenoid is to be driven with; every call takes `now` (monotonic seconds)."""

    def __init__(self, times: LockTimes) -> None:
        self._times = times
        self._wanted = False
        self._since: float | None = None  # energised since
        self._rests_until = 0.0

    @property
    def exhausted(self) -> bool:
        """Whether it should bar and does not, because it was on for too long."""
        return self._wanted and self._since is None

    def bar(self, wanted: bool, now: float) -> float:
        """Bar from now on, or let go; the power to drive it with, 0..1."""
        if wanted and not self._wanted and now >= self._rests_until:
            self._since = now
        if not wanted:
            self._since = None
        self._wanted = wanted
        return self.power(now)

    def power(self, now: float) -> float:
        """The power to drive it with now."""
        if self._since is not None and now - self._since >= self._times.max_on_s:
            self._since, self._rests_until = None, now + self._times.rest_s
        if self._since is None:
            return 0.0
        return 1.0 if now - self._since < self._times.pull_in_s else self._times.hold

    def deadline(self, now: float) -> float | None:
        """When `power` changes by itself, seen from `now`."""
        if self._since is None:
            return None
        pulled_in = self._since + self._times.pull_in_s
        return pulled_in if now < pulled_in else self._since + self._times.max_on_s
