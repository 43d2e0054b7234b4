"""For developers: what is said of labelled photographs of several cards? `python -m vision.evaluate_many ROOT [SET …]
[--list]`.

ROOT holds `manifest.csv` (columns file, rank, suit, x) and the pictures; counted are those whose cards are labelled by
boxes, `?` a suit that nobody noted. One line a set and number of different cards: `right` is the one card that a
picture shows, or `two cards` of several; `one` a card that is there among others; `wrong` a card that is not there.
Photographs of one whole card are `vision.evaluate`'s.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from vision.answer import TWO_CARDS
from vision.evaluate import upper_bound
from vision.geometry import FREE
from vision.quiet import quiet_opencv
from vision.sources.folder import read_picture
from vision.still import StillReading, read_still

Card = tuple[str, str]  # rank and suit as labelled; `?`: unknown
OUTCOMES = ("right", "one", "wrong", "abstained")


def pictures(root: Path, sets: Iterable[str]) -> dict[Path, set[Card]]:
    """Pictures whose cards are labelled by boxes, of the named sets (none named: all), with their different cards."""
    wanted = set(sets)
    found: dict[Path, set[Card]] = defaultdict(set)
    with (root / "manifest.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["x"] and (not wanted or row["file"].split("/")[0] in wanted):
                rank = "T" if row["rank"] == "10" else row["rank"]
                found[root / row["file"]].add((rank, row["suit"].lower() or "?"))
    return dict(found)


def outcome(reading: StillReading, cards: set[Card]) -> str:
    """One of OUTCOMES for a reading of a picture that shows `cards`."""
    if reading.symbol is None:
        return "right" if reading.why == TWO_CARDS and len(cards) > 1 else "abstained"
    there = any(_is(reading.symbol, card) for card in cards)
    if not there:
        return "wrong"
    return "right" if len(cards) == 1 else "one"


def _is(symbol: str, card: Card) -> bool:
    rank, suit = card
    if symbol in ("joker", "back", "cut"):
        return symbol == rank.lower()
    return symbol[0] == rank and suit in ("?", symbol[1])


def main(arguments: list[str]) -> int:
    """Print the table; status 1 where a card was said that is not there."""
    parser = argparse.ArgumentParser(prog="python -m vision.evaluate_many", description=__doc__.splitlines()[0])
    parser.add_argument("root", type=Path)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--list", action="store_true", help="name every picture of which a card was said, and why not")
    asked = parser.parse_args(arguments)
    quiet_opencv()
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for path, cards in pictures(asked.root, asked.sets).items():
        image = read_picture(path)
        reading = read_still(image, FREE) if image is not None else StillReading(None, 0.0, "unreadable file", 0.0)
        result = outcome(reading, cards)
        name = path.relative_to(asked.root)
        groups[f"{name.parts[0]}, {'one' if len(cards) == 1 else 'several'}"][result] += 1
        if asked.list:
            shown = " ".join(sorted("".join(card) for card in cards))
            print(f"{result:9} {reading.symbol} {reading.why} ({shown}) {name}")
    if not groups:
        print(f"{asked.root}: no labelled boxes of {', '.join(asked.sets) or 'any set'}", file=sys.stderr)
        return 2
    for group, count in groups.items():
        print(f"{group:36} {count.total():4}  " + "  ".join(f"{name} {count[name]:4}" for name in OUTCOMES), end="")
        print(f"  (wrong < {100 * upper_bound(count['wrong'], count.total()):.2f} %)")
    return 1 if any(count["wrong"] for count in groups.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
