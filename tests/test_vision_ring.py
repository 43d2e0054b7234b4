"""The ring of frames between two processes: order, back pressure, readers that come, go, die and come back."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from vision.ring import RingClosed, RingReader, RingWriter

READER = """
import sys
from vision.ring import RingReader
reader = RingReader(sys.argv[1])
while (frame := reader.read(10)) is not None:
    print(frame.number, frame.time_s, int(frame.image.sum()), flush=True)
    if frame.number == int(sys.argv[2]):
        break
"""


def picture(value: int, shape: tuple[int, ...] = (48, 64, 3)) -> np.ndarray:
    return np.full(shape, value, np.uint8)


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[RingWriter]:
    with RingWriter(tmp_path / "camera.sock", 3) as ring:
        yield ring


def test_drops_at_once_without_a_reader_and_counts_what_was_dropped(writer: RingWriter, tmp_path: Path) -> None:
    assert not writer.write(picture(1), 0.0)
    with RingReader(tmp_path / "camera.sock") as reader:
        assert writer.write(picture(2), 0.5)
        frame = reader.read(5)
        assert frame is not None
        assert (frame.number, frame.time_s) == (1, 0.5)
        assert np.array_equal(frame.image, picture(2))


def test_blocks_until_the_reader_has_room(writer: RingWriter, tmp_path: Path) -> None:
    with RingReader(tmp_path / "camera.sock") as reader:
        for value in range(3):
            assert writer.write(picture(value), float(value))
        with pytest.raises(TimeoutError):
            writer.write(picture(3), 3.0, timeout_s=0.02)
        assert reader.read(5) is not None  # held until the next read
        with pytest.raises(TimeoutError):
            writer.write(picture(3), 3.0, timeout_s=0.02)
        assert reader.read(5) is not None
        assert writer.write(picture(9), 9.0, timeout_s=5)


def test_a_blocked_write_ends_when_the_reader_leaves(writer: RingWriter, tmp_path: Path) -> None:
    reader = RingReader(tmp_path / "camera.sock")
    for value in range(3):
        assert writer.write(picture(value), 0.0)
    threading.Timer(0.1, reader.close).start()
    assert not writer.write(picture(3), 0.0, timeout_s=10)
    with RingReader(tmp_path / "camera.sock") as again:
        assert writer.write(picture(4), 4.0)
        frame = again.read(5)
        assert frame is not None
        assert frame.number == 4


def test_the_reader_sees_the_writer_end(tmp_path: Path) -> None:
    writer = RingWriter(tmp_path / "camera.sock", 2)
    reader = RingReader(tmp_path / "camera.sock")
    assert writer.write(picture(1), 0.0)
    writer.close()
    assert reader.read(5) is not None
    with pytest.raises(RingClosed):
        reader.read(5)
    reader.close()
    assert not (tmp_path / "camera.sock").exists()
    with pytest.raises(FileNotFoundError):
        RingReader(tmp_path / "camera.sock")


def test_frames_may_grow_and_be_grey(writer: RingWriter, tmp_path: Path) -> None:
    with RingReader(tmp_path / "camera.sock") as reader:
        for shape in ((10, 12), (40, 50, 3), (8, 8)):
            assert writer.write(picture(7, shape), 0.0)
            frame = reader.read(5)
            assert frame is not None
            assert frame.image.shape == shape
            assert int(frame.image.min()) == 7


def test_a_killed_reader_in_another_process_is_replaced(writer: RingWriter, tmp_path: Path) -> None:
    path = str(tmp_path / "camera.sock")
    for start, last in ((0, 40), (200, 240)):
        command = [sys.executable, "-W", "error", "-c", READER, path, "100000"]
        reader = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert writer.wait_reader(20)
        number = start
        while number < last:
            number += writer.write(picture(number % 256), float(number), timeout_s=10)
        assert reader.stdout is not None
        lines = [reader.stdout.readline().split() for _ in range(last - start)]
        assert all(int(line[2]) == int(float(line[1])) % 256 * 48 * 64 * 3 for line in lines)
        reader.kill()
        reader.wait()
        reader.stdout.close()
        while writer.attached:
            writer.write(picture(0), 0.0, timeout_s=10)


def test_descriptors_do_not_leak(writer: RingWriter, tmp_path: Path) -> None:
    def turn() -> None:
        with RingReader(tmp_path / "camera.sock") as reader:
            assert writer.write(picture(1), 0.0)
            assert reader.read(5) is not None

    turn()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        turn()
    assert len(os.listdir("/proc/self/fd")) <= before + 1


def test_refuses_what_is_no_frame(writer: RingWriter) -> None:
    with pytest.raises(ValueError, match="uint8"):
        writer.write(np.zeros((3, 3), np.float32), 0.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="slots"):
        RingWriter("unused", 0)
