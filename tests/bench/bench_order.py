"""How often honestly shuffled shoes alarm, simulated, beside the bound that the thresholds are chosen by.

Real thresholds alarm too seldom to count, so shorter runs are counted too: each row is one length of one kind, with the
bound (an expected number of runs) and the share of simulated shoes that showed one, with its standard error. Run it as
`python tests/bench/bench_order.py [SHOES]`; the seed is fixed.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from math import sqrt

from controller import order
from controller.cards import DECK, POSITION, ZECCHINETTA_DECK

PACKS = (("trente et quarante", DECK, 6), ("red and black", DECK, 2), ("zecchinetta", ZECCHINETTA_DECK, 1))
KINDS = (
    ("same-rank", order.same_rank),
    ("same-suit", order.same_suit),
    ("rank-sequence", order.sequence),
    ("repeated-sequence", order.repeat),
)


def simulate(deck: tuple[str, ...], decks: int, known: order.Limits, shoes: int, seed: int) -> Counter[str]:
    """In how many of so many honest shoes each kind alarmed."""
    draw = random.Random(seed)
    cards = [POSITION[card] for card in deck] * decks
    state, found = order.Order(), Counter[str]()
    for _ in range(shoes):
        draw.shuffle(cards)
        state = order.next_shoe(state)
        for position in cards:
            state, kinds = order.watch(state, position, known)
            found.update(kinds)
    return found


def measure(name: str, deck: tuple[str, ...], decks: int, shoes: int) -> None:
    real = order.limits(len(deck) // 4, decks)
    for shorter in (2, 1, 0):
        known = real._replace(
            rank=real.rank - shorter,
            suit=real.suit - 2 * shorter,
            sequence=real.sequence - shorter,
            repeat=real.repeat - shorter,
        )
        began = time.perf_counter()
        found = simulate(deck, decks, known, shoes, 41)
        each_us = (time.perf_counter() - began) / shoes / len(deck) / decks * 1e6
        for (kind, bound), length in zip(KINDS, known[:4], strict=True):
            share = found[kind] / shoes
            error = sqrt(max(share * (1 - share), 1 / shoes) / shoes)
            expected = bound(len(deck) // 4, decks, length)
            mark = "  <- threshold" if not shorter else ""
            print(f"{name:19} {kind:18} {length:3} {expected:10.2e} {share:10.2e} +- {error:8.1e}{mark}")
        print(f"{name:19} {each_us:.2f} us a card; any alarm in {sum(found.values())} of {shoes} shoes")


def main() -> None:
    shoes = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    print(f"{'game':19} {'kind':18} run {'bound':>10} {'simulated':>10}   ({shoes} shoes each)")
    for name, deck, decks in PACKS:
        measure(name, deck, decks, shoes)


if __name__ == "__main__":
    main()
