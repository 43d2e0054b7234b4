"""Shared by all tests: the tests' folder is importable, where the founders' material lies, a browser."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

import vision  # noqa: F401 - before OpenCV: it bounds the pictures that are opened

TESTS = Path(__file__).resolve().parent
SHARED = TESTS.parent.parent / "shared"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WAIT_MS = 10_000  # for what a page is to show
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


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    """A real Chromium; tests that use it are skipped by name where it is not installed."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def page(browser: object) -> Iterator[object]:
    """A tab of the size of a Pi's touch screen; an error in the page's script fails the test."""
    opened = browser.new_page(viewport={"width": 1024, "height": 600})  # type: ignore[attr-defined]
    opened.set_default_timeout(WAIT_MS)
    opened.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))
    yield opened
    opened.close()
