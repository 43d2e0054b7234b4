"""`sabot enrol`, `sabot read --deck` and `sabot camera --preview`, as a person calls them."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest
from cli_support import sabot
from enrol_support import fixed_picture, fixed_pictures, forty, french, italian, save, slot_picture


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def enrolled(home: Path) -> Path:
    """The deck "house" in the user's folder."""
    pictures = save(fixed_pictures(italian, forty(), 3), home / "pictures", nested=True)
    answer = sabot("enrol", pictures, "--name", "house", "--camera", "device", "--json", XDG_DATA_HOME=str(home))
    assert answer.status == 0, answer.err
    (line,) = answer.json()
    assert (line["written"], len(line["symbols"]), line["read_again"], line["letters"]) == (True, 40, 120, "own")
    return Path(line["folder"])


def test_an_enrolled_deck_reads_by_name_and_by_folder(enrolled: Path, home: Path, tmp_path: Path) -> None:
    cards = ("As", "7h", "Kd", "5c")
    for k, symbol in enumerate(cards):
        cv2.imwrite(str(tmp_path / f"{k}.png"), fixed_picture(italian(symbol), 900 + k))
    for deck in ("house", str(enrolled)):
        answer = sabot("read", tmp_path, "--deck", deck, "--camera", "device", "--json", XDG_DATA_HOME=str(home))
        assert [line["symbol"] for line in answer.json()] == list(cards)
        assert answer.status == 0
    assert enrolled == home / "sabot" / "decks" / "house"


def test_a_decks_name_is_not_its_pictures_folder(enrolled: Path, home: Path, tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    cv2.imwrite(str(tmp_path / "house" / "a.png"), fixed_picture(italian("7h"), 901))
    arguments = ("read", "house", "--deck", "house", "--camera", "device", "--json")
    answer = sabot(*arguments, cwd=tmp_path, XDG_DATA_HOME=str(home))
    assert [line["symbol"] for line in answer.json()] == ["7h"], answer.err


def test_a_deck_of_another_camera_or_none_is_status_2(enrolled: Path, home: Path, tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    cv2.imwrite(str(picture), fixed_picture(italian("As"), 1))
    answer = sabot("read", picture, "--deck", enrolled)
    assert (answer.status, len(answer.mistakes)) == (2, 1)
    assert "another camera geometry" in answer.err
    answer = sabot("read", picture, "--deck", "nobodys", "--camera", "device", XDG_DATA_HOME=str(home))
    assert (answer.status, "enrolled: house" in answer.err) == (2, True)
    answer = sabot("read", picture, "--camera", "device")
    assert (answer.status, len(answer.mistakes)) == (2, 1)


def test_a_missing_card_is_named_and_nothing_written(tmp_path: Path) -> None:
    pictures = [p for p in fixed_pictures(italian, forty(), 1) if p[1] not in ("7c", "Qd")]
    folder = save(pictures, tmp_path / "pictures")
    answer = sabot("enrol", folder, "--name", "x", "--out", tmp_path / "out", "--camera", "device", "--json")
    assert answer.status == 1
    assert answer.json() == [{"written": False, "why": ["no picture of: 7c Qd"]}]
    assert not (tmp_path / "out").exists()


def test_unusable_calls(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    for arguments in (
        ("enrol", tmp_path / "pictures", "--name", "x"),
        ("enrol", tmp_path / "none", "--name", "x"),
        ("enrol", "--name", "x"),
        ("enrol", tmp_path / "pictures", "--name", "../x"),
        ("enrol", tmp_path / "pictures", "--name", "x", "--camera", "nowhere"),
        ("enrol", "--live", "--name", "x", "--camera", "free", "--source", "folder:/nowhere", "--out", tmp_path / "o"),
    ):
        answer = sabot(*arguments)
        assert (answer.status in (1, 2), answer.out, bool(answer.mistakes)) == (True, "", True), arguments


def test_a_preview_shows_what_is_read(tmp_path: Path) -> None:
    frame = tmp_path / "frame.png"
    cv2.imwrite(str(frame), slot_picture(french()("7h"), 3))
    answer = sabot("camera", "--preview", tmp_path / "out.png", "--source", frame, "--json")
    assert (answer.status, answer.json()[0]["symbol"]) == (0, "7h")
    drawn, plain = cv2.imread(str(tmp_path / "out.png")), cv2.imread(str(frame))
    assert drawn.shape[0] > 480
    assert (drawn[:480] != plain).any(axis=2).sum() > 500
    assert sabot("camera", "--preview", tmp_path / "out.jpg", "--source", frame).status == 2
    assert sabot("camera", "--preview", tmp_path / "o.png", "--source", "v4l2:/dev/nothing").status == 2
