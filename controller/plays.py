"""What is on the cloth and at stake, for each game: the part of the state that only its game understands.

Values only; controller/games/ holds the rules that change them.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import msgspec

Choice = Literal["half", "prison"]


class Chance(msgspec.Struct, frozen=True):
    """TQ: one stake on a chance."""

    player: str
    on: str
    stake: Decimal
    insured: bool = False
    refait: Choice = "half"
    transfer: bool = False


class Prisoner(msgspec.Struct, frozen=True):
    """TQ-10: a stake in prison; `wins` counts the wins in a row since it came to this `level`."""

    player: str
    on: str
    stake: Decimal
    level: int = 1
    wins: int = 0


class Coup(msgspec.Struct, frozen=True, tag="trente-et-quarante"):
    noir: tuple[str, ...] = ()
    rouge: tuple[str, ...] = ()
    noir_total: int = 0
    rouge_total: int = 0
    bets: tuple[Chance, ...] = ()
    laid: tuple[Chance, ...] = ()  # the bets of a coup that a refait-31 ended: half or prison may still be chosen
    prison: tuple[Prisoner, ...] = ()
    bank: Decimal | None = None  # TQ-14: what is left of it
    relaid: int = 0


class Place(msgspec.Struct, frozen=True):
    """RB: one stake of one seat."""

    seat: int
    on: str
    stake: Decimal
    doubled: bool = False


class Round(msgspec.Struct, frozen=True, tag="red-and-black"):
    """RB: `seat` is being dealt to (from 1, the banker's left first); `hands` are those settled in this round."""

    seat: int = 1
    hand: tuple[str, ...] = ()
    hands: tuple[tuple[str, ...], ...] = ()
    bets: tuple[Place, ...] = ()
    banker: int = 0  # places that the bank passed to the left
    decided: bool = False  # the seat's double was decided
    over: bool = False  # all seats had their five: bank and deal pass with the next round
    tries: tuple[tuple[int, str], ...] = ()  # the cards by which the first banker is sought, with their places


class Punt(msgspec.Struct, frozen=True):
    """ZE: a stake on a rank."""

    player: str
    on: str
    stake: Decimal


class Hand(msgspec.Struct, frozen=True, tag="zecchinetta"):
    """ZE: `piles` are the table's, in order; `sight` is the card in the box's window and `effect` what it did."""

    piles: tuple[tuple[str, ...], ...] = ()
    banker_card: str | None = None  # named at the end of the opening, laid at the first turn
    with_banker: tuple[str, ...] = ()  # cards of its rank that joined it below the threshold
    threshold: int = 0
    sight: str | None = None
    effect: str = ""
    drawn: bool = False  # the card last in sight was drawn, the next is not in sight yet
    turn: int = 0
    shown: tuple[int, ...] = ()  # cards of each rank shown so far, in the order of cards.RANKS
    dead: tuple[str, ...] = ()  # ranks, in the order in which they died
    won: tuple[str, ...] = ()
    fan: tuple[str, ...] = ()  # dead cards
    bets: tuple[Punt, ...] = ()
    banker: int = 0  # places that the bank passed to the left (to the right: less than 0)
    over: bool = False  # the banker lost: bank and deal pass with the next hand
    tries: tuple[tuple[int, str], ...] = ()


Play = Coup | Round | Hand
