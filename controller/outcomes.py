"""Outcomes: what happened once because of an event; derived, never journalled as facts, not emitted again on restart.

Their JSON is the line that `sabot replay --json` prints (`event` is the tag, money as decimal strings). The fields of
interface.md come first; a field with a default is left out where it has it.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import msgspec


class Outcome(msgspec.Struct, frozen=True, tag_field="event", omit_defaults=True):
    """Base of all outcomes."""


# ---- all games -------------------------------------------------------------------------------------------


class Fault(Outcome, frozen=True, tag="fault"):
    code: str
    card: str
    index: int
    resolutions: tuple[str, ...]


class Refused(Outcome, frozen=True, tag="refused"):
    """A refused bet (`bet` as given) or another refused request (`request`, its tag)."""

    why: str
    bet: dict[str, str | int | bool] | None = None
    request: str | None = None


class Unread(Outcome, frozen=True, tag="unread"):
    index: int
    why: str


class Gap(Outcome, frozen=True, tag="gap"):
    """`count` cards left the shoe unseen; the first of them is symbol `index`."""

    index: int
    count: int


class Waiting(Outcome, frozen=True, tag="waiting"):
    """A card left the shoe while the table was on hold: it is played in its turn when the hold is released."""

    card: str
    place: int  # in the queue, from 1


class Resolved(Outcome, frozen=True, tag="resolved"):
    code: str
    resolution: str
    index: int


class Undone(Outcome, frozen=True, tag="undone"):
    """What was taken back: a card by its symbol, or a resolution by its name."""

    what: str


class Returned(Outcome, frozen=True, tag="returned"):
    """After an undo or a correction a bet or decision no longer fits the round: it goes back to whom it was."""

    why: str
    bet: dict[str, str | int | bool] | None = None
    request: str | None = None


class Corrected(Outcome, frozen=True, tag="corrected"):
    """Lines after this one restate what follows from the corrected card on."""

    index: int
    was: str
    card: str


class Burnt(Outcome, frozen=True, tag="burnt"):
    index: int
    card: str


class CardCounted(Outcome, frozen=True, tag="counted"):
    """A card of a pack that is counted before play; `extra`: it is one that the pack should not hold."""

    index: int
    card: str
    extra: bool = False


class Receipt(Outcome, frozen=True, tag="receipt"):
    """What the count of a pack before play (`deck-check`) or of an ended shoe (`remainder`) found.

    `missing` and `extra` name cards with how many of each; `unseen` left without anybody seeing their faces (burnt face
    down, put away unread): so many may be missing. The time is the journal's, not the core's.
    """

    number: int  # of this table, from 1
    kind: Literal["deck-check", "remainder"]
    shoe: int
    right: bool
    expected: int  # cards that the decks must hold
    counted: int
    missing: dict[str, int]
    extra: dict[str, int]
    unseen: int
    by: str
    table: str
    machine: str
    game: str
    decks: int


class AlarmRaised(Outcome, frozen=True, tag="alarm"):
    """Latched in the view until a named person acknowledges it."""

    number: int
    kind: str
    shoe: int
    index: int
    text: str
    cards: tuple[str, ...] = ()


class AlarmClosed(Outcome, frozen=True, tag="alarm-acknowledged"):
    number: int
    kind: str
    by: str


class Remainder(Outcome, frozen=True, tag="remainder"):
    """A card of the shoe's remainder, read after its end."""

    index: int
    card: str


class Item(msgspec.Struct, frozen=True):
    """One stake in a settlement: `returned` goes back out of the table, `net` is the player's gain or loss."""

    player: str
    on: str
    stake: Decimal
    premium: Decimal
    result: Literal["win", "lose", "push", "half", "prison", "released", "insured"]
    returned: Decimal
    net: Decimal


class Settlement(Outcome, frozen=True, tag="settlement"):
    """The items' nets, `bank` and `house` add up to 0."""

    round: int
    items: tuple[Item, ...]
    bank: Decimal
    house: Decimal
    seat: int | None = None
    turn: int | None = None


class Ended(Outcome, frozen=True, tag="end"):
    """The shoe is over: what it gave."""

    cards: int
    rounds: int
    void: int
    reason: str


class BankerCard(Outcome, frozen=True, tag="banker-card"):
    """A card dealt to find the first banker; `place` from 0, counted to the left."""

    index: int
    card: str
    place: int


class BankerFound(Outcome, frozen=True, tag="banker"):
    place: int


# ---- trente et quarante ----------------------------------------------------------------------------------


class TqCard(Outcome, frozen=True, tag="card"):
    index: int
    card: str
    coup: int
    row: str
    total: int
    manual: bool = False


class TqRow(msgspec.Struct, frozen=True):
    cards: tuple[str, ...]
    total: int


class TqCoup(Outcome, frozen=True, tag="coup"):
    coup: int
    noir: TqRow
    rouge: TqRow
    outcome: str
    couleur: str | None
    call: tuple[str, ...]
    manual: bool = False


class Bank(Outcome, frozen=True, tag="bank"):
    """TQ-14, after a settlement where a reserve is set."""

    left: Decimal
    relaid: int


# ---- red and black ---------------------------------------------------------------------------------------


class RbCard(Outcome, frozen=True, tag="card"):
    index: int
    card: str
    round: int
    seat: int
    place: int
    may_double: bool
    manual: bool = False


class RbHand(Outcome, frozen=True, tag="hand"):
    round: int
    seat: int
    cards: tuple[str, ...]
    red: int
    black: int
    manual: bool = False


# ---- zecchinetta -----------------------------------------------------------------------------------------


class ZeOpening(Outcome, frozen=True, tag="opening"):
    hand: int
    table: tuple[tuple[str, ...], ...]
    banker: str
    threshold: int


class ZePlayette(Outcome, frozen=True, tag="opening"):
    """ZE-10: the deal is void."""

    hand: int
    playette: bool


class ZeTurn(Outcome, frozen=True, tag="turn"):
    hand: int
    turn: int
    exposed: str
    effect: str
    table: tuple[str, ...]
    dead: tuple[str, ...]
    manual: bool = False


class ZeHand(Outcome, frozen=True, tag="hand"):
    hand: int
    turns: int
    banker_rank: str
    won: tuple[str, ...]
    manual: bool = False
