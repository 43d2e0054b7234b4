"""What the vision child tells its parent: frozen, plain, picklable. `docs/vision.md` says what each means.

Times named `*_s` are the camera's own clock in seconds (simulated seconds in a bench); `ms` is computing time.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reading:
    """A passage ended (slot) or a new top card lies still (box). `symbol` None is an abstention with its `why`.

    `kind` is "drawn", "exposed", "pulled back", or "emptied" (nothing lies in the box any more). In the box a card has
    one `passage` number from its exposure to its drawing. `crops` are paths of the best frames kept of an abstention.
    """

    kind: str
    symbol: str | None
    confidence: float
    why: str
    passage: int
    first: int
    last: int
    frames: int
    start_s: float
    seen_s: float | None
    end_s: float
    ms: float
    end_monotonic: float  # time.monotonic() when the ending frame was received by the child
    crops: tuple[str, ...] = ()


@dataclass(frozen=True)
class Seen:
    """Frames agree while the passage goes on: for latency figures and logs only, nothing shows it."""

    symbol: str
    passage: int
    frame: int
    time_s: float


@dataclass(frozen=True)
class Camera:
    """The camera's state changed: "ok", "starting", "lost", "ended" (a file or folder came to its end)."""

    state: str
    detail: str


@dataclass(frozen=True)
class Heartbeat:
    """Sent at least twice a second while the child's loop turns; `frames` since start, `time_s` of the newest frame."""

    frames: int
    time_s: float


Message = Reading | Seen | Camera | Heartbeat
