"""A camera of the kernel's whose driver does what no file can produce: a read that never returns, no picture, values
that are taken and not obeyed. Real nodes are in test_conformance."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytest_mock import MockerFixture

from controller.paths import config_folder
from vision.geometry import load_geometry
from vision.sources import v4l2
from vision.sources.base import CameraLost

GEOMETRY = load_geometry(config_folder() / "cameras" / "reference-slot.toml")


class Driver:
    """OpenCV's capture: `pictures` are given, then `then` is called instead of another."""

    def __init__(self, pictures: int) -> None:
        self.pictures = pictures
        self.hang = threading.Event()
        self.values: dict[int, float] = {}
        self.released = False

    def isOpened(self) -> bool:
        return True

    def set(self, key: int, value: float) -> bool:
        self.values[key] = value * 2  # taken, and not obeyed
        return True

    def get(self, key: int) -> float:
        return self.values[key]

    def read(self) -> tuple[bool, object]:
        if self.pictures == 0:
            self.hang.wait(20.0)
            return False, None
        self.pictures -= 1
        return True, np.zeros((4, 4, 3), np.uint8)

    def release(self) -> None:
        self.released = True


@pytest.fixture
def node(tmp_path: Path) -> Path:
    path = tmp_path / "video0"
    path.touch()
    return path


@pytest.fixture
def driver(mocker: MockerFixture) -> Iterator[Driver]:
    made = Driver(3)
    mocker.patch.object(v4l2.cv2, "VideoCapture", return_value=made)
    mocker.patch.object(v4l2, "LOST_S", 0.3)
    mocker.patch.object(v4l2, "QUIET_S", 0.05)
    yield made
    made.hang.set()


def test_a_read_that_never_returns_is_a_lost_camera_and_a_quick_end(node: Path, driver: Driver) -> None:
    source = v4l2.V4l2Source(node, GEOMETRY, 120)
    began = time.monotonic()
    with pytest.raises(CameraLost, match="no frame for"):
        list(source.frames())
    source.close()
    assert time.monotonic() - began < 3.0
    assert not driver.released  # it hangs inside: left to the end of the process


def test_a_camera_that_gives_nothing_more_is_lost_and_given_back(node: Path, driver: Driver) -> None:
    driver.hang.set()
    source = v4l2.V4l2Source(node, GEOMETRY, 120)
    with pytest.raises(CameraLost, match="no frame for"):
        list(source.frames())
    source.close()
    assert driver.released


def test_values_that_are_not_obeyed_are_said(node: Path, driver: Driver) -> None:
    source = v4l2.V4l2Source(node, GEOMETRY, 120)
    assert any(note.startswith("exposure: ") for note in source.notes)
    assert any(note.startswith("manual exposure: 1 was asked for, the camera says 2") for note in source.notes)
    driver.hang.set()
    source.close()


def test_a_node_that_is_not_there_is_lost(tmp_path: Path) -> None:
    with pytest.raises(CameraLost, match="no such device"):
        v4l2.V4l2Source(tmp_path / "none", GEOMETRY, 120)
