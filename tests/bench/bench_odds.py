"""How long exact odds take: `python tests/bench/bench_odds.py`. One line a shoe, the best of three runs each."""

from __future__ import annotations

import time
from collections.abc import Callable

from controller import odds
from controller.rules import Rules

GAME = "trente-et-quarante"


def seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best


def main() -> None:
    print(f"{'shoe':28} {'both rows':>10} {'advantage':>10}   seconds")
    for name, decks, gone in (
        ("6 packs", 6, []),
        (
            "6 packs, 100 cards gone",
            6,
            ["Ts", "Kh", "5d", "9c"] * 6 + ["7s", "3h", "Qd", "2c", "Ad", "8h", "4s", "6c"] * 6 + ["Jd"] * 6,
        ),
        ("2 packs", 2, []),
        ("1 pack", 1, []),
        ("2000 packs", 2000, []),
    ):
        left = odds.composition(GAME, Rules(decks=decks), gone)
        whole = seconds(lambda left=left: odds.odds(GAME, Rules(), left))
        live = seconds(lambda left=left: odds.advantage(left))
        print(f"{name:28} {whole:10.3f} {live:10.3f}")
    for game in ("red-and-black", "zecchinetta"):
        left = odds.composition(game, Rules())
        print(f"{game:28} {seconds(lambda game=game, left=left: odds.odds(game, Rules(), left)):10.6f}")


if __name__ == "__main__":
    main()
