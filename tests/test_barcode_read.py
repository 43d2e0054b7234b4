"""Barcodes in photographs, in `sabot read` and before the box's camera: drawn codes, the real zbar, killed and all."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from barcode_support import CODES, REGION, TABLE, card, geometry, qr
from cli_support import sabot

from vision.answer import NO_CARD, TWO_CARDS, Answer, abstain
from vision.barcode import BarcodeProcess
from vision.barcode_table import Label
from vision.box_reader import BoxReader
from vision.card_codes import DIFFER, CardCodes
from vision.geometry import FREE
from vision.messages import Reading
from vision.slot_reader import SlotReader
from vision.sources.base import Frame
from vision.still_codes import StillCodes

BOX_FILE = Path(__file__).resolve().parents[1] / "config" / "cameras" / "reference-box.toml"
LABEL = "SABOT:shoe=3;deck=house-7"


def on_table(shown: np.ndarray, turned: float = 7.0) -> np.ndarray:
    """A photograph of a card, 1000 x 900 px, on a dark table."""
    height, width = shown.shape[:2]
    move = cv2.getRotationMatrix2D((width / 2, height / 2), turned, 1.0)
    move[:, 2] += ((900 - width) / 2, (1000 - height) / 2)
    table = np.random.default_rng(5).normal(40, 3, (1000, 900, 3)).clip(0, 255).astype(np.uint8)
    mask = cv2.warpAffine(np.full(shown.shape[:2], 255, np.uint8), move, (900, 1000))
    placed = cv2.warpAffine(shown, move, (900, 1000))
    table[mask > 127] = placed[mask > 127]
    return table


def lid(text: str) -> np.ndarray:
    """A shoe's dark lid with a label."""
    picture = np.full((480, 640, 3), 30, np.uint8)
    code = cv2.cvtColor(qr(text, 8), cv2.COLOR_GRAY2BGR)
    picture[100 : 100 + code.shape[0], 200 : 200 + code.shape[1]] = code
    return picture


@pytest.fixture(scope="module")
def stills() -> Iterator[StillCodes]:
    found = StillCodes(CODES)
    yield found
    found.close()


@pytest.mark.parametrize("turned", [0.0, 33.0, 180.0])
def test_photograph_face_and_code_agree_or_nothing_is_said(stills: StillCodes, turned: float) -> None:
    aces = Answer("As", 0.9)
    assert stills.beside(aces, on_table(card("As", "01"), turned), FREE) == aces
    assert stills.beside(aces, on_table(card("As", "02"), turned), FREE).why == DIFFER
    assert stills.beside(aces, on_table(card("As", None), turned), FREE) == aces
    unread = stills.beside(abstain("unclear"), on_table(card("As", "01"), turned), FREE)
    assert (unread.symbol, unread.why) == (None, "unclear; the barcode says As")


def test_photograph_the_cameras_file_says_where_the_code_is(stills: StillCodes, tmp_path: Path) -> None:
    other_way = on_table(card("As", "02"), 180.0)
    assert stills.beside(Answer("As", 0.9), other_way, geometry(_camera(tmp_path))).why == DIFFER
    bottom = np.ascontiguousarray(card("As", None))
    with_code = card("As", "02")
    bottom[310:410, 150:480] = with_code[30:130, 150:480]  # a code that is not where it should be
    assert stills.beside(Answer("As", 0.9), on_table(bottom, 0.0), geometry(_camera(tmp_path))).symbol == "As"


@pytest.mark.parametrize("why", [NO_CARD, TWO_CARDS])
def test_photograph_without_one_card_stays_that(stills: StillCodes, why: str) -> None:
    assert stills.beside(abstain(why), on_table(card("As", "01")), FREE) == abstain(why)


def test_photograph_of_a_label(stills: StillCodes) -> None:
    stills.beside(abstain(NO_CARD), lid(LABEL), FREE)
    assert stills.label == Label("3", "house-7")
    stills.beside(abstain(NO_CARD), np.zeros((300, 300, 3), np.uint8), FREE)
    assert stills.label is None


def test_photographs_go_on_when_the_process_is_killed() -> None:
    process = BarcodeProcess(("code128", "qr"))
    stills = StillCodes(CODES, process)
    picture = on_table(card("As", "02"))
    try:
        for _ in range(2):
            assert stills.beside(Answer("As", 0.9), picture, FREE).why == DIFFER, "read again by the next process"
            kill(process, signal.SIGKILL)
        assert stills.beside(Answer("As", 0.9), picture, FREE).why == DIFFER
        kill(process, signal.SIGKILL)
        assert stills.beside(Answer("As", 0.9), picture, FREE) == Answer("As", 0.9), "three deaths: faces alone"
        assert stills.note == "barcode is off: its process dies again and again"
    finally:
        stills.close()


