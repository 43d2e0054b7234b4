"""One free photograph: find the card, read its two corners, say a symbol where they allow it.

The outlines come from `vision.locate`, the reading of a corner from `vision.decide`. A photograph has no second
frame; its second witness is the card's other corner.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.answer import NO_CARD, TWO_CARDS, UNCLEAR, Answer, abstain
from vision.back_cut import VIEW_PX_PER_MM, is_bare, joker_along, plain_card, spells_joker, tell
from vision.decide import FaceReader
from vision.deck import Deck, open_deck
from vision.deck_pictures import read_frame, read_squared
from vision.geometry import Geometry
from vision.glyphs import PX_PER_MM
from vision.locate import Quad, covered, find_cards
from vision.locate_lines import find_by_lines
from vision.locate_more import another_card
from vision.locate_plain import edges, find_plain, ground_level
from vision.locate_print import find_by_print
from vision.quiet import quiet_opencv
from vision.squared import Squared, whole_picture

Image = NDArray[np.uint8]
ReadsCard = Callable[[Squared], Answer]

ONE_CORNER_FROM = 0.9  # confidence that a corner needs where the other says nothing
_NEARLY_SQUARE = 1.3  # a half card's sides are as 1.4 to 1, seen from above
DISAGREE = "corners disagree"
_APART = 0.1  # two cards' outlines share less than this


@dataclass(frozen=True)
class StillReading:
    """`symbol` None is an abstention with its `why`; `ms` is the time of reading alone."""

    symbol: str | None
    confidence: float
    why: str
    ms: float


@cache
def _reader() -> FaceReader:
    quiet_opencv()
    return FaceReader()


@lru_cache(maxsize=4)
def _deck(folder: str, geometry: Geometry) -> Deck:
    return open_deck(folder, geometry)


def read_still(
    image: Image, geometry: Geometry, deck: Deck | str | Path | None = None, reads: FaceReader | None = None
) -> StillReading:
    """Read a BGR photograph with one card anywhere in it (camera `free`), or with an enrolled deck one picture of
    any camera. `deck`: an enrolled one, or its folder.

    Raises ValueError for a picture of another type or size, a deck that cannot be used, or a camera that wants one.
    """
    if geometry.motion != "free" and deck is None:
        raise ValueError(
            f"a photograph is read with a free camera, not with one of motion {geometry.motion!r} (unless with --deck)"
        )
    if isinstance(deck, str | Path):
        deck = _deck(str(deck), geometry)
    if not isinstance(image, np.ndarray):
        raise ValueError(f"a picture is uint8 BGR, not {type(image).__name__}")
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        raise ValueError(f"a picture is uint8 BGR, not {image.dtype} {image.shape}")
    start = time.perf_counter()
    reads = reads if reads is not None else _reader()
    if deck is None:
        answer = _read(image, partial(read_card, reads=reads), partial(_both_ends, reads=reads), reads)
    elif geometry.motion == "free":
        enrolled = partial(_enrolled_card, deck=deck, reads=reads)
        answer = _read(image, enrolled, enrolled, reads if deck.usual else None)
    else:
        answer = read_frame(image, deck, reads)
    return StillReading(answer.symbol, answer.confidence, answer.why, 1000 * (time.perf_counter() - start))


def _enrolled_card(card: Squared, deck: Deck, reads: FaceReader) -> Answer:
    return read_squared(card, deck, read_card(card, reads) if deck.usual else abstain(UNCLEAR))


def _read(image: Image, card: ReadsCard, by_print: ReadsCard, reads: FaceReader | None) -> Answer:
    """`by_print` reads a card whose outline nothing shows, `reads` other cards' indices (None: they are unusual)."""
    if min(image.shape[:2]) < 32:
        return abstain(NO_CARD)
    quads = find_cards(image)
    read, disagree = _faces(image, quads, card)
    if not read and not disagree:
        read, disagree = _faces(image, find_by_print(image), by_print)
    if not read and not disagree:
        by_lines = find_by_lines(image)
        quads = quads + by_lines
        read, disagree = _faces(image, by_lines, card)
    if not read:
        return abstain(TWO_CARDS) if disagree else _nothing(image, quads, card)
    if len(read) > 1:
        apart = any(covered(b[0], a[0]) < _APART for a in read for b in read if a is not b)
        return abstain(TWO_CARDS if apart else UNCLEAR)
    quad, answer = read[0]
    if reads is not None and another_card(image, quad, str(answer.symbol), reads):
        return abstain(TWO_CARDS)
    return answer


