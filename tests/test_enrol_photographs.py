"""Free photographs by an enrolled deck alone: views are brought onto one another before they are compared."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from enrol_support import forty, french, italian, photograph

from vision.deck import Deck, open_deck
from vision.deck_aligned import brought_onto
from vision.deck_views import cards_in, indices, kinds
from vision.enrol import enrol
from vision.geometry import FREE
from vision.likeness import Likeness, relief
from vision.profile import save_profile
from vision.still import read_still

FACE = kinds(FREE)[0]


def view_of(symbol: str, seed: int) -> np.ndarray:
    return cards_in(photograph(italian(symbol), seed), FREE, FACE)[0][0]


@pytest.fixture(scope="module")
def latin(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    """The drawn Italian deck, two photographs of each card."""
    pictures = [(f"{s}_{k}", s, photograph(italian(s), 50 * n + k)) for n, s in enumerate(forty()) for k in range(2)]
    folder = tmp_path_factory.mktemp("decks") / "latin"
    done = enrol(pictures, FREE, "latin")
    save_profile(folder, done.profile, done.samples, done.cache)
    return open_deck(folder, FREE)


def test_a_deck_without_letters_is_read_in_photographs(latin: Deck) -> None:
    assert (latin.profile.view, latin.profile.letters) == ("face", "own")
    said = [(s, read_still(photograph(italian(s), 7000 + n), FREE, latin).symbol) for n, s in enumerate(forty()[::2])]
    assert [pair for pair in said if pair[1] not in (pair[0], None)] == []
    assert sum(a == b for a, b in said) >= 19


def test_cards_of_another_deck_are_not_read(latin: Deck) -> None:
    others = ("As", "2d", "7h", "Kc")
    assert {read_still(photograph(french()(s), k), FREE, latin).symbol for k, s in enumerate(others)} == {None}


def test_no_bar_lies_far_below_what_the_decks_cards_reach(latin: Deck) -> None:
    """A card that no other one is like must not be said of whatever looks a little like it."""
    assert latin.reader.bars.alike.min() > 0.6
    assert latin.reader.bars.edges.min() > 0.5


def test_a_view_is_brought_onto_another_of_the_same_card() -> None:
    fixed = relief(view_of("5d", 1), FACE.shape)
    move = np.array([[1.03, 0.015, 1.5], [-0.015, 0.98, -2.0]])
    moving = np.stack([cv2.warpAffine(p, move, (64, 90), borderMode=cv2.BORDER_REPLICATE) for p in fixed])
    likeness = Likeness.plain(fixed[None], FACE.shape)
    assert likeness.at_rest(moving)[0] < 0.7
    moved = brought_onto(moving, fixed)
    assert moved is not None
    assert likeness.at_rest(moved)[0] > 0.97
    assert brought_onto(np.zeros_like(fixed), fixed) is None
    stretched = np.stack([cv2.resize(p, (90, 90))[:, 13:77] for p in fixed])
    assert brought_onto(stretched, fixed) is None


def test_the_indices_of_a_whole_face_are_its_two_corners() -> None:
    face = np.zeros((356, 254, 3), np.uint8)
    face[:144, :64], face[-144:, -64:] = 90, 200
    first, second = indices(face, FACE)
    assert (first.shape, int(first.min()), int(second.min())) == ((144, 64, 3), 90, 200)
