"""Thousands of random shoes through both engines: `python tests/bench/compare_engines.py [SHOES [FIRST_SEED [GAME]]]`.

Prints each disagreement as it is found, and at the end a table of shoes, disagreements and seconds a game.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "oracle")]

from oracle_generate import GAMES, make  # noqa: E402
from test_oracle_agrees import disagreements  # noqa: E402


def main() -> int:
    shoes = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    games = sys.argv[3:] or list(GAMES)
    table = []
    with tempfile.TemporaryDirectory() as folder:
        for game in games:
            began, bad = time.perf_counter(), 0
            for seed in range(first, first + shoes):
                found = disagreements(make(game, seed), Path(folder))
                bad += bool(found)
                for line in found:
                    print(f"{game} {seed}: {line}")
            table.append((game, shoes, bad, time.perf_counter() - began))
    print(f"{'game':20} {'shoes':>6} {'differ':>6} {'seconds':>8}")
    for game, count, bad, seconds in table:
        print(f"{game:20} {count:6} {bad:6} {seconds:8.1f}")
    return 1 if any(bad for _, _, bad, _ in table) else 0


if __name__ == "__main__":
    sys.exit(main())
