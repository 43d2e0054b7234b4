"""TOML files checked against a pydantic model: every mistake at once, one line each.

A line names file, key, value and what is allowed. Used for a table's configuration and for `--rules` files. Numbers
are taken as written (a TOML float becomes an exact decimal, never binary floating point). What is allowed is told from
the model itself, so that it cannot drift; a field that needs other words carries `json_schema_extra={"allowed": ...}`.
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from controller.edge.problems import UsageProblem, os_line

M = TypeVar("M", bound=BaseModel)
_NUMBER = re.compile(r"[0-9]{1,15}(\.[0-9]{1,12})?")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_TYPES = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    Decimal: "a decimal number",
    list: "a list",
}
_EXPONENT = 30  # beyond it a number is refused anyway
_SHOWN = 60  # characters of a value in a message


class Section(BaseModel):
    """A table of TOML keys: strict types, no unknown key, no NUL in a text, frozen."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _without_nul(cls, value: object) -> object:
        if isinstance(value, str) and "\0" in value:  # no path can hold one, and every call with such a path fails
            raise ValueError("a text without a NUL character")
        return value


def as_written(value: object) -> object:
    """An exact decimal from a TOML number or a decimal string; anything else is left for the model to refuse."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return Decimal(value)
    if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) < _EXPONENT:
        return Decimal(format(value, "f"))  # 1e3 is shown as 1000
    return Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value


def read_toml(path: Path) -> dict[str, Any]:
    """The file's keys, floats as Decimal. Raises UsageProblem: unreadable, not UTF-8, or no TOML (with its line)."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"), parse_float=_decimal)
    except OSError as error:
        raise UsageProblem(os_line(error, path)) from error
    except UnicodeDecodeError as error:
        raise UsageProblem(f"{path}: not a TOML file: byte {error.start} is not UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageProblem(f"{path}: not a TOML file: {_one_line(str(error))}") from error
    except ValueError as error:  # thousands of digits, which tomllib leaves to int() and Decimal()
        raise UsageProblem(f"{path}: holds a number too long to be read") from error


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation as error:  # an ArithmeticError: tomllib would let it through as it is
        raise ValueError(text) from error


def check(model: type[M], data: Mapping[str, Any], path: Path, prefix: tuple[str, ...] = ()) -> M:
    """`data` as a `model`. Raises UsageProblem with a line for each mistake; `prefix` is put before every key."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        lines = (_line(model, item, path, prefix) for item in error.errors())
        raise UsageProblem(dict.fromkeys(lines)) from error


def allowed(field: FieldInfo) -> str:
    """What a field may hold, in words: its type, range and unit."""
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    if "allowed" in extra:
        return str(extra["allowed"])
    unit = f" ({extra['unit']})" if "unit" in extra else ""
    return _type_words(field.annotation) + _range_words(field.metadata) + unit


def fields(model: type[BaseModel], prefix: tuple[str, ...] = ()) -> Iterable[tuple[str, FieldInfo]]:
    """Every key of a model with its dotted name, in order; sections are walked through, not listed; the keys of a
    list of sections are named `signs[].port`."""
    for name, field in model.model_fields.items():
        section = _section(field.annotation)
        if section is None:
            yield ".".join((*prefix, name)), field
        else:
            many = "[]" if get_origin(field.annotation) is list else ""
            yield from fields(section, (*prefix, name + many))


def _line(model: type[BaseModel], item: ErrorDetails, path: Path, prefix: tuple[str, ...]) -> str:
    """One mistake: file, key, value, and what is allowed there."""
    names = tuple(str(part) for part in item["loc"])
    key = _dotted((*prefix, *names))
    if item["type"] == "extra_forbidden":
        return f"{path}: {key}: unknown key{_nearest(model, names)}"
    if item["type"] == "missing":
        return f"{path}: {key}: missing; allowed: {_words(model, names)}"
    if item["type"] == "value_error" and "ctx" in item:  # a validator of ours: its text says what is allowed
        return f"{path}: {key} = {_shown(item['input'])}: allowed: {item['ctx']['error']}"
    return f"{path}: {key} = {_shown(item['input'])}: allowed: {_words(model, names)}"


def _words(model: type[BaseModel], names: tuple[str, ...]) -> str:
    """What is allowed at a place of the model; a place inside a list is described by the list's field."""
    for name in _unnumbered(names):
        field = model.model_fields.get(name)
        if field is None:
            break
        section = _section(field.annotation)
        if section is None:
            return allowed(field)
        model = section
    return "a table of keys"


def _nearest(model: type[BaseModel], names: tuple[str, ...]) -> str:
    """What else could have been meant by an unknown key."""
    for name in _unnumbered(names[:-1]):
        field = model.model_fields.get(name)
        section = None if field is None else _section(field.annotation)
        if section is None:
            return ""
        model = section
    known = list(model.model_fields)
    close = difflib.get_close_matches(names[-1], known, n=1)
    return f" (did you mean {_dotted((*names[:-1], close[0]))}?)" if close else f"; known here: {', '.join(known)}"


def _unnumbered(names: tuple[str, ...]) -> list[str]:
    return [name for name in names if not name.isdecimal()]


def _section(annotation: Any) -> type[BaseModel] | None:
    """The model of a section, or of each section of a list."""
    if get_origin(annotation) is list:
        annotation = get_args(annotation)[0]
    return annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None


def _type_words(annotation: Any) -> str:
    choices = [choice for choice in get_args(annotation) if choice is not NoneType]
    if get_origin(annotation) is Literal:
        return "one of " + ", ".join(json.dumps(choice) for choice in choices)
    if get_origin(annotation) is not list and choices:  # "| None": TOML has no null, the key is left out
        return _type_words(choices[0])
    return _TYPES.get(get_origin(annotation) or annotation, "a table of keys")


def _range_words(metadata: Iterable[Any]) -> str:
    names = ("ge", "gt", "le", "lt")
    limits = {name: getattr(item, name) for item in metadata for name in names if hasattr(item, name)}
    if "ge" in limits and "le" in limits:
        return f" from {limits['ge']} to {limits['le']}"
    words = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}
    told = [f"{words[name]} {limits[name]}" for name in names if name in limits]
    return " " + " and ".join(told) if told else ""


def _dotted(names: Iterable[str]) -> str:
    """A key as TOML writes it: a name that is no bare one in quotes."""
    return ".".join(name if _BARE.fullmatch(name) else _shown(name) for name in names)


def _shown(value: object) -> str:
    try:
        text = str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:  # a hexadecimal one has no limit when it is read
        text = "a number too long to be shown"
    text = _one_line(text)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _one_line(text: str) -> str:
    return " ".join(text.split())
