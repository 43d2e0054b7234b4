"""Events: what happened at the table, frozen and in the past tense.

A fact cannot be refused (a card left the shoe); a request may be (open the next coup). Both are journalled
before `step` sees them. Health and frame statistics are no events; their changes of state are. This module
holds no behaviour; `step` in table.py gives each event its meaning.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from controller.rules import Rules

Source = Literal["camera", "hand", "shoe", "file"]


class Event(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of all events; `type` in JSON is the class's tag."""


# ---- facts -----------------------------------------------------------------------------------------------


class TableOpened(Event, frozen=True, tag="table-opened"):
    """The daemon began with this game and these house rules (first event of a journal, and after a change)."""

    game: str
    rules: Rules
    seats: int = 1  # players beside the banker (red and black, zecchinetta)
    language: str = "fr"  # of the announcements: fr, it, en, ru
    full_totals: bool = False  # TQ-4: the older style calls a row's whole total
    name: str = ""  # the table's, for receipts
    machine: str = ""  # the computer that the daemon runs on, for receipts
    portion: int = 0  # CO-7: cards put into the shoe at a time; 0: all
    cut_after: int | None = None  # a virtual cut card: the shoe ends after the round that reaches this many symbols


class DaemonStarted(Event, frozen=True, tag="daemon-started"):
    """A daemon took up an existing journal: the table stands where it stood and waits for the dealer's confirmation."""


class CardDrawn(Event, frozen=True, tag="card-drawn"):
    """One symbol left the shoe (a passage ended, or a person entered it); from the box also "?", an unread face."""

    symbol: str
    source: Source = "camera"
    passage: int | None = None
    confidence: float | None = None


class CardExposed(Event, frozen=True, tag="card-exposed"):
    """Zecchinetta's box: a new top face lies still and is in sight. `passage` is the card's; drawn, it has the same."""

    symbol: str
    source: Source = "camera"
    passage: int | None = None
    confidence: float | None = None


class SightEmptied(Event, frozen=True, tag="sight-emptied"):
    """Zecchinetta's box: nothing lies in its window any more, the pack is out or was taken away."""


class CardUnread(Event, frozen=True, tag="card-unread"):
    """A card left the shoe, or lies in the box's window, and was not read; `why`: the reason ("two cards", ...)."""

    why: str
    passage: int | None = None


class CardPulledBack(Event, frozen=True, tag="card-pulled-back"):
    """A card entered the window and went back; nothing was drawn."""

    passage: int | None = None


class CardsMissed(Event, frozen=True, tag="cards-missed"):
    """`count` cards left the shoe unseen (the exit beam's counter says so): a gap to be entered by hand."""

    count: int


class ExitCounted(Event, frozen=True, tag="exit-counted"):
    """The exit beam's counter stood at `count` when the panel of boot `boot` shook hands; the state compares it."""

    boot: int
    count: int


class LidChanged(Event, frozen=True, tag="lid-changed"):
    open: bool


class ShoeEmptied(Event, frozen=True, tag="shoe-emptied"):
    """The shoe is empty and nothing follows (CO-4 decides what becomes of a round)."""


class ShoeLevelChanged(Event, frozen=True, tag="shoe-level-changed"):
    """The shoe's own sensor: no card lies in it, or cards lie in it again. Between two portions that ends nothing."""

    empty: bool


class DeviceChanged(Event, frozen=True, tag="device-changed"):
    """A device's link state changed: "ok", "lost", "starting"; `detail` is one line for a person."""

    device: str
    state: str
    detail: str = ""


class DeadlineReached(Event, frozen=True, tag="deadline-reached"):
    """A deadline that the view carried was reached (time comes in as an event)."""

    name: str


# ---- requests (may be refused; `by` is a role or a person's name) ------------------------------------------


class ShoeLoaded(Event, frozen=True, tag="shoe-loaded"):
    """A new, freshly shuffled shoe is in place."""

    by: str = "dealer"


class PortionLoaded(Event, frozen=True, tag="portion-loaded"):
    """CO-7: a further portion of the same shoe was put in."""

    by: str = "dealer"


class BankerSought(Event, frozen=True, tag="banker-sought"):
    """RB-1, ZE-1: the first banker is to be found by the next cards; then the shoe is shuffled and loaded again."""

    by: str = "dealer"


