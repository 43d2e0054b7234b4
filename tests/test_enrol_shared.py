"""Enrolment on pictures that are not the project's own: a camera inside a device, Italian card art. Skipped without."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from enrol_support import device, forty, slot, slot_picture

from hw_sim.faces import read_face
from vision.deck import computed, open_deck, reader_of
from vision.deck_model import Sample
from vision.deck_views import cards_in, kinds
from vision.enrol import enrol
from vision.profile import save_profile
from vision.sources.folder import read_picture
from vision.still import read_still


def test_the_device_reads_what_it_was_not_enrolled_from(shared: Path) -> None:
    """Twelve symbols that are easily taken for each other; all 54 by `python -m vision.evaluate_device`."""
    kind = kinds(device())[0]
    symbols = ("6s", "6c", "8s", "8c", "9h", "9d", "Kc", "Ks", "Jh", "Jd", "joker", "empty")
    views = {}
    for symbol in symbols:
        pictures = [read_picture(path) for path in sorted((shared / "photos" / "device" / symbol).iterdir())]
        views[symbol] = [cards_in(picture, device(), kind)[0][0] for picture in pictures if picture is not None]
    samples = [Sample(s, view, 100 * k + n) for k, s in enumerate(symbols) for n, view in enumerate(views[s][::2])]
    reader = reader_of(computed(samples, kind), kind)
    said = [(s, reader.read(view).answer.symbol) for s in symbols for view in views[s][1::2]]
    assert [pair for pair in said if pair[1] not in (pair[0], None)] == []
    assert sum(a == b for a, b in said) >= 0.97 * len(said)


@pytest.mark.parametrize("design", ["scopa_Piacentine", "bresciane"])
def test_italian_decks_in_the_slot(shared: Path, tmp_path: Path, design: str) -> None:
    faces = {symbol_of(path): face_of(path) for path in (shared / "art" / design).glob("*.png")}
    pictures = [(f"{s}_{k}", s, slot_picture(faces[s], 10 * n + k)) for n, s in enumerate(forty()) for k in range(2)]
    done = enrol(pictures, slot(), design)
    assert done.profile.letters == "own"
    save_profile(tmp_path / design, done.profile, done.samples, done.cache)
    deck = open_deck(tmp_path / design, slot())
    said = [(s, read_still(slot_picture(faces[s], 7000 + n), slot(), deck).symbol) for n, s in enumerate(forty())]
    assert [pair for pair in said if pair[1] not in (pair[0], None)] == []
    assert sum(a == b for a, b in said) >= 39


def symbol_of(path: Path) -> str:
    """The art's own names, as a user would label them: spade, coppe, denari, bastoni are s h d c."""
    match = re.fullmatch(r"(?P<r>\d+)(?P<s>[bcds])|(?P<s2>[bcds])(?P<r2>\d+)", path.stem)
    if match is None:
        return ""
    number, suit = int(match["r"] or match["r2"]), match["s"] or match["s2"]
    figures = {8: "J", 9: "Q", 10: "K"} if match["r"] else {8: "8", 9: "9", 10: "T", 11: "J", 12: "Q", 13: "K"}
    rank = {1: "A", **figures}.get(number, str(number))
    return rank + {"b": "c", "c": "h", "d": "d", "s": "s"}[suit]


def face_of(path: Path) -> np.ndarray:
    return np.asarray(cv2.resize(read_face(path), (508, 711), interpolation=cv2.INTER_AREA), np.uint8)
