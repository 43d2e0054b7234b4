"""Which OpenCV and numpy the suite really runs on: `make test` runs the reader's tests on two, never twice on one."""

from __future__ import annotations

import os
import re
from importlib.metadata import version
from pathlib import Path

import cv2
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
WANTED = os.environ.get("SABOT_VERSIONS", "")
READS = re.compile(r"^from vision\.(slot|still|decide|box_reader|deck|enrol|networks|barcode)\b", re.MULTILINE)


def begins(found: str, wanted: str) -> bool:
    """Whether a version is the wanted one as far as that goes: 4.11.0 is 4.11, 4.1.1 is not."""
    return found.split(".")[: len(wanted.split("."))] == wanted.split(".")


@pytest.mark.skipif(not WANTED, reason="only `make` says which versions an environment was made for")
def test_the_versions_are_those_of_this_environment() -> None:
    wanted = dict(pair.split("=") for pair in WANTED.split())
    assert set(wanted) == {"opencv", "numpy"}
    assert begins(cv2.__version__, wanted["opencv"]), f"OpenCV {cv2.__version__}, made for {WANTED}"
    assert begins(np.__version__, wanted["numpy"]), f"numpy {np.__version__}, made for {WANTED}"


def test_what_is_imported_is_what_was_installed() -> None:
    assert begins(version("opencv-python"), ".".join(cv2.__version__.split(".")[:3]))
    assert version("numpy") == np.__version__


def test_the_constraints_of_bookworm_give_the_older_pair() -> None:
    lines = (ROOT / "config" / "constraints-bookworm-picamera2.txt").read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == ["numpy<2", "opencv-python>=4.10,<4.12"]


def test_every_test_that_reads_cards_runs_on_both() -> None:
    """A test file that draws on the reader by its imports is named so that .ci/opencv4 takes it along."""
    patterns = re.findall(r"tests/(test_\w+\*?)\.py", (ROOT / ".ci" / "opencv4").read_text())
    left_out = []
    for path in sorted((ROOT / "tests").glob("test_*.py")):
        taken = any(path.match(f"{pattern}.py") for pattern in patterns)
        if READS.search(path.read_text()) and not taken:
            left_out.append(path.name)
    assert left_out == []
