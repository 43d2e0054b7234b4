"""Made tests/journals/format-1 once, at the first release; kept so that its origin can be read. Not run by the tests.

`python tests/journals/make_format_1.py FOLDER` writes such a journal with the program as it is now.
"""

from __future__ import annotations

import sys
from decimal import Decimal
from pathlib import Path

import msgspec

from controller.edge.journal import Journal
from controller.edge.stamp import Stamp
from controller.events import (
    AnyEvent,
    CardDrawn,
    CardEntered,
    CardUnread,
    Confirmed,
    DaemonStarted,
    DeviceChanged,
    ExitCounted,
    RoundOpened,
    ShoeLoaded,
    TableOpened,
)
from controller.rules import Limits, Rules

BOOTS = ("6f1d2a0c-7c1e-4a5f-9d0b-0d5b1f6a0001", "6f1d2a0c-7c1e-4a5f-9d0b-0d5b1f6a0002")
NOIR, ROUGE = ("As", "Kh", "9c", "Jd", "2s"), ("Td", "Qs", "5h", "8c")


class Standing(msgspec.Struct, frozen=True):
    """A stand-in for a state: an old snapshot is never read by newer rules, only its hash is."""

    round: int


def events() -> list[AnyEvent]:
    """A coup with a card that was not read, and a restart in the middle of it."""
    first: list[AnyEvent] = [
        TableOpened("trente-et-quarante", Rules(burn=0, limits=Limits(Decimal(5), Decimal("500.50")))),
        DeviceChanged("panel", "ok", "protocol 1"),
        ShoeLoaded(),
        RoundOpened(),
        *[CardDrawn(card, passage=index, confidence=0.97) for index, card in enumerate(NOIR, 1)],
        CardUnread("unclear", passage=6),
    ]
    second: list[AnyEvent] = [
        DaemonStarted(),
        ExitCounted(boot=77, count=6),
        Confirmed(by="Zoë"),
        CardEntered(ROUGE[0], by="dealer"),
        *[CardDrawn(card, passage=index, confidence=0.97) for index, card in enumerate(ROUGE[1:], 1)],
    ]
    return first + second


def main(folder: Path) -> None:
    journal = Journal(folder)
    journal.open()
    for index, event in enumerate(events()):
        boot, restarted = BOOTS[index > 9], index > 9
        stamp = Stamp(boot, 1_000_000_007 * (index + 1), f"2026-11-30T06:00:{index:02}.000500Z", restarted)
        number = journal.append(event, stamp).result()
    journal.snapshot(number, Standing(1)).result()
    journal.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
