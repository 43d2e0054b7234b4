"""Labels that the networks contradict: two exchanged cards of a deck with usual letters, or a deck's own letters."""

from __future__ import annotations

import pytest
from enrol_support import Image, forty, french, slot, slot_picture

from vision.decide import FaceReader
from vision.deck_model import Sample
from vision.deck_views import cards_in, kinds
from vision.enrol import WrongLabels, enrol
from vision.enrol_labels import judge_labels

INDEX = kinds(slot())[0]


def shown(symbol: str, seed: int, style: str = "classic") -> Image:
    return slot_picture(french(style)(symbol), seed)


def sample(label: str, symbol: str, seed: int, style: str = "classic") -> Sample:
    """A view of `symbol` that is said to be `label`."""
    return Sample(label, cards_in(shown(symbol, seed, style), slot(), INDEX)[0][0], seed)


def test_two_exchanged_cards_are_refused_by_name() -> None:
    exchanged = {"5d": "5h", "5h": "5d"}
    pictures = [(s, s, shown(exchanged.get(s, s), n)) for n, s in enumerate(forty())]
    with pytest.raises(WrongLabels) as caught:
        enrol(pictures, slot(), "x")
    assert caught.value.lines == ["5h: its pictures show 5d", "5d: its pictures show 5h"]


def test_two_suits_exchanged_are_refused_by_name() -> None:
    """Half of the labels: the networks agree with no more of them than they contradict."""
    other = {"h": "d", "d": "h"}
    faces = [rank + suit for rank in "A357JK" for suit in "shdc"]
    samples = [sample(s, s[0] + other.get(s[1], s[1]), 50 + n) for n, s in enumerate(faces)]
    labels = judge_labels(samples, INDEX, FaceReader())
    red = [s for s in faces if s[1] in other]
    assert labels.wrong == [f"{s}: its pictures show {s[0]}{other[s[1]]}" for s in red]


def test_a_letter_that_looks_like_another_is_the_decks_own() -> None:
    """Jacks whose letter looks like an 8: beside the eights nothing is exchanged, and the deck is read alone."""
    faces = [rank + suit for rank in "A358JK" for suit in "shdc"]
    samples = [
        sample(s, "8" + s[1] if s[0] == "J" else s, 90 + n, "jumbo" if s[0] == "J" else "classic")
        for n, s in enumerate(faces)
    ]
    labels = judge_labels(samples, INDEX, FaceReader())
    assert (labels.letters, labels.wrong) == ("own", [])
    assert labels.odd == [f"J{suit}: the reader's own networks say 8{suit}" for suit in "shdc"]


def test_one_picture_among_several_is_no_wrong_label() -> None:
    """That one is found when it is read again."""
    pairs = [("5d", "5h"), *((s, s) for s in ("5d", "5d", "5s", "5c", "Ks", "Kd", "Ah", "7c"))]
    labels = judge_labels([sample(s, face, 20 + n) for n, (s, face) in enumerate(pairs)], INDEX, FaceReader())
    assert (labels.letters, labels.wrong) == ("own", [])
    assert labels.odd == ["5d: the reader's own networks say 5h"]
