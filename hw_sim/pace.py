"""When the next frame is due: at most so many times as fast as real time; what real time was lost to a slow reader."""

from __future__ import annotations

from hw_sim.motion import FPS

CATCH_UP_S = 0.25  # what may be made up by faster frames after a stall


class Pace:
    """Pure: `now` is monotonic seconds. One frame a call of `wait_s`."""

    def __init__(self, now: float) -> None:
        self._due = self._real_due = now
        self.behind_s = 0.0

    def wait_s(self, now: float, rate: float) -> float:
        """Seconds until the frame after the one just made is due at `rate` times real time."""
        self._due = max(self._due + 1 / (FPS * rate), now - CATCH_UP_S)
        self._count(now)
        return max(0.0, self._due - now)

    def _count(self, now: float) -> None:
        """A frame stands for 1/120 s; frames made in less earn nothing for the next stall."""
        self._real_due = min(self._real_due, now) + 1 / FPS
        lost = now - self._real_due - CATCH_UP_S
        if lost > 0:
            self.behind_s += lost
            self._real_due += lost
