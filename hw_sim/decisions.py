"""What the simulated dealer does at a view of the page: a pure table of view and cloth to an act.

A person at a real table sees the page, the cloth and the shoe; so does this one, and nothing else. Doing it, at which
pace, is dealer.py's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hw_sim.mechanism import Stack

Json = dict[str, Any]

NAME = "the simulated dealer"
TAKES_CARDS = ("burning", "betting", "dealing", "banker")


@dataclass(frozen=True)
class Habits:
    """How this dealer was told to act: the resolution of faults (None: leaves them), whether a restart is confirmed,
    whether each pack is counted before it is shuffled and each ended shoe after it."""

    on_fault: str | None = None
    confirm: bool = False
    check: bool = False
    remainder: bool = False


@dataclass(frozen=True)
class Act:
    """`request` is posted, `load`, `pack` and `portion` done to the shoe first; `pull` pulls a card.

    `pause`: "round" to look at a result first, "double" to let a player decide, "late" to give the table time to see
    a card by itself.
    """

    request: Json | None = None
    load: bool = False
    pack: bool = False
    portion: bool = False
    pull: bool = False
    pause: str = ""


def decide(view: Json, stack: Stack, habits: Habits) -> Act | None:
    """What is to be done now, None to wait for the next view."""
    hold = view.get("hold")
    if hold is not None:
        return _release(view, hold, stack, habits)
    phase = view["phase"]
    if phase in ("no shoe", "ended"):
        return _between_shoes(view, stack, habits)
    if phase in ("checking", "reconciling"):
        return _count(view, stack)
    if stack.empty and stack.waiting:
        return Act(_request("portion-loaded"), portion=True)
    if phase in ("loaded", "result"):
        return _between(view, stack)
    return _card(view, stack) if phase in TAKES_CARDS and _camera_is_well(view) else None


def _between_shoes(view: Json, stack: Stack, habits: Habits) -> Act | None:
    """What is left of the old shoe is counted, then the pack, each where this dealer was told to; then a new shoe."""
    receipt = view["receipt"]
    if view["shoe"]["number"] == 0 and "banker-sought" in view["prompt"]["requests"]:
        return Act(_request("banker-sought"), load=True)  # the private games begin so, once
    if view["phase"] == "ended" and habits.remainder and receipt is None:
        return _count(view, stack)
    if habits.check and (receipt is None or receipt["kind"] == "remainder"):
        return Act(_request("count-opened"), pack=True)
    return Act(_request("shoe-loaded"), load=True, pause="round" if view["phase"] == "ended" else "")


def _count(view: Json, stack: Stack) -> Act | None:
    """Card after card until none is left in the shoe; then the count is closed."""
    if stack.waiting:
        return Act(portion=True, pull=True)
    if stack.empty and view["shoe"]["index"] == len(stack.cloth()):
        return Act(_request("count-closed", by=NAME))
    return _card(view, stack) if _camera_is_well(view) else None


def _between(view: Json, stack: Stack) -> Act | None:
    """Between two rounds: the next one, or a new shoe where this one is at its end (a box: a new deck each time)."""
    allowed = view["prompt"]["requests"]
    if not stack.empty and not stack.box and "round-opened" in allowed:
        return Act(_request("round-opened"), pause="round" if view["phase"] == "result" else "")
    if "shoe-loaded" in allowed:
        return Act(_request("shoe-loaded"), load=True, pause="round")
    return None


def _card(view: Json, stack: Stack) -> Act | None:
    """The next card once the page shows every one that lies there; one that it does not come to show is entered."""
    index, cloth = view["shoe"]["index"], stack.cloth()
    if index == len(cloth):
        deciding = "double-decided" in view["prompt"]["requests"]
        if stack.empty:
            over = "shoe-exhausted" in view["prompt"]["requests"] and not stack.waiting
            return Act(_request("shoe-exhausted"), pause="round") if over else None
        return Act(pull=True, pause="double" if deciding else "")
    if index < len(cloth) and "card-entered" in view["prompt"]["requests"]:
        return Act(_request("card-entered", symbol=cloth[index]), pause="late")  # taken back on the page, or never seen
    return None


def _camera_is_well(view: Json) -> bool:
    return [device["state"] for device in view["devices"] if device["name"] == "camera"] == ["ok"]


def _release(view: Json, hold: Json, stack: Stack, habits: Habits) -> Act | None:
    if hold["code"] == "restored":
        return Act(_request("confirmed")) if habits.confirm else None
    if hold.get("enter"):
        index = view["shoe"]["index"] if hold.get("index") is None else hold["index"]
        cloth = stack.cloth()
        return Act(_request("card-entered", symbol=cloth[index])) if index < len(cloth) else None
    if habits.on_fault is not None and habits.on_fault in hold["resolutions"]:
        return Act(_request("fault-resolved", resolution=habits.on_fault))
    return None


def _request(kind: str, **fields: str) -> Json:
    return {"type": kind, **fields}