def _both_ends(card: Squared, reads: FaceReader) -> Answer:
    """A card that was found by its print alone: both of its corners must say the same."""
    first, second = reads.read(card.patch(0)), reads.read(card.patch(2))
    if first.symbol is None or first.symbol != second.symbol:
        return abstain(UNCLEAR)
    return Answer(first.symbol, max(first.confidence, second.confidence))


def _faces(image: Image, quads: list[Quad], card: ReadsCard) -> tuple[list[tuple[Quad, Answer]], bool]:
    """The outlines that hold a face, each card once; and whether one's corners disagreed."""
    read: list[tuple[Quad, Answer]] = []
    disagree = False
    for quad in quads:
        if _known(quad, read):
            continue
        answer = card(Squared(image, quad))
        disagree |= answer.why == DISAGREE
        if answer.symbol is not None:
            read.append((quad, answer))
    return read, disagree


def _known(quad: Quad, read: list[tuple[Quad, Answer]]) -> bool:
    """Whether this card was read already by another outline of it."""
    return any(covered(quad, other) > 0.5 or covered(other, quad) > 0.5 for other, _ in read)


def _nothing(image: Image, quads: list[Quad], card: ReadsCard) -> Answer:
    """No outline held a face: the picture itself may be the card; else a back, a cut card, or nothing readable."""
    whole = whole_picture(image)
    answer = card(Squared(image, whole))
    if answer.symbol is not None:
        return answer
    real = [quad for quad in quads if quad.votes >= 3 and _stands_out(image, quad)]
    for quad in real:
        other = _no_face(image, quad) if edges(image, quad) >= 3 else None
        if other is not None:
            return other
    for quad in find_plain(image):
        inside = any(covered(quad, outer) > 0.9 and quad.area < 0.8 * outer.area for outer in real)
        beside = any(covered(outer, quad) < _APART for outer in real)  # a field of a chequered ground is no card
        if inside or beside:
            continue
        other = plain_card(Squared(image, quad).face(VIEW_PX_PER_MM), ground_level(image, quad))
        if other is not None:
            return other
    return abstain(UNCLEAR if real else NO_CARD)


def _stands_out(image: Image, quad: Quad) -> bool:
    """Whether something is there: print, or an edge. The light that falls off on a bare desk draws outlines too."""
    return edges(image, quad) >= 2 or not is_bare(Squared(image, quad).face(VIEW_PX_PER_MM))


def _no_face(image: Image, quad: Quad) -> Answer | None:
    squared = Squared(image, quad)
    other = tell(squared.face(VIEW_PX_PER_MM))
    if other is None and all(spells_joker(squared.patch(turn)) for turn in (0, 2)):
        return Answer("joker", 0.9)
    if other is None and all(joker_along(squared.face(PX_PER_MM, turn)) for turn in (0, 2)):
        return Answer("joker", 0.9)
    return other


def read_card(card: Squared, reads: FaceReader) -> Answer:
    """A squared-up card by its corner and the one across; turned by 90° where perspective may have hidden which side
    is long. Half a card lies across the picture as a whole one does, and bears a whole index on its longer side."""
    for turn in (0, 1) if card.aspect < _NEARLY_SQUARE else (0,):
        patches = card.patch(turn), card.patch(turn + 2)
        first, second = (reads.read(patch) for patch in patches)
        answer = vote(first, second)
        if answer.symbol is not None:
            silent = [patch for patch, said in zip(patches, (first, second), strict=True) if said.symbol is None]
            return abstain(DISAGREE) if any(reads.against(patch, answer.symbol) for patch in silent) else answer
        if answer.why != UNCLEAR:
            return answer
    return abstain(UNCLEAR)


def vote(first: Answer, second: Answer) -> Answer:
    """What two corners of one card say together: the same, or one of them surely and the other nothing."""
    said = [answer for answer in (first, second) if answer.symbol is not None]
    if not said:
        return max((first, second), key=lambda answer: answer.why != UNCLEAR)
    if len(said) == 2:
        if first.symbol != second.symbol:
            return abstain(DISAGREE)
        return Answer(first.symbol, max(first.confidence, second.confidence))
    if said[0].confidence < ONE_CORNER_FROM:
        return abstain(UNCLEAR, said[0].confidence)
    return said[0]
