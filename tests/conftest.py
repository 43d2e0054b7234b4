"""Shared by all tests: the tests' folder is importable, and where the founders' material lies."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import hypothesis
import pytest

TESTS = Path(__file__).resolve().parent
SHARED = TESTS.parent.parent / "shared"
for folder in (TESTS, TESTS / "oracle"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

# The suite tries the same examples every time: a failure is the change's own. SABOT_SEARCH=1 looks for new ones.
# No deadlines: speed is measured under tests/bench.
hypothesis.settings.register_profile("suite", deadline=None, derandomize=not os.environ.get("SABOT_SEARCH"))
hypothesis.settings.load_profile("suite")
if os.environ.get("SABOT_EMULATED"):  # ten times slower
    slow = list(hypothesis.HealthCheck)
    hypothesis.settings.register_profile(
        "emulated", deadline=None, derandomize=True, max_examples=20, suppress_health_check=slow
    )
    hypothesis.settings.load_profile("emulated")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of photographs and art beside the checkout; the test is skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("../shared is not here (photographs and card art for development)")
    return SHARED
