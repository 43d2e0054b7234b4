"""The barcode process: it reads beside the slot's reader, it may die, and the faces are read on."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from barcode_support import CODES, card, code128, geometry, qr, text_of

from vision.answer import Answer
from vision.barcode import BarcodeProcess
from vision.barcode_table import Label
from vision.card_codes import DIFFER, CardCodes
from vision.slot_reader import SlotReader
from vision.sources.base import Frame


class Told:
    """A reader of faces that says what it is told."""

    def __init__(self, symbol: str) -> None:
        self.symbol = symbol

    def read(self, patch: np.ndarray) -> Answer:
        return Answer(self.symbol, 0.99)


@pytest.fixture
def process() -> Iterator[BarcodeProcess]:
    found = BarcodeProcess(("code128", "qr"))
    yield found
    found.close()


def passage(code: str | None) -> Iterator[Frame]:
    """A card with a barcode right of its index, moving through the window."""
    shown = card("As", code)
    places = [None] * 3 + list(range(600, -520, -40)) + [None] * 2
    for number, x in enumerate(places):
        frame = np.full((480, 640, 3), 22, np.uint8)
        if x is not None:
            left, right = max(0, x), min(640, x + 508)
            if left < right:
                frame[40:480, left:right] = shown[:440, left - x : right - x]
        yield Frame(frame, number, number / 120)


def read(code: str | None, told: str, codes: CardCodes) -> list[tuple[str | None, str]]:
    reader = SlotReader(geometry(), reads=Told(told), codes=codes)
    return [(m.symbol, m.why) for frame in passage(code) for m in reader.feed(frame) if hasattr(m, "kind")]


def test_face_and_barcode_agree_or_nothing_is_said() -> None:
    codes = CardCodes(CODES, recorded=True)
    try:
        assert read("01", "As", codes) == [("As", "")]
        assert read("02", "As", codes) == [(None, DIFFER)]
        assert read(None, "As", codes) == [("As", "")]
    finally:
        codes.close()


def test_a_process_that_dies_is_started_again(process: BarcodeProcess) -> None:
    picture = code128(text_of("01"))
    process.send(picture)
    assert process.receive(20.0) == [("code128", text_of("01"))]
    first = process.pid
    assert first is not None
    os.kill(first, signal.SIGSEGV)
    process.send(picture)
    process.receive(20.0)  # its end is noticed here, or was at once
    process.send(picture)
    assert process.receive(20.0) == [("code128", text_of("01"))]
    assert process.pid not in (None, first)
    assert process.note == ""


def test_one_that_always_dies_is_off_and_the_reader_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.barcode.sys.executable", "/bin/false")
    codes = CardCodes(CODES)
    for _ in range(20):
        codes.look(np.zeros((20, 20), np.uint8))
        codes.passage(Answer("As", 1.0))
    assert codes.note.startswith("barcode is off: ")
    assert read("02", "As", codes) == [("As", "")]


def test_a_label_on_the_lid(process: BarcodeProcess) -> None:
    lid = np.full((480, 640, 3), 30, np.uint8)
    code = cv2.cvtColor(qr("SABOT:shoe=3;deck=house-7", 8), cv2.COLOR_GRAY2BGR)
    lid[100 : 100 + code.shape[0], 200 : 200 + code.shape[1]] = code
    codes = CardCodes(None, process)
    codes.look(lid)
    codes.passage(Answer("cut", 1.0))
    for _ in range(40):
        if codes.label is not None:
            break
        codes.passage(Answer("cut", 1.0))
    assert codes.label == Label("3", "house-7")
