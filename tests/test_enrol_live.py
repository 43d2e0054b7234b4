"""`enrol --live`: the deck is dealt past the simulator's camera through its real ring, card by card as asked."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import vision_support
from enrol_support import forty, french, slot

from hw_sim.camera import Camera
from hw_sim.conditions import Conditions
from hw_sim.motion import Hand
from vision.deck import open_deck
from vision.enrol_live import deal, spoken
from vision.enrol_pictures import EnrolRefused
from vision.profile import save_profile
from vision.ring import RingWriter
from vision.sequence import read_sequence

QUICK = Hand(slowest=1.2, fastest=1.5, stop_chance=0.0, pull_back_chance=0.0)


def dealt(symbols: Sequence[str], seed: int):
    """Frames of cards pulled one after another."""
    rng = np.random.default_rng(seed)
    camera = Camera(Conditions(), rng)
    for symbol in [*symbols, None]:
        card = camera.prepare(french()(symbol)) if symbol is not None else None
        poses = vision_support.drawn(rng, QUICK).poses if symbol is not None else ()
        for cards in [[], [], *[[(card, pose)] for pose in poses]]:
            yield cards, camera


def feed(path: Path, symbols: Sequence[str], ended: threading.Event) -> threading.Thread:
    writer = RingWriter(path, 4)

    def run() -> None:
        with writer:
            while not writer.attached and not ended.wait(0.01):
                pass
            for number, (cards, camera) in enumerate(dealt(symbols, 5)):
                if ended.is_set():
                    return
                writer.write(camera.frame(cards, number / 120), number / 120)
            ended.wait(60)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def test_a_deck_is_dealt_and_then_read(tmp_path: Path) -> None:
    ended, said = threading.Event(), []
    order = [*forty()[:2], "Kh", *forty()[2:]]  # the third card is a wrong one, then comes the right one
    thread = feed(tmp_path / "ring", order, ended)
    try:
        done = deal(f"shared:{tmp_path / 'ring'}", slot(), "house", forty(), said.append)
    finally:
        ended.set()
        thread.join(20)
    assert said[0] == "1 of 40: draw the ace of spades (As)"
    assert sum("that looks like the king of hearts (Kh)" in line for line in said) == 1
    assert sum(": draw " in line for line in said) == 41
    assert done.profile.letters == "usual"
    save_profile(tmp_path / "house", done.profile, done.samples, done.cache)
    cards = ["7d", "Qs", "2c"]
    frames = vision_support.passage_frames(cards, 8, hand=QUICK)
    assert [r.symbol for r in read_sequence(frames, slot(), open_deck(tmp_path / "house", slot()))] == cards


def test_a_camera_that_ends_too_early_says_what_is_missing(tmp_path: Path) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    import cv2

    cv2.imwrite(str(folder / "1.png"), np.full((480, 640, 3), 22, np.uint8))
    with pytest.raises(EnrolRefused, match="still to be dealt: As 2s"):
        deal(f"folder:{folder}", slot(), "x", ("As", "2s"), lambda line: None)
    with pytest.raises(EnrolRefused, match="slot's camera"):
        deal(f"folder:{folder}", replace(slot(), motion="free"), "x", ("As",), lambda line: None)


def test_cards_are_asked_for_by_name() -> None:
    assert [spoken(s) for s in ("Th", "7c", "cut", "joker")] == [
        "the ten of hearts (Th)",
        "the 7 of clubs (7c)",
        "the cut card (cut)",
        "the joker",
    ]
