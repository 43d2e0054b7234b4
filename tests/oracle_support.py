"""Runs the product's own `sabot replay` in this process, and loads the founders' worked cases."""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import tomllib
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from conftest import SHARED, TESTS
from oracle_basics import parse

from controller.cli.main import main


def run_sabot(arguments: list[str]) -> tuple[int, list[dict[str, Any]], str]:
    """Status, the JSON lines on standard output, and standard error."""
    stdout, stderr = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
        status = main(arguments)
        stdout.flush()
    text = stdout.buffer.getvalue().decode()  # type: ignore[attr-defined]
    return status, json_lines(text), stderr.getvalue()


def json_lines(text: str) -> list[dict[str, Any]]:
    """JSON Lines with numbers exactly as written."""
    return [json.loads(line, parse_float=Decimal) for line in text.splitlines() if line.strip()]


@dataclass(frozen=True)
class Worked:
    """One worked case of the specification, in memory."""

    name: str
    folder: Path
    game: str
    arguments: list[str]
    status: int
    symbols: list[str]
    rules: dict[str, Any]
    bets: list[dict[str, Any]]
    expected: list[dict[str, Any]]

    @property
    def seats(self) -> int:
        return int(self._option("--seats", "1"))

    @property
    def doubles(self) -> set[tuple[int, int]]:
        pairs = [pair.split(":") for pair in self._option("--doubles", "").split(",") if pair]
        return {(int(number), int(seat)) for number, seat in pairs}

    def _option(self, name: str, default: str) -> str:
        return self.arguments[self.arguments.index(name) + 1] if name in self.arguments else default

    def command(self) -> list[str]:
        path = self.folder / self.name
        return [
            "replay",
            f"{path}.cards",
            "--game",
            self.game,
            "--rules",
            f"{path}.toml",
            "--bets",
            f"{path}.bets.jsonl",
            *self.arguments,
            "--json",
        ]


def worked_cases() -> list[Worked]:
    """All cases beside the checkout, else those that the project carries."""
    folder = SHARED / "spec" / "cases"
    folder = folder if folder.is_dir() else TESTS / "cases"
    return [_worked(path) for path in sorted(folder.glob("*-[0-9][0-9].json"))]


def _worked(path: Path) -> Worked:
    about = json.loads(path.read_text(encoding="utf-8"))

    def text(suffix: str) -> str:
        return path.with_name(path.stem + suffix).read_text(encoding="utf-8")

    return Worked(
        path.stem,
        path.parent,
        about["game"],
        shlex.split(about["arguments"]),
        about["status"],
        parse(text(".cards")),
        tomllib.loads(text(".toml"), parse_float=Decimal),
        json_lines(text(".bets.jsonl")),
        json_lines(text(".expected.jsonl")),
    )
