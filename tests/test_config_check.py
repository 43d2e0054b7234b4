"""A table's configuration: strict, all mistakes at once, each with file, key, value and what is allowed."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from cli_support import sabot
from hypothesis import given
from hypothesis import strategies as st

from controller.edge.config import TableConfig, load_config
from controller.edge.lock import FolderLock
from controller.edge.problems import UsageProblem
from controller.edge.toml_input import allowed, check, fields
from controller.paths import config_folder
from controller.rules import Rules

KEYS = dict(fields(TableConfig))
SIGN = 'name = "s"\ndriver = "alpha"\n'


def setting(key: str, value: str) -> tuple[str, str]:
    """(How the mistake names the key, a file that sets it to `value`)."""
    section, _, name = key.rpartition("[].")
    if not section:
        return key, f"{key} = {value}\n"
    others = "".join(line for line in SIGN.splitlines(True) if not line.startswith(f"{name} = "))
    return f"{section}.0.{name}", f"[[{section}]]\n{others}{name} = {value}\n"


def mistakes(path: Path, text: str) -> list[str]:
    """The lines that refuse this text, without the file's name in front, which each must have."""
    path.write_text(text)
    with pytest.raises(UsageProblem) as caught:
        load_config(path)
    assert all(line.startswith(f"{path}: ") and "\n" not in line for line in caught.value.lines)
    return [line.removeprefix(f"{path}: ") for line in caught.value.lines]


def test_an_empty_file_is_all_defaults(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("")
    config = load_config(path)
    assert config.table == TableConfig().table
    assert config.rules.rules() == Rules()
    assert config.state_folder() == Path("/var/lib/sabot/table-1")
    assert config.camera.geometry == str(config_folder() / "cameras" / "reference-slot.toml")


def test_three_mistakes_at_once(tmp_path: Path) -> None:
    text = '[page]\nprot = 80\n[rules]\nburn = "five"\n[panel]\nbaud = 50\n'
    assert mistakes(tmp_path / "t.toml", text) == [
        'rules.burn = "five": allowed: a whole number at least 0 and below 624 (cards)',
        "panel.baud = 50: allowed: a whole number from 1200 to 3000000 (bit/s)",
        "page.prot: unknown key (did you mean page.port?)",
    ]


def test_the_command_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    lines = mistakes(path, '[page]\nprot = 80\n[rules]\nburn = "five"\n[camera]\ngeometry = "nowhere"\n')
    answer = sabot("run", "--config", path, "--check")
    assert (answer.status, answer.out) == (2, "")
    assert answer.mistakes == [f"{path}: {line}" for line in lines]
    assert len(lines) == 3


def test_a_fine_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text('[table]\nname = "salle-2"\n[rules]\nlimits.min = 5\n')
    answer = sabot("run", "--check", "--config", path)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out == f"{path}: the configuration of salle-2 is fine\n"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("value", ["{}", "1979-05-27", "-1.5"])
def test_no_key_takes_a_wrong_type(tmp_path: Path, key: str, value: str) -> None:
    named, text = setting(key, value)
    lines = mistakes(tmp_path / "t.toml", text)
    assert len(lines) == 1
    assert lines[0].startswith(f"{named} = ")
    assert f"allowed: {allowed(KEYS[key])}" in lines[0]


NUMBERS = {key: field for key, field in KEYS.items() if allowed(field).startswith("a whole number")}


@pytest.mark.parametrize("key", NUMBERS)
@pytest.mark.parametrize("value", ["-1", "99999999999", "true", '"5"', "5.0"])
def test_numbers_are_bounded_and_strict(tmp_path: Path, key: str, value: str) -> None:
    named, text = setting(key, value)
    assert mistakes(tmp_path / "t.toml", text) == [f"{named} = {value}: allowed: {allowed(NUMBERS[key])}"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('table.name = "Salle 2"', 'table.name = "Salle 2": allowed: a name of'),
        ('table.game = "poker"', 'allowed: one of "trente-et-quarante", "red-and-black", "zecchinetta"'),
        ('camera.source = "usb"', "allowed: picamera2, v4l2:PATH"),
        ('camera.geometry = "slot"', "free, reference-box, reference-slot, or the path"),
        ('camera.geometry = "./slot.toml"', "free, reference-box"),
        ('camera.deck = "./decks/none"', "this one is not there"),
        ('panel.lamps = ["noir", "noir"]', "allowed: a list of at most 16 different names"),
        ('panel.lamps = ["noir", 3]', "panel.lamps.1 = 3: allowed: a list of at most 16"),
        ("panel.lamps = " + str([f"l{index}" for index in range(17)]), "allowed: a list of at most 16"),
        ('page.host = "a b"', "allowed: an address or host name"),
        ("rules.limits = {min = 10, max = 5}", "rules.limits.max = 5: allowed: at least limits.min, 10"),
        ("rules = {decks = 1, burn = 52}", "rules.burn = 52: allowed: fewer than the 52 cards of the shoe"),
        ("rules.money.unit = 0", "allowed: a decimal number above 0"),
        ("rules.commission = nan", "allowed: a decimal number from 0 to 1"),
        ('rules.commission = "1e-1"', 'rules.commission = "1e-1": allowed: a decimal number'),
        ("rules = 3", "rules = 3: allowed: a table of keys"),
        ("tabel = {}", "tabel: unknown key (did you mean table?)"),
        ("zzz = 1", "zzz: unknown key; known here: table, rules, camera"),
        ("[camera]\nsource = ", "not a TOML file: Invalid value (at line 2, column 10)"),
        ("a = 1\na = 2", "not a TOML file: Cannot overwrite a value (at line 2, column 6)"),
        ("x = " + "[" * 5000, "not a TOML file: "),
        ("page.port = " + "9" * 5000, "holds a number too long to be read"),
        ("rules.commission = 1e" + "9" * 30, "holds a number too long to be read"),
        ("page.port = 0x" + "f" * 5000, "page.port = a number too long to be shown: allowed: "),
        (r'state.folder = "a\u0000b"', r'state.folder = "a\u0000b": allowed: a text without a NUL character'),
        ("\ufeffpage.port = 0.5", "page.port = 0.5: allowed: "),
    ],
)
def test_each_mistake_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    lines = mistakes(tmp_path / "t.toml", text + "\n")
    assert len(lines) == 1
    assert said in lines[0]


