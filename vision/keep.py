"""A bounded folder of pictures: the best frames of abstentions, for the operator's decision and a later enrolment."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

MOST_FILES = 300


class KeepFolder:
    """Writes pictures whole or not at all, removes the oldest beyond `most`; keeps none where it cannot write."""

    def __init__(self, folder: Path | None, most: int = MOST_FILES) -> None:
        self._folder = folder
        self._most = most
        self._count = 0

    def put(self, name: str, pictures: list[Image]) -> tuple[str, ...]:
        """Paths of what was written, `name_1.png` and on."""
        if self._folder is None or not pictures:
            return ()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            written = tuple(self._write(self._folder / f"{name}_{k}.png", p) for k, p in enumerate(pictures, 1))
            self._bound(self._folder)
        except OSError:
            return ()  # a full or read-only disk costs the pictures, never the reader
        return written

    @staticmethod
    def _write(path: Path, picture: Image) -> str:
        data = cv2.imencode(".png", picture)[1].tobytes()
        part = path.with_suffix(".part")
        part.write_bytes(data)
        os.replace(part, path)
        return str(path)

    def _bound(self, folder: Path) -> None:
        files = sorted(folder.glob("*.png"), key=lambda path: (path.stat().st_mtime_ns, path.name))
        for path in files[: max(0, len(files) - self._most)]:
            path.unlink(missing_ok=True)
