"""Photographs: drawn cards on light and dark grounds, several, none, and what must never be a card."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from vision_support import SHARED, face, photograph, slot_geometry, styles

from vision.cutout import cut_card
from vision.evaluate import VARIANTS, judge, labelled
from vision.geometry import FREE
from vision.locate import find_cards
from vision.sources.folder import read_picture
from vision.still import read_still

KENTDOAN = SHARED / "photos" / "kentdoan"


def never() -> Iterator[tuple[str, np.ndarray]]:
    """What is no card, as pictures."""
    rng = np.random.default_rng(5)
    yield "black", np.zeros((480, 640, 3), np.uint8)
    yield "white", np.full((480, 640, 3), 255, np.uint8)
    yield "noise", rng.integers(0, 256, (480, 640, 3), dtype=np.uint8)
    stripes = np.zeros((480, 640, 3), np.uint8)
    stripes[:, ::16] = stripes[:, 1::16] = 255
    yield "stripes", stripes
    text = np.full((640, 480, 3), 245, np.uint8)
    for row, words in enumerate(("A K Q J 10", "9 8 7 6 5", "hearts", "spades")):
        cv2.putText(text, words, (30, 90 + 120 * row), cv2.FONT_HERSHEY_DUPLEX, 2.2, (20, 20, 20), 4)
    yield "text", text
    yield "tiny", np.full((8, 8, 3), 200, np.uint8)
    yield "one row", np.full((1, 900, 3), 200, np.uint8)
    card = face("Qs", px_per_mm=6.0)
    blank = np.full((900, 900, 3), 50, np.uint8)
    half = blank.copy()
    half[200 : 200 + card.shape[0] // 3, 200 : 200 + card.shape[1]] = card[
        card.shape[0] // 3 : 2 * (card.shape[0] // 3)
    ]
    yield "middle of a card", half
    mirrored = blank.copy()
    mirrored[200 : 200 + card.shape[0], 200 : 200 + card.shape[1]] = face("Js", px_per_mm=6.0)[:, ::-1]
    yield "mirrored", mirrored
    plain = blank.copy()
    plain[200:733, 200:581] = 250
    yield "blank paper", plain
    lines = blank.copy()
    lines[200:733, 200:581] = 250
    lines[230:700:20, 220:560] = 60
    yield "ruled paper", lines


@pytest.mark.parametrize(("name", "image"), list(never()), ids=[name for name, _ in never()])
def test_what_is_no_card_is_never_one(name: str, image: np.ndarray) -> None:
    assert read_still(image, FREE).symbol is None


@pytest.mark.parametrize("ground", [25, 110, 200])
@pytest.mark.parametrize("style", styles())
def test_drawn_cards_are_read_on_any_ground(style: str, ground: int) -> None:
    rng = np.random.default_rng(ground)
    for seed in range(2):
        symbol = "A23456789TJQK"[int(rng.integers(13))] + "shdc"[int(rng.integers(4))]
        reading = read_still(photograph(symbol, seed, style, ground), FREE)
        assert reading.symbol in (symbol, None)
        assert reading.ms > 0


def test_most_drawn_cards_are_read() -> None:
    cards = [(style, symbol) for style in styles() for symbol in ("As", "5h", "Td", "Qc")]
    right = sum(read_still(photograph(symbol, 7, style, 60), FREE).symbol == symbol for style, symbol in cards)
    assert right >= 0.9 * len(cards)


def test_two_cards_are_two_cards() -> None:
    picture = np.full((900, 1400, 3), 60, np.uint8)
    for x, symbol in ((120, "7h"), (800, "Kc")):
        card = face(symbol, px_per_mm=6.0)
        picture[150 : 150 + card.shape[0], x : x + card.shape[1]] = card
    reading = read_still(picture, FREE)
    assert (reading.symbol, reading.why) == (None, "two cards")


def test_nothing_is_no_card() -> None:
    for level in (0, 90, 255):
        reading = read_still(np.full((600, 800, 3), level, np.uint8), FREE)
        assert (reading.symbol, reading.why) == (None, "no card")


def test_a_shadow_over_half_the_card() -> None:
    picture = photograph("8c", 3, ground=40)
    picture[:, 640:] = (picture[:, 640:] * 0.6).astype(np.uint8)
    assert read_still(picture, FREE).symbol in ("8c", None)
    assert find_cards(picture)


def test_wrong_calls_are_refused() -> None:
    image = np.zeros((300, 300, 3), np.uint8)
    with pytest.raises(ValueError, match="free"):
        read_still(image, slot_geometry())
    with pytest.raises(ValueError, match="no enrolled deck"):
        read_still(image, FREE, deck="house")
    with pytest.raises(ValueError, match="uint8 BGR"):
        read_still(image[..., 0], FREE)
    with pytest.raises(ValueError, match="uint8 BGR"):
        read_still(image.astype(np.float32), FREE)  # type: ignore[arg-type]


def test_a_card_is_cut_out_square() -> None:
    card = cut_card(photograph("Kd", 11, ground=30))
    assert card is not None
    assert card.shape == (711, 508, 3)
    drawn = face("Kd")
    turned = [np.asarray(drawn), np.rot90(drawn, 2)]
    assert min(float(np.mean(cv2.absdiff(card, np.ascontiguousarray(d)))) for d in turned) < 16
    assert cut_card(np.zeros((400, 400, 3), np.uint8)) is None


def test_what_is_no_picture(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "text.jpg"
    text.write_text("not a picture")
    whole = cv2.imencode(".jpg", face("Kd"))[1].tobytes()
    cut_short = tmp_path / "short.jpg"
    cut_short.write_bytes(whole[: len(whole) // 2])
    png = tmp_path / "short.png"
    png.write_bytes(cv2.imencode(".png", face("Kd"))[1].tobytes()[:2000])
    empty = tmp_path / "empty.png"
    empty.touch()
    for path in (text, cut_short, png, empty, tmp_path / "none.png", tmp_path):
        assert read_picture(path) is None
    said = capfd.readouterr()
    assert said.out + said.err == ""


@pytest.mark.skipif(not KENTDOAN.is_dir(), reason="needs ../shared/photos/kentdoan")
def test_kentdoan_photographs_without_a_misread() -> None:
    """A fifth of the pictures in one spoilt form each, every one as it is; `vision.evaluate` does all."""
    photos = list(labelled(SHARED / "photos", ["kentdoan"]))
    assert len(photos) == 52
    judged = []
    for k, (path, truth) in enumerate(photos):
        judged += judge(path, truth, [VARIANTS[k % len(VARIANTS)]])
    assert [j for j in judged if j.outcome == "misread"] == []
    assert sum(j.outcome == "correct" for j in judged) >= 48
