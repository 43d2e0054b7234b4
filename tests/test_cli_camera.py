"""`sabot camera --preview`: one frame with what the reader sees drawn on it, or a line that says why not."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import photo_support as photos
import pytest
from cli_support import Answer, sabot
from enrol_support import french, slot_picture


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures of the slot's camera, and a photograph."""
    folder = tmp_path_factory.mktemp("frames")
    cv2.imwrite(str(folder / "7h.png"), slot_picture(french()("7h"), 3))
    cv2.imwrite(str(folder / "cut.png"), slot_picture(french()("cut"), 3))
    cv2.imwrite(str(folder / "floor.png"), np.full((480, 640, 3), 22, np.uint8))
    cv2.imwrite(str(folder / "hand.png"), hand())
    photos.save(folder / "photograph.jpg", "Ts")
    return folder


def hand() -> np.ndarray:
    """Fingers across the window: bright, but no card's edges."""
    image = np.full((480, 640, 3), 22, np.uint8)
    for k in range(4):
        cv2.ellipse(image, (560, 90 + 105 * k), (330, 42), 4 * k - 6, 0, 360, (120, 150, 205), cv2.FILLED)
    return image


def preview(out: Path, *arguments: str | Path) -> Answer:
    return sabot("camera", "--preview", out, "--json", *arguments)


@pytest.mark.parametrize(
    ("name", "camera", "symbol", "why"),
    [
        ("7h.png", "reference-slot", "7h", ""),
        ("7h.png", "reference-box", "7h", ""),
        ("cut.png", "reference-slot", "cut", ""),
        ("floor.png", "reference-slot", None, "no card"),
        ("hand.png", "reference-slot", None, "no card's edge"),
        ("photograph.jpg", "free", "Ts", ""),
    ],
)
def test_what_is_seen_is_drawn(
    frames: Path, tmp_path: Path, name: str, camera: str, symbol: str | None, why: str
) -> None:
    out = tmp_path / "out.png"
    answer = preview(out, "--source", frames / name, "--camera", camera)
    assert (answer.status, answer.err) == (0, "")
    (line,) = answer.json()
    assert (line["file"], line["symbol"], line["why"]) == (str(out), symbol, why)
    assert 0 <= line["confidence"] <= 1
    drawn, plain = cv2.imread(str(out)), cv2.imread(str(frames / name))
    assert drawn is not None
    assert plain is not None
    height, width = plain.shape[:2]
    assert drawn.shape[1] == width
    assert drawn[height:].any(), "the answer stands under the picture"
    assert (drawn[:height] != plain).any()
    assert [path.name for path in tmp_path.iterdir()] == ["out.png"]


def test_the_first_frame_of_a_folder_and_of_a_video(frames: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "1.png").write_text("no picture")
    (folder / "2.png").write_bytes((frames / "7h.png").read_bytes())
    assert preview(tmp_path / "a.png", "--source", f"folder:{folder}").json()[0]["symbol"] == "7h"
    video = tmp_path / "shoe.avi"
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"MJPG"), 120, (640, 480))
    picture = cv2.imread(str(frames / "7h.png"))
    assert picture is not None
    writer.write(picture)
    writer.release()
    assert preview(tmp_path / "b.png", "--source", f"video:{video}").json()[0]["symbol"] == "7h"


def test_for_a_person(frames: Path, tmp_path: Path) -> None:
    answer = sabot("camera", "--preview", tmp_path / "out.png", "--source", frames / "7h.png")
    assert (answer.status, answer.out, answer.err) == (0, f"{tmp_path / 'out.png'}: 7h\n", "")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--source", "v4l2:/dev/nothing"], "/dev/nothing: no such device"),
        (["--source", "nothing.png"], "not a camera source; allowed: shared:PATH"),
        (["--source", "folder:{here}/none"], "not a folder"),
        (["--source", "{here}/text.png"], "unreadable file"),
        (["--source", "{here}/pipe.png"], "not a camera source"),
        (["--source", "{frames}/photograph.jpg"], "a frame of this camera is 640x480, not 900x1000"),
        (["--source", "{frames}/7h.png", "--camera", "device"], "fixed"),
        (["--source", "{frames}/7h.png", "--camera", "nowhere"], "allowed: device, free"),
        (["--source", "{frames}/7h.png", "--deck", "nobodys"], "no enrolled deck"),
        (["--config", "{here}/none.toml"], "none.toml"),
        (["--speed", "3"], "unrecognized arguments"),
    ],
)
def test_unusable_calls_are_one_line_and_write_nothing(
    frames: Path, tmp_path: Path, arguments: list[str], says: str
) -> None:
    (tmp_path / "text.png").write_text("no picture")
    os.mkfifo(tmp_path / "pipe.png")
    out = tmp_path / "out.png"
    filled = [argument.format(here=tmp_path, frames=frames) for argument in arguments]
    answer = sabot("camera", "--preview", out, *filled)
    assert (answer.status, answer.out, len(answer.mistakes)) == (2, "", 1), answer.err
    assert says in answer.err
    assert not out.exists()


@pytest.mark.parametrize("out", ["none/out.png", "out.jpg", "folder.png", ""])
def test_a_picture_that_cannot_be_written(frames: Path, tmp_path: Path, out: str) -> None:
    (tmp_path / "folder.png").mkdir()
    answer = sabot("camera", "--preview", out, "--source", frames / "7h.png", cwd=tmp_path)
    assert (answer.status, answer.out, len(answer.mistakes)) == (2, "", 1), answer.err
    assert [path.name for path in tmp_path.iterdir()] == ["folder.png"]
