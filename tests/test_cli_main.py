"""The command itself: what it imports, what it says to a bad call, and which status it ends with."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from cli_support import sabot

from controller.cli import main as command
from controller.edge.problems import UsageProblem

HEAVY = ("cv2", "numpy", "pydantic", "starlette", "uvicorn", "serial", "gpiozero", "hw_sim", "vision", "sqlite3")


def test_version() -> None:
    answer = sabot("--version")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("sabot 0.")


def test_help_names_every_subcommand_that_is_there() -> None:
    named = [line.split()[0] for line in sabot("--help").lines if line.startswith("    ")]
    assert {"run", "read", "journal", "cards-from-photos"} <= set(named)


@pytest.mark.parametrize("name", ["run", "read", "journal", "cards-from-photos"])
def test_each_subcommand_has_its_help(name: str) -> None:
    answer = sabot(name, "--help")
    assert (answer.status, answer.err) == (0, "")
    assert f"usage: sabot {name}" in answer.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("--nonsense",),
        ("journal", "burn"),
        ("journal", "verify", "--stat", "x"),
        ("read",),
        ("run", "--config"),
        ("cards-from-photos", "only-one"),
    ],
)
def test_a_bad_call_is_one_line_and_2(arguments: tuple[str, ...]) -> None:
    answer = sabot(*arguments)
    assert (answer.status, answer.out, len(answer.mistakes)) == (2, "", 1)
    assert answer.err.startswith("sabot")


@pytest.mark.parametrize(
    ("closed", "said"), [(">&-", "standard output is closed"), ("<&-", "standard input is closed")]
)
def test_closed_streams_are_one_line(closed: str, said: str) -> None:
    """A shell closes the stream: pytest's own processes have all three."""
    program = Path(sys.executable).parent / "sabot"
    call = f'"{program}" replay - --game trente-et-quarante {closed}'
    done = subprocess.run(["sh", "-c", call], input="", capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert said in done.stderr


def test_no_subcommand_is_a_bad_call() -> None:
    answer = sabot()
    assert (answer.status, answer.out) == (2, "")


def test_the_frame_imports_nothing_heavy() -> None:
    """A subcommand brings what it needs; the command around it starts at once."""
    code = "import sys; from controller.cli import main; main._parser('--help'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split()) - {"vision"}  # its bare package bounds pictures before OpenCV is there, no more
    assert not {name.split(".")[0] for name in modules} & set(HEAVY)


def test_what_programs_read_is_utf8_in_every_locale(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).parent / "journals" / "format-1" / "journal.sqlite3", tmp_path)
    answer = sabot("journal", "export", "--state", tmp_path, PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
    assert any(line["event"].get("by") == "Zoë" for line in answer.json())


@pytest.fixture
def subcommand(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[argparse.Namespace], int]], None]:
    """Puts a function in the place of `sabot run`: errors that no real input makes."""

    def put(function: Callable[[argparse.Namespace], int]) -> None:
        module = ModuleType("controller.cli.run")
        module.__dict__["add_parser"] = lambda subparsers: subparsers.add_parser("run")
        module.__dict__["run"] = function
        monkeypatch.setattr(command.importlib, "import_module", lambda name: module)

    return put


def raising(error: BaseException) -> Callable[[argparse.Namespace], int]:
    def run(args: argparse.Namespace) -> int:
        raise error

    return run


@pytest.mark.parametrize(
    ("error", "status", "lines"),
    [
        (UsageProblem(["a.toml: one", "a.toml: two"]), 2, ["a.toml: one", "a.toml: two"]),
        (FileNotFoundError(2, "No such file or directory", "deck.txt"), 2, ["deck.txt: No such file or directory"]),
        (OSError("the port /dev/panel is in use"), 2, ["the port /dev/panel is in use"]),
        (FileNotFoundError(2, "No such file", "deck\n1.txt"), 2, ["deck\\n1.txt: No such file"]),
        (KeyboardInterrupt(), 130, []),
    ],
)
def test_errors_become_lines(
    subcommand: Callable[[Callable[[argparse.Namespace], int]], None],
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    status: int,
    lines: list[str],
) -> None:
    subcommand(raising(error))
    assert command.main(["run"]) == status
    assert capsys.readouterr().err.splitlines() == lines


def test_a_defect_of_ours_is_one_line_too(
    subcommand: Callable[[Callable[[argparse.Namespace], int]], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    subcommand(raising(ZeroDivisionError("by\nzero")))
    assert command.main(["run"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "test_cli_main.py" in line
    assert line.endswith("ZeroDivisionError: by zero")
    monkeypatch.setenv("SABOT_TRACEBACK", "1")
    assert command.main(["run"]) == 2
    assert "Traceback" in capsys.readouterr().err
