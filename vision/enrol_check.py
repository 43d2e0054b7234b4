"""An enrolment checks itself: every picture is read again by a profile that was made without it, by the very rule that
will read later. Says which pictures and which pairs of symbols are in the way; what is done then is `vision.enrol`'s.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.deck_measure import Left, set_bars
from vision.deck_model import DeckModel
from vision.deck_reader import Verdict, beside_networks, judge, together
from vision.deck_views import ViewKind
from vision.enrol_labels import by_networks
from vision.reads import Reads

Image = NDArray[np.uint8]


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
            verdict.answer if networks is None else beside_networks(verdict, by_networks(one.views, kind, networks))
        )
        if answer.symbol is None:
            silent.append(f"{one.name}: {one.symbol} was not read ({answer.why}{_rather(one.symbol, verdict)})")
        elif answer.symbol != one.symbol:
            misread.append(f"{one.name}: {one.symbol} was read as {answer.symbol}")
    return ReadAgain(len(views), misread, silent)


def _rather(symbol: str, verdict: Verdict) -> str:
    """What a picture is likest, where every way finds the same other symbol: it may lie under a wrong name."""
    near = set(verdict.near)
    return f", likest {next(iter(near))}" if len(near) == 1 and symbol not in near else ""
