"""Stamps: one boot, a clock that only goes forward, UTC with its trust."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from controller.edge import stamp


def test_a_stamp_says_this_boot_and_this_moment() -> None:
    before = time.monotonic_ns()
    first, second = stamp.now(), stamp.now()
    assert before <= first.monotonic_ns <= second.monotonic_ns <= time.monotonic_ns()
    assert first.boot == second.boot == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", first.utc)
    assert abs(datetime.fromisoformat(first.utc) - datetime.now(UTC)) < timedelta(minutes=1)


def test_trust_is_the_kernels_word() -> None:
    assert stamp.now().utc_trusted is stamp.utc_trusted()
    assert stamp.utc_trusted() in (True, False)
