"""Replay against its floor: `replay --json` of a million cards beside a bare loop that parses the same file.

The loop adds points and prints one JSON line a card. Prints a table with time, ratio and peak memory; run it as
`python tests/bench/bench_replay.py`.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CARDS = 1_000_000
TQ_DECKS = 20_000
LINE = 20
RANKS, SUITS = "A23456789TJQK", "shdc"

BARE = """
import json, sys
points = {rank: min(number, 10) for number, rank in enumerate("A23456789TJQK", 1)}
index = total = 0
for line in open(sys.argv[1], encoding="utf-8"):
    for card in line.partition("#")[0].split():
        if card == "---":
            total = 0
            continue
        total += points[card[0]]
        print(json.dumps({"event": "card", "index": index, "card": card, "total": total}))
        index += 1
"""


def deck(ranks: str) -> list[str]:
    return [rank + suit for rank in ranks for suit in SUITS]


def write(path: Path, cards: list[str]) -> None:
    lines = (" ".join(cards[start : start + LINE]) for start in range(0, len(cards), LINE))
    path.write_text("\n".join(lines) + "\n")


def one_shoe(path: Path, seed: int) -> list[str]:
    cards = deck(RANKS) * TQ_DECKS
    random.Random(seed).shuffle(cards)
    write(path, cards[:CARDS])
    rules = path.with_suffix(".toml")
    rules.write_text(f"decks = {TQ_DECKS}\n")
    return ["--rules", str(rules)]


def blocks(path: Path, seed: int) -> list[str]:
    draw = random.Random(seed)
    cards = deck("A234567JQK")
    with path.open("w") as file:
        for _ in range(CARDS // len(cards)):
            draw.shuffle(cards)
            file.write(" ".join(cards) + "\n---\n")
    return []


def timed(call: list[str]) -> tuple[float, int]:
    """Seconds of one process, and the greatest memory (MB) of any so far."""
    begun = time.perf_counter()
    with open("/dev/null", "wb") as sink:
        subprocess.run(call, check=True, stdout=sink)
    return time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024


def measure(game: str, folder: Path, repeat: int) -> None:
    path = folder / f"{game}.cards"
    options = blocks(path, 7) if game == "zecchinetta" else one_shoe(path, 7)
    bare, replay = [], []
    for _ in range(repeat):
        bare.append(timed([sys.executable, "-c", BARE, str(path)])[0])
        call = [sys.executable, "-m", "controller.cli.main", "replay", str(path), "--game", game, "--json", *options]
        seconds, memory = timed(call)
        replay.append(seconds)
    ratio = min(replay) / min(bare)
    print(f"{game:20} {min(bare):8.2f} s {min(replay):8.2f} s {ratio:6.2f} {memory:6d} MB")


def main() -> None:
    print(f"{'game':20} {'bare':>10} {'replay':>10} {'ratio':>6} {'memory':>9}   (best of 3, {CARDS} cards)")
    with tempfile.TemporaryDirectory() as folder:
        for game in ("trente-et-quarante", "red-and-black", "zecchinetta"):
            measure(game, Path(folder), 3)


if __name__ == "__main__":
    main()