def test_the_command_reads_codes_beside_faces(tmp_path: Path) -> None:
    (tmp_path / "codes.toml").write_text(TABLE)
    (tmp_path / "p").mkdir()
    for name, picture in (
        ("1.png", on_table(card("As", "01"))),
        ("2.png", on_table(card("As", "02"))),
        ("3.png", on_table(card("As", None))),
        ("4.png", lid(LABEL)),
    ):
        cv2.imwrite(str(tmp_path / "p" / name), picture)
    answer = sabot("read", tmp_path / "p", "--codes", tmp_path / "codes.toml", "--json")
    lines = answer.json()
    assert [(line["symbol"], line["why"]) for line in lines[:3]] == [("As", ""), (None, DIFFER), ("As", "")]
    assert (lines[3]["symbol"], lines[3]["label"]) == (None, {"shoe": "3", "deck": "house-7"})
    assert (answer.status, answer.err) == (1, "")
    assert "label: shoe 3, deck house-7" in sabot("read", tmp_path / "p/4.png", "--codes", tmp_path / "codes.toml").out
    (tmp_path / "codes.toml").write_text('symbology = "ean"\n')
    answer = sabot("read", tmp_path / "p", "--codes", tmp_path / "codes.toml")
    assert (answer.status, answer.out, len(answer.mistakes)) == (2, "", 2)


def _camera(folder: Path, motion: str = "free") -> Path:
    """A camera's file with the region."""
    path = folder / f"{motion}.toml"
    path.write_text("".join(f"{key} = {value}\n" for key, value in {"motion": f'"{motion}"', **REGION}.items()))
    return path


def slid(symbol: str, code: str | None) -> Iterator[np.ndarray]:
    """Frames of a card through the slot's window."""
    shown = card(symbol, code)
    for x in [None] * 3 + list(range(600, -520, -40)) + [None] * 3:
        frame = np.full((480, 640, 3), 22, np.uint8)
        if x is not None:
            left, right = max(0, x), min(640, x + 508)
            if left < right:
                frame[40:480, left:right] = shown[:440, left - x : right - x]
        yield frame


def test_the_command_reads_codes_of_passages(tmp_path: Path) -> None:
    (tmp_path / "codes.toml").write_text(TABLE)
    (tmp_path / "s").mkdir()
    images = [lid(LABEL), *(image for code in ("01", "02", None) for image in slid("As", code))]
    for number, image in enumerate(images):
        cv2.imwrite(str(tmp_path / "s" / f"{number}.png"), image)
    camera = _camera(tmp_path, "slot")
    answer = sabot(
        "read", "--sequence", tmp_path / "s", "--codes", tmp_path / "codes.toml", "--camera", camera, "--json"
    )
    found = [(line["symbol"], line["why"]) for line in answer.json()]
    assert found == [("As", ""), (None, DIFFER), ("As", "")]
    assert answer.json()[-1]["label"] == {"shoe": "3", "deck": "house-7"}
    assert (answer.status, answer.err) == (1, "")


def kill(process: BarcodeProcess, how: signal.Signals) -> None:
    assert process.pid is not None
    os.kill(process.pid, how)


class Box:
    """The box's reader before still pictures."""

    def __init__(self, codes: CardCodes) -> None:
        self._reader = BoxReader(geometry(BOX_FILE), codes=codes)
        self._number = 0

    def show(self, picture: np.ndarray, frames: int = 60) -> list[tuple[str, str | None, str]]:
        said = []
        for _ in range(frames):
            self._number += 1
            said += self._reader.feed(Frame(picture, self._number, self._number / 120))
        return [(each.kind, each.symbol, each.why) for each in said if isinstance(each, Reading)]


def lying(shown: np.ndarray) -> np.ndarray:
    frame = np.full((480, 640, 3), 22, np.uint8)
    frame[40:480, 60:568] = shown[:440]
    return frame


FLOOR = np.full((480, 640, 3), 22, np.uint8)


def test_box_face_and_code_agree_or_nothing_is_said() -> None:
    codes = CardCodes(CODES, recorded=True)
    box = Box(codes)
    try:
        assert [said[0] for said in box.show(FLOOR)] == ["emptied"]
        assert box.show(lying(card("As", "01"))) == [("exposed", "As", "")]
        assert box.show(FLOOR) == [("emptied", "empty", "")]
        assert box.show(lying(card("As", "02"))) == [("exposed", None, DIFFER)]
        box.show(FLOOR)
        assert box.show(lying(card("As", None))) == [("exposed", "As", "")], "the last card's code is forgotten"
    finally:
        codes.close()


def test_box_reads_on_when_the_process_is_killed() -> None:
    process = BarcodeProcess(("code128", "qr"))
    codes = CardCodes(CODES, process, recorded=True)
    box = Box(codes)
    try:
        for _ in range(3):
            kill(process, signal.SIGSEGV)
            box.show(FLOOR)
            assert box.show(lying(card("As", None))) == [("exposed", "As", "")]
        assert codes.note.startswith("barcode is off: ")
    finally:
        codes.close()


def test_slot_labels_alone_where_the_table_has_no_cards() -> None:
    codes = CardCodes(None, recorded=True)
    reader = SlotReader(geometry(), codes=codes)
    try:
        images = [lid(LABEL), FLOOR, FLOOR, *slid("As", "02")]
        said = [each for n, image in enumerate(images) for each in reader.feed(Frame(image, n, n / 120))]
        assert [each.symbol for each in said if isinstance(each, Reading)] == [None, "As"]
        assert codes.label == Label("3", "house-7")
    finally:
        codes.close()
