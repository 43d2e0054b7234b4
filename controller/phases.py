"""The table's phases, as a table that can be read at a glance: phase, what happened there, and the phase after it.

A missing key is an illegal step, an error in one place (`move`); whoever may refuse asks `allows` first. A hold is no
row of its own: any phase can be held, and goes on as it was when the hold is released. `diagram` draws the table for
docs/state.md. What happens to cards and money on the way is the games' matter.
"""

from __future__ import annotations

from typing import Literal

Phase = Literal[
    "closed",
    "no shoe",
    "checking",
    "banker",
    "loaded",
    "burning",
    "betting",
    "dealing",
    "result",
    "ended",
    "reconciling",
]
Shown = Literal[Phase, "hold"]
HOLD: Shown = "hold"

TRANSITIONS: dict[Phase, dict[str, Phase]] = {
    "closed": {
        "table opened": "no shoe",
    },
    "no shoe": {
        "hand opened": "dealing",  # zecchinetta: each hand has its own deck, and no bets before its opening
        "shoe loaded": "loaded",
        "shoe loaded, to burn": "burning",
        "banker sought": "banker",
        "count opened": "checking",
        "table closed": "closed",
    },
    "checking": {  # a pack is fed through before play
        "card counted": "checking",
        "count closed": "no shoe",
    },
    "loaded": {  # a shoe is in place, no round is open
        "round opened": "betting",
        "banker sought": "banker",
        "shoe loaded": "loaded",
        "shoe loaded, to burn": "burning",
        "shoe ended": "ended",
        "table closed": "closed",
    },
    "banker": {  # the private games: the first banker is found by the cards
        "card dealt round": "banker",
        "banker found": "no shoe",
    },
    "burning": {
        "card burnt": "burning",
        "last card burnt": "loaded",
        "shoe ended": "ended",
    },
    "betting": {  # a round is open, the next card closes its bets
        "card played": "dealing",
        "bets opened": "betting",
        "round completed": "result",
        "round void": "result",
        "shoe ended": "ended",
    },
    "dealing": {
        "card played": "dealing",
        "bets opened": "betting",  # zecchinetta: between turns
        "round completed": "result",
        "round void": "result",
    },
    "result": {  # the last round is over, the next is not open
        "round opened": "betting",
        "hand opened": "dealing",
        "banker sought": "banker",
        "shoe loaded": "loaded",
        "shoe loaded, to burn": "burning",
        "count opened": "checking",
        "shoe ended": "ended",
        "table closed": "closed",
    },
    "ended": {  # the shoe is over; its remainder may be read
        "hand opened": "dealing",
        "remainder read": "reconciling",
        "count closed": "ended",
        "count opened": "checking",
        "shoe loaded": "loaded",
        "shoe loaded, to burn": "burning",
        "table closed": "closed",
    },
    "reconciling": {  # what was left in the ended shoe is fed out
        "remainder read": "reconciling",
        "count closed": "ended",
    },
}
IN_ROUND: tuple[Phase, ...] = ("betting", "dealing")


class IllegalStep(ValueError):
    """Something was let through that the table of phases does not know: a defect of ours."""


def allows(phase: Phase, what: str) -> bool:
    return what in TRANSITIONS[phase]


def move(phase: Phase, what: str) -> Phase:
    """The phase after `what` happened in `phase`. Raises IllegalStep."""
    try:
        return TRANSITIONS[phase][what]
    except KeyError:
        raise IllegalStep(f'"{what}" is no step from phase "{phase}"') from None


def diagram() -> str:
    """The table as a Mermaid state diagram (Markdown, the text of docs/state.md)."""
    lines = [
        "# The table's phases",
        "",
        "Drawn from `TRANSITIONS` in `controller/phases.py` (`python -m controller.phases > docs/state.md`); a test",
        "compares it. A fault, an unread card, a gap or a restart holds the table in any phase; released, it goes on",
        "from there.",
        "",
        "```mermaid",
        "stateDiagram-v2",
        "    [*] --> no_shoe: table opened",
    ]
    for phase, steps in TRANSITIONS.items():
        lines += [f"    {_node(phase)} --> {_node(after)}: {what}" for what, after in steps.items()]
    lines += [f"    {_node(phase)} --> hold: held" for phase in TRANSITIONS]
    lines += [f"    hold --> {_node(phase)}: released" for phase in TRANSITIONS]
    return "\n".join([*lines, "```", ""])


def _node(phase: str) -> str:
    return phase.replace(" ", "_")


if __name__ == "__main__":
    print(diagram(), end="")
