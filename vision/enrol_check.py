"""An enrolment checks itself: every picture is read again by a profile that was made without it, by the very rule that
will read later. Says which pictures and which pairs of symbols are in the way; what is done then is `vision.enrol`'s.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.answer import UNCLEAR, Answer, abstain
from vision.deck_measure import Left, set_bars
from vision.deck_model import DeckModel, Sample
from vision.deck_reader import Verdict, beside_networks, judge, together
from vision.deck_views import ViewKind, indices
from vision.reads import Reads

Image = NDArray[np.uint8]

USUAL = 0.5  # of the faces that the networks must read right, for a deck to have usual letters
_NETWORKS_LOOK_AT = 104  # views; more say no more


@dataclass(frozen=True)
class Shown:
    """One labelled picture, already cut into the views of its card; none where no card was found in it."""

    name: str
    symbol: str
    views: list[Image]


@dataclass(frozen=True)
class ReadAgain:
    """How many pictures were read again; a line for each that was misread, and for each that was not read."""

    count: int
    misread: list[str]
    silent: list[str]


def read_again(
    shown: Sequence[Shown], lefts: Sequence[Left], model: DeckModel, kind: ViewKind, networks: Reads | None
) -> ReadAgain:
    """Judge each picture by the bars of the other folds; `networks` read beside it where the deck's letters are usual.

    `lefts` name pictures by their number in `shown`, from 1.
    """
    views: dict[int, list[Left]] = defaultdict(list)
    for left in lefts:
        if not left.copy:
            views[left.picture].append(left)
    bars = {fold: set_bars([o for o in lefts if o.fold != fold] or lefts, model) for fold in {o.fold for o in lefts}}
    misread, silent = [], []
    for picture, own in views.items():
        one = shown[picture - 1]
        verdict = together([judge(left.look, model.symbols, bars[left.fold]) for left in own])
        answer = (
            verdict.answer if networks is None else beside_networks(verdict, _by_networks(one.views, kind, networks))
        )
        if answer.symbol is None:
            silent.append(f"{one.name}: {one.symbol} was not read ({answer.why}{_rather(one.symbol, verdict)})")
        elif answer.symbol != one.symbol:
            misread.append(f"{one.name}: {one.symbol} was read as {answer.symbol}")
    return ReadAgain(len(views), misread, silent)


def letters_of(samples: Sequence[Sample], kind: ViewKind, networks: Reads) -> tuple[str, list[str]]:
    """Whether the networks read these views of faces ("usual" or "own"), and what they say against the labels."""
    looked = samples[:: max(1, len(samples) // _NETWORKS_LOOK_AT)]
    answers = [(sample.symbol, _by_networks([sample.view], kind, networks).symbol) for sample in looked]
    outcome = Counter(symbol == said for symbol, said in answers if said is not None)
    if outcome[True] < USUAL * len(looked):
        return "own", []
    against = [
        f"{symbol}: the reader's own networks say {said}" for symbol, said in answers if said not in (None, symbol)
    ]
    return ("own" if against else "usual"), against


def _rather(symbol: str, verdict: Verdict) -> str:
    """What a picture is likest, where every way finds the same other symbol: it may lie under a wrong name."""
    near = set(verdict.near)
    return f", likest {next(iter(near))}" if len(near) == 1 and symbol not in near else ""


def _by_networks(views: Sequence[Image], kind: ViewKind, networks: Reads) -> Answer:
    """What the networks say of one card by its views: one symbol, none of them another."""
    answers = [networks.read(patch) for view in views for patch in indices(view, kind)]
    said = {answer.symbol for answer in answers if answer.symbol is not None}
    return max(answers, key=lambda a: a.confidence if a.symbol else -1.0) if len(said) == 1 else abstain(UNCLEAR)
