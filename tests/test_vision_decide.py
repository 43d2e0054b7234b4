"""The rule of agreement: two ways and the colour say a face together, or nobody does."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from vision.answer import UNCLEAR, Answer, abstain
from vision.colour import is_red
from vision.decide import GLYPH_RANK_FROM, GLYPH_SUIT_FROM, INDEX_FROM, Opinion, decide
from vision.still import vote

SURE = Opinion("Q", "s", 0.99, 0.99)


def test_what_all_say_is_said() -> None:
    assert decide(SURE, SURE, False) == Answer("Qs", 0.99)
    assert decide(Opinion("10", "h", 0.7, 0.7), Opinion("10", "h", 0.9, 0.98), True).symbol == "Th"


@pytest.mark.parametrize(
    ("whole", "shapes", "red"),
    [
        (SURE, Opinion("K", "s", 0.99, 0.99), False),
        (SURE, Opinion("Q", "c", 0.99, 0.99), False),
        (SURE, SURE, True),
        (SURE, SURE, None),
        (Opinion("Q", "s", INDEX_FROM - 0.01, 0.99), SURE, False),
        (Opinion("Q", "s", 0.99, INDEX_FROM - 0.01), SURE, False),
        (SURE, Opinion("Q", "s", GLYPH_RANK_FROM - 0.01, 0.99), False),
        (SURE, Opinion("Q", "s", 0.99, GLYPH_SUIT_FROM - 0.01), False),
        (Opinion("?", "s", 0.99, 0.99), Opinion("?", "s", 0.99, 0.99), False),
        (Opinion("Q", "?", 0.99, 0.99), Opinion("Q", "?", 0.99, 0.99), False),
        (Opinion("Q", "7", 0.99, 0.99), Opinion("Q", "7", 0.99, 0.99), False),
    ],
)
def test_what_one_does_not_say_is_not_said(whole: Opinion, shapes: Opinion, red: bool | None) -> None:
    assert decide(whole, shapes, red).symbol is None


def test_a_way_that_guesses_makes_no_wrong_symbol() -> None:
    ranks, suits = ["A", *"23456789", "10", "J", "Q", "K"], "shdc"
    said = set()
    for rank, suit in itertools.product(ranks, suits):
        guess = Opinion(rank, suit, 1.0, 1.0)
        said |= {decide(guess, SURE, False).symbol, decide(SURE, guess, False).symbol}
    assert said == {None, "Qs"}


def test_the_colour_has_a_dead_band() -> None:
    said = [is_red(float(value)) for value in np.linspace(-0.5, 1.1, 200)]
    assert said[0] is False
    assert said[-1] is True
    assert None in said
    assert said == sorted(said, key=lambda s: (s is not False) + (s is True))


def test_corners_vote() -> None:
    sure, weak = Answer("Qs", 0.97), Answer("Qs", 0.7)
    nothing = abstain(UNCLEAR)
    assert vote(sure, weak).symbol == "Qs"
    assert vote(weak, weak).symbol == "Qs"
    assert vote(sure, nothing).symbol == vote(nothing, sure).symbol == "Qs"
    assert vote(weak, nothing).symbol is None
    assert vote(sure, Answer("Ks", 0.6)).symbol is None
    assert vote(nothing, abstain("colour unclear")).why == "colour unclear"
