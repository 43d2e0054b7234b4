"""`sabot cards-from-photos`: photographs named by their card become a deck; what will not do is named."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import photo_support as photos
import pytest
from cli_support import sabot

from controller.cards import DECK
from controller.cli.cards_from_photos import symbol_named
from hw_sim.decks import draw_face

NAMES = {
    "10clubs": "Tc", "Ahearts": "Ah", "As_3": "As", "AS": "As", "queen_of_spades": "Qs", "Th": "Th", "10h": "Th",
    "ten-of-diamonds": "Td", "2 of clubs (1)": "2c", "KingHearts": "Kh", "jack_spade": "Js", "7d-copy": "7d",
    "ace_of_spades_photo2": "As", "9H.front": "9h", "back": "back", "JOKER_2": "joker", "cut": "cut",
}  # fmt: skip
NO_NAMES = ("photo", "11clubs", "Ax", "s", "10", "clubs", "IMG_2034", "backs", "Asx", "as2", "")


@pytest.mark.parametrize(("name", "symbol"), NAMES.items())
def test_a_name_says_its_card(name: str, symbol: str) -> None:
    assert symbol_named(Path(f"{name}.jpg")) == symbol


@pytest.mark.parametrize("name", NO_NAMES)
def test_a_name_that_says_none(name: str) -> None:
    assert symbol_named(Path(f"{name}.jpg")) is None


def test_a_deck_is_made(tmp_path: Path) -> None:
    for name, symbol in (("10clubs", "Tc"), ("Qh_1", "Qh"), ("ace_of_spades", "As")):
        photos.save(tmp_path / "album" / f"{name}.jpg", symbol)
    answer = sabot("cards-from-photos", tmp_path / "album", tmp_path / "deck")
    assert (answer.status, answer.err) == (0, "")
    assert "3 cards" in answer.out
    assert sorted(path.name for path in (tmp_path / "deck").iterdir()) == ["As.png", "Qh.png", "Tc.png"]
    card = cv2.imread(str(tmp_path / "deck" / "Qh.png"))
    assert card is not None
    assert card.shape == (711, 508, 3)
    drawn = draw_face(photos.STYLE, "Qh", photos.SCALE)
    alike = np.corrcoef(card[..., 1].ravel(), drawn[..., 1].ravel())[0, 1]
    turned = np.corrcoef(card[::-1, ::-1, 1].ravel(), drawn[..., 1].ravel())[0, 1]
    assert max(alike, turned) > 0.9


def test_what_will_not_do_is_named_and_the_rest_is_cut(tmp_path: Path) -> None:
    album = tmp_path / "album"
    photos.save(album / "As.jpg", "As")
    photos.save(album / "As_2.jpg", "As")
    photos.save(album / "IMG_0001.jpg", "2s")
    photos.save(album / "3s.jpg", None)
    photos.cut_short(album / "4s.jpg", "4s")
    (album / "5s.jpg").write_text("text\n")
    answer = sabot("cards-from-photos", album, tmp_path / "deck")
    assert answer.status == 1
    assert [Path(line.split(": ")[0]).name for line in answer.mistakes] == [
        "3s.jpg", "4s.jpg", "5s.jpg", "As_2.jpg", "IMG_0001.jpg",
    ]  # fmt: skip
    assert [path.name for path in (tmp_path / "deck").iterdir()] == ["As.png"]


def test_bad_folders(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    photos.save(tmp_path / "album" / "As.jpg", "As")
    (tmp_path / "file").write_text("")
    for source, target in (
        ("none", "deck"),
        ("empty", "deck"),
        ("album/As.jpg", "deck"),
        ("album", "album"),
        ("album", "file"),
        ("album", "file/deck"),
    ):
        answer = sabot("cards-from-photos", tmp_path / source, tmp_path / target)
        assert (answer.status, answer.out, len(answer.mistakes)) == (2, "", 1), (source, target)


def test_the_photographs_for_development(shared: Path, tmp_path: Path) -> None:
    answer = sabot("cards-from-photos", shared / "photos" / "kentdoan", tmp_path / "deck")
    assert (answer.status, answer.err) == (0, "")
    assert {path.stem for path in (tmp_path / "deck").iterdir()} == set(DECK)
