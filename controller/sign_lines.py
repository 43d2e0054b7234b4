"""Lines of a sign, rendered from templates such as "N {noir.total:>2}  R {rouge.total:>2}".

A field is one of the names of `fields_of`, looked up in a fixed list and nowhere else: no attribute, index or call can
be reached. `{{` and `}}` stand for braces. After a colon: `<`, `>` or `^` and a width of 1 to 99; a longer text is cut,
a number that does not fit is shown as `#`, never cut. Which sign shows a line is the edge's matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from controller.view import Row, View

_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+")
_FIELD = re.compile(r"([a-z0-9]+(?:\.[a-z]+)?)(?::([<>^])?([1-9][0-9]?))?")
LENGTH = 200  # characters of a template

_COMMON: dict[str, Callable[[View], str]] = {
    "phase": lambda view: view.phase,
    "round": lambda view: str(view.round) if view.round else "",
    "rounds": lambda view: str(view.rounds),
    "void": lambda view: str(view.void),
    "announcement": lambda view: view.announcement,
    "call": lambda view: ", ".join(view.call),
    "prompt": lambda view: view.prompt.text,
    "hold": lambda view: view.hold.text if view.hold else "",
    "hold.code": lambda view: view.hold.code if view.hold else "",
    "result": lambda view: view.results[0].outcome if view.results else "",
    "shoe": lambda view: str(view.shoe.number) if view.shoe.number else "",
    "display.upper": lambda view: view.display.rows[0],
    "display.lower": lambda view: view.display.rows[1],
    "display.text": lambda view: view.display.text,
}
_OF_A_ROW: dict[str, Callable[[Row], str]] = {
    "total": lambda row: str(row.total) if row.cards and row.total is not None else "",
    "cards": lambda row: " ".join(row.cards),
    "last": lambda row: row.cards[-1] if row.cards else "",
}
_ROWS = {"trente-et-quarante": ("noir", "rouge"), "zecchinetta": ("banker", "box", "fan")}


class TemplateError(ValueError):
    """A template that cannot be rendered; one line that says which part and what is allowed."""


@dataclass(frozen=True)
class _Slot:
    field: str
    align: str
    width: int


@dataclass(frozen=True)
class Template:
    """A checked template; `parse` makes it."""

    parts: tuple[str | _Slot, ...]

    def render(self, view: View) -> str:
        return "".join(part if isinstance(part, str) else _filled(part, view) for part in self.parts)


def fields_of(game: str, seats: int = 1) -> tuple[str, ...]:
    """The fields that a table of this game has, by name."""
    rows = _ROWS.get(game) or tuple(f"seat{number}" for number in range(1, seats + 1))
    return (*(f"{row}.{part}" for row in rows for part in _OF_A_ROW), *_COMMON)


def parse(text: str, fields: Iterable[str]) -> Template:
    """The template, every part of it checked. Raises TemplateError."""
    if len(text) > LENGTH:
        raise TemplateError(f"at most {LENGTH} characters")
    known = tuple(fields)
    return Template(tuple(_part(piece, known) for piece in _PIECE.finditer(text)))


def _part(piece: re.Match[str], known: tuple[str, ...]) -> str | _Slot:
    whole, inside = piece[0], piece[1]
    if whole in ("{{", "}}"):
        return whole[0]
    if whole in ("{", "}"):
        raise TemplateError(f'a single "{whole}"; a brace is written "{2 * whole}"')
    if inside is None:
        return whole
    found = _FIELD.fullmatch(inside)
    if found is None:
        raise TemplateError(f'"{whole}" is no field; written {{NAME}} or {{NAME:>WIDTH}} (<, > or ^, 1 to 99)')
    if found[1] not in known:
        raise TemplateError(f'"{found[1]}" is no field of this table; there are {", ".join(known)}')
    return _Slot(found[1], found[2] or "<", int(found[3] or 0))


def _filled(slot: _Slot, view: View) -> str:
    value = _value(slot.field, view)
    if not slot.width:
        return value
    if len(value) > slot.width:
        return "#" * slot.width if value.isdecimal() else value[: slot.width]
    return {"<": value.ljust, ">": value.rjust, "^": value.center}[slot.align](slot.width)


def _value(field: str, view: View) -> str:
    common = _COMMON.get(field)
    if common is not None:
        return common(view)
    name, _, part = field.partition(".")
    name = name.removeprefix("seat")
    row = next((row for row in view.rows if row.name == name), Row(name))
    return _OF_A_ROW[part](row)