def test_a_long_value_is_shortened(tmp_path: Path) -> None:
    (line,) = mistakes(tmp_path / "t.toml", f'table.name = "{"x" * 5000}"\n')
    assert len(line) < 250


def test_a_mistake_in_the_geometry_file_is_one_of_the_configuration(tmp_path: Path) -> None:
    geometry = tmp_path / "mine.toml"
    geometry.write_text('motion = "sideways"\n')
    (tmp_path / "t.toml").write_text('table.name = ""\ncamera.geometry = "mine.toml"\n')
    with pytest.raises(UsageProblem) as caught:
        load_config(tmp_path / "t.toml")
    assert [line.split(": ")[0] for line in caught.value.lines] == [str(tmp_path / "t.toml"), str(geometry)]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b'table.name = "caf\xe9"\n')
    for name, said in (("none.toml", "No such file"), (".", "Is a directory"), ("latin.toml", "byte 17 is not UTF-8")):
        with pytest.raises(UsageProblem, match=said) as caught:
            load_config(tmp_path / name)
        assert len(caught.value.lines) == 1


def test_paths_are_taken_from_the_files_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "t.toml").write_text(
        'camera.source = "folder:frames"\npanel.port = "dev/panel"\nstate.folder = "state"\n'
    )
    monkeypatch.chdir(tmp_path)
    config = load_config("etc/t.toml")
    etc = tmp_path / "etc"
    assert config.camera.source == f"folder:{etc / 'frames'}"
    assert config.panel.port == str(etc / "dev" / "panel")
    assert config.state_folder() == etc / "state"


def test_two_tables_on_one_machine(tmp_path: Path) -> None:
    """State folder, lock and port are the table's own."""
    configs = []
    for name, port in (("salle-1", 8031), ("salle-2", 8032)):
        path = tmp_path / f"{name}.toml"
        path.write_text(f'table.name = "{name}"\npage.port = {port}\nstate.folder = "{name}"\n')
        configs.append(load_config(path))
    with FolderLock(configs[0].state_folder()), FolderLock(configs[1].state_folder()):
        assert {config.page.port for config in configs} == {8031, 8032}
    assert len({config.state_folder() for config in configs}) == 2


scalars = st.none() | st.booleans() | st.integers() | st.decimals() | st.text(max_size=8) | st.lists(st.integers())
names = st.sampled_from([name for key in KEYS for name in key.split(".")]) | st.text(max_size=5)
tables = st.recursive(scalars, lambda inner: st.dictionaries(names, inner, max_size=4), max_leaves=12)


def refusal(data: dict[str, Any]) -> tuple[str, ...]:
    """The lines that refuse this configuration; none where it is fine."""
    try:
        check(TableConfig, data, Path("t.toml"))
    except UsageProblem as problem:
        return problem.lines
    return ()


@given(st.dictionaries(names, tables, max_size=4))
def test_whatever_stands_there_it_is_a_configuration_or_a_list_of_lines(data: dict[str, Any]) -> None:
    for line in refusal(data):
        assert line.startswith("t.toml: ")
        assert len(line.splitlines()) == 1


def test_numbers_are_taken_as_written(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text("rules.commission = 0.1\nrules.money.unit = 0.10\nrules.limits.max = 1e3\n")
    rules = load_config(path).rules.rules()
    assert [str(value) for value in (rules.commission, rules.money.unit, rules.limits.max)] == ["0.1", "0.10", "1000"]
    assert isinstance(rules.commission, Decimal)


def test_tomllib_is_the_reader() -> None:
    """config/table.toml is plain TOML for any other program too."""
    assert tomllib.loads((config_folder() / "table.toml").read_text())["page"]["port"] == 8031
