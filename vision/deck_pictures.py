"""Reads pictures with an enrolled deck: a card of a photograph, the corner of a card in the slot, a fixed camera's
picture. The deck alone, or beside the networks where its letters are usual ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.answer import NO_CARD, UNCLEAR, Answer, abstain
from vision.deck import Deck, said
from vision.deck_reader import beside_networks, together
from vision.deck_views import at_corner, cards_in, views_of
from vision.reads import Reads
from vision.slot import Corner
from vision.squared import Squared

Image = NDArray[np.uint8]

NOT_IN_VIEW = "too little of the card in view"


def read_squared(card: Squared, deck: Deck, networks: Answer) -> Answer:
    """A squared-up card of a photograph. `networks`: what they say of it; counts where the deck has usual letters."""
    answer = abstain(UNCLEAR)
    for turn in (0, 1):
        views = views_of(card, deck.kind, turn)
        verdict = together([deck.read(view) for view in views])
        answer = said(beside_networks(verdict, networks) if deck.usual else verdict.answer)
        if answer.symbol is not None:
            deck.seen(answer, views[0])
            return answer
    return answer


def read_corner(upright: Image, corner: Corner, patch: Image, deck: Deck, reads: Reads) -> Answer:
    """A card in the slot's window by its corner; `patch`: the index that the networks see."""
    view = at_corner(upright, corner, deck.profile.geometry, deck.kind)
    if view is None:
        return abstain(NOT_IN_VIEW)
    verdict = deck.read(view)
    answer = said(beside_networks(verdict, reads.read(patch)) if deck.usual else verdict.answer)
    if answer.symbol is not None:
        deck.seen(answer, view)
    return answer


def read_frame(image: Image, deck: Deck, reads: Reads) -> Answer:
    """One picture of a camera whose geometry is fixed, with one card in it or none. Raises ValueError for its size."""
    cards = cards_in(image, deck.profile.geometry, deck.kind)
    if not cards:
        return abstain(NO_CARD)
    verdict = together([deck.read(view) for view in cards[0]])
    answer = said(beside_networks(verdict, reads.read(cards[0][0])) if deck.usual else verdict.answer)
    if answer.symbol is not None:
        deck.seen(answer, cards[0][0])
    return answer
