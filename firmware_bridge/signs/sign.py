"""What every sign driver is: a picture of text lines and lamps in, steps of bytes out. Pure; leaves time to
`conversation` and the port to `firmware_bridge.port`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol


@dataclass(frozen=True)
class SignPicture:
    """`lines`: text, upper first; `lamps`: names of the lit ones; `urgent`: a text that covers all else while it is
    not empty, on signs that can."""

    lines: tuple[str, ...] = ()
    lamps: frozenset[str] = frozenset()
    urgent: str = ""


@dataclass(frozen=True)
class Step:
    """Bytes to write at once, and the seconds that the sign then needs before the next ones."""

    data: bytes
    pause_s: float = 0.0


class Answer(Enum):
    """What a sign said."""

    TAKEN = "taken"
    REFUSED = "refused"


class Sign(Protocol):
    """A sign's protocol. `answers`: it acknowledges every step; `refresh_s`: how often one that does not is told
    again."""

    @property
    def answers(self) -> bool: ...
    @property
    def refresh_s(self) -> float: ...

    def begin(self) -> Sequence[Step]:
        """What a sign of unknown state must be told first."""

    def full(self, picture: SignPicture) -> Sequence[Step]:
        """All of the picture, whatever the sign shows."""

    def change(self, before: SignPicture, after: SignPicture) -> Sequence[Step]:
        """What turns `before` into `after`; nothing where the sign would show no difference."""

    def receive(self, data: bytes) -> Answer | None:
        """Bytes from the sign, in pieces of any size, in bounded memory: the answer that they complete."""


def plain(text: str) -> str:
    """Printable ASCII of the same length or shorter: "Après" is "Apres", what has no likeness is "?"."""
    bare = "".join(part for part in unicodedata.normalize("NFKD", text) if not unicodedata.combining(part))
    return "".join(character if " " <= character <= "~" else "?" for character in bare)


def line(picture: SignPicture, number: int) -> str:
    """The picture's line, plain; "" where it has none."""
    return plain(picture.lines[number]) if number < len(picture.lines) else ""


def joined(steps: Iterable[Step]) -> bytes:
    """All bytes of the steps."""
    return b"".join(step.data for step in steps)
