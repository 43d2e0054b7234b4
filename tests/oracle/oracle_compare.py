"""Two answers of `sabot replay --json` compared as the worked cases' README says.

Only fields of the expected line count; extra fields and events are free, and so are the places of `refused` lines
and settlements; amounts compare as numbers; a bet that play never came to may be refused or not.
"""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from typing import Any

Line = dict[str, Any]
ORDERED = ("fault", "card", "coup", "hand", "opening", "turn", "end")
CALLS = ("Rouge gagne", "Rouge perd", "Couleur gagne", "Couleur perd")
AMOUNTS = ("stake", "premium", "returned", "net", "bank", "house", "left")


def numbers(line: Line) -> Line:
    """The same with amounts as plain decimals, however deep."""
    clean: Line = {}
    for key, value in line.items():
        if key in AMOUNTS and not isinstance(value, dict):
            clean[key] = Decimal(str(value)).normalize() + 0
        elif isinstance(value, dict):
            clean[key] = numbers(value)
        elif key == "items":
            clean[key] = [numbers(entry) for entry in value]
        else:
            clean[key] = value
    return clean


def cut_to(actual: Line, expected: Line) -> Line:
    """Only the fields that the expected line has."""
    kept: Line = {}
    for key, value in expected.items():
        mine = actual.get(key, "(missing)")
        if isinstance(value, dict) and isinstance(mine, dict):
            mine = cut_to(mine, value)
        elif key == "items" and isinstance(mine, list) and len(mine) == len(value):
            mine = [cut_to(one, other) for one, other in zip(mine, value, strict=True)]
        elif key == "call" and isinstance(mine, list):
            mine = [word for word in mine if word in CALLS]
        elif key == "resolutions" and mine:
            mine = value
        kept[key] = mine
    if expected.get("event") == "opening" and "playette" not in expected and actual.get("playette"):
        kept["playette"] = actual["playette"]
    return kept


def key_of(bet: Line) -> str:
    return json.dumps(numbers(bet), sort_keys=True, default=str)


def settlements(lines: list[Line]) -> dict[tuple[Any, ...], Line]:
    found: dict[tuple[Any, ...], Line] = {}
    for line in lines:
        if line["event"] == "settlement" and line["items"]:
            pushes = all(entry["result"] == "push" for entry in line["items"])
            turn = "void" if "seat" not in line and pushes else line.get("turn")
            key = line["round"], line.get("seat"), turn
            found[(*key, "said again") if key in found else key] = line
    return found


def banks(lines: list[Line]) -> list[Line]:
    """`bank` lines that follow a settlement with items."""
    kept, after = [], False
    for line in lines:
        if line["event"] == "settlement":
            after = bool(line["items"])
        elif line["event"] == "bank" and after:
            kept.append(line)
            after = False
    return kept


def reasons(lines: list[Line]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in lines:
        if line["event"] == "refused":
            why = line["why"]
            found.setdefault(key_of(line["bet"]), []).append(
                "min" if "min" in why else "max" if "max" in why else "other"
            )
    return found


def pairs_differ(expected: list[Line], actual: list[Line], what: str) -> list[str]:
    for number, (one, other) in enumerate(zip(expected, actual, strict=False)):
        wanted, got = numbers(one), cut_to(numbers(other), numbers(one))
        if wanted != got:
            return [f"{what} {number}: expected {one}, got {other}"]
    if len(expected) != len(actual):
        rest = (expected if len(expected) > len(actual) else actual)[min(len(expected), len(actual))]
        return [f"{what}: {len(expected)} expected, {len(actual)} came; first without a partner: {rest}"]
    return []


def refusals_differ(expected: list[Line], actual: list[Line]) -> list[str]:
    wanted, got = reasons(expected), reasons(actual)
    free = Counter(key_of(line["bet"]) for line in expected if line["event"] == "unreached")
    problems = []
    for key in sorted(set(wanted) | set(got)):
        mine, theirs = Counter(wanted.get(key, [])), Counter(got.get(key, []))
        missing, extra = mine - theirs, theirs - mine
        if missing or extra.total() > free[key]:
            problems.append(f"refused {key}: expected {dict(mine)}, got {dict(theirs)}")
    return problems


def differences(expected: list[Line], actual: list[Line]) -> list[str]:
    """One line a difference, none where the two agree. `expected` may hold the oracle's `unreached` lines."""
    problems = pairs_differ(
        [line for line in expected if line["event"] in ORDERED],
        [line for line in actual if line["event"] in ORDERED],
        "line",
    )
    ours, theirs = settlements(expected), settlements(actual)
    for key in sorted(set(ours) | set(theirs), key=str):
        if key not in ours or key not in theirs:
            problems.append(f"settlement {key}: expected {ours.get(key)}, got {theirs.get(key)}")
        else:
            problems += pairs_differ([ours[key]], [theirs[key]], f"settlement {key}")
    return problems + pairs_differ(banks(expected), banks(actual), "bank") + refusals_differ(expected, actual)
