"""What the reader's own networks say of an enrolment's labels: whether the deck has usual letters, and which labels are
wrong.

Two folders under each other's names are told apart by their pictures as well as two right ones, so reading again
finds nothing: only somebody who knows the letters sees it. What is then refused is `vision.enrol`'s.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.answer import UNCLEAR, Answer, abstain
from vision.deck_model import Sample
from vision.deck_views import ViewKind, indices
from vision.reads import Reads

Image = NDArray[np.uint8]

USUAL = 0.5  # of the faces that the networks must read, for a deck to have usual letters
_VIEWS = 3  # of a symbol; more say no more


@dataclass(frozen=True)
class Labels:
    """`letters`: "usual" where the networks read these faces as they are labelled, else "own".

    `wrong`: a line for each label that must be another's; `odd`: one for each that the networks contradict without
    that being certain.
    """

    letters: str
    wrong: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)


def judge_labels(samples: Sequence[Sample], kind: ViewKind, networks: Reads) -> Labels:
    """By views of faces.

    A label is wrong where the networks read the deck, take this symbol's pictures for another card, and do not know
    that other card under its own name too: a letter of the deck's own that looks like another's (a jack's like an 8)
    is found beside that other one.
    """
    said = {symbol: Counter(_answers(views, kind, networks)) for symbol, views in _chosen(samples).items()}
    read = {symbol: Counter({other: n for other, n in found.items() if other}) for symbol, found in said.items()}
    shown = {symbol: found.most_common(1)[0] for symbol, found in read.items() if found}
    known = len(shown) >= USUAL * len(said)
    others = {
        symbol: other
        for symbol, (other, times) in shown.items()
        if other != symbol and 2 * times > read[symbol].total() and shown.get(other, ("", 0))[0] != other
    }
    if known and others:
        return Labels("own", [f"{symbol}: its pictures show {other}" for symbol, other in others.items()])
    agreed = sum(found[symbol] for symbol, found in said.items())
    if agreed < USUAL * sum(found.total() for found in said.values()):
        return Labels("own")
    odd = [
        f"{symbol}: the reader's own networks say {other}"
        for symbol, found in read.items()
        for other in found
        if other != symbol
    ]
    return Labels("own" if odd else "usual", [], odd)


def by_networks(views: Sequence[Image], kind: ViewKind, networks: Reads) -> Answer:
    """What the networks say of one card by its views: one symbol, none of them another."""
    answers = [networks.read(patch) for view in views for patch in indices(view, kind)]
    said = {answer.symbol for answer in answers if answer.symbol is not None}
    return max(answers, key=lambda a: a.confidence if a.symbol else -1.0) if len(said) == 1 else abstain(UNCLEAR)


def _chosen(samples: Sequence[Sample]) -> dict[str, list[Image]]:
    """Some views of each symbol, spread over all that it has."""
    views: dict[str, list[Image]] = defaultdict(list)
    for sample in samples:
        views[sample.symbol].append(sample.view)
    return {symbol: own[:: -(-len(own) // _VIEWS)] for symbol, own in views.items()}


def _answers(views: Sequence[Image], kind: ViewKind, networks: Reads) -> list[str]:
    """What they say of each view; empty where they say nothing."""
    return [by_networks([view], kind, networks).symbol or "" for view in views]
