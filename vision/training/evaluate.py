"""How well do the networks read designs that they never saw? One line a design: each way alone, and both agreed.

    python -m vision.training.evaluate FOLDER_OF_DESIGNS [DESIGN …] --copies 20

A design is a folder of faces (`10H.png`); each face is laid on grounds and spoilt as in training, with other random
numbers. Cells are correct / misread / abstained. What is chosen by looking at these figures is chosen on development
designs: `CARD.md` says which, and what the figures are on others.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evaluate import upper_bound
from vision.glyphs import find_glyphs
from vision.networks import GLYPH_CLASSES, MODELS, RANK_CLASSES, RANKS, REJECT, SUIT_CLASSES, SUITS, GlyphNet, IndexNet
from vision.training.faces import Face, art_faces, corner_of_face
from vision.training.fonts import FontBook
from vision.training.marks import Supplies, make_pips
from vision.training.negatives import MAKERS
from vision.training.spoil import Patch, spoil
from vision.training.textures import make_courts, make_grounds

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Said:
    """One way's answer to one patch: symbol and its least probability."""

    symbol: str
    confidence: float

    def at(self, threshold: float) -> str | None:
        return self.symbol if self.confidence >= threshold and REJECT not in self.symbol else None


@dataclass(frozen=True)
class Trial:
    truth: str
    index: Said
    glyph: Said
    picture: Image


def trials(faces: list[Face], supplies: Supplies, copies: int, seed: int, gentle: bool) -> Iterator[Trial]:
    """Every face `copies` times. Patches that cut the index are left out."""
    rng = np.random.default_rng(seed)
    index, glyph = _networks()
    for face in faces:
        for _ in range(copies):
            patch = spoil(rng, corner_of_face(rng, supplies, face), gentle)
            if patch.rank in (None, REJECT) or patch.suit in (None, REJECT):
                continue
            yield read(index, glyph, face.rank + face.suit, patch)


def read(index: IndexNet, glyph: GlyphNet, truth: str, patch: Patch) -> Trial:
    answer = index.read([patch.picture])
    whole = _said(answer.rank[0], answer.suit[0], RANK_CLASSES, SUIT_CLASSES)
    found = find_glyphs(patch.picture)
    shapes = Said(REJECT, 0.0)
    if found is not None:
        rank, suit = glyph.read([found.rank_picture, found.suit_picture])
        shapes = _said(rank, suit, GLYPH_CLASSES, GLYPH_CLASSES)
    return Trial(truth, whole, shapes, patch.picture)


_LOADED: dict[Path, tuple[IndexNet, GlyphNet]] = {}
_FOLDER = [MODELS]
_KEEP: list[Path] = []


def _networks() -> tuple[IndexNet, GlyphNet]:
    folder = _FOLDER[0]
    if folder not in _LOADED:
        _LOADED[folder] = IndexNet(folder / "index.onnx"), GlyphNet(folder / "glyph.onnx")
    return _LOADED[folder]


def _said(rank: NDArray[np.float32], suit: NDArray[np.float32], ranks: tuple[str, ...], suits: tuple[str, ...]) -> Said:
    best_rank, best_suit = int(rank.argmax()), int(suit.argmax())
    return Said(ranks[best_rank] + suits[best_suit], float(min(rank[best_rank], suit[best_suit])))


def outcome(truth: str, said: str | None) -> str:
    return "abstained" if said is None else "correct" if said == truth else "misread"


def both(trial: Trial, index_from: float, glyph_from: float) -> str | None:
    whole, shapes = trial.index.at(index_from), trial.glyph.at(glyph_from)
    return whole if whole == shapes else None


def line(name: str, results: list[Trial], index_from: float, glyph_from: float) -> str:
    cells = []
    for said in (
        [trial.index.at(index_from) for trial in results],
        [trial.glyph.at(glyph_from) for trial in results],
        [both(trial, index_from, glyph_from) for trial in results],
    ):
        count = Counter(outcome(trial.truth, answer) for trial, answer in zip(results, said, strict=True))
        cells.append(f"{count['correct']:6} / {count['misread']:3} / {count['abstained']:5}")
    share = sum(both(trial, index_from, glyph_from) == trial.truth for trial in results) / max(1, len(results))
    return f"{name:30} {len(results):6}   index {cells[0]}   glyph {cells[1]}   both {cells[2]}   {100 * share:5.1f} %"


