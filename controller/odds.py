"""Exact probabilities of the three games, for a fresh shoe or for what is left of one: nothing is sampled.

`composition` counts a shoe, `odds` answers for a game, `advantage` is the one figure of a live table (it takes well
under a second; a worker computes it and labels it with its composition). The law of trente et quarante's rows is
`odds_trente`'s work. Who asks, and what is printed, is the edge's matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import permutations
from math import comb

import msgspec

from controller import odds_trente
from controller.cards import DECK, POINTS, RANKS, RED, ZECCHINETTA_DECK
from controller.rules import Rules

PACKS = {"trente-et-quarante": 6, "red-and-black": 2, "zecchinetta": 1}  # TQ-1, RB-1, ZE-1
GAMES = tuple(PACKS)
TIMES_THE_STAKE = {5: 4, 4: 2, 3: 1, 2: -1, 1: -2, 0: -4}  # RB-5, by cards of the staked colour

Composition = Mapping[str, int]


class ImpossibleShoe(ValueError):
    """More of a card has gone than the shoe ever held, or a card that it never held (CO-1)."""


class TrenteEtQuarante(msgspec.Struct, frozen=True):
    """Of one coup; `edge` is the bank's advantage per unit on any chance, uninsured and half lost at a refait-31."""

    row: dict[str, float]
    joint: dict[str, float]
    noir: float
    rouge: float
    refait: float
    refait_31: float
    void: float
    edge: float
    edge_insured: float


class RedAndBlack(msgspec.Struct, frozen=True):
    """Of one hand of five; `expectation` is a player's per unit of an undoubled stake."""

    split: dict[str, float]
    expectation: dict[str, float]


class Zecchinetta(msgspec.Struct, frozen=True):
    """`mean_turns`: exposed cards up to the banker's match, no playette, threshold 2, of hands that the box can end;
    None where it can end none."""

    playette: float
    mean_turns: float | None


Odds = TrenteEtQuarante | RedAndBlack | Zecchinetta


def composition(game: str, rules: Rules, removed: Iterable[str] = ()) -> dict[str, int]:
    """How many of each card are left when `removed` have gone from a fresh shoe. Raises ImpossibleShoe."""
    packs = 1 if game == "zecchinetta" else rules.decks or PACKS[game]
    deck = ZECCHINETTA_DECK if game == "zecchinetta" else DECK
    left = dict.fromkeys(deck, packs)
    for card, gone in Counter(removed).items():
        if gone > left.get(card, 0):
            raise ImpossibleShoe(f"{card} cannot have gone {gone} times: the shoe holds it {left.get(card, 0)} times")
        left[card] -= gone
    return left


def odds(game: str, rules: Rules, left: Composition) -> Odds:
    """Everything that `sabot odds` says of a shoe of which `left` remains."""
    if game == "trente-et-quarante":
        return _trente_et_quarante(left, float(rules.insurance.rate))
    return _red_and_black(left) if game == "red-and-black" else _zecchinetta(left)


def advantage(left: Composition) -> float:
    """The bank's advantage per unit of an uninsured stake on the next coup of trente et quarante."""
    return odds_trente.both_31(_by_points(left)) / 2  # noir and rouge are exchangeable, so only TQ-9 makes it


# ---- trente et quarante ----------------------------------------------------------------------------------


def _trente_et_quarante(left: Composition, rate: float) -> TrenteEtQuarante:
    counts = _by_points(left)
    law = odds_trente.joint_law(counts)
    totals = odds_trente.TOTALS
    ties = [float(law[place, place]) for place in range(len(totals))]
    decided = [float(law[i, j]) for i in range(len(totals)) for j in range(i + 1, len(totals))]  # noir wins (TQ-5)
    wins, refait, refait_31 = sum(decided), sum(ties[1:]), ties[0]
    void = _void(counts, 1.0 - (2 * wins + refait + refait_31))
    return TrenteEtQuarante(
        row={str(total): chance for total, chance in zip(totals, odds_trente.row_law(counts), strict=True)},
        joint={f"{one},{two}": float(law[i, j]) for i, one in enumerate(totals) for j, two in enumerate(totals)},
        noir=wins,
        rouge=wins,  # the rows are exchangeable
        refait=refait,
        refait_31=refait_31,
        void=void,
        edge=refait_31 / 2,
        edge_insured=rate * (1.0 - void),  # TQ-11: in every coup that is played, and nothing else is lost on balance
    )


def _void(counts: list[int], missing: float) -> float:
    """What is missing to 1 is the chance that the shoe runs out; where it cannot, it is rounding and no chance."""
    return max(missing, 0.0) if odds_trente.may_run_out(counts) else 0.0


def _by_points(left: Composition) -> list[int]:
    """Cards left of each value 1..10 (TQ-2)."""
    counts = [0] * odds_trente.VALUES
    for card, count in left.items():
        counts[POINTS[card] - 1] += count
    return counts


# ---- red and black ---------------------------------------------------------------------------------------


def _red_and_black(left: Composition) -> RedAndBlack:
    red = sum(count for card, count in left.items() if card in RED)
    cards = sum(left.values())
    hands = comb(cards, 5)  # 0 where a hand cannot be dealt (RB-6), and then so is every chance
    ways = [comb(red, n) * comb(cards - red, 5 - n) for n in range(6)]
    on_red = sum(count * TIMES_THE_STAKE[n] for n, count in enumerate(ways))  # black's is the opposite
    return RedAndBlack(
        split={f"{most}-{5 - most}": (ways[most] + ways[5 - most]) / max(hands, 1) for most in (3, 4, 5)},
        expectation={"red": on_red / max(hands, 1), "black": -on_red / max(hands, 1) + 0.0},
    )


# ---- zecchinetta -----------------------------------------------------------------------------------------


def _zecchinetta(left: Composition) -> Zecchinetta:
    """The opening's three ranks are enumerated; the first of m matches among M cards lies at (M + 1) / (m + 1)."""
    ranks = [sum(left.get(rank + suit, 0) for suit in "shdc") for rank in RANKS]
    cards = sum(ranks)
    if cards < 3:
        return Zecchinetta(playette=0.0, mean_turns=None)  # no opening can be dealt
    unlike, endable, turns = 0, 0, 0.0
    for table, other, banker in permutations(ranks, 3):
        ways = table * other * banker
        unlike += ways
        if banker > 1:
            endable += ways
            turns += ways * (cards - 3 + 1) / banker
    openings = cards * (cards - 1) * (cards - 2)
    return Zecchinetta(playette=1.0 - unlike / openings, mean_turns=turns / endable if endable else None)
