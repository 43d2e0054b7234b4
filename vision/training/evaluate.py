"""How well do the networks read designs that they never saw? One line a design: each way alone, both agreed, the rule.

    python -m vision.training.evaluate FOLDER_OF_DESIGNS [DESIGN … | --half B] --copies 6

A design is a folder of faces (`10H.png`); each face is laid on grounds and spoilt as in training, every second one
gently, with other random numbers. Cells are correct / misread / abstained, at the thresholds of `vision.decide`. What
is chosen by looking at these figures is chosen on half A; half B is only measured (`CARD.md`).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour import is_red, redness
from vision.decide import GLYPH_RANK_FROM, GLYPH_SUIT_FROM, INDEX_FROM, FaceReader, Opinion, decide
from vision.evaluate import upper_bound
from vision.glyphs import glyph_candidates
from vision.networks import MODELS, RANKS, REJECT, SUITS, GlyphNet, IndexNet
from vision.training.faces import Face, art_faces, corner_of_face
from vision.training.fonts import FontBook
from vision.training.marks import Supplies, make_pips
from vision.training.negatives import MAKERS
from vision.training.spoil import Patch, spoil
from vision.training.textures import make_courts, make_grounds

Image = NDArray[np.uint8]

# Designs with usual letters that nothing is trained on; families stand on one side.
HALVES = {
    "A": (
        *("aisleriot_anglo", "aisleriot_anglo_modern", "aisleriot_anglo_modern_4_color", "aisleriot_atlasnye"),
        *("aisleriot_gnomangelo", "aisleriot_bellot", "htdebeer_svgcards", "linux1306_ramino", "cardsjs_aguilar"),
        "npm_younestouati",
    ),
    "B": (
        *("aisleriot_bonded", "aisleriot_dondorf", "kde_dondorf", "aisleriot_neoclassical"),
        *("aisleriot_neoclassical_4_color", "aisleriot_orell", "aisleriot_paris", "kde_gm-paris"),
        *("aisleriot_tango", "aisleriot_tigullio", "kde_penguins", "kde_standard"),
    ),
}
THRESHOLDS = ((0.4, 0.7, 0.95), (0.5, 0.5, 0.9), (0.7, 0.6, 0.95), (0.7, 0.6, 0.98), (0.9, 0.9, 0.98))


@dataclass(frozen=True)
class Limits:
    """The least probabilities that are asked, as in `vision.decide`."""

    index: float = INDEX_FROM
    rank: float = GLYPH_RANK_FROM
    suit: float = GLYPH_SUIT_FROM


@dataclass(frozen=True)
class Trial:
    """One patch: what the index network says, and the glyph network with the measured colour of every cut."""

    truth: str
    index: Opinion
    cuts: tuple[tuple[Opinion, bool | None], ...]
    picture: Image


Way = Callable[[Trial, Limits], str | None]


def by_index(trial: Trial, limits: Limits) -> str | None:
    return trial.index.rank + trial.index.suit if trial.index.sure(limits.index, limits.index) else None


def by_glyphs(trial: Trial, limits: Limits) -> str | None:
    cut = _sure_cut(trial, limits)
    return None if cut is None else cut[0].rank + cut[0].suit


def both(trial: Trial, limits: Limits) -> str | None:
    said = by_index(trial, limits)
    return said if said == by_glyphs(trial, limits) else None


def rule(trial: Trial, limits: Limits) -> str | None:
    """As `vision.decide`, colour and all; at its own thresholds its very function is asked."""
    cut = _sure_cut(trial, limits)
    if cut is None:
        return None
    if limits == Limits():
        symbol = decide(trial.index, *cut).symbol
        return None if symbol is None else symbol.replace("T", "10")
    said = both(trial, limits)
    return said if said is not None and cut[1] is (said[-1] in "hd") else None


WAYS: dict[str, Way] = {"index": by_index, "glyph": by_glyphs, "both": both, "rule": rule}


def _sure_cut(trial: Trial, limits: Limits) -> tuple[Opinion, bool | None] | None:
    return next((cut for cut in trial.cuts if cut[0].sure(limits.rank, limits.suit)), None)


def trials(reader: FaceReader, faces: list[Face], supplies: Supplies, copies: int, seed: int) -> Iterator[Trial]:
    """Every face `copies` times. Patches that cut the index are left out."""
    rng = np.random.default_rng(seed)
    for face in faces:
        for copy in range(copies):
            patch = spoil(rng, corner_of_face(rng, supplies, face), gentle=copy % 2 == 0)
            if patch.rank in (None, REJECT) or patch.suit in (None, REJECT):
                continue
            yield look(reader, face.rank + face.suit, patch)


def look(reader: FaceReader, truth: str, patch: Patch) -> Trial:
    cuts = tuple(
        (reader.by_glyphs(glyphs), is_red(redness(patch.picture, glyphs.ink, glyphs.suit)))
        for glyphs in glyph_candidates(patch.picture)
    )
    return Trial(truth, reader.by_index([patch.picture])[0], cuts, patch.picture)


def outcome(truth: str, said: str | None) -> str:
    return "abstained" if said is None else "correct" if said == truth else "misread"


def line(name: str, results: list[Trial], limits: Limits) -> str:
    cells = []
    for way, asked in WAYS.items():
        count = Counter(outcome(trial.truth, asked(trial, limits)) for trial in results)
        cells.append(f"{way} {count['correct']:5} / {count['misread']:3} / {count['abstained']:4}")
    return f"{name:30} {len(results):5}   " + "   ".join(cells)


def print_refused(reader: FaceReader, count: int, seed: int, keep: Path | None) -> None:
    """What must be refused, drawn anew: in how many did each way say a whole card all the same?"""
    rng = np.random.default_rng([seed, 3])
    supplies = Supplies(FontBook(), make_pips(rng, 100), make_courts(rng, 20), make_grounds(rng, 20))
    for maker, _ in MAKERS:
        patches = [spoil(rng, maker(rng, supplies)) for _ in range(count)]
        results = [look(reader, "", patch) for patch in patches if REJECT in (patch.rank, patch.suit)]
        cells = [f"{way} {sum(said(t, Limits()) is not None for t in results):4}" for way, said in WAYS.items()]
        print(f"{maker.__name__:14} {len(results):5}   said by " + "   ".join(cells), flush=True)
        for number, trial in enumerate(results):
            said = rule(trial, Limits())
            if keep is not None and said is not None:
                cv2.imwrite(str(keep / f"{maker.__name__} {said} {number}.png"), trial.picture)


def print_groups(results: list[Trial]) -> None:
    """By rank, by suit, by thresholds; then how often two ways said the same wrong symbol."""
    for name in (*RANKS, *SUITS):
        part = [t for t in results if (t.truth[-1] == name if name in SUITS else t.truth[:-1] == name)]
        print(line(name, part, Limits()))
    for thresholds in THRESHOLDS:
        print(line(f"from {thresholds}", results, Limits(*thresholds)))
    wrong = sum(outcome(t.truth, both(t, Limits())) == "misread" for t in results)
    print(f"misread of both: {wrong} of {len(results)}, below {100 * upper_bound(wrong, len(results)):.3f} % (95 %)")
    same = sum(outcome(t.truth, both(t, Limits(0.0, 0.0, 0.0))) == "misread" for t in results)
    print(f"both said the same wrong symbol, at whatever probability: {same}")


def keep_failures(folder: Path, results: list[Trial]) -> None:
    """The pictures that the rule got wrong or left out, named by what was said."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, trial in enumerate(results):
        if rule(trial, Limits()) == trial.truth:
            continue
        said = [trial.index, *(cut[0] for cut in trial.cuts[:1])]
        names = " ".join(f"{o.rank}{o.suit} {o.confidence:.2f}" for o in said)
        cv2.imwrite(str(folder / f"{trial.truth} {names} {number}.png".replace("?", "x")), trial.picture)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m vision.training.evaluate")
    parser.add_argument("root", type=Path)
    parser.add_argument("designs", nargs="*")
    parser.add_argument("--half", choices=sorted(HALVES), help="the designs of one half, where none are named")
    parser.add_argument("--copies", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", type=Path, default=MODELS)
    parser.add_argument("--keep", type=Path, help="folder for pictures of misreads and abstentions")
    parser.add_argument("--refused", type=int, default=0, help="pictures of each kind to be refused (needs fonts)")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    reader = FaceReader(IndexNet(options.models / "index.onnx"), GlyphNet(options.models / "glyph.onnx"))
    supplies = Supplies(fonts=None, grounds=make_grounds(np.random.default_rng(options.seed), 40))  # type: ignore[arg-type]
    everything: list[Trial] = []
    for name in options.designs or (HALVES[options.half] if options.half else sum(HALVES.values(), ())):
        results = list(trials(reader, art_faces(options.root / name), supplies, options.copies, options.seed))
        print(line(name, results, Limits()), flush=True)
        everything += results
        if options.keep is not None:
            keep_failures(options.keep / name, results)
    print(line("all", everything, Limits()))
    print_groups(everything)
    if options.refused:
        print_refused(reader, options.refused, options.seed, options.keep)
    return 1 if any(outcome(t.truth, rule(t, Limits())) == "misread" for t in everything) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
