"""What is written about the configuration is what the schema says."""

from __future__ import annotations

import re
import tomllib
from decimal import Decimal
from pathlib import Path

from controller.edge.config import TableConfig, load_config
from controller.edge.config_page import as_markdown, as_toml
from controller.edge.toml_input import allowed, fields
from controller.paths import config_folder

SHIPPED = config_folder() / "table.toml"
DOCS = Path(__file__).resolve().parent.parent / "docs" / "configuration.md"


def test_the_shipped_file_is_made_from_the_schema() -> None:
    assert SHIPPED.read_text() == as_toml(), "run: python -m controller.edge.config_page toml > config/table.toml"


def test_the_shipped_file_shows_every_key_with_its_default() -> None:
    found = tomllib.loads(SHIPPED.read_text(), parse_float=Decimal)
    for key, field in fields(TableConfig):
        section, _, name = key.partition(".")
        if section.endswith("[]"):
            assert re.search(rf"^# .*{re.escape(name)} = ", SHIPPED.read_text(), re.M), key
            continue
        default = field.get_default()
        if default is None:
            assert re.search(rf"^\[{section}\]$(?:\n(?!\[).*)*\n# {re.escape(name)} = ", SHIPPED.read_text(), re.M), key
            continue
        value = found[section]
        for part in name.split("."):
            value = value[part]
        assert value == (str(default) if isinstance(default, Decimal) else default), key
        assert allowed(field) in SHIPPED.read_text()


def test_the_shipped_file_is_fine_also_with_every_commented_key(tmp_path: Path) -> None:
    assert load_config(SHIPPED).table == TableConfig().table
    path = tmp_path / "table.toml"
    path.write_text(re.sub(r"^# ([a-z._]+ = |\[\[)", r"\1", SHIPPED.read_text(), flags=re.M))
    config = load_config(path)
    assert (config.rules.decks, config.rules.limits.min, config.gpio.lid) == (6, Decimal(5), 17)
    assert [sign.name for sign in config.signs] == ["upstairs"]


def test_the_page_is_made_from_the_schema() -> None:
    shown = DOCS.read_text().split("<!-- schema -->\n")[1].split("<!-- end of schema -->")[0]
    assert shown == as_markdown(), "run: python -m controller.edge.config_page markdown, and put it into the page"
