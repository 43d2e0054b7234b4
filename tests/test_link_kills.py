"""The kill and fuzz benches in short: what `tests/bench/link_kills.py` and `fuzz_parsers.py` do at length."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "bench"))

from fuzz_parsers import MOST_MEMORY, fuzz
from link_kills import good, run


def test_kills_and_replugs_under_load(tmp_path: Path) -> None:
    figures = run(12, tmp_path)
    assert good(figures), figures


def test_every_parser_survives_noise() -> None:
    pytest.importorskip("pymodbus")
    for name, (decoded, _, peak) in fuzz(60_000).items():
        assert decoded, name
        assert peak < MOST_MEMORY, name