def print_refused(count: int, seed: int, index_from: float, glyph_from: float) -> None:
    """What must be refused, drawn anew: in how many did each way, and both, say a whole card all the same?"""
    rng = np.random.default_rng([seed, 3])
    supplies = Supplies(FontBook(), make_pips(rng, 100), make_courts(rng, 20), make_grounds(rng, 20))
    index, glyph = _networks()
    for maker, _ in MAKERS:
        patches = [spoil(rng, maker(rng, supplies)) for _ in range(count)]
        refused = [patch for patch in patches if REJECT in (patch.rank, patch.suit)]
        results = [read(index, glyph, "", patch) for patch in refused]
        by_index = sum(trial.index.at(index_from) is not None for trial in results)
        by_glyph = sum(trial.glyph.at(glyph_from) is not None for trial in results)
        agreed = [trial for trial in results if both(trial, index_from, glyph_from) is not None]
        cells = f"index {by_index:4}   glyph {by_glyph:4}   both {len(agreed):4}"
        print(f"{maker.__name__:14} {len(refused):5}   said by {cells}")
        for number, trial in enumerate(agreed):
            if _KEEP:
                cv2.imwrite(str(_KEEP[0] / f"{maker.__name__} {trial.index.symbol} {number}.png"), trial.picture)


def print_groups(results: list[Trial], index_from: float, glyph_from: float) -> None:
    """By rank and by suit; then how often both said the same wrong symbol."""
    for name in (*RANKS, *SUITS):
        part = [t for t in results if (t.truth[-1] == name if name in SUITS else t.truth[:-1] == name)]
        print(line(name, part, index_from, glyph_from))
    wrong = sum(outcome(t.truth, both(t, index_from, glyph_from)) == "misread" for t in results)
    print(f"misread of both: {wrong} of {len(results)}, below {100 * upper_bound(wrong, len(results)):.3f} % (95 %)")
    same = sum(t.index.symbol == t.glyph.symbol != t.truth and REJECT not in t.index.symbol for t in results)
    print(f"both said the same wrong symbol, at whatever confidence: {same}")


def print_thresholds(results: list[Trial]) -> None:
    """Correct in % and misread in numbers, of each way alone and of both, by the probability asked of each."""
    for threshold in (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98):
        cells = []
        for name, said in (
            ("index", [trial.index.at(threshold) for trial in results]),
            ("glyph", [trial.glyph.at(threshold) for trial in results]),
            ("both", [both(trial, threshold, threshold) for trial in results]),
        ):
            count = Counter(outcome(trial.truth, answer) for trial, answer in zip(results, said, strict=True))
            cells.append(f"{name} {100 * count['correct'] / max(1, len(results)):5.1f} % / {count['misread']:4}")
        print(f"from {threshold:4}:   " + "   ".join(cells))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m vision.training.evaluate")
    parser.add_argument("root", type=Path)
    parser.add_argument("designs", nargs="*")
    parser.add_argument("--copies", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gentle", action="store_true", help="spoilt as a decent camera would, not to the limit")
    parser.add_argument("--models", type=Path, default=MODELS)
    parser.add_argument("--index-from", type=float, default=0.6)
    parser.add_argument("--glyph-from", type=float, default=0.6)
    parser.add_argument("--keep", type=Path, help="folder for pictures of misreads and of clear failures")
    parser.add_argument("--refused", type=int, default=0, help="pictures of each kind to be refused (needs fonts)")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    _FOLDER[0] = options.models
    supplies = Supplies(fonts=None, grounds=make_grounds(np.random.default_rng(options.seed), 40))  # type: ignore[arg-type]
    if options.keep is not None:
        options.keep.mkdir(parents=True, exist_ok=True)
        _KEEP.append(options.keep)
    everything: list[Trial] = []
    for name in options.designs or sorted(path.name for path in options.root.iterdir() if (path / "10H.png").exists()):
        results = list(trials(art_faces(options.root / name), supplies, options.copies, options.seed, options.gentle))
        print(line(name, results, options.index_from, options.glyph_from), flush=True)
        everything += results
        if options.keep is not None:
            keep(options.keep / name, results, options.index_from, options.glyph_from)
    print(line("all", everything, options.index_from, options.glyph_from))
    print_groups(everything, options.index_from, options.glyph_from)
    print_thresholds(everything)
    if options.refused:
        print_refused(options.refused, options.seed, options.index_from, options.glyph_from)
    return (
        1
        if any(outcome(t.truth, both(t, options.index_from, options.glyph_from)) == "misread" for t in everything)
        else 0
    )


def keep(folder: Path, results: list[Trial], index_from: float, glyph_from: float) -> None:
    """The pictures that one way or both got wrong or left out, named by what was said."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, trial in enumerate(results):
        if both(trial, index_from, glyph_from) == trial.truth:
            continue
        name = (
            f"{trial.truth} index {trial.index.symbol} {trial.index.confidence:.2f}"
            f" glyph {trial.glyph.symbol} {trial.glyph.confidence:.2f} {number}.png"
        )
        cv2.imwrite(str(folder / name.replace("?", "x")), trial.picture)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
