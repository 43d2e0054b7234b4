"""Recorded frames: a folder of pictures in name order, or a video. Their time is their number by the frame rate.

A file is read as a person's viewer shows it: turned as its EXIF says, 16 bits a channel brought to 8, CMYK to BGR,
transparency left out, of several pictures the first. What is huge (see also `vision`) is no picture.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.sources.base import Frame, Image, SourceError

PICTURES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff", ".pgm", ".ppm"})
VIDEOS = frozenset({".mp4", ".avi", ".mkv", ".mov", ".webm", ".m4v", ".mjpeg", ".mpg"})


_MOST_BYTES = 1 << 28  # of a file; a sparse one claims to be of any size


def pictures_in(folder: Path) -> list[Path]:
    """The pictures of a folder in name order, numbers in names counted as numbers (`f2` before `f10`)."""
    return sorted(named(folder, PICTURES), key=_natural)


def named(folder: Path, endings: frozenset[str]) -> list[Path]:
    """What lies in a folder under a name with one of these endings; a folder so named is none."""
    return [path for path in folder.iterdir() if path.suffix.lower() in endings and not path.is_dir()]


def read_picture(path: Path) -> Image | None:
    """A picture as BGR, or None where the file is no picture (a text named .jpg, cut short, huge, missing)."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _MOST_BYTES:
            return None  # a pipe would be waited for
        data = np.fromfile(path, np.uint8)
    except OSError:
        return None
    if data.size == 0 or _cut_short(data.tobytes()):
        return None
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


def _cut_short(data: bytes) -> bool:
    """Whether a JPEG ends before its end mark: OpenCV 4 takes what there is and fills the rest with grey.

    Neither mark can occur within coded pixels; a preview inside the file has both before the picture's own.
    """
    return data.startswith(b"\xff\xd8") and data.rfind(b"\xff\xd9") < data.rfind(b"\xff\xda")


class FolderSource:
    """Raises SourceError where the folder is none or holds no picture; an unreadable picture is a blank frame lost."""

    def __init__(self, path: Path, fps: float) -> None:
        if not path.is_dir():
            raise SourceError(f"{path}: not a folder")
        self._paths = pictures_in(path)
        if not self._paths:
            raise SourceError(f"{path}: holds no pictures")
        self._fps = fps

    def frames(self) -> Iterator[Frame | None]:
        for number, path in enumerate(self._paths):
            image = read_picture(path)
            yield None if image is None else Frame(image, number, number / self._fps)

    def close(self) -> None:
        """Nothing is held open."""


class VideoSource:
    """Raises SourceError where the file cannot be opened as a video."""

    def __init__(self, path: Path, fps: float) -> None:
        if not path.is_file():
            raise SourceError(f"{path}: no such file")
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise SourceError(f"{path}: not a video that can be read")
        own = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._fps = own if own > 0 else fps

    def frames(self) -> Iterator[Frame | None]:
        number = 0
        while True:
            there, image = self._capture.read()
            if not there:
                return
            yield Frame(np.asarray(image, np.uint8), number, number / self._fps)
            number += 1

    def close(self) -> None:
        self._capture.release()


def _natural(path: Path) -> tuple[tuple[int, int, str], ...]:
    parts: list[tuple[int, int, str]] = []
    digits = ""
    for char in path.name + "\0":
        if char.isdigit():
            digits += char
            continue
        if digits:
            parts.append((0, int(digits), digits))
            digits = ""
        parts.append((1, 0, char))
    return tuple(parts)
