"""Cards pass the window: every frame in order, through the ring to a reader, with an empty window between them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest
from sim_support import CLEAN, Kept, rng, until

from hw_sim.camera import Camera
from hw_sim.decks import STYLES
from hw_sim.faces import DrawnFaces
from hw_sim.mechanism import Stack
from hw_sim.motion import Hand
from hw_sim.scenes import BoxScene, SlotScene
from hw_sim.window import EMPTY_FRAMES, FrameSink, Window
from vision.ring import RingReader, RingWriter

QUICK = Hand(slowest=1.0, fastest=1.5)


@contextmanager
def window(sink: FrameSink, left: Callable[[str], None] = lambda symbol: None) -> Iterator[tuple[Window, Stack]]:
    stack = Stack("trente-et-quarante", rng(4))
    stack.load()
    scene = SlotScene(stack, DrawnFaces(STYLES["classic"]), Camera(CLEAN, rng(1)), QUICK, 2)
    made = Window(stack, scene, sink, left)
    made.speed = 50.0
    made.start()
    try:
        yield made, stack
    finally:
        made.stop()


def shows_card(frame: np.ndarray) -> bool:
    return bool((frame[:, :, 1] > 128).any())


def runs(shown: list[bool]) -> list[tuple[bool, int]]:
    """Lengths of equal stretches."""
    made: list[tuple[bool, int]] = []
    for each in shown:
        made = [*made[:-1], (each, made[-1][1] + 1)] if made and made[-1][0] == each else [*made, (each, 1)]
    return made


def test_pulled_cards_leave_in_order_with_an_empty_window_between() -> None:
    kept, left = Kept(), []
    with window(kept, left.append) as (made, stack):
        wanted = stack.inside[:3]
        for _ in range(3):
            made.pull()
        until(lambda: len(left) == 3 and not made.busy)
        assert stack.dealt == left == wanted
    stretches = runs([shows_card(frame) for frame, _ in kept.frames])
    assert [shown for shown, _ in stretches[:6]] == [False, True, False, True, False, True]
    assert all(length >= EMPTY_FRAMES for _, length in stretches[:6])


def test_camera_time_is_one_120th_a_frame() -> None:
    kept = Kept()
    with window(kept) as (made, _):
        made.pull()
        until(lambda: len(kept.frames) > 60)
    times = np.array([t for _, t in kept.frames])
    assert times[0] == 0.0
    assert np.abs(np.diff(times) - 1 / 120).max() < 1e-9


def test_a_card_that_only_shows_itself_stays_in_the_shoe() -> None:
    kept, left = Kept(), []
    with window(kept, left.append) as (made, stack):
        first = stack.inside[0]
        made.pull(leaves=False)
        until(lambda: not made.busy)
        assert (stack.inside[0], stack.dealt, left) == (first, [], [])
    assert any(shows_card(frame) for frame, _ in kept.frames)


def test_an_empty_shoe_gives_nothing() -> None:
    kept = Kept()
    with window(kept) as (made, stack):
        stack.inside.clear()
        made.pull()
        until(lambda: not made.busy)
        assert stack.dealt == []
    assert not any(shows_card(frame) for frame, _ in kept.frames)


def test_a_passage_is_the_same_whatever_was_idle_before_it() -> None:
    def passage(pause: int) -> list[np.ndarray]:
        kept = Kept()
        with window(kept) as (made, _):
            until(lambda: len(kept.frames) > pause)
            made.pull()
            until(lambda: not made.busy)
        return [frame for frame, _ in kept.frames if shows_card(frame)]

    one, other = passage(5), passage(17)
    assert len(one) == len(other) > 5
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_no_frame_is_skipped_for_a_slow_reader(tmp_path: Path) -> None:
    """The reader holds the camera back: numbers and times come without a gap while the shoe wants to be far ahead."""
    with RingWriter(tmp_path / "camera.sock", slots=2) as ring, window(ring) as (made, stack):
        with RingReader(tmp_path / "camera.sock") as reader:
            first = reader.read(5.0)
            assert first is not None
            made.pull()
            number, time_s, seen = first.number, first.time_s, 0
            pause = threading.Event()
            while not stack.dealt:
                pause.wait(0.004)
                frame = reader.read(5.0)
                assert frame is not None
                assert frame.number == number + 1
                assert frame.time_s == pytest.approx(time_s + 1 / 120)
                number, time_s = frame.number, frame.time_s
                seen += shows_card(frame.image)
        assert seen > 5
        assert len(stack.dealt) == 1


def test_box_uncovers_the_next_card_and_lies_still_between() -> None:
    kept, left = Kept(), []
    stack = Stack("zecchinetta", rng(4))
    stack.load()
    order = list(stack.inside)
    scene = BoxScene(stack, DrawnFaces(STYLES["classic"]), Camera(CLEAN, rng(1)), 2)
    box = Window(stack, scene, kept, left.append)
    box.speed = 50.0
    box.start()
    try:
        until(lambda: len(kept.frames) > 40)
        first = kept.frames[-1][0]
        box.pull()
        until(lambda: left)
        count = len(kept.frames)
        until(lambda: len(kept.frames) > count + 10)
        second = kept.frames[-1][0]
        assert left == stack.dealt == order[:1]
        assert stack.cloth() == order[:2]
        assert np.array_equal(second, kept.frames[-5][0])  # clean light: a still card is a still picture
    finally:
        box.stop()
    assert not shows_card(kept.frames[0][0])
    for frame, symbol in ((first, order[0]), (second, order[1])):
        near = [score(frame, each) for each in (symbol, *order[2:8])]
        assert near[0] == max(near) > 0.7


def score(frame: np.ndarray, symbol: str) -> float:
    """How well the index of `symbol` is found near the corner of the box's top card."""
    face = DrawnFaces(STYLES["classic"]).face(symbol, 8.0)[16:130, 16:72]
    return float(cv2.matchTemplate(frame[20:220, 40:180], face, cv2.TM_CCOEFF_NORMED).max())
