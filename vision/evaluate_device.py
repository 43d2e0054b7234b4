"""For developers: enrol a deck on a half of its labelled pictures, read the other half, several times.

`python -m vision.evaluate_device ROOT CAMERA [--halves 10] [--enrol 7] [--list]`. ROOT has a sub-folder of pictures a
symbol; CAMERA is a geometry file. Half k is drawn with seed k. A line a half, then by rank and suit: correct, misread,
abstained, and how often a symbol would have been said for a card whose own symbol is not enrolled (it never should).
Bars come from the enrolled half alone.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.deck import EMPTY, computed, reader_of, said
from vision.deck_model import Sample
from vision.deck_reader import DeckReader, judge, together
from vision.deck_views import ViewKind, cards_in, kinds
from vision.enrol_check import Shown
from vision.enrol_pictures import find_labelled
from vision.evaluate import upper_bound
from vision.geometry import Geometry, load_geometry
from vision.quiet import quiet_opencv
from vision.sources.folder import read_picture


@dataclass(frozen=True)
class Read:
    """One picture of the half that was not enrolled: what was said, and what would be, were its symbol unknown."""

    picture: Shown
    symbol: str | None
    why: str
    unknown: str | None

    @property
    def outcome(self) -> str:
        if self.picture.symbol == EMPTY and self.symbol is None:
            return "correct"
        if self.symbol is None:
            return "abstained"
        return "correct" if self.symbol == self.picture.symbol else "misread"


def one_half(pictures: Sequence[Shown], kind: ViewKind, seed: int, enrolled: int) -> list[Read]:
    """Enrol `enrolled` pictures of each symbol, read the others."""
    rng = np.random.default_rng(seed)
    samples, rest = [], []
    for symbol in sorted({picture.symbol for picture in pictures}):
        own = [picture for picture in pictures if picture.symbol == symbol]
        order = rng.permutation(len(own)).tolist()
        for place, k in enumerate(order):
            if place < enrolled:
                samples += [Sample(symbol, view, pictures.index(own[k])) for view in own[k].views]
            else:
                rest.append(own[k])
    reader = reader_of(computed(samples, kind), kind)
    return [_read(picture, reader) for picture in rest]


def _read(picture: Shown, reader: DeckReader) -> Read:
    looks = [reader.model.look(view) for view in picture.views]
    symbols, own = reader.model.symbols, reader.model.symbols.index(picture.symbol)
    answer = together([judge(look, symbols, reader.bars) for look in looks]).answer
    for look in looks:
        look.alike[own] = look.edges[own] = -1.0
    unknown = together([judge(look, symbols, reader.bars) for look in looks]).answer
    return Read(picture, said(answer).symbol, answer.why, said(unknown).symbol)


def _pictures(root: Path, geometry: Geometry, kind: ViewKind) -> list[Shown]:
    found = []
    for one in find_labelled(root):
        image = read_picture(one.path)
        cards = cards_in(image, geometry, kind) if image is not None else []
        if cards:
            found.append(Shown(str(one.path), one.symbol, cards[0]))
    return found


def main(arguments: list[str]) -> int:
    """Print the table; status 1 where anything was misread."""
    parser = argparse.ArgumentParser(prog="python -m vision.evaluate_device", description=__doc__.splitlines()[0])
    parser.add_argument("root", type=Path)
    parser.add_argument("camera", type=Path)
    parser.add_argument("--halves", type=int, default=10)
    parser.add_argument("--enrol", type=int, default=7, help="pictures of each symbol that are enrolled")
    parser.add_argument("--list", action="store_true", help="name every picture that was not read right")
    asked = parser.parse_args(arguments)
    quiet_opencv()
    geometry = load_geometry(asked.camera)
    kind = kinds(geometry)[0]
    pictures = _pictures(asked.root, geometry, kind)
    every: list[Read] = []
    for seed in range(asked.halves):
        half = one_half(pictures, kind, seed, asked.enrol)
        every += half
        print(f"half {seed}: {_line(half)}", flush=True)
        for read in half if asked.list else []:
            if read.outcome != "correct":
                print(f"  {read.outcome} {read.picture.name}: {read.symbol} {read.why}")
    for name, group in _groups(every).items():
        print(f"{name}: {_line(group)}")
    return 1 if any(read.outcome == "misread" for read in every) else 0


def _groups(reads: Sequence[Read]) -> dict[str, list[Read]]:
    """By rank, by suit, what is no face, all."""
    groups: dict[str, list[Read]] = defaultdict(list)
    for read in sorted(reads, key=lambda read: read.picture.symbol):
        symbol = read.picture.symbol
        for name in (f"rank {symbol[0]}", f"suit {symbol[1]}") if len(symbol) == 2 else (symbol,):
            groups[name].append(read)
    return {**dict(sorted(groups.items())), "all": list(reads)}


def _line(reads: Sequence[Read]) -> str:
    count = Counter(read.outcome for read in reads)
    unknown = sum(read.unknown is not None for read in reads)
    bound = upper_bound(count["misread"], len(reads))
    return (
        f"{len(reads)} read, correct {count['correct']} ({count['correct'] / max(1, len(reads)):.2%}), misread "
        f"{count['misread']} (< {bound:.2%}), abstained {count['abstained']}; said for a card not enrolled: {unknown}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
