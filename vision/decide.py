"""Two ways of reading an index and the ink's colour must agree before a face is said.

The index network sees the whole corner, the glyph network two single glyphs that `vision.glyphs` cut out by
geometry, the colour is measured, not learnt. None of the three is ever outvoted: one that is unsure or says
otherwise makes an abstention. Which pictures to read, and agreement between pictures, is left to `vision.passage`
and `vision.still`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.answer import UNCLEAR, Answer, abstain
from vision.colour import is_red, redness
from vision.glyphs import Glyphs, glyph_candidates
from vision.networks import GLYPH_CLASSES, RANK_CLASSES, REJECT, SUIT_CLASSES, GlyphNet, IndexNet

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

# Least probability that each way must give its own answer: chosen on slot pictures and spoilt patches of the one half
# of the designs outside training, measured on the other half (models/CARD.md). What blur does to a pip (a club's leaves
# run together to a spade) it does to both ways; ranks keep apart longer.
INDEX_FROM = 0.7
GLYPH_RANK_FROM = 0.6
GLYPH_SUIT_FROM = 0.98
AGAINST_FROM = 0.9, 0.9
_INDEX_AT_ONCE = 0.9  # less sure: the corner is looked at again
# How: scaled, moved across and down (px). A network's doubt at one place in the patch is often not there beside it.
_AGAIN = ((1.0, 2, 0), (1.0, -2, 0), (1.0, 0, 2), (1.0, 0, -2), (0.93, 0, 0), (1.07, 0, 0))
_RED_SUITS = "hd"


@dataclass(frozen=True)
class Opinion:
    """What one way of reading says of one patch: rank and suit (`?`: none of them), and how probable each is to it."""

    rank: str
    suit: str
    rank_confidence: float
    suit_confidence: float

    @property
    def confidence(self) -> float:
        """The lesser of both."""
        return min(self.rank_confidence, self.suit_confidence)

    def sure(self, rank_from: float, suit_from: float) -> bool:
        """Whether it says a rank and something for a suit, each at least that probable."""
        says = REJECT not in (self.rank, self.suit)
        return says and self.rank_confidence >= rank_from and self.suit_confidence >= suit_from


class FaceReader:
    """Reads faces out of corner patches. The networks are loaded once; one thread only."""

    def __init__(self, index: IndexNet | None = None, glyph: GlyphNet | None = None) -> None:
        self._index = index if index is not None else IndexNet()
        self._glyph = glyph if glyph is not None else GlyphNet()

    def read(self, patch: Image) -> Answer:
        """The face that a patch shows, or why none is said."""
        for glyphs in glyph_candidates(patch):
            shapes = self.by_glyphs(glyphs)
            if shapes.sure(GLYPH_RANK_FROM, GLYPH_SUIT_FROM):
                whole = self.by_index([patch])[0]
                return decide(whole, shapes, is_red(redness(patch, glyphs.ink, glyphs.suit)))
        return abstain(UNCLEAR)  # the cheaper way first: the other is not asked where this one does not know

    def against(self, patch: Image, symbol: str) -> bool:
        """Whether either way surely sees another face than `symbol` in a patch: not enough to say it, enough to
        doubt."""
        opinions = [*self.by_index([patch]), *(self.by_glyphs(glyphs) for glyphs in glyph_candidates(patch))]
        return any(opinion.sure(*AGAINST_FROM) and _symbol(opinion) != symbol for opinion in opinions)

    def by_index(self, patches: Sequence[Image]) -> list[Opinion]:
        """The whole corners, each by itself; one that is not clear at once as the mean of several looks."""
        answer = self._index.read(patches)
        opinions = [_of_index(rank, suit) for rank, suit in zip(answer.rank, answer.suit, strict=True)]
        return [
            opinion if opinion.sure(_INDEX_AT_ONCE, _INDEX_AT_ONCE) else self._again(patch)
            for patch, opinion in zip(patches, opinions, strict=True)
        ]

    def _again(self, patch: Image) -> Opinion:
        answer = self._index.read([patch, *(_moved(patch, *how) for how in _AGAIN)])
        return _of_index(answer.rank.mean(axis=0), answer.suit.mean(axis=0))

    def by_glyphs(self, glyphs: Glyphs) -> Opinion:
        """The two glyphs, each by its shape alone; a rank where the suit should be counts as neither."""
        rank, suit = self._glyph.read([glyphs.rank_picture, glyphs.suit_picture])
        return _opinion(rank, suit, GLYPH_CLASSES, GLYPH_CLASSES)


def decide(whole: Opinion, shapes: Opinion, red: bool | None) -> Answer:
    """The face that both ways and the colour say, or an abstention. `red` None: the colour is undecided."""
    confidence = min(whole.confidence, shapes.confidence)
    sure = whole.sure(INDEX_FROM, INDEX_FROM) and shapes.sure(GLYPH_RANK_FROM, GLYPH_SUIT_FROM)
    if not sure or (whole.rank, whole.suit) != (shapes.rank, shapes.suit):
        return abstain(UNCLEAR, confidence)
    if whole.suit not in SUIT_CLASSES or red is not (whole.suit in _RED_SUITS):
        return abstain("colour unclear" if red is None else "shape and colour disagree", confidence)
    return Answer(_symbol(whole), confidence)


def _symbol(opinion: Opinion) -> str:
    return ("T" if opinion.rank == "10" else opinion.rank) + opinion.suit


def _moved(patch: Image, scale: float, across: int, down: int) -> Image:
    matrix = np.array([[scale, 0.0, across], [0.0, scale, down]])
    size = patch.shape[1], patch.shape[0]
    return np.asarray(cv2.warpAffine(patch, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _of_index(rank: Floats, suit: Floats) -> Opinion:
    return _opinion(rank, suit, RANK_CLASSES, SUIT_CLASSES)


def _opinion(rank: Floats, suit: Floats, ranks: Sequence[str], suits: Sequence[str]) -> Opinion:
    best_rank, best_suit = int(rank.argmax()), int(suit.argmax())
    return Opinion(ranks[best_rank], suits[best_suit], float(rank[best_rank]), float(suit[best_suit]))
