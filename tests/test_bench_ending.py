"""Ends that are not asked for politely: signals by the dozen, a simulator that hangs, an output that takes nothing."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from bench_support import END_S, PATIENCE_S, Bench

pytestmark = pytest.mark.timeout(180)


@pytest.mark.parametrize("dealing", [False, True])
def test_signals_by_the_dozen_end_it_with_0(tmp_path: Path, dealing: bool) -> None:
    with Bench(tmp_path, "--seed", "5", "--speed", "20") as bench:
        if dealing:
            bench.next_line("card")
        for number in itertools.cycle((signal.SIGINT, signal.SIGTERM)):
            try:
                bench.process.wait(0.005 if dealing else 1.5)
                break
            except subprocess.TimeoutExpired:
                bench.process.send_signal(number)
        assert bench.process.returncode == 0
        bench.rest()
    assert bench.errors.count("Traceback") == 0


def test_a_simulator_that_hangs_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with Bench(tmp_path, "--seed", "5", "--speed", "20") as bench:
        bench.next_line("card")
        simulator = int(json.loads((tmp_path / "sim" / "sim.json").read_text())["pid"])
        os.kill(simulator, signal.SIGSTOP)
        assert bench.end() < END_S + 5
        assert bench.process.returncode == 0
        with pytest.raises(ProcessLookupError):
            os.kill(simulator, 0)


def test_an_output_that_takes_nothing_is_one_line() -> None:
    command = [sys.executable, "-m", "controller.cli.main", "bench", "--json", "--rounds", "1", "--speed", "20"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.count("No space left on device") == 1


def test_errors_that_nobody_hears_change_nothing() -> None:
    call = f'"{sys.executable}" -m controller.cli.main bench --port 0 --rounds 1 --speed 20 2>&-'
    done = subprocess.run(["sh", "-c", call], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0
    assert "1 rounds" in done.stdout
