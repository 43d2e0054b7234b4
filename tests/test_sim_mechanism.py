"""The physical shoe: nothing is lost or made, whatever is done with it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from sim_support import rng

from hw_sim.mechanism import Stack, deck_of, restore, save, shuffled

GAMES = {"trente-et-quarante": (312, 6), "red-and-black": (104, 2), "zecchinetta": (40, 1)}


@pytest.mark.parametrize("game", GAMES)
def test_a_shuffled_stack_is_whole_decks(game: str) -> None:
    stack = shuffled(game, rng())
    cards, decks = GAMES[game]
    assert Counter(c for c in stack if c != "cut") == Counter(deck_of(game) * decks)
    assert stack.count("cut") == (0 if game == "zecchinetta" else 1)
    assert len(stack) == cards + stack.count("cut")


@pytest.mark.parametrize("seed", range(30))
def test_the_cut_card_leaves_room_for_the_longest_coup(seed: int) -> None:
    stack = shuffled("trente-et-quarante", rng(seed))
    assert len(stack) - 1 - stack.index("cut") >= 44


def test_seed_fixes_the_shuffle() -> None:
    assert shuffled("red-and-black", rng(3)) == shuffled("red-and-black", rng(3))
    assert shuffled("red-and-black", rng(3)) != shuffled("red-and-black", rng(4))


def everything(stack: Stack) -> Counter[str]:
    moving = [stack.under_way] if stack.under_way else []
    return Counter(stack.waiting + stack.inside + moving + stack.dealt)


def test_stack_is_conserved_through_portions_pulls_and_withdrawals() -> None:
    stack = Stack("trente-et-quarante", rng(), portion=50)
    stack.load()
    whole = everything(stack)
    order = stack.inside + stack.waiting
    turn = rng(2)
    while stack.waiting or not stack.empty:
        if stack.empty:
            stack.load_portion()
        assert stack.pull() is not None
        (stack.go_back if turn.random() < 0.3 else stack.leave)()
        assert everything(stack) == whole
    assert stack.dealt == order
    assert stack.pull() is None


def test_slip_changes_the_next_card_and_not_the_one_in_the_window() -> None:
    stack = Stack("trente-et-quarante", rng())
    stack.load()
    first, second = stack.inside[:2]
    assert stack.pull() == first
    assert stack.slip("joker") == second
    stack.leave()
    assert stack.pull() == "joker"
    stack.leave()
    assert stack.dealt == [first, "joker"]


def test_a_saved_stack_goes_on_as_it_would_have(tmp_path: Path) -> None:
    stack = Stack("trente-et-quarante", rng(5), portion=60)
    stack.load()
    for _ in range(7):
        stack.pull()
        stack.leave()
    in_window = stack.pull()
    save(stack, tmp_path / "stack.json")
    again = restore(tmp_path / "stack.json", "trente-et-quarante", rng(99))
    assert again is not None
    assert again.inside[0] == in_window
    assert (again.dealt, again.waiting, again.shoes) == (stack.dealt, stack.waiting, 1)
    stack.load()
    again.load()
    assert again.inside == stack.inside


def test_a_stack_of_another_game_or_none_is_not_taken(tmp_path: Path) -> None:
    assert restore(tmp_path / "stack.json", "trente-et-quarante", rng()) is None
    stack = Stack("red-and-black", rng())
    stack.load()
    save(stack, tmp_path / "stack.json")
    assert restore(tmp_path / "stack.json", "trente-et-quarante", rng()) is None
