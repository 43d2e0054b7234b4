"""The table of phases: it is what docs/state.md draws, and an illegal step is an error in one place."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from controller.phases import TRANSITIONS, IllegalStep, Phase, allows, diagram, move

STATE_MD = Path(__file__).parent.parent / "docs" / "state.md"


def test_the_diagram_in_the_docs_is_drawn_from_the_table() -> None:
    assert STATE_MD.read_text(encoding="utf-8") == diagram(), "run: python -m controller.phases > docs/state.md"


def test_every_phase_has_a_row_and_is_reached() -> None:
    assert set(TRANSITIONS) == set(get_args(Phase))
    reached, new = {"closed"}, {"closed"}
    while new:
        new = {after for phase in new for after in TRANSITIONS[phase].values()} - reached  # type: ignore[index]
        reached |= new
    assert reached == set(TRANSITIONS)


def test_a_missing_key_is_the_illegal_step() -> None:
    assert move("betting", "card played") == "dealing"
    assert not allows("no shoe", "card played")
    with pytest.raises(IllegalStep, match='"card played" is no step from phase "no shoe"'):
        move("no shoe", "card played")
