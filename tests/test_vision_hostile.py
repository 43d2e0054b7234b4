"""Files that are no pictures, or hostile ones: an answer or a line for each, never a card, never a crash."""

from __future__ import annotations

import base64
import os
import resource
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import photo_support as photos
import pytest
from cli_support import sabot

from vision.sources.folder import read_picture

# 16 x 16 dark pixels as CMYK, made with Pillow.
CMYK = base64.b64decode(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAUDg8SDw0UEhASFxUUGB4yIR4cHB49LC4kMklATEtHQEZFUFpzYlBVbVZFRmSIZW13e4GCgU5gjZeM"
    "fZZzfoF8/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAAB"
    "fQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hp"
    "anN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5"
    "+v/aAA4EQwBNAFkASwAAPwDm65yucrs6KSkopaWlooooor//2Q=="
)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, data: bytes) -> bytes:
    """A PNG of one bit a pixel with that claim and that data."""
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def bomb() -> bytes:
    """30,000 x 30,000 pixels, 2.7 GB of them in 110 kB."""
    return png(30_000, 30_000, zlib.compress(b"\0" * (30_000 * 3751), 9))


def turned(jpeg: bytes, orientation: int) -> bytes:
    """A JPEG with that EXIF orientation."""
    tiff = b"MM\0*\0\0\0\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    exif = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    photos.cut_short(folder / "cut.jpg", "Kh")
    photos.cut_short(folder / "cut.png", "Kh", 0.9)
    (folder / "text.jpg").write_text("I am no picture\n")
    (folder / "drawing.png").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    (folder / "empty.jpg").touch()
    (folder / "bomb.png").write_bytes(bomb())
    (folder / "claim.png").write_bytes(png(2**31 - 1, 2**31 - 1, b""))
    with (folder / "sparse.jpg").open("wb") as file:
        file.truncate(40 << 30)
    os.symlink("loop.jpg", folder / "loop.jpg")
    os.symlink("/dev/zero", folder / "endless.jpg")
    os.symlink("nowhere", folder / "dangling.jpg")
    os.mkfifo(folder / "pipe.jpg")
    (folder / "folder.jpg").mkdir()
    os.symlink("..", folder / "up")
    return folder


def test_a_folder_of_them_is_a_line_each(hostile: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    answer = sabot("read", hostile, "--json")
    assert (answer.status, answer.err) == (1, "")
    lines = answer.json()
    names = sorted(path.name for path in hostile.iterdir() if path.name not in ("folder.jpg", "up"))
    assert [line["file"] for line in lines] == [str(hostile / name) for name in names]
    assert {(line["symbol"], line["why"]) for line in lines} == {(None, "unreadable file")}
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert most == before or most < 1_000_000, "none of it was unpacked: less than a gigabyte"


def test_each_called_by_its_name(hostile: Path) -> None:
    assert sabot("read", "/dev/zero", hostile / "pipe.jpg", "--json").json()[0]["why"] == "unreadable file"
    for name in ("loop.jpg", "dangling.jpg", "none.jpg"):
        answer = sabot("read", hostile / name, "--json")
        assert (answer.status, answer.out, len(answer.mistakes)) == (2, "", 1)
        assert answer.err.startswith(f"{hostile / name}: ")


def test_as_frames_of_a_sequence_they_are_lost_ones(hostile: Path) -> None:
    answer = sabot("read", "--sequence", hostile, "--json")
    assert (answer.status, answer.err) == (1, "")
    (line,) = answer.json()
    assert (line["file"], line["symbol"], line["why"]) == (str(hostile), None, "unreadable file")
    assert line["frames"] == 12


def test_none_of_them_is_enrolled(hostile: Path, tmp_path: Path) -> None:
    for path in hostile.glob("*.*g"):
        if path.name != "folder.jpg":
            os.symlink(path, tmp_path / f"As_{path.name}")
    count = len(list(tmp_path.iterdir()))
    answer = sabot("enrol", tmp_path, "--name", "x", "--out", tmp_path / "out")
    assert (answer.status, answer.out, len(answer.mistakes)) == (2, "", count)
    assert all(line.endswith(": unreadable file") for line in answer.mistakes)
    assert not (tmp_path / "out").exists()


def test_pictures_without_pixels_are_no_card(tmp_path: Path) -> None:
    """What one OpenCV refuses the other makes black."""
    (tmp_path / "a.png").write_bytes(png(300, 300, b"\0"))
    cv2.imwrite(str(tmp_path / "not-a-number.tiff"), np.full((300, 300, 3), np.nan, np.float32))
    lines = sabot("read", tmp_path, "--json").json()
    assert [line["symbol"] for line in lines] == [None, None]
    assert {line["why"] for line in lines} <= {"unreadable file", "no card"}


def written(folder: Path, ending: str) -> Path:
    """A photographed card in a file of another kind of pixels."""
    card = photos.photograph("Ts")
    if ending == "16 bits.png":
        picture = card.astype(np.uint16) * 257
    elif ending == "alpha.png":
        picture = np.dstack([card, np.full(card.shape[:2], 128, np.uint8)])
    elif ending == "grey.png":
        picture = cv2.cvtColor(card, cv2.COLOR_BGR2GRAY)
    else:
        picture = card
    path = folder / ending
    assert cv2.imwrite(str(path), picture)
    return path


@pytest.mark.parametrize(
    "ending", ["16 bits.png", "alpha.png", "grey.png", "a.tiff", "a.bmp", "a.webp", "a.ppm", "a.JPG"]
)
def test_other_kinds_of_pictures_are_read(tmp_path: Path, ending: str) -> None:
    image = read_picture(written(tmp_path, ending))
    assert image is not None
    assert (image.shape, image.dtype) == ((1000, 900, 3), np.uint8)
    assert float(np.abs(image.astype(int) - photos.photograph("Ts")).mean()) < 6


def test_cmyk_is_turned_to_colours(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(CMYK)
    image = read_picture(tmp_path / "a.jpg")
    assert image is not None
    assert image.shape == (16, 16, 3)
    assert float(np.abs(image.astype(int) - 40).mean()) < 20


def test_a_picture_is_turned_as_its_exif_says(tmp_path: Path) -> None:
    """As a person's viewer shows it: the eight orientations are eight ways to store one picture."""
    upright = np.zeros((60, 90, 3), np.uint8)
    upright[:20, :30], upright[40:, :30] = (0, 0, 255), (0, 255, 0)
    stored = {
        1: upright,
        2: upright[:, ::-1],
        3: upright[::-1, ::-1],
        4: upright[::-1],
        5: upright.transpose(1, 0, 2),
        6: np.rot90(upright, 1),
        7: upright[::-1, ::-1].transpose(1, 0, 2),
        8: np.rot90(upright, -1),
    }
    for orientation, picture in stored.items():
        jpeg = cv2.imencode(".jpg", np.ascontiguousarray(picture))[1].tobytes()
        path = tmp_path / f"{orientation}.jpg"
        path.write_bytes(turned(jpeg, orientation))
        image = read_picture(path)
        assert image is not None
        assert image.shape == upright.shape, orientation
        assert float(np.abs(image.astype(int) - upright).mean()) < 12, orientation
