"""`sabot read`: every path an answer, every bad one a line; real files, the real reader, the real command."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import cv2
import photo_support as photos
import pytest
from cli_support import sabot
from vision_support import passage_frames

FIELDS = {"file", "symbol", "confidence", "why", "ms"}


@pytest.fixture(scope="module")
def album(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two cards, one of them in a folder below, and the bare table."""
    folder = tmp_path_factory.mktemp("album")
    photos.save(folder / "b.jpg", "Ts")
    photos.save(folder / "a.png", None)
    photos.save(folder / "more" / "c.jpg", "7d")
    (folder / "notes.txt").write_text("not a picture, and not asked for\n")
    return folder


def test_a_folder_is_read_with_all_below_it(album: Path) -> None:
    answer = sabot("read", album, "--json")
    assert answer.err == ""
    lines = answer.json()
    assert [line["file"] for line in lines] == [str(album / name) for name in ("a.png", "b.jpg", "more/c.jpg")]
    assert [line["symbol"] for line in lines] == [None, "Ts", "7d"]
    assert lines[0]["why"] == "no card"
    assert all(set(line) >= FIELDS and 0 <= line["confidence"] <= 1 and line["ms"] >= 0 for line in lines)
    assert answer.status == 0, "no card is no failure"


def test_the_path_is_told_as_it_was_called(album: Path) -> None:
    lines = sabot("read", "more", "more/../b.jpg", "--json", cwd=album).json()
    assert [line["file"] for line in lines] == ["more/c.jpg", "more/../b.jpg"]


def test_for_a_person(album: Path) -> None:
    answer = sabot("read", album)
    assert len(answer.lines) == 3
    assert "Ts" in answer.lines[1]
    assert "no card" in answer.lines[0]


def test_what_cannot_be_read_is_said_and_the_rest_is_read(tmp_path: Path) -> None:
    photos.cut_short(tmp_path / "1-cut.jpg", "Kh")
    photos.cut_short(tmp_path / "2-cut.png", "Kh", 0.9)
    (tmp_path / "3-text.jpg").write_text("I am no picture\n")
    (tmp_path / "4-empty.jpg").write_bytes(b"")
    os.mkfifo(tmp_path / "4-pipe.jpg")
    photos.save(tmp_path / "5-good.jpg", "Kh")
    answer = sabot("read", tmp_path, "--json")
    assert (answer.status, answer.err) == (1, "")
    assert [line["symbol"] for line in answer.json()] == [None] * 5 + ["Kh"]
    assert {line["why"] for line in answer.json()[:5]} == {"unreadable file"}


def test_a_picture_of_any_name(tmp_path: Path) -> None:
    path = photos.save(tmp_path / "photo.jpg", "Ts").rename(tmp_path / "photo")
    assert sabot("read", path, "--json").json()[0]["symbol"] == "Ts"


def test_bad_paths_are_told_before_anything_is_read(tmp_path: Path, album: Path) -> None:
    (tmp_path / "empty").mkdir()
    answer = sabot("read", album / "b.jpg", tmp_path / "empty", tmp_path / "none.jpg")
    assert (answer.status, answer.out, len(answer.mistakes)) == (2, "", 2)
    assert str(tmp_path / "empty") in answer.mistakes[0]
    assert str(tmp_path / "none.jpg") in answer.mistakes[1]


