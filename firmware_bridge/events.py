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


@dataclass(frozen=True)
class ShoeCard:
    """A commercial shoe read a card that left it: `symbol` as in "4s", "Th"; `burn`: in its burn mode."""

    symbol: str
    burn: bool = False


@dataclass(frozen=True)
class ShoeUnread:
    """A card left a commercial shoe and cannot be named; `why` is a few words for a person."""

    why: str


@dataclass(frozen=True)
class ShoeAlarm:
    """The shoe's own alarm, in its words."""

    text: str


@dataclass(frozen=True)
class ShoeWarning:
    """The shoe's own warning, by its code."""

    code: str


@dataclass(frozen=True)
class ShoeUnknown:
    """A line that no protocol of ours has: it may have been a card."""

    line: str


Event = LinkChanged | ExitCount | PictureAcked | ShoeCard | ShoeUnread | ShoeAlarm | ShoeWarning | ShoeUnknown


@dataclass(frozen=True)
class Turn:
    """What one call of a pure protocol asks of its owner: bytes to write, events to report, and why the port should
    be opened anew ("" where it should not)."""

    send: bytes = b""
    events: tuple[Event, ...] = ()
    reopen: str = ""
