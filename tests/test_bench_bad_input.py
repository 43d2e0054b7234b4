"""Calls that cannot work: one clear line each, status 2, no traceback; and signals, which end both processes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench_support import END_S, Bench, until

pytestmark = pytest.mark.timeout(120)


def refused(*options: str) -> str:
    """The one line that a call is refused with."""
    command = [sys.executable, "-m", "controller.cli.main", "bench", "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    lines = done.stderr.splitlines()
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert len(lines) == 1, lines
    return lines[0]


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_a_port_in_use(taken_port: int, tmp_path: Path) -> None:
    line = refused("--port", str(taken_port), "--state", str(tmp_path))
    assert str(taken_port) in line
    assert "in use" in line


@pytest.mark.parametrize(
    "options",
    [
        ("--speed", "0"),
        ("--speed", "fast"),
        ("--rounds", "0"),
        ("--seed", "-1"),
        ("--port", "70000"),
        ("--game", "poker"),
        ("--deck", "/nowhere/at/all"),
        ("--on-fault", "shrug"),
    ],
)
def test_options_that_are_none(options: tuple[str, str]) -> None:
    line = refused(*options)
    assert options[0] in line
    assert options[1] in line


def test_an_empty_deck(tmp_path: Path) -> None:
    assert str(tmp_path) in refused("--deck", str(tmp_path))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_state_folder_that_cannot_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir(mode=0o555)
    assert str(folder) in refused("--state", str(folder))


def test_a_state_folder_on_a_mount_without_files() -> None:
    assert "/proc/sabot" in refused("--state", "/proc/sabot")


def test_a_second_daemon_on_one_folder_and_the_end_of_both_processes(tmp_path: Path) -> None:
    with Bench(tmp_path, "--seed", "6", "--speed", "5") as bench:
        until(lambda: (tmp_path / "page.json").exists())
        line = refused("--state", str(tmp_path))
        assert str(tmp_path) in line
        assert str(bench.process.pid) in line
        bench.next_line("card")
        assert bench.end(signal.SIGINT) < END_S
        assert bench.process.returncode == 0
        assert not (tmp_path / "page.json").exists()
        assert not (tmp_path / "sim" / "sim.json").exists()
        bench.rest()
    assert bench.lines[-1]["event"] == "end"
    assert bench.lines[-1]["reason"] == "stopped"
