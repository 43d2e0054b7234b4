"""What stands at the table now: a value computed from the state, whole every time.

Displays get its differences; a replugged panel or a reloaded page gets it whole. `view(state)` is made by
`controller.table.view`. Everything a dealer may see is here; what only the supervisor may see (what has not been
dealt, CO-7) is `Supervisor`, fetched apart.
"""

from __future__ import annotations

from decimal import Decimal

import msgspec

from controller.outcomes import Receipt, Settlement


class Row(msgspec.Struct, frozen=True):
    """A row of cards on the cloth: `noir`, `rouge`; a seat's hand; table piles."""

    name: str
    cards: tuple[str, ...] = ()
    total: int | None = None
    complete: bool = False
    manual: tuple[int, ...] = ()  # positions in `cards` that a person entered


class Hold(msgspec.Struct, frozen=True):
    """Why the table is on hold: code `composition`, `foreign`, `overdraw`, `unread`, `gap` or `restored`."""

    code: str
    text: str
    card: str | None = None
    index: int | None = None
    resolutions: tuple[str, ...] = ()
    enter: bool = False  # a card is to be entered by hand
    count: int = 0  # how many cards are missing (gap)


class Result(msgspec.Struct, frozen=True):
    """One finished round, for the last-results board (newest first in `View.results`)."""

    round: int
    outcome: str
    totals: tuple[int, ...] = ()
    call: tuple[str, ...] = ()
    manual: bool = False
    couleur: str | None = None


class Stake(msgspec.Struct, frozen=True):
    """A stake on the table: `state` is `laid`, `insured`, `doubled`, `prison`, or `half` where prison may be chosen."""

    player: str
    on: str
    stake: Decimal
    state: str = "laid"


class Prompt(msgspec.Struct, frozen=True):
    """What the dealer is asked for now: `requests` are the tags of requests that would be accepted."""

    text: str
    requests: tuple[str, ...] = ()


class Shoe(msgspec.Struct, frozen=True):
    number: int = 0
    index: int = 0  # symbols that left this shoe
    loaded: bool = False
    lid_open: bool = False
    cut_seen: bool = False
    empty: bool = False  # its own sensor says so


class Device(msgspec.Struct, frozen=True):
    name: str
    state: str
    detail: str = ""


class Display(msgspec.Struct, frozen=True):
    """What the table's signs show: up to four characters a row, one text line, lit lamps by name."""

    rows: tuple[str, str] = ("", "")
    text: str = ""
    lamps: tuple[str, ...] = ()


class Alarm(msgspec.Struct, frozen=True):
    """Latched until a named person acknowledges it; `times`: how often it was raised since."""

    number: int
    kind: str
    shoe: int
    index: int
    text: str
    cards: tuple[str, ...] = ()
    times: int = 1


class Count(msgspec.Struct, frozen=True):
    """A pack or remainder being counted: `expected` cards in all, `extra` those that should not be there."""

    kind: str  # deck-check, remainder
    expected: int
    counted: int
    extra: tuple[str, ...] = ()
    last: str | None = None  # the symbol that came last


class CardSeen(msgspec.Struct, frozen=True):
    """A symbol of this round by its number in the shoe, as `card-corrected` names it."""

    index: int
    symbol: str


class View(msgspec.Struct, frozen=True):
    game: str
    phase: str
    round: int
    rows: tuple[Row, ...] = ()
    active: str | None = None  # name of the row that gets the next card
    call: tuple[str, ...] = ()
    announcement: str = ""  # what the dealer says now
    results: tuple[Result, ...] = ()
    prompt: Prompt = Prompt("")
    hold: Hold | None = None
    shoe: Shoe = Shoe()
    devices: tuple[Device, ...] = ()
    display: Display = Display()
    deadlines: tuple[str, ...] = ()
    manual: bool = False  # the round holds hand-entered cards
    stakes: tuple[Stake, ...] = ()
    settled: tuple[Settlement, ...] = ()  # of this round, newest last
    cards: tuple[CardSeen, ...] = ()  # of this round, in their order: those that may be corrected
    rounds: int = 0  # completed
    void: int = 0
    alarms: tuple[Alarm, ...] = ()
    count: Count | None = None
    receipt: Receipt | None = None  # of the count that has just ended


class LiveOdds(msgspec.Struct, frozen=True):
    """Exact figures of a shoe after `index` symbols had left it and `cards` were left; computed in `seconds`.

    Trente et quarante: `edge` (per unit, uninsured, next coup) and `refait_31`; red and black: `expectation_red` and
    `expectation_black` of the next hand; zecchinetta: `playette` and `mean_turns` of a hand from these cards.
    """

    shoe: int
    index: int
    cards: int
    seconds: float
    figures: dict[str, float | None]


class Supervisor(msgspec.Struct, frozen=True):
    """For the supervisor alone: what is left in the shoe, by symbol; `odds` are the edge's, of the last round's end."""

    remaining: dict[str, int]
    total: int
    odds: LiveOdds | None = None
