"""The configuration's schema as text: `config/table.toml` and the table of `docs/configuration.md`.

Both are made here and kept in the tree; the tests make them again and fail on a difference.
`python -m controller.edge.config_page toml|markdown` prints them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from decimal import Decimal
from itertools import groupby
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from controller.edge.config import TableConfig
from controller.edge.config_signs import KINDS
from controller.edge.toml_input import allowed, fields

EXAMPLE = "alpha"  # whose keys the example of a sign has
_HEAD = """\
# A table of Sabot: every key with its default. Copy this file to /etc/sabot/table.toml and change what differs; a key
# that is left out has the value shown here, one in a comment has none. `sabot run --config FILE --check` names every
# mistake at once. Relative paths are taken from this file's folder.
"""


def as_toml() -> str:
    """The text of config/table.toml."""
    sections = groupby(fields(TableConfig), lambda item: item[0].partition(".")[0])
    return _HEAD + "".join("\n" + _toml_section(name, list(group)) for name, group in sections)


def as_markdown() -> str:
    """One row a key: name, default, what is allowed, meaning."""
    rows = ["| key | default | allowed | what it is |", "|---|---|---|---|"]
    rows += [" | ".join(("| `" + key + "`", *cells)) + " |" for key, cells in _rows()]
    return "\n".join(rows) + "\n"


def _rows() -> Iterator[tuple[str, tuple[str, str, str]]]:
    for key, field in fields(TableConfig):
        default = _default(field)
        shown = "none" if default is None or default is PydanticUndefined else f"`{_value(default)}`"
        yield key, (shown, allowed(field).replace("|", "\\|"), str(field.description))


def _toml_section(name: str, keys: list[tuple[str, FieldInfo]]) -> str:
    if not name.endswith("[]"):
        return f"[{name}]\n" + "".join(_toml_key(*item) for item in keys)
    name = name.removesuffix("[]")
    return f"# One [[{name}]] for each; a key that its driver has no use for is refused.\n# [[{name}]]\n" + "".join(
        _toml_example(*item) for item in keys
    )


def _toml_example(key: str, field: FieldInfo) -> str:
    """A key of an example: the example's own driver has it, or it is only shown."""
    name = key.partition(".")[2]
    kind = KINDS[EXAMPLE]
    used = name in ("name", "driver", "refresh_s", *kind.needs, *kind.may)
    value = f"{name} = {_value((field.examples or [''])[0])}"
    line = f"# {value}" if used else f"#   such as: {value}"
    return f"# {field.description}\n#   allowed: {allowed(field)}\n{line}\n"


def _toml_key(key: str, field: FieldInfo) -> str:
    name = key.partition(".")[2]
    default = _default(field)
    line = f"{name} = {_value(default)}" if default is not None else f"# {name} = {_value((field.examples or [''])[0])}"
    return f"# {field.description}\n#   allowed: {allowed(field)}\n{line}\n"


def _default(field: FieldInfo) -> Any:
    return field.get_default(call_default_factory=False)


def _value(value: Any) -> str:
    """A TOML value; amounts as the decimal strings that people write."""
    return json.dumps(str(value) if isinstance(value, Decimal) else value, ensure_ascii=False)


if __name__ == "__main__":
    sys.stdout.write(as_toml() if sys.argv[1:] == ["toml"] else as_markdown())
