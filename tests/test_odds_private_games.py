"""Exact odds of red and black and of zecchinetta: the page's figures, laws written out, and plain enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import odds
from controller.rules import Rules


def red_and_black(rules: Rules, removed: list[str]) -> odds.RedAndBlack:
    answer = odds.odds("red-and-black", rules, odds.composition("red-and-black", rules, removed))
    assert isinstance(answer, odds.RedAndBlack)
    return answer


def zecchinetta(left: dict[str, int]) -> odds.Zecchinetta:
    answer = odds.odds("zecchinetta", Rules(), left)
    assert isinstance(answer, odds.Zecchinetta)
    return answer


def test_a_fresh_red_and_black_shoe_follows_the_hypergeometric_law() -> None:
    answer = red_and_black(Rules(), [])
    for most in (3, 4, 5):
        assert answer.split[f"{most}-{5 - most}"] == pytest.approx(
            2 * comb(52, most) * comb(52, 5 - most) / comb(104, 5)
        )
    assert answer.expectation == {"red": 0.0, "black": 0.0}
    assert sum(answer.split.values()) == pytest.approx(1.0)


@given(red=st.integers(0, 6), black=st.integers(0, 6))
def test_red_and_black_agrees_with_every_hand_of_a_tiny_shoe(red: int, black: int) -> None:
    left = {"Ah": red, "As": black}
    answer = odds.odds("red-and-black", Rules(), left)
    assert isinstance(answer, odds.RedAndBlack)
    hands = [hand.count("r") for hand in _choices("r" * red + "b" * black)]
    gains = {5: 4, 4: 2, 3: 1, 2: -1, 1: -2, 0: -4}
    for most in (3, 4, 5):
        share = Fraction(sum(reds in (most, 5 - most) for reds in hands), max(len(hands), 1))
        assert answer.split[f"{most}-{5 - most}"] == pytest.approx(float(share))
    assert answer.expectation["red"] == pytest.approx(sum(gains[reds] for reds in hands) / max(len(hands), 1))
    assert answer.expectation["black"] == -answer.expectation["red"]


def _choices(cards: str) -> list[str]:
    """All choices of five."""
    chosen = [""]
    for card in cards:
        chosen += [hand + card for hand in chosen if len(hand) < 5]
    return [hand for hand in chosen if len(hand) == 5]


def test_fewer_red_cards_favour_black() -> None:
    answer = red_and_black(Rules(), ["Ah", "Ah", "Kd"])
    assert answer.expectation["black"] > 0 > answer.expectation["red"]


def test_a_fresh_zecchinetta_box_has_the_figures_of_the_page() -> None:
    answer = zecchinetta(odds.composition("zecchinetta", Rules(decks=6)))
    assert answer.playette == pytest.approx(1 - 36 * 32 / (39 * 38), abs=1e-15)
    assert answer.mean_turns == pytest.approx(38 / 4, abs=1e-12)


def enumerate_hands(cards: str) -> tuple[Fraction, Fraction | None]:
    """Playette and mean turns by dealing every order of a few cards named by their ranks."""
    orders = list(permutations(cards))
    plain = [order for order in orders if len(set(order[:3])) == 3]
    turns = [order[3:].index(order[2]) + 1 for order in plain if order[2] in order[3:]]
    mean = Fraction(sum(turns), len(turns)) if turns else None
    return 1 - Fraction(len(plain), len(orders)), mean


@settings(max_examples=30, deadline=None)
@given(cards=st.text("A23K", min_size=3, max_size=7).filter(lambda text: max(map(text.count, text)) <= 4))
def test_zecchinetta_agrees_with_every_order_of_a_tiny_box(cards: str) -> None:
    left = {rank + suit: int(number < cards.count(rank)) for rank in "A23K" for number, suit in enumerate("shdc")}
    answer = zecchinetta(left)
    playette, mean = enumerate_hands(cards)
    assert answer.playette == pytest.approx(float(playette), abs=1e-12)
    assert answer.mean_turns == (None if mean is None else pytest.approx(float(mean)))


def test_too_few_cards_for_an_opening() -> None:
    assert zecchinetta({"As": 1, "Ks": 1}) == odds.Zecchinetta(playette=0.0, mean_turns=None)


def test_what_cannot_have_gone_is_refused() -> None:
    with pytest.raises(odds.ImpossibleShoe, match="As cannot have gone 3 times: the shoe holds it 2 times"):
        odds.composition("red-and-black", Rules(), ["As"] * 3)
    with pytest.raises(odds.ImpossibleShoe, match="8s cannot have gone 1 times: the shoe holds it 0 times"):
        odds.composition("zecchinetta", Rules(), ["8s"])
