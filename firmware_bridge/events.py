"""What a driver of this package tells its owner: frozen, past tense, free of any game. Called on the port's owner
thread."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class LinkState(StrEnum):
    """How a device stands."""

    NO_PORT = "no-port"
    """The port is missing, taken, forbidden or was lost; the driver goes on trying."""
    SILENT = "silent"
    """The port is open and nothing answers."""
    INCOMPATIBLE = "incompatible"
    """The device answers and speaks no version that we speak, or refuses what we send."""
    UP = "up"


@dataclass(frozen=True)
class LinkChanged:
    """The link went to another state; `detail` is one line for a person."""

    state: LinkState
    detail: str


@dataclass(frozen=True)
class ExitCount:
    """The panel's count of the exit beam's pulses since its own start; `boot` is drawn anew at each such start."""

    boot: int
    count: int


@dataclass(frozen=True)
class PictureAcked:
    """The panel shows the picture that `PanelDriver.show` numbered `sequence` (and so every earlier one is past).
    `written`: monotonic seconds at which its frame was first handed to the kernel on this connection."""

    sequence: int
    written: float


Event = LinkChanged | ExitCount | PictureAcked


@dataclass(frozen=True)
class Turn:
    """What one call of a pure protocol asks of its owner: bytes to write, events to report, and why the port should
    be opened anew ("" where it should not)."""

    send: bytes = b""
    events: tuple[Event, ...] = ()
    reopen: str = ""