class CountOpened(Event, frozen=True, tag="count-opened"):
    """The pack is to be fed through before play: every card is counted and none is played."""

    by: str = "dealer"


class CountClosed(Event, frozen=True, tag="count-closed"):
    """All cards went through, of a pack before play or of an ended shoe: what is missing, what is extra?"""

    by: str = "dealer"


class CountAbandoned(Event, frozen=True, tag="count-abandoned"):
    """The pack's count before play was broken off: no receipt."""

    by: str = "dealer"


class AlarmAcknowledged(Event, frozen=True, tag="alarm-acknowledged"):
    """A person who is named has looked into alarm number `alarm`."""

    alarm: int
    by: str


class RoundOpened(Event, frozen=True, tag="round-opened"):
    """The dealer opens the next round (coup, round, hand): bets are open until its first card."""

    by: str = "dealer"


class ShoeExhausted(Event, frozen=True, tag="shoe-exhausted"):
    """The dealer says that the shoe is empty and nothing follows: CO-4."""

    by: str = "dealer"


class ShoeEnded(Event, frozen=True, tag="shoe-ended"):
    """The dealer ends the shoe between rounds."""

    by: str = "dealer"


class TableClosed(Event, frozen=True, tag="table-closed"):
    by: str = "dealer"


class Confirmed(Event, frozen=True, tag="confirmed"):
    """The dealer confirms what the table restored after a restart."""

    by: str = "dealer"


class CardEntered(Event, frozen=True, tag="card-entered"):
    """A person enters a card that was not read (answers an `unread` or `gap` hold, or plays by hand)."""

    symbol: str
    by: str = "dealer"


class FaultResolved(Event, frozen=True, tag="fault-resolved"):
    """CO-3: `resolution` is one of those that the hold offers."""

    resolution: str
    by: str = "supervisor"


class Undone(Event, frozen=True, tag="undone"):
    """The last card is taken back (a tailleur's slip), or the last resolution as long as nothing was played since."""

    by: str = "supervisor"


class CardCorrected(Event, frozen=True, tag="card-corrected"):
    """The card on the cloth decides: symbol number `index` of this shoe was `symbol`."""

    index: int
    symbol: str
    by: str = "supervisor"


class BetPlaced(Event, frozen=True, tag="bet-placed"):
    """A bet as the replay's `--bets` line writes it (amounts as decimal strings)."""

    bet: dict[str, str | int | bool]
    by: str = "dealer"


class DoubleDecided(Event, frozen=True, tag="double-decided"):
    """RB-4."""

    double: bool
    by: str = "dealer"


class RefaitChosen(Event, frozen=True, tag="refait-chosen"):
    """TQ-10: half or prison, chosen on the page after the coup."""

    player: str
    on: str
    choice: Literal["half", "prison"]
    transfer: bool = False
    by: str = "dealer"


class BankPassed(Event, frozen=True, tag="bank-passed"):
    """ZE-12: the bank is passed on while no bet is unsettled."""

    by: str = "dealer"


AnyEvent = (
    TableOpened
    | DaemonStarted
    | CardDrawn
    | CardExposed
    | SightEmptied
    | CardUnread
    | CardPulledBack
    | CardsMissed
    | ExitCounted
    | LidChanged
    | ShoeEmptied
    | ShoeLevelChanged
    | DeviceChanged
    | DeadlineReached
    | ShoeLoaded
    | PortionLoaded
    | RoundOpened
    | ShoeEnded
    | ShoeExhausted
    | TableClosed
    | Confirmed
    | CardEntered
    | FaultResolved
    | Undone
    | CardCorrected
    | BetPlaced
    | DoubleDecided
    | RefaitChosen
    | BankPassed
    | BankerSought
    | CountOpened
    | CountClosed
    | CountAbandoned
    | AlarmAcknowledged
)
REQUESTS: tuple[type[Event], ...] = (
    ShoeLoaded,
    PortionLoaded,
    RoundOpened,
    ShoeEnded,
    ShoeExhausted,
    TableClosed,
    Confirmed,
    CardEntered,
    FaultResolved,
    Undone,
    CardCorrected,
    BetPlaced,
    DoubleDecided,
    RefaitChosen,
    BankPassed,
    BankerSought,
    CountOpened,
    CountClosed,
    CountAbandoned,
    AlarmAcknowledged,
)
