"""The daemon's reader with an enrolled deck: the real child reads with it and tells what has drifted."""

from __future__ import annotations

import queue
from pathlib import Path

import cv2
import pytest
import vision_support
from enrol_support import SLOT, french, slot, slot_pictures

from hw_sim.conditions import Conditions
from hw_sim.motion import Hand
from vision.child import ReaderChild, ReaderSettings
from vision.enrol import FACES, enrol
from vision.messages import Camera, Message, Reading
from vision.profile import ProfileError, save_profile

CARDS = FACES[:14]


def messages_of(settings: ReaderSettings) -> list[Message]:
    """What the child says until its frames have ended."""
    said: queue.Queue[Message] = queue.Queue()
    child = ReaderChild(settings, said.put)
    child.start()
    messages: list[Message] = []
    try:
        while not (messages and isinstance(messages[-1], Camera) and messages[-1].state == "ended"):
            messages.append(said.get(timeout=60))
    finally:
        child.stop()
    return messages


def test_the_child_reads_with_the_deck_and_tells_what_drifted(tmp_path: Path) -> None:
    done = enrol(slot_pictures(french(), FACES, 1), slot(), "house")
    save_profile(tmp_path / "house", done.profile, done.samples, done.cache)
    frames = tmp_path / "frames"
    frames.mkdir()
    quick, dim = Hand(1.2, 1.5, stop_chance=0, pull_back_chance=0), Conditions(light=0.4)
    for frame in vision_support.passage_frames(CARDS, 3, conditions=dim, hand=quick, empty=2):
        cv2.imwrite(str(frames / f"{frame.number:04d}.bmp"), frame.image)
    messages = messages_of(ReaderSettings(f"folder:{frames}", str(SLOT), deck=str(tmp_path / "house")))
    assert [m.symbol for m in messages if isinstance(m, Reading)] == list(CARDS)
    notes = [m.detail for m in messages if isinstance(m, Camera) and m.state == "ok" and m.detail]
    assert len(notes) >= 1
    assert "lower than at enrolment" in notes[0]


def test_a_deck_or_a_code_table_that_cannot_be_used_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="no enrolled deck"):
        ReaderChild(ReaderSettings("picamera2", str(SLOT), deck=str(tmp_path)), print)
    with pytest.raises(ValueError, match=r"codes\.toml"):
        ReaderChild(ReaderSettings("picamera2", str(SLOT), codes=str(tmp_path / "codes.toml")), print)
