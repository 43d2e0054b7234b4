"""A `--bets` file: one JSON object a line, its fields checked by type; what the rules say to a bet is the core's.

Amounts are kept as written: a JSON number never becomes binary floating point.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from controller.edge.problems import UsageProblem, os_line
from controller.edge.shoe_file import Mistakes
from controller.money import amount

Kind = Literal["whole number", "text", "true or false", "stake", "half or prison"]

FIELDS: dict[str, dict[str, tuple[Kind, bool]]] = {  # what it must be, and whether it must be there
    "trente-et-quarante": {
        "coup": ("whole number", True),
        "player": ("text", True),
        "on": ("text", True),
        "stake": ("stake", True),
        "insured": ("true or false", False),
        "refait": ("half or prison", False),
        "transfer": ("true or false", False),
    },
    "red-and-black": {
        "round": ("whole number", True),
        "seat": ("whole number", True),
        "on": ("text", True),
        "stake": ("stake", True),
    },
    "zecchinetta": {
        "hand": ("whole number", True),
        "after_turn": ("whole number", True),
        "player": ("text", True),
        "on": ("text", True),
        "stake": ("stake", True),
    },
}
_ROUND = {"trente-et-quarante": "coup", "red-and-black": "round", "zecchinetta": "hand"}


class Bet(NamedTuple):
    """`line` is the bet as given, `fields` what the rules ask for."""

    line: msgspec.Raw
    fields: dict[str, str | int | bool]


Bets = dict[tuple[int, int], list[Bet]]


def load_bets(path: Path, game: str) -> Bets:
    """The bets by round and turn (0 where the game has no turns), in their order. Raises UsageProblem."""
    try:
        lines = path.read_bytes().removeprefix(BOM_UTF8).split(b"\n")
    except OSError as error:
        raise UsageProblem(os_line(error, path)) from None
    mistakes = Mistakes(str(path))
    bets: Bets = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        bet = _parsed(line.strip(), game, number, mistakes)
        if bet is not None:
            key = (_int(bet.fields[_ROUND[game]]), _int(bet.fields.get("after_turn", 0)))
            bets.setdefault(key, []).append(bet)
    if mistakes.lines:
        raise UsageProblem(mistakes.lines)
    return bets


def _int(value: str | int | bool) -> int:
    assert isinstance(value, int)
    return value


def _parsed(line: bytes, game: str, number: int, mistakes: Mistakes) -> Bet | None:
    try:
        given = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
        msgspec.json.decode(line)  # the values too, all the way down
    except (msgspec.DecodeError, UnicodeDecodeError):
        mistakes.add(number, "not a JSON object")
        return None
    except RecursionError:
        mistakes.add(number, "nested too deeply")
        return None
    fields: dict[str, str | int | bool] = {}
    for key, (kind, needed) in FIELDS[game].items():
        if key not in given:
            if needed:
                mistakes.add(number, f'"{key}" is missing')
            continue
        value = _value(bytes(given[key]), kind)
        if value is None:
            mistakes.add(number, f'"{key}" must be {_ARTICLE[kind]}, not {_shown(bytes(given[key]))}')
        else:
            fields[key] = value
    complete = all(key in fields for key in FIELDS[game] if key in given or FIELDS[game][key][1])
    return Bet(msgspec.Raw(line), fields) if complete else None


_ARTICLE = {
    "whole number": "a whole number",
    "text": "a text",
    "true or false": "true or false",
    "stake": "an amount (a number or a decimal string)",
    "half or prison": '"half" or "prison"',
}


def _value(raw: bytes, kind: Kind) -> str | int | bool | None:
    if kind == "stake":
        return _amount(raw)
    value = msgspec.json.decode(raw)
    if kind == "half or prison":
        return value if isinstance(value, str) and value in ("half", "prison") else None
    if kind == "whole number":
        return value if isinstance(value, int) and not isinstance(value, bool) else None
    return value if isinstance(value, str if kind == "text" else bool) else None


def _amount(raw: bytes) -> str | None:
    text = msgspec.json.decode(raw, type=str) if raw.startswith(b'"') else raw.decode()
    return text if amount(text) is not None else None


def _shown(raw: bytes) -> str:
    text = raw.decode(errors="replace")
    return text if len(text) <= 40 else text[:40] + "…"
