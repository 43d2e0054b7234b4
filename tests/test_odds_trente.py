"""Trente et quarante's exact odds against published figures, figures computed elsewhere, and plain enumeration."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import odds, odds_trente
from controller.rules import Insurance, Rules

GAME = "trente-et-quarante"
TOTALS = range(31, 41)
# rules.md, "Numbers that the rules imply": one row of six packs
SIX_PACKS = [
    0.1480577771, 0.1378262242, 0.1275766518, 0.1168650518, 0.1061516678,
    0.0949924475, 0.0838589961, 0.0723024552, 0.0608008559, 0.0515678726,
]  # fmt: skip
# exhaustive enumeration of both rows without replacement, nine decimals: two packs' row, six packs' ties
TWO_PACKS = [
    0.148045931, 0.137676902, 0.127691531, 0.116822925, 0.106349904,
    0.094980787, 0.084075649, 0.072272132, 0.060961709, 0.051122531,
]  # fmt: skip
BOTH = [
    0.021891370, 0.018976056, 0.016262244, 0.013647235, 0.011259026,
    0.009013711, 0.007020594, 0.005213743, 0.003680545, 0.002634388,
]  # fmt: skip
SMALL = st.lists(st.integers(0, 2), min_size=10, max_size=10).filter(lambda counts: sum(counts) <= 8)


def fresh(decks: int) -> odds.TrenteEtQuarante:
    rules = Rules(decks=decks)
    answer = odds.odds(GAME, rules, odds.composition(GAME, rules))
    assert isinstance(answer, odds.TrenteEtQuarante)
    return answer


def enumerated(counts: list[int]) -> dict[tuple[int, int], Fraction]:
    """Card after card, exactly; (0, 0) is a coup that the shoe does not suffice for."""
    law: dict[tuple[int, int], Fraction] = {}
    states = {(tuple(counts), 0, 0): Fraction(1)}
    while states:
        after: dict[tuple[tuple[int, ...], int, int], Fraction] = {}
        for (left, noir, rouge), chance in states.items():
            if rouge >= 31 or not any(left):
                end = (noir, rouge) if rouge >= 31 else (0, 0)
                law[end] = law.get(end, Fraction(0)) + chance
                continue
            for index, count in enumerate(left):
                if count:
                    rest = tuple(one - (place == index) for place, one in enumerate(left))
                    totals = (noir + index + 1, rouge) if noir < 31 else (noir, rouge + index + 1)
                    after[rest, *totals] = after.get((rest, *totals), Fraction(0)) + chance * Fraction(count, sum(left))
        states = after
    return law


def test_six_packs_agree_with_the_published_law() -> None:
    answer = fresh(6)
    assert list(answer.row.values()) == pytest.approx(SIX_PACKS, abs=1e-10)
    assert [answer.joint[f"{total},{total}"] for total in TOTALS] == pytest.approx(BOTH, abs=1e-9)
    assert answer.noir == pytest.approx(0.445200543, abs=1e-9)
    assert answer.rouge == answer.noir
    assert answer.refait == pytest.approx(0.087707543, abs=1e-9)
    assert answer.refait_31 == pytest.approx(0.021891370, abs=1e-9)
    assert answer.edge == pytest.approx(0.010945685, abs=1e-9)
    assert answer.edge < 0.01096, "Poisson and the infinite shoe: a little below eleven thousandths"
    assert answer.void == 0.0
    assert answer.edge_insured == pytest.approx(0.05)


def test_two_packs_agree_with_the_enumeration() -> None:
    answer = fresh(2)
    assert list(answer.row.values()) == pytest.approx(TWO_PACKS, abs=1e-9)
    assert answer.noir == pytest.approx(0.445342708, abs=1e-9)
    assert answer.refait == pytest.approx(0.087483826, abs=1e-9)
    assert answer.refait_31 == pytest.approx(0.021830759, abs=1e-9)
    assert answer.edge == pytest.approx(0.010915380, abs=1e-9)


def test_very_many_packs_come_near_the_infinite_shoe() -> None:
    answer = fresh(2000)
    assert answer.row["31"] == pytest.approx(0.148061, abs=1e-6)
    assert answer.refait_31 == pytest.approx(0.021922019, abs=1e-6)


def test_an_ace_less_helps_the_player() -> None:
    """Published for 52 cards left: 1.09 % falls to 1.03 % (beatablegames.com, il-31-apres)."""
    rules = Rules(decks=1)
    assert odds.advantage(odds.composition(GAME, rules)) == pytest.approx(0.0109, abs=5e-5)
    assert odds.advantage(odds.composition(GAME, rules, ["As"])) == pytest.approx(0.0103, abs=5e-5)


def test_everything_adds_up_and_the_rows_are_exchangeable() -> None:
    counts = [3, 0, 5, 2, 7, 1, 4, 4, 2, 9]
    law = odds_trente.joint_law(counts)
    assert law.sum() == pytest.approx(1.0, abs=1e-12)
    assert np.abs(law - law.T).max() < 1e-16
    assert law.sum(axis=0) == pytest.approx(odds_trente.row_law(counts), abs=1e-12)
    assert law[0, 0] == pytest.approx(odds_trente.both_31(counts), abs=1e-14)


@settings(max_examples=40, deadline=None)
@given(counts=SMALL, tens=st.integers(0, 5), nines=st.integers(0, 2))
def test_tiny_shoes_agree_with_plain_enumeration(counts: list[int], tens: int, nines: int) -> None:
    counts = [*counts[:8], nines, tens]
    exact = enumerated(counts)
    law = odds_trente.joint_law(counts)
    for i, noir in enumerate(TOTALS):
        for j, rouge in enumerate(TOTALS):
            assert law[i, j] == pytest.approx(float(exact.get((noir, rouge), 0)), abs=1e-13)
    assert odds_trente.both_31(counts) == pytest.approx(float(exact.get((31, 31), 0)), abs=1e-13)


def test_a_shoe_that_may_run_out_says_so() -> None:
    """Eight tens make two rows of 40; seven of them and an ace leave one row short in one order of eight for noir."""
    tens = {"Ts": 8}
    full = odds.odds(GAME, Rules(), tens)
    assert isinstance(full, odds.TrenteEtQuarante)
    assert (full.joint["40,40"], full.void, full.row["40"]) == (1.0, 0.0, 1.0)
    short = odds.odds(GAME, Rules(), {"Ts": 7})
    assert isinstance(short, odds.TrenteEtQuarante)
    assert (short.void, short.row["40"], short.edge_insured) == (1.0, 1.0, 0.0)
    mixed = odds.odds(GAME, Rules(insurance=Insurance()), {"Ts": 7, "As": 1})
    assert isinstance(mixed, odds.TrenteEtQuarante)
    exact = enumerated([1, *[0] * 8, 7])
    assert mixed.void == pytest.approx(float(exact.get((0, 0), Fraction(0))), abs=1e-13)
    assert mixed.noir + mixed.rouge + mixed.refait + mixed.refait_31 + mixed.void == pytest.approx(1.0, abs=1e-12)


def test_an_empty_shoe_is_void_for_certain() -> None:
    empty = odds.odds(GAME, Rules(), {})
    assert isinstance(empty, odds.TrenteEtQuarante)
    assert (empty.void, empty.noir, empty.edge) == (1.0, 0.0, 0.0)


def test_burning_changes_no_probability() -> None:
    """Poisson 1820: averaged over the burnt card, the next coup's law is that of the whole shoe (TQ-1)."""
    counts = [2, 1, 3, 0, 2, 1, 1, 2, 3, 6]
    cards = sum(counts)
    after = sum(
        count / cards * odds_trente.joint_law([one - (place == index) for place, one in enumerate(counts)])
        for index, count in enumerate(counts)
        if count
    )
    assert odds_trente.may_run_out(counts) is False
    assert np.abs(after - odds_trente.joint_law(counts)).max() < 1e-13
