"""The table's state: one frozen value that `step` turns into the next.

It holds all that the future needs and no more: `base` is the state before this round (or this shoe's burning) began
and `log` the events since, from which undo and correction recompute the round (corrections.py). It round-trips
through msgspec's JSON, which is what a snapshot is.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from controller.events import AnyEvent, Source
from controller.order import Order
from controller.outcomes import Outcome, Receipt, Settlement
from controller.phases import IN_ROUND, Phase
from controller.plays import Play
from controller.rules import Rules
from controller.view import Alarm, Device, Result

RESULTS_KEPT = 20
UNREAD = "?"


class Table(msgspec.Struct, frozen=True):
    """What does not change while a shoe is played. `decks` is resolved: the game's own where the rules name none."""

    game: str
    rules: Rules
    seats: int
    decks: int
    language: str = "fr"
    full_totals: bool = False
    name: str = ""
    machine: str = ""
    portion: int = 0
    cut_after: int | None = None


class Ledger(msgspec.Struct, frozen=True):
    """CO-2: what became of the symbols that left this shoe and lie no more on the cloth of a round in progress."""

    played: int = 0
    burnt: int = 0
    discarded: int = 0
    void: int = 0
    refused: int = 0
    cut: int = 0
    box: int = 0  # zecchinetta: the last exposed card, still in the box


class Shoe(msgspec.Struct, frozen=True):
    number: int = 0
    rounds_before: int = 0  # completed when this shoe was loaded
    void_before: int = 0
    lid_open: bool = False
    empty: bool = False  # its own sensor says so
    portions: int = 0
    reason: str = ""  # why it ended
    unseen: int = 0  # symbols that left it with nobody knowing their faces
    extra: tuple[str, ...] = ()  # symbols that came out of it and do not belong to its pack


class Exits(msgspec.Struct, frozen=True):
    """The exit beam's counter: what it should read is `base` and the symbols that left since."""

    boot: int | None = None
    base: int = 0


class Sight(msgspec.Struct, frozen=True):
    """Zecchinetta's box: what lies in its window (box.py)."""

    card: str | None = None  # UNREAD: a face that could not be read; None: nothing known
    played: bool = True  # it counts in State.index; a face in sight before its hand is open does not yet
    inside: bool = False  # the newest counted card has not passed the exit
    fresh: bool = True  # the window was seen empty since the last hand: a face that comes is a new pack's first
    sure: bool = False  # the camera has seen it since it, or the daemon, last began


class Held(msgspec.Struct, frozen=True):
    """Why the table is on hold. `counted`: its card is in `State.index` (a fault), else it is still to be entered."""

    code: str
    resolutions: tuple[str, ...] = ()
    card: str | None = None
    index: int | None = None
    why: str = ""
    enter: bool = False
    count: int = 0
    counted: bool = False
    source: Source = "camera"
    beneath: Held | None = None  # the hold that a restart found


class State(msgspec.Struct, frozen=True):
    table: Table
    phase: Phase
    play: Play
    seen: tuple[int, ...]  # CO-1: cards of each kind seen in this shoe, in the order of cards.DECK
    index: int = 0  # symbols that left this shoe
    round: int = 0  # the round that is open or was last open
    rounds: int = 0  # completed, of all shoes
    void: int = 0
    cut_seen: bool = False
    ledger: Ledger = Ledger()
    shoe: Shoe = Shoe()
    hold: Held | None = None
    queue: tuple[AnyEvent, ...] = ()  # facts that arrived during the hold, in their order
    log: tuple[AnyEvent, ...] = ()
    base: State | None = None
    manual: tuple[int, ...] = ()  # which cards of this round (from 0) a person entered
    results: tuple[Result, ...] = ()  # newest first
    calls: tuple[str, ...] = ()  # what is announced of the last round
    exits: Exits = Exits()
    sight: Sight = Sight()
    settled: tuple[Settlement, ...] = ()  # of the round that is open or was last open
    devices: tuple[Device, ...] = ()
    next_table: Table | None = None  # rules that hold from the next round on
    order: Order = Order()
    alarms: tuple[Alarm, ...] = ()  # not acknowledged yet, oldest first
    alarms_raised: int = 0
    receipts: tuple[Receipt, ...] = ()  # newest first


Taken = tuple[State, tuple[Outcome, ...], Result | None]  # the result of a round that the card ended
Step = tuple[State, tuple[Outcome, ...]]


def in_round(state: State) -> bool:
    return state.phase in IN_ROUND


def left(state: State, cards: int) -> int:
    """Cards that this shoe still holds, of a deck of `cards`."""
    return state.table.decks * cards - sum(state.seen)


def bare(state: State) -> State:
    """The state without its own past and without what waits: what a base is."""
    return replace(state, base=None, log=(), queue=())


def account(state: State, **counts: int) -> Ledger:
    """The ledger with `counts` added."""
    return replace(state.ledger, **{name: getattr(state.ledger, name) + count for name, count in counts.items()})


def rebased(state: State) -> State:
    """The state as a new beginning: nothing before it can be taken back. That a daemon restarted is in no log."""
    hold = state.hold
    while hold is not None and hold.code == "restored":
        hold = hold.beneath
    return replace(state, base=bare(replace(state, hold=hold)), log=())
