"""Laws of the engine itself, not of the formulas: every order of a tiny shoe, and honest shoes within 4 sigma.

The rules engine runs through `sabot replay`; the figures come from `controller.odds`, from the page, or from symmetry.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_support import run_sabot

from controller import odds
from controller.cards import DECK, ZECCHINETTA_DECK
from controller.rules import Rules

TINY = {"Ts": 7, "7d": 1, "6c": 1}  # 83 points: enough for two rows whichever single card is burnt
COUP = tuple[int, int]


def orders(left: dict[str, int]) -> Iterator[list[str]]:
    """All distinct orders of a shoe; each is as likely as any other."""
    if not any(left.values()):
        yield []
    for card, count in left.items():
        if count:
            for rest in orders({**left, card: count - 1}):
                yield [card, *rest]


def replay(folder: Path, game: str, symbols: list[str], rules: str = "") -> list[dict[str, Any]]:
    (folder / "shoe.cards").write_text(" ".join(symbols))
    (folder / "rules.toml").write_text(rules)
    shoe, house = str(folder / "shoe.cards"), str(folder / "rules.toml")
    status, lines, errors = run_sabot(["replay", shoe, "--game", game, "--rules", house, "--json"])
    assert status == 0, errors
    return lines


def first_coup(lines: list[dict[str, Any]]) -> COUP:
    coup = next(line for line in lines if line["event"] == "coup")
    return coup["noir"]["total"], coup["rouge"]["total"]


def law_of_all_orders(folder: Path, burn: int) -> dict[COUP, Fraction]:
    found = Counter(
        first_coup(replay(folder, "trente-et-quarante", order, f"decks = 8\nburn = {burn}")) for order in orders(TINY)
    )
    return {coup: Fraction(count, found.total()) for coup, count in found.items()}


def test_burning_changes_no_probability_and_the_rows_are_exchangeable(tmp_path: Path) -> None:
    whole, burnt = law_of_all_orders(tmp_path, 0), law_of_all_orders(tmp_path, 1)
    assert burnt == whole
    assert {(rouge, noir): chance for (noir, rouge), chance in whole.items()} == whole
    exact = odds.odds("trente-et-quarante", Rules(), TINY)
    assert isinstance(exact, odds.TrenteEtQuarante)
    for noir in range(31, 41):
        for rouge in range(31, 41):
            assert exact.joint[f"{noir},{rouge}"] == pytest.approx(float(whole.get((noir, rouge), 0)), abs=1e-14)


@settings(max_examples=40, deadline=None)
@given(box=st.permutations(ZECCHINETTA_DECK), doubling=st.booleans())
def test_a_zecchinetta_hand_without_playette_always_ends(
    tmp_path_factory: pytest.TempPathFactory, box: list[str], doubling: bool
) -> None:
    lines = replay(tmp_path_factory.getbasetemp(), "zecchinetta", box, f"doubling = {str(doubling).lower()}")
    end, turns = lines[-1], [line for line in lines if line["event"] == "turn"]
    if not doubling and len({card[0] for card in box[:3]}) < 3:
        assert (end["rounds"], end["void"], turns) == (0, 1, [])
    else:
        assert (end["rounds"], end["void"]) == (1, 0)
        assert [turn["effect"] for turn in turns].index("bank-loses") == len(turns) - 1


def within_four_sigma(seen: int, trials: int, chance: float) -> bool:
    return abs(seen - trials * chance) <= 4 * (trials * chance * (1 - chance)) ** 0.5


def test_honest_shoes_of_trente_et_quarante_follow_the_law(tmp_path: Path) -> None:
    """Only the first coup of a shoe and the next 19: later ones lean towards short coups, as long ones run out."""
    rng, coups, lengths = random.Random(31), Counter[COUP](), []
    for _ in range(40):
        shoe = list(DECK) * 6
        rng.shuffle(shoe)
        for line in replay(tmp_path, "trente-et-quarante", shoe):
            if line["event"] == "coup" and line["coup"] <= 20:
                coups[line["noir"]["total"], line["rouge"]["total"]] += 1
                lengths.append(len(line["noir"]["cards"]) + len(line["rouge"]["cards"]))
    rules = Rules()
    exact = odds.odds("trente-et-quarante", rules, odds.composition("trente-et-quarante", rules))
    assert isinstance(exact, odds.TrenteEtQuarante)
    for total in range(31, 41):
        seen = sum(count for (noir, _), count in coups.items() if noir == total)
        assert within_four_sigma(seen, coups.total(), exact.row[str(total)]), total
    assert within_four_sigma(
        sum(count for (noir, rouge), count in coups.items() if noir < rouge), coups.total(), exact.noir
    )
    assert within_four_sigma(coups[31, 31], coups.total(), exact.refait_31)
    mean = sum(lengths) / len(lengths)
    spread = (sum((length - mean) ** 2 for length in lengths) / len(lengths)) ** 0.5
    assert abs(mean - 10.58) <= 0.005 + 4 * spread / len(lengths) ** 0.5  # rules.md: about 10.58
    assert min(lengths) >= 8
    assert max(lengths) <= 44


def test_honest_boxes_of_zecchinetta_follow_the_law(tmp_path: Path) -> None:
    rng, boxes = random.Random(40), 1500
    symbols: list[str] = []
    for _ in range(boxes):
        symbols += [*rng.sample(ZECCHINETTA_DECK, len(ZECCHINETTA_DECK)), "\n---\n"]
    lines = replay(tmp_path, "zecchinetta", symbols)
    turns = [line["turns"] for line in lines if line["event"] == "hand"]
    assert within_four_sigma(boxes - len(turns), boxes, 1 - (36 * 32) / (39 * 38))
    mean = sum(turns) / len(turns)
    spread = (sum((turn - mean) ** 2 for turn in turns) / len(turns)) ** 0.5
    assert abs(mean - 38 / 4) <= 4 * spread / len(turns) ** 0.5


def test_honest_shoes_of_red_and_black_follow_the_hypergeometric_law(tmp_path: Path) -> None:
    rng, splits = random.Random(5), Counter[str]()
    for _ in range(40):
        shoe = list(DECK) * 2
        rng.shuffle(shoe)
        for line in replay(tmp_path, "red-and-black", shoe):
            if line["event"] == "hand":
                splits[f"{max(line['red'], line['black'])}-{min(line['red'], line['black'])}"] += 1
    rules = Rules()
    exact = odds.odds("red-and-black", rules, odds.composition("red-and-black", rules))
    assert isinstance(exact, odds.RedAndBlack)
    for split, chance in exact.split.items():
        assert within_four_sigma(splits[split], splits.total(), chance), split
