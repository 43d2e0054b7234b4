"""The reader's child process with real frames over the ring: it reads, it is restarted when killed or hung, it ends."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from vision_support import ROOT, SLOT_FILE, passage_frames

import vision.child
from vision.child import ReaderChild, ReaderSettings
from vision.geometry import GeometryError
from vision.messages import Camera, Heartbeat, Message, Reading
from vision.ring import RingWriter
from vision.sources.base import SourceError

PARENT = """
import sys
from vision.child import ReaderChild, ReaderSettings
child = ReaderChild(ReaderSettings("shared:" + sys.argv[1], sys.argv[2]), lambda message: None)
child.start()
while child.pid is None:
    pass
print(child.pid, flush=True)
sys.stdin.read()
"""


class Listener:
    """Collects messages; waits for one that fits."""

    def __init__(self) -> None:
        self.queue: queue.Queue[Message] = queue.Queue()

    def wait(self, fits: Callable[[Message], bool], timeout_s: float = 30.0) -> Message:
        until = time.monotonic() + timeout_s
        while True:
            message = self.queue.get(timeout=max(0.01, until - time.monotonic()))
            if fits(message):
                return message


def is_camera(state: str) -> Callable[[Message], bool]:
    return lambda message: isinstance(message, Camera) and message.state == state


@pytest.fixture
def ring(tmp_path: Path) -> Iterator[RingWriter]:
    with RingWriter(tmp_path / "camera.sock", 4) as writer:
        yield writer


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def child(ring: RingWriter, tmp_path: Path, listener: Listener) -> Iterator[ReaderChild]:
    settings = ReaderSettings(f"shared:{tmp_path / 'camera.sock'}", str(SLOT_FILE), None, str(tmp_path / "unread"))
    child = ReaderChild(settings, listener.queue.put)
    child.start()
    assert ring.wait_reader(30)
    yield child
    child.stop()


def play(ring: RingWriter, *symbols: str, seed: int = 1) -> None:
    for frame in passage_frames(symbols, seed):
        assert ring.write(frame.image, frame.time_s, timeout_s=20)


def test_cards_are_read_in_order(ring: RingWriter, child: ReaderChild, listener: Listener) -> None:
    play(ring, "Qs", "7h", "Td")
    readings = [listener.wait(lambda m: isinstance(m, Reading)) for _ in range(3)]
    assert [r.symbol for r in readings if isinstance(r, Reading)] == ["Qs", "7h", "Td"]
    assert [r.passage for r in readings if isinstance(r, Reading)] == [1, 2, 3]
    assert all(isinstance(r, Reading) and r.end_monotonic <= time.monotonic() and r.ms > 0 for r in readings)


def test_the_heart_beats_while_nothing_comes(child: ReaderChild, listener: Listener) -> None:
    beats = [time.monotonic() for _ in range(4) if listener.wait(lambda m: isinstance(m, Heartbeat))]
    assert beats[-1] - beats[0] < 3.0


def test_a_killed_child_is_started_again_and_reads_on(ring: RingWriter, child: ReaderChild, listener: Listener) -> None:
    play(ring, "Qs")
    listener.wait(lambda m: isinstance(m, Reading))
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    listener.wait(is_camera("lost"))
    listener.wait(is_camera("starting"))
    while ring.attached:
        ring.write(np.zeros((480, 640, 3), np.uint8), 0.0, timeout_s=20)
    assert ring.wait_reader(30)
    play(ring, "4c")
    reading = listener.wait(lambda m: isinstance(m, Reading))
    assert isinstance(reading, Reading)
    assert reading.symbol == "4c"


def test_a_hung_child_is_started_again(
    ring: RingWriter, child: ReaderChild, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vision.child, "HANG_S", 1.0)
    listener.wait(lambda m: isinstance(m, Heartbeat))
    listener.wait(lambda m: isinstance(m, Heartbeat))
    hung = child.pid
    assert hung is not None
    os.kill(hung, signal.SIGSTOP)
    lost = listener.wait(is_camera("lost"))
    assert isinstance(lost, Camera)
    assert "said nothing" in lost.detail
    listener.wait(lambda m: isinstance(m, Heartbeat))
    assert child.pid not in (None, hung)


def test_the_camera_lost_and_found(ring: RingWriter, child: ReaderChild, listener: Listener, tmp_path: Path) -> None:
    play(ring, "2d")
    listener.wait(lambda m: isinstance(m, Reading))
    ring.close()
    lost = listener.wait(is_camera("lost"))
    assert isinstance(lost, Camera)
    assert "gone" in lost.detail
    with RingWriter(tmp_path / "camera.sock", 4) as again:
        assert again.wait_reader(30)
        play(again, "3s")
        listener.wait(is_camera("ok"))
        reading = listener.wait(lambda m: isinstance(m, Reading))
        assert isinstance(reading, Reading)
        assert reading.symbol == "3s"


def test_a_frame_of_the_wrong_size_does_not_end_the_child(
    ring: RingWriter, child: ReaderChild, listener: Listener
) -> None:
    before = child.pid
    assert ring.write(np.zeros((100, 50, 3), np.uint8), 0.0, timeout_s=20)
    lost = listener.wait(is_camera("lost"))
    assert isinstance(lost, Camera)
    assert "480x640x3" in lost.detail
    while ring.attached:
        ring.write(np.zeros((480, 640, 3), np.uint8), 0.0, timeout_s=20)
    assert ring.wait_reader(30)
    play(ring, "Kc")
    reading = listener.wait(lambda m: isinstance(m, Reading))
    assert isinstance(reading, Reading)
    assert reading.symbol == "Kc"
    assert child.pid == before


def test_stopping_is_quick_and_ends_the_process(ring: RingWriter, child: ReaderChild) -> None:
    pid = child.pid
    assert pid is not None
    start = time.monotonic()
    child.stop()
    assert time.monotonic() - start < 2.0
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize("stopped", [False, True])
def test_the_child_ends_when_its_parent_is_killed(ring: RingWriter, tmp_path: Path, stopped: bool) -> None:
    """Also one that hangs where it hears nothing: it must not keep the camera from the next daemon's."""
    command = [sys.executable, "-c", PARENT, str(tmp_path / "camera.sock"), str(SLOT_FILE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert ring.wait_reader(30)
        if stopped:
            os.kill(pid, signal.SIGSTOP)
        parent.kill()
        parent.wait()
        until = time.monotonic() + 20
        while Path(f"/proc/{pid}/status").exists() and "Z (zombie)" not in Path(f"/proc/{pid}/status").read_text():
            assert time.monotonic() < until
            ring.write(np.zeros((480, 640, 3), np.uint8), 0.0, timeout_s=20)


def test_a_folder_comes_to_its_end(tmp_path: Path, listener: Listener) -> None:
    import cv2

    for frame in passage_frames(["Jh"], 3):
        cv2.imwrite(str(tmp_path / f"{frame.number}.png"), frame.image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    child = ReaderChild(ReaderSettings(f"folder:{tmp_path}", str(SLOT_FILE)), listener.queue.put)
    child.start()
    reading = listener.wait(lambda m: isinstance(m, Reading))
    assert isinstance(reading, Reading)
    assert reading.symbol == "Jh"
    listener.wait(is_camera("ended"))
    child.stop()
    assert listener.queue.empty()


def test_unusable_settings_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(GeometryError):
        ReaderChild(ReaderSettings("picamera2", str(tmp_path / "none.toml")), print)
    with pytest.raises(SourceError, match="allowed"):
        ReaderChild(ReaderSettings("webcam", str(SLOT_FILE)), print)
    with pytest.raises(ValueError, match="no enrolled deck"):
        ReaderChild(ReaderSettings("picamera2", str(SLOT_FILE), deck="house"), print)