def test_a_camera_by_name_and_by_file(album: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('motion = "free"\n')
    assert sabot("read", album / "b.jpg", "--camera", tmp_path / "mine.toml").status == 0
    (tmp_path / "bad.toml").write_text('motion = "sideways"\nspeed = 3\n')
    answer = sabot("read", album / "b.jpg", "--camera", tmp_path / "bad.toml")
    assert (answer.status, len(answer.mistakes)) == (2, 2)
    answer = sabot("read", album / "b.jpg", "--camera", "nowhere")
    assert (answer.status, len(answer.mistakes)) == (2, 1)
    assert "free, reference-box, reference-slot" in answer.err


@pytest.mark.parametrize("arguments", [("--camera", "reference-slot"), ("--deck", "nobody's")])
def test_what_does_not_go_together(album: Path, arguments: tuple[str, ...]) -> None:
    answer = sabot("read", album / "b.jpg", *arguments)
    assert (answer.status, answer.out, len(answer.mistakes)) == (2, "", 1)


def test_a_video_frame_by_frame(tmp_path: Path) -> None:
    path = tmp_path / "cards.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (900, 1000))
    for symbol in (None, "Ts", "7d"):
        writer.write(photos.photograph(symbol))
    writer.release()
    lines = sabot("read", path, "--json").json()
    assert [(line["frame"], line["symbol"]) for line in lines] == [(0, None), (1, "Ts"), (2, "7d")]


def test_a_video_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "cards.mp4").write_text("no video\n" * 100)
    answer = sabot("read", tmp_path / "cards.mp4", "--json")
    assert (answer.status, answer.err) == (1, "")
    assert answer.json()[0]["why"] == "unreadable file"


def test_a_sequence_wants_frames_of_the_camera(album: Path, tmp_path: Path) -> None:
    answer = sabot("read", "--sequence", album / "b.jpg")
    assert (answer.status, len(answer.mistakes)) == (2, 1)
    answer = sabot("read", "--sequence", album)
    assert (answer.status, len(answer.mistakes)) == (2, 1), "frames of another size than the camera's"
    assert "frame 0" in answer.mistakes[0]
    shutil.copytree(album, tmp_path / "bare")
    for path in (tmp_path / "bare").rglob("*.*g"):
        path.unlink()
    answer = sabot("read", "--sequence", tmp_path / "bare")
    assert (answer.status, len(answer.mistakes)) == (2, 1)
    assert "empty folder" in answer.err


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three cards drawn before the slot camera, a picture a frame."""
    folder = tmp_path_factory.mktemp("sequence")
    for frame in passage_frames(("Ts", "7d", "Ah"), seed=3):
        assert cv2.imwrite(str(folder / f"{frame.number}.jpg"), frame.image)
    return folder


def test_a_sequence_a_line_a_passage(frames: Path) -> None:
    answer = sabot("read", "--sequence", frames, "--json")
    assert (answer.status, answer.err) == (0, "")
    lines = answer.json()
    assert [(line["passage"], line["symbol"]) for line in lines] == [(1, "Ts"), (2, "7d"), (3, "Ah")]
    assert all({*FIELDS, "first", "last", "frames"} <= set(line) and line["file"] == str(frames) for line in lines)
    ends = [number for line in lines for number in (line["first"], line["last"])]
    assert ends == sorted(ends), "numbers count as numbers in names"
    assert "passage 2  7d" in sabot("read", "--sequence", frames).lines[1]


def test_a_frame_that_cannot_be_read_is_said(frames: Path, tmp_path: Path) -> None:
    shutil.copytree(frames, tmp_path / "s")
    (tmp_path / "s" / "2.jpg").write_text("no picture\n")
    answer = sabot("read", "--sequence", tmp_path / "s", "--json")
    assert (answer.status, answer.err) == (1, "")
    assert [line["symbol"] for line in answer.json()] == ["Ts", "7d", "Ah", None]
    assert answer.json()[-1]["why"] == "unreadable file"


def test_a_video_is_a_sequence_too(frames: Path, tmp_path: Path) -> None:
    path = tmp_path / "shoe.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 120, (640, 480))
    for number in range(len(list(frames.iterdir()))):
        picture = cv2.imread(str(frames / f"{number}.jpg"))
        assert picture is not None
        writer.write(picture)
    writer.release()
    lines = sabot("read", "--sequence", path, "--json").json()
    assert [line["symbol"] for line in lines] == ["Ts", "7d", "Ah"]
