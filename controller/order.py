"""Suspicious order: runs and repeats that an honestly shuffled shoe does not show once in 10,000 shoes.

Four kinds: cards of one rank in a row, of one suit, each one rank above (or each one below) the last, and a sequence
that an earlier shoe has shown. Each kind has a quarter of that one in 10,000, and `limits` finds the shortest run whose
probability, bounded from above by an exact expectation, fits into it: docs/shoe.md has the numbers. What an alarm then
means at the table is alarms.py's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from string import ascii_letters
from typing import Literal, NamedTuple

import msgspec

from controller.cards import DECK, RANKS, ZECCHINETTA_DECK

Kind = Literal["same-rank", "same-suit", "rank-sequence", "repeated-sequence"]

HONEST = 1e-4  # an honest shoe alarms at most with this probability, all four kinds together
SHARE = HONEST / 4
EARLIER = 8  # shoes that the order of a new one is compared with
KEPT = 12 * len(DECK)  # cards of a shoe whose order is kept: all of the largest that a table may have
SUITS = 4
UNKNOWN, BETWEEN = "?", "|"
_RANKS = len(RANKS)
_LETTERS = ascii_letters  # one for each card, in the order of DECK


class Order(msgspec.Struct, frozen=True):
    """What the next card is compared with: the last one (place in DECK), how long each run up to it is, the order of
    this shoe and of earlier ones (a letter a card), and which kinds have alarmed in this shoe."""

    last: int = -1
    rank: int = 0
    suit: int = 0
    up: int = 0
    down: int = 0
    cards: str = ""
    earlier: str = ""
    raised: tuple[Kind, ...] = ()


class Limits(NamedTuple):
    """From how many cards on a run alarms; `following` is the rank above each (ace above king)."""

    rank: int
    suit: int
    sequence: int
    repeat: int
    following: tuple[int, ...]


def watch(order: Order, position: int, limits: Limits) -> tuple[Order, tuple[Kind, ...]]:
    """The order with one card more, and the kinds of alarm that this card raises (each is raised once a shoe)."""
    last, cards = order.last, order.cards
    rank = suit = up = down = 1
    if last >= 0:
        now, before = position % _RANKS, last % _RANKS
        if now == before:
            rank = order.rank + 1
        elif now == limits.following[before]:
            up = order.up + 1
        elif before == limits.following[now]:
            down = order.down + 1
        if position // _RANKS == last // _RANKS:
            suit = order.suit + 1
    found: tuple[Kind, ...] = ()
    if rank >= limits.rank or suit >= limits.suit or up >= limits.sequence or down >= limits.sequence:
        found = _runs_among(rank, suit, max(up, down), limits)
    if len(cards) < KEPT:
        cards += _LETTERS[position]
        if order.earlier and len(cards) >= limits.repeat:
            newest = cards[-limits.repeat :]
            if newest in order.earlier and UNKNOWN not in newest:
                found = (*found, "repeated-sequence")
    if found:
        found = tuple(kind for kind in found if kind not in order.raised)
    return Order(position, rank, suit, up, down, cards, order.earlier, (*order.raised, *found)), found


def _runs_among(rank: int, suit: int, sequence: int, limits: Limits) -> tuple[Kind, ...]:
    long: dict[Kind, bool] = {
        "same-rank": rank >= limits.rank,
        "same-suit": suit >= limits.suit,
        "rank-sequence": sequence >= limits.sequence,
    }
    return tuple(kind for kind, is_long in long.items() if is_long)


def broken(order: Order) -> Order:
    """A card left that nobody knows: no run goes on over it."""
    cards = order.cards + UNKNOWN if len(order.cards) < KEPT else order.cards
    return Order(cards=cards, earlier=order.earlier, raised=order.raised)


def next_shoe(order: Order) -> Order:
    """The order of a fresh shoe; the last one is an earlier one now."""
    if not order.cards:
        return Order(earlier=order.earlier)
    shoes = [order.cards, *order.earlier.split(BETWEEN)][:EARLIER]
    return Order(earlier=BETWEEN.join(shoe for shoe in shoes if shoe))


def run_of(order: Order, kind: Kind, limits: Limits) -> tuple[str, ...]:
    """The cards of the run that has just alarmed; none where their order is not kept any more."""
    if len(order.cards) == KEPT:
        return ()
    lengths = {"same-rank": limits.rank, "same-suit": limits.suit, "rank-sequence": limits.sequence}
    letters = order.cards[-lengths.get(kind, limits.repeat) :]
    return tuple(DECK[_LETTERS.index(letter)] for letter in letters if letter != UNKNOWN)


# ---- thresholds ------------------------------------------------------------------------------------------

_Bound = Callable[[int, int, int], float]
_Chance = Callable[[int], float]


@cache
def limits(ranks: int, decks: int) -> Limits:
    """For a shoe of `decks` decks of `ranks` ranks in four suits."""
    cards = ranks * SUITS * decks
    return Limits(
        _shortest(same_rank, ranks, decks, cards),
        _shortest(same_suit, ranks, decks, cards),
        _shortest(sequence, ranks, decks, cards),
        _shortest(repeat, ranks, decks, cards),
        _following(ranks),
    )


def _shortest(bound: _Bound, ranks: int, decks: int, cards: int) -> int:
    """The shortest run that fits into its share; one longer than the shoe never comes."""
    return next((length for length in range(2, cards + 1) if bound(ranks, decks, length) <= SHARE), cards + 1)


def _following(ranks: int) -> tuple[int, ...]:
    """By place in RANKS: the next rank that the deck has, the ace after the king."""
    deck = DECK if ranks == _RANKS else ZECCHINETTA_DECK
    there = [rank for rank in range(_RANKS) if RANKS[rank] + "s" in deck]
    after = dict(zip(there, [*there[1:], there[0]], strict=True))
    return tuple(after.get(rank, rank) for rank in range(_RANKS))


def same_rank(ranks: int, decks: int, length: int) -> float:
    """Expected number of maximal runs of at least `length` cards of one rank: no less than the chance of one."""

    def alike(n: int) -> float:
        return ranks * _drawn([SUITS * decks - i for i in range(n)], ranks, decks)

    return _runs(ranks * SUITS * decks, length, alike)


def same_suit(ranks: int, decks: int, length: int) -> float:
    """The same of one suit."""

    def alike(n: int) -> float:
        return SUITS * _drawn([ranks * decks - i for i in range(n)], ranks, decks)

    return _runs(ranks * SUITS * decks, length, alike)


def sequence(ranks: int, decks: int, length: int) -> float:
    """The same of cards each one rank above the last, and each one below; ranks come again after `ranks` cards."""

    def rising(n: int) -> float:
        return ranks * _drawn([SUITS * decks - i // ranks for i in range(n)], ranks, decks)

    return 2 * _runs(ranks * SUITS * decks, length, rising)


def repeat(ranks: int, decks: int, length: int) -> float:
    """Expected number of places at which `length` cards are those of a place in one of the earlier shoes, whatever
    their order was: no sequence is likelier than one of different cards."""
    places = min(ranks * SUITS * decks, KEPT) - length + 1
    return EARLIER * places * places * _drawn([decks] * length, ranks, decks)


def _runs(cards: int, length: int, chance: _Chance) -> float:
    """`chance(n)`: n given neighbours are a run. A maximal run begins the shoe, or follows a card that is not of it."""
    return chance(length) + (cards - length) * (chance(length) - chance(length + 1))


def _drawn(ways: list[int], ranks: int, decks: int) -> float:
    """The chance that cards drawn one after the other are each one of so many."""
    product, left = 1.0, ranks * SUITS * decks
    for number in ways:
        product *= max(number, 0) / max(left, 1)
        left -= 1
    return product
