"""How sure an enrolled deck's reader must be, measured on its own pictures: each compared with templates made
without it.

In fold k the k-th picture of every symbol is left out; a symbol with one picture stays in and lends spoilt copies of
it instead. What is measured: how well the right symbol scores, how well the best wrong one does, for each way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.deck_model import DeckModel, Look, Prepared, Sample, spoil
from vision.likeness import ViewShape

Floats = NDArray[np.float32]

WAYS = ("alike", "edges")
LEAST_MARGIN = 0.2  # of the way from half way between two symbols to one of them; less tells none apart
_SAME = 0.995  # two symbols' templates as near as this are one picture
_BAR = 0.35  # of the way from the best wrong score on a symbol to its own worst right one
_FLOOR = 3.0  # no bar of aligned views lies farther below the tail than so often what it lacks to a perfect score
_MARGIN = 0.4  # of the least margin that all but one in a hundred pictures left out had
_TAIL = 5  # per cent: a symbol with few pictures is taken to vary as the deck's worst twentieth does
_REDNESS_SLACK = 0.12
_COPIES = 3  # spoilt copies of a symbol's only picture


@dataclass(frozen=True)
class Left:
    """One view, compared with templates made without its picture. `copy`: a spoilt copy of a symbol's only one."""

    symbol: str
    picture: int
    fold: int
    copy: bool
    look: Look


@dataclass(frozen=True)
class Bars:
    """What reading asks for. Per symbol, in the model's order: the least score of each way, the redness with its
    slack; per pair how near the two are; the least margin of each way."""

    alike: Floats
    edges: Floats
    near_alike: Floats
    near_edges: Floats
    redness: Floats
    slack: float
    margin_alike: float
    margin_edges: float


def leave_out(samples: Sequence[Sample], prepared: Sequence[Prepared], shape: ViewShape) -> list[Left]:
    """Read every picture by a model made without it; the folds' models are thrown away."""
    fold = _folds(samples)
    pictures = Counter(symbol for symbol, _ in {(s.symbol, s.picture) for s in samples})
    single = {symbol for symbol, count in pictures.items() if count == 1}
    found: list[Left] = []
    for k in range(max(fold.values()) + 1):
        out = [p for p in prepared if fold[p.picture] == k and p.symbol not in single]
        if out:
            gone = {p.picture for p in out}
            model = DeckModel.fit([p for p in prepared if p.picture not in gone], shape)
            for p in out:
                look = model.compare(p.raised, p.described, p.redness)
                found.append(Left(p.symbol, p.picture, k, False, look))
    return found + _copies([s for s in samples if s.symbol in single], prepared, shape)


def margins(scores: Floats, of: int, near: Floats) -> Floats:
    """How far a view is on the side of symbol `of` against each other symbol: 1 at its template, 0 half way.

    Measured in parts of how far the two templates are apart, so that two suits that differ by one small pip are
    told apart as surely as an ace and a king.
    """
    found = (scores[of] - scores) / (1.0 - near[of] + 1e-3)
    found[of] = np.inf
    return np.asarray(found, np.float32)


def set_bars(lefts: Sequence[Left], model: DeckModel) -> Bars:
    """The bars that these comparisons ask for."""
    symbols, near = model.symbols, dict(zip(WAYS, model.nearness(), strict=True))
    owner = np.array([symbols.index(left.symbol) for left in lefts])
    bar, margin = {}, {}
    for way in WAYS:
        scores = np.stack([getattr(left.look, way) for left in lefts])
        own = scores[np.arange(len(lefts)), owner]
        others = scores.copy()
        others[np.arange(len(lefts)), owner] = -1.0
        wrong = others.max(axis=0)
        rising = wrong + _BAR * np.maximum(_worst(own, owner, len(symbols)) - wrong, 0.0)
        bar[way] = np.maximum(rising, _floor(own) if model.shape.align else -1.0).astype(np.float32)
        least = [margins(row, k, near[way]).min() for row, k in zip(scores, owner.tolist(), strict=True)]
        margin[way] = max(LEAST_MARGIN, _MARGIN * float(np.percentile(least, 1)))
    red, slack = _redness([left.look.redness for left in lefts], owner, len(symbols))
    return Bars(
        alike=bar["alike"],
        edges=bar["edges"],
        near_alike=near["alike"],
        near_edges=near["edges"],
        redness=red,
        slack=slack,
        margin_alike=margin["alike"],
        margin_edges=margin["edges"],
    )


def too_alike(lefts: Sequence[Left], model: DeckModel, usual: bool) -> list[tuple[str, str]]:
    """Pairs of symbols whose templates are the same, or of which most pictures of one are hardly on its own side.

    A deck that is read alone needs every way to tell them apart; one with `usual` letters, which the networks read
    too, needs one.
    """
    symbols, near = model.symbols, dict(zip(WAYS, model.nearness(), strict=True))
    same = np.triu(np.minimum(near["alike"], near["edges"]) > _SAME, 1)
    found = {tuple(sorted((symbols[a], symbols[b]))) for a, b in np.argwhere(same).tolist()}
    pairs: Counter[tuple[str, str]] = Counter()
    for left in lefts:
        if left.look.alike.max() < 0.0:  # like no card at all: that says nothing of two
            continue
        own = symbols.index(left.symbol)
        ways = [margins(getattr(left.look, way), own, near[way]) < LEAST_MARGIN for way in WAYS]
        close = np.logical_and(*ways) if usual else np.logical_or(*ways)
        pairs.update((left.symbol, symbols[k]) for k in np.flatnonzero(close).tolist())
    count = Counter(left.symbol for left in lefts)
    found |= {tuple(sorted(pair)) for pair, often in pairs.items() if 2 * often > count[pair[0]]}
    return sorted((pair[0], pair[1]) for pair in found)


def _folds(samples: Sequence[Sample]) -> dict[int, int]:
    """Which picture of its symbol each picture is, from 0."""
    count: Counter[str] = Counter()
    fold: dict[int, int] = {}
    for sample in samples:
        if sample.picture not in fold:
            fold[sample.picture] = count[sample.symbol]
            count[sample.symbol] += 1
    return fold


def _copies(single: Sequence[Sample], prepared: Sequence[Prepared], shape: ViewShape) -> list[Left]:
    if not single:
        return []
    rng = np.random.default_rng(2)
    model = DeckModel.fit(prepared, shape)
    return [
        Left(sample.symbol, sample.picture, -1, True, model.look(spoil(sample.view, rng)))
        for sample in single
        for _ in range(_COPIES)
    ]


def _worst(own: Floats, owner: NDArray[np.int64], count: int) -> Floats:
    """The worst right score of each symbol, or the deck's tail where that is worse still."""
    tail = float(np.percentile(own, _TAIL))
    return np.array([min(tail, float(own[owner == k].min(initial=1.0))) for k in range(count)], np.float32)


def _floor(own: Floats) -> float:
    """The least bar: a card that no other enrolled one is like still has to look like itself.

    Among a photograph's outlines are such as hold half a card, which the pictures left out never show.
    """
    tail = float(np.percentile(own, _TAIL))
    return tail - _FLOOR * (1.0 - tail)


def _redness(values: Sequence[float], owner: NDArray[np.int64], count: int) -> tuple[Floats, float]:
    measured = np.asarray(values, np.float32)
    middle = np.array([np.median(measured[owner == k]) if (owner == k).any() else 0.0 for k in range(count)])
    off = np.abs(measured - middle[owner])
    return middle.astype(np.float32), _REDNESS_SLACK + float(np.percentile(off, 99))
