"""The command `sabot`: finds the subcommand, imports that one alone, and turns its errors into lines and a status.

Each subcommand is a module of this folder with `add_parser(subparsers)` and `run(args) -> int`; it is imported only
when it is called, so that `sabot replay` starts without OpenCV, pydantic or starlette. Status: 0 done, 1 what was
examined is wrong, 2 the call or its input is unusable. What SIGTERM means to a daemon is the daemon's own matter.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import importlib.util
import io
import os
import sys
import traceback
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NoReturn

import vision  # noqa: F401 - before OpenCV: it bounds the pictures that are opened
from controller.edge.problems import UsageProblem, os_line

USAGE = 2
INTERRUPTED = 130  # as shells count an end by SIGINT

SUBCOMMANDS = {
    "run": "the daemon on real hardware, or a check of its configuration",
    "bench": "the daemon with a simulated table",
    "replay": "run a recorded shoe through the rules",
    "read": "recognise cards in pictures and videos",
    "odds": "exact probabilities of a game",
    "journal": "verify, show or export a table's journal, or its receipts",
    "cards-from-photos": "cut card faces out of photographs, as a deck for the bench",
    "doctor": "say of each part whether it would work",
    "ports": "list what is plugged in, by stable path",
    "panel": "show a pattern on the panel or a sign",
    "camera": "one frame with what the reader sees",
    "enrol": "make a deck profile from labelled pictures, or from the camera",
}


class Parser(argparse.ArgumentParser):
    """argparse, with one line for a mistake instead of the usage, and options written out."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"allow_abbrev": False, **options})

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{self.prog}: {message}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run `sabot ARGUMENTS`; returns the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        _speak_utf8()
        return _run(arguments)
    except UsageProblem as problem:
        return _complain(problem.lines)
    except BrokenPipeError:
        return _reader_gone()
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        return _complain([os_line(error)])
    except Exception as error:  # noqa: BLE001 - the top of the process: a defect of ours becomes one line
        return _defect(error)


def _speak_utf8() -> None:
    """What programs read is UTF-8 whatever the locale; a terminal gets its own encoding, with marks for the rest."""
    if sys.stdout is None:  # closed by who called us: its number would be taken by a file of ours
        raise UsageProblem("sabot: standard output is closed")
    if sys.stderr is None:  # what is meant for a person goes nowhere then
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - as long as the process
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")


def _run(arguments: list[str]) -> int:
    chosen = next((word for word in arguments if not word.startswith("-")), None)
    parser, module = _parser(chosen)
    args = parser.parse_args(arguments)
    if module is None:
        parser.print_help(sys.stderr)
        return USAGE
    status = module.run(args)
    sys.stdout.flush()  # here, where a reader that has gone is still caught
    return int(status)


def _parser(chosen: str | None) -> tuple[argparse.ArgumentParser, ModuleType | None]:
    """The whole parser, of which only the chosen subcommand is filled in, and that one's module."""
    parser = Parser(prog="sabot", description="Controller of a physical card shoe.")
    parser.add_argument("--version", action="version", version=f"sabot {importlib.metadata.version('sabot')}")
    subparsers = parser.add_subparsers(metavar="SUBCOMMAND", title="subcommands")
    module = None
    for name, summary in SUBCOMMANDS.items():
        if importlib.util.find_spec(_module_name(name)) is None:
            continue  # not in this installation
        if name == chosen:
            module = importlib.import_module(_module_name(name))
            module.add_parser(subparsers)
        else:
            subparsers.add_parser(name, help=summary, add_help=False)
    return parser, module


def _module_name(subcommand: str) -> str:
    return "controller.cli." + subcommand.replace("-", "_")


def _complain(lines: Sequence[str]) -> int:
    for line in lines:
        print("\\n".join(line.splitlines()), file=sys.stderr)  # a file's name may hold line breaks
    return USAGE


def _reader_gone() -> int:
    """Nobody reads our output any more: end quietly, also when the interpreter flushes at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return USAGE


def _defect(error: Exception) -> int:
    if os.environ.get("SABOT_TRACEBACK"):
        traceback.print_exception(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(last.filename)}:{last.lineno}"
    text = " ".join(str(error).split())
    return _complain([f"sabot: a defect in the program ({place}): {type(error).__name__}: {text}"])


if __name__ == "__main__":
    sys.exit(main())
