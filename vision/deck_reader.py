"""Reads cards of an enrolled deck: likeness, edges and colour must all say the same symbol, each surely enough.

None of them is ever outvoted. What is unlike every enrolled card is not read; a near second symbol is not chosen
between. Beside the networks, where the deck has usual letters, neither may contradict the other. How views come from
pictures is `vision.deck_views`', how sure is sure enough `vision.deck_measure`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.answer import UNCLEAR, Answer, abstain
from vision.deck_measure import Bars, margins
from vision.deck_model import DeckModel, Look
from vision.plain import is_cut

Image = NDArray[np.uint8]

CUT = "cut"
_PLAIN_SURE = 0.9
NOT_ENROLLED = "unlike every enrolled card"
COLOUR = "colour unlike the enrolled card's"
CONTRADICTED = "deck and networks disagree"
VIEWS_DISAGREE = "corners disagree"


@dataclass(frozen=True)
class Verdict:
    """What the deck says of one view; `near`: the symbol that each way finds likest, however unsure; none where the
    view is like no card at all."""

    answer: Answer
    near: tuple[str, ...]


class DeckReader:
    """A deck's model with its bars."""

    def __init__(self, model: DeckModel, bars: Bars, cut: NDArray[np.float32]) -> None:
        """`cut`: the colour of a plain cut card, empty where none is known."""
        self.model, self.bars, self.cut = model, bars, cut

    def read(self, view: Image) -> Verdict:
        """One view."""
        if is_cut(view, self.cut):
            return Verdict(Answer(CUT, _PLAIN_SURE), (CUT,))
        return judge(self.model.look(view), self.model.symbols, self.bars)


def judge(look: Look, symbols: Sequence[str], bars: Bars) -> Verdict:
    """The symbol that both ways and the colour say, or an abstention."""
    first, second = int(look.alike.argmax()), int(look.edges.argmax())
    if look.alike[first] < 0.0:
        return Verdict(abstain(NOT_ENROLLED), ())
    near = (symbols[first], symbols[second])
    confidence = float(max(0.0, min(look.alike[first], look.edges[second])))
    if first != second:
        return Verdict(abstain(UNCLEAR, confidence), near)
    if look.alike[first] < bars.alike[first] or look.edges[first] < bars.edges[first]:
        return Verdict(abstain(NOT_ENROLLED, confidence), near)
    if (
        margins(look.alike, first, bars.near_alike).min() < bars.margin_alike
        or margins(look.edges, first, bars.near_edges).min() < bars.margin_edges
    ):
        return Verdict(abstain(UNCLEAR, confidence), near)
    if abs(look.redness - float(bars.redness[first])) > bars.slack:
        return Verdict(abstain(COLOUR, confidence), near)
    return Verdict(Answer(symbols[first], min(1.0, confidence)), near)


def together(verdicts: Sequence[Verdict]) -> Verdict:
    """What the views of one card say: one symbol, none of them another."""
    said = {v.answer.symbol for v in verdicts if v.answer.symbol is not None}
    near = tuple(symbol for v in verdicts for symbol in v.near)
    if len(said) > 1:
        return Verdict(abstain(VIEWS_DISAGREE), near)
    best = max((v.answer for v in verdicts), key=lambda answer: (answer.symbol is not None, answer.confidence))
    return Verdict(best, near)


def beside_networks(deck: Verdict, networks: Answer) -> Answer:
    """Deck and networks: what either says and the other does not contradict.

    Where the deck says nothing, one of its ways at least must find the networks' symbol likest.
    """
    said = deck.answer
    if said.symbol is not None and networks.symbol is not None:
        if said.symbol != networks.symbol:
            return abstain(CONTRADICTED, min(said.confidence, networks.confidence))
        return Answer(said.symbol, max(said.confidence, networks.confidence))
    if said.symbol is not None:
        return said
    if networks.symbol is not None:
        return networks if networks.symbol in deck.near else abstain(CONTRADICTED, networks.confidence)
    return said
