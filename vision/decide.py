"""Two ways of reading an index and the ink's colour must agree before a face is said.

The index network sees the whole corner, the glyph network two single glyphs that `vision.glyphs` cut out by
geometry, the colour is measured, not learnt. None of the three is ever outvoted: one that is unsure or says
otherwise makes an abstention. Which pictures to read, and agreement between pictures, is left to `vision.passage`
and `vision.still`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.answer import UNCLEAR, Answer, abstain
from vision.colour import is_red, redness
from vision.glyphs import Glyphs, find_glyphs
from vision.networks import GLYPH_CLASSES, RANK_CLASSES, REJECT, SUIT_CLASSES, GlyphNet, IndexNet

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

# Least probability that each way must give its own answer: chosen on patches blurred until a third could not be read,
# of designs outside training (docs/vision.md): there no wrong symbol was left at 0.95 and above.
INDEX_FROM = 0.6
GLYPH_FROM = 0.97
_RED_SUITS = "hd"


@dataclass(frozen=True)
class Opinion:
    """What one way of reading says of one patch: rank and suit (`?`: none of them) and its least probability."""

    rank: str
    suit: str
    confidence: float


class FaceReader:
    """Reads faces out of corner patches. The networks are loaded once; one thread only."""

    def __init__(self, index: IndexNet | None = None, glyph: GlyphNet | None = None) -> None:
        self._index = index if index is not None else IndexNet()
        self._glyph = glyph if glyph is not None else GlyphNet()

    def read(self, patch: Image) -> Answer:
        """The face that a patch shows, or why none is said."""
        glyphs = find_glyphs(patch)
        if glyphs is None:
            return abstain(UNCLEAR)
        shapes = self.by_glyphs(glyphs)
        if shapes.confidence < GLYPH_FROM or REJECT in (shapes.rank, shapes.suit):
            return abstain(UNCLEAR)  # the cheaper way first: the other is not asked where this one does not know
        whole = self.by_index([patch])[0]
        return decide(whole, shapes, is_red(redness(patch, glyphs.ink, glyphs.suit)))

    def by_index(self, patches: Sequence[Image]) -> list[Opinion]:
        """The whole corners, each by itself."""
        answer = self._index.read(patches)
        return [
            _opinion(rank, suit, RANK_CLASSES, SUIT_CLASSES)
            for rank, suit in zip(answer.rank, answer.suit, strict=True)
        ]

    def by_glyphs(self, glyphs: Glyphs) -> Opinion:
        """The two glyphs, each by its shape alone; a rank where the suit should be counts as neither."""
        rank, suit = self._glyph.read([glyphs.rank_picture, glyphs.suit_picture])
        return _opinion(rank, suit, GLYPH_CLASSES, GLYPH_CLASSES)


def decide(whole: Opinion, shapes: Opinion, red: bool | None) -> Answer:
    """The face that both ways and the colour say, or an abstention. `red` None: the colour is undecided."""
    confidence = min(whole.confidence, shapes.confidence)
    if REJECT in (whole.rank, whole.suit, shapes.rank, shapes.suit) or (whole.rank, whole.suit) != (
        shapes.rank,
        shapes.suit,
    ):
        return abstain(UNCLEAR, confidence)
    if whole.confidence < INDEX_FROM or shapes.confidence < GLYPH_FROM:
        return abstain(UNCLEAR, confidence)
    if whole.suit not in SUIT_CLASSES or red is not (whole.suit in _RED_SUITS):
        return abstain("colour unclear" if red is None else "shape and colour disagree", confidence)
    return Answer(("T" if whole.rank == "10" else whole.rank) + whole.suit, confidence)


def _opinion(rank: Floats, suit: Floats, ranks: Sequence[str], suits: Sequence[str]) -> Opinion:
    best_rank, best_suit = int(rank.argmax()), int(suit.argmax())
    return Opinion(ranks[best_rank], suits[best_suit], float(min(rank[best_rank], suit[best_suit])))
