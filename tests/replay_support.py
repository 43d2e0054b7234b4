"""Runs `sabot replay` as a process would and compares its lines with a case as tests/cases/README.md says."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent / "cases"
CALLS = {"Rouge gagne", "Rouge perd", "Couleur gagne", "Couleur perd"}
AMOUNTS = {"stake", "premium", "returned", "net", "bank", "house", "left"}
Line = dict[str, Any]


def names() -> list[str]:
    return sorted(path.name.removesuffix(".json") for path in CASES.glob("*.json"))


def arguments(name: str) -> list[str]:
    case = json.loads((CASES / f"{name}.json").read_text())
    call = ["replay", str(CASES / f"{name}.cards"), "--json", "--game", case["game"]]
    for option, suffix in (("--rules", ".toml"), ("--bets", ".bets.jsonl")):
        path = CASES / f"{name}{suffix}"
        call += [option, str(path)] if path.exists() else []
    return call + shlex.split(case["arguments"])


def status(name: str) -> int:
    return int(json.loads((CASES / f"{name}.json").read_text())["status"])


def parsed(text: str) -> list[Line]:
    return [json.loads(line, parse_float=Decimal) for line in text.splitlines()]


def expected(name: str) -> list[Line]:
    return parsed((CASES / f"{name}.expected.jsonl").read_text(encoding="utf-8"))


def plain(value: Any, key: str = "") -> Any:
    """Amounts as numbers, calls without what TQ-7 does not name, resolutions as whether there are any."""
    if isinstance(value, dict):
        return {name: plain(item, name) for name, item in value.items() if name != "why"}
    if key == "call":
        return [call for call in value if call in CALLS]
    if key == "resolutions":
        return bool(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if key in AMOUNTS:
        try:
            return Decimal(str(value)).normalize()
        except InvalidOperation:
            return value
    return value


def differences(got: Iterable[Line], want: Iterable[Line]) -> list[str]:
    """Where the lines differ, in words; empty where they agree."""
    got, want = list(got), list(want)
    found: list[str] = []
    for pick in (_in_order, _settlements):
        found += _compare(pick(got), pick(want))
    refused = [plain(line) for line in got if line["event"] == "refused"]
    for line in want:
        if line["event"] == "refused":
            if plain(line) in refused:
                refused.remove(plain(line))
            else:
                found.append(f"not refused: {line}")
    found += [
        f"refused: {line}"
        for line in got
        if line["event"] == "refused" and plain(line) in refused and line["why"] != "not reached"
    ]
    return found


def _in_order(lines: list[Line]) -> list[Line]:
    kinds = ("card", "coup", "hand", "opening", "turn", "fault", "bank", "end")
    return [line for line in lines if line["event"] in kinds]


def _settlements(lines: list[Line]) -> list[Line]:
    return [line for line in lines if line["event"] == "settlement" and line["items"]]


def _compare(got: list[Line], want: list[Line]) -> list[str]:
    found = [f"{len(got)} lines, not {len(want)}"] if len(got) != len(want) else []
    for have, need in zip(got, want, strict=False):
        have, need = plain(have), plain(need)
        if {key: have.get(key) for key in need} != need:
            found.append(f"{have} is not {need}")
    return found


def whys(lines: Iterable[Line], test: Callable[[str], bool]) -> list[Line]:
    return [line for line in lines if line["event"] == "refused" and test(line["why"])]
