"""Exact law of a coup of trente et quarante from any remaining shoe, without sampling and without enumerating rows.

A row is a *prefix* of total s <= 30 in k cards and the card of value v that takes it to s + v >= 31 (TQ-3). All that
matters of the shoe is how many cards n_i of each value i are left. For given last cards v, w of the two rows the
number of ways to choose both prefixes (as sets of physical cards) is a coefficient of a generating function:

    product over i of (1 + a x^i + b y^i) ^ n'_i         n' = the shoe without the two last cards

x^s a^k counts noir's prefix, y^s b^k rouge's: every card lies in noir's, in rouge's or in neither. Each choice can be
dealt in k! l! orders, each order with probability (N - k - l - 2)! / N!. `_pairs` builds the products of all 55 pairs
of last cards as a tree, value by value from the ace up, so that the dear factors are shared; noir and rouge are
exchangeable, so v <= w is enough. All terms are positive: doubles keep about 14 digits.

This module knows values alone; cards, money and names are `odds`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb, factorial, perm

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LIMIT = 31  # a row is complete at this total or more
VALUES = 10
TOTALS = range(LIMIT, LIMIT + VALUES)
NEGLIGIBLE = 1e-14


def row_law(counts: Sequence[int]) -> list[float]:
    """Probabilities of one row's total 31..40 from a shoe of `counts[i - 1]` cards of value i; what is missing to 1
    is the probability that the shoe runs out first."""
    return [float(value) for value in _row_by_length(counts).sum(axis=1)]


def joint_law(counts: Sequence[int]) -> Array:
    """Probabilities of noir's (first index) and rouge's total 31..40, as a 10 x 10 array."""
    length = _longest_prefix(counts)
    weights = _orders(sum(counts), length, length, last_cards=2)
    law = np.zeros((VALUES, VALUES))
    for first, second, ways in _pairs(counts, length):
        ends = np.einsum("akbl,kl->ab", ways[LIMIT - first :, :, LIMIT - second :, :], weights)
        law[:first, :second] += ends
        if first != second:
            law[:second, :first] += ends.T
    return law


def both_31(counts: Sequence[int]) -> float:
    """Probability of a refait-31 alone, far quicker: any card may be the last of a row of 31; none is singled out."""
    length = _longest_prefix(counts) + 1
    ways = _nothing(LIMIT + 1, length + 1)
    for value, count in enumerate(counts, start=1):
        ways = _times(ways, value, count)
    return float(np.sum(ways[LIMIT, :, LIMIT, :] * _orders(sum(counts), length, length, last_cards=0)))


def may_run_out(counts: Sequence[int]) -> bool:
    """Whether a coup can need more cards than there are: beyond 40 points for noir, 31 are left for rouge."""
    return sum(value * count for value, count in enumerate(counts, start=1)) < TOTALS[-1] + LIMIT


# ---- one row ---------------------------------------------------------------------------------------------


def _row_by_length(counts: Sequence[int]) -> Array:
    """Probability of each total 31..40 (first index) with k cards before the last (second index)."""
    cards = sum(counts)
    found = np.zeros((VALUES, LIMIT))
    orders = np.array([_share(factorial(k), cards, k + 1) for k in range(LIMIT)])
    for last in range(1, VALUES + 1):
        if counts[last - 1]:
            ways = counts[last - 1] * _prefixes(_without(counts, last)) * orders
            found[:last] += ways[LIMIT - last :]
    return found


def _prefixes(counts: Sequence[int]) -> Array:
    """Ways to choose a prefix of total s (first index) in k cards (second index)."""
    ways = np.zeros((LIMIT, LIMIT))
    ways[0, 0] = 1.0
    for value, count in enumerate(counts, start=1):
        grown = ways.copy()
        for taken in range(1, min(count, (LIMIT - 1) // value) + 1):
            grown[value * taken :, taken:] += comb(count, taken) * ways[: LIMIT - value * taken, : LIMIT - taken]
        ways = grown
    return ways


def _longest_prefix(counts: Sequence[int]) -> int:
    """Most cards that a prefix is followed to. Where the shoe cannot run out, rows beyond it are left out; together
    they are less likely than `NEGLIGIBLE` (their exact probability decides)."""
    by_length = _row_by_length(counts).sum(axis=0)
    longest = int(np.flatnonzero(by_length)[-1]) if by_length.any() else 0
    if not may_run_out(counts):
        while longest and by_length[longest:].sum() < NEGLIGIBLE:
            longest -= 1
    return longest


# ---- both rows -------------------------------------------------------------------------------------------


def _pairs(counts: Sequence[int], length: int) -> Iterator[tuple[int, int, Array]]:
    """(v, w, ways) for all v <= w: the values of the rows' last cards, and ways[s, k, t, l] to choose all the cards."""
    yield from _grow(_nothing(LIMIT, length + 1), counts, 1, (), 1)


def _grow(
    ways: Array, counts: Sequence[int], value: int, last: tuple[int, ...], choices: int
) -> Iterator[tuple[int, int, Array]]:
    """Multiply in the factor of `value` and those above it, with 0, 1 or 2 more of its cards taken as last cards."""
    if value > VALUES:
        yield last[0], last[1], ways * choices
        return
    count = counts[value - 1]
    still_needed = 2 - len(last)
    for taken in range(still_needed + 1):
        if taken <= count and (value < VALUES or taken == still_needed):
            grown = _times(ways, value, count - taken)
            yield from _grow(grown, counts, value + 1, last + (value,) * taken, choices * perm(count, taken))


def _nothing(totals: int, lengths: int) -> Array:
    """The generating function of no cards: one way to choose nothing."""
    ways = np.zeros((totals, lengths, totals, lengths))
    ways[0, 0, 0, 0] = 1.0
    return ways


def _times(ways: Array, value: int, count: int) -> Array:
    """`ways` times (1 + a x^value + b y^value) ^ count, cut off at the array's size."""
    totals, lengths = ways.shape[:2]
    most = min(count, (totals - 1) // value, lengths - 1)
    product = ways.copy()
    for noir in range(most + 1):
        for rouge in range(min(most, count - noir) + 1):
            if noir or rouge:
                source = ways[: totals - value * noir, : lengths - noir, : totals - value * rouge, : lengths - rouge]
                product[value * noir :, noir:, value * rouge :, rouge:] += (
                    comb(count, noir) * comb(count - noir, rouge) * source
                )
    return product


def _orders(cards: int, noir: int, rouge: int, last_cards: int) -> Array:
    """Probability of a choice of k and l prefix cards, all orders together: k! l! (N - k - l - last)! / N!."""
    return np.array(
        [
            [_share(factorial(k) * factorial(m), cards, k + m + last_cards) for m in range(rouge + 1)]
            for k in range(noir + 1)
        ]
    )


def _share(orders: int, cards: int, drawn: int) -> float:
    """`orders` of the ways to draw so many cards one after another; 0 where there are not so many."""
    return orders / perm(cards, drawn) if drawn <= cards else 0.0


def _without(counts: Sequence[int], value: int) -> list[int]:
    return [count - (index == value) for index, count in enumerate(counts, start=1)]
