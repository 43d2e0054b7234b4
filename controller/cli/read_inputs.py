"""What the paths of `sabot read` stand for: pictures, videos, and what lies in folders. Reads none of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.edge.problems import UsageProblem, os_line
from vision.sources.folder import VIDEOS, named, pictures_in


@dataclass(frozen=True)
class Input:
    """One thing to read. `name`: the path as called, joined with what lies below; `kind`: picture, video or folder."""

    name: str
    kind: str

    @property
    def path(self) -> Path:
        return Path(self.name)


def find(names: Iterable[str], sequence: bool) -> list[Input]:
    """Everything to read, in order. With `sequence` a folder with pictures is one input, a picture none.

    Raises UsageProblem with a line for each path that is not there, cannot be read, or holds nothing to read.
    """
    found: list[Input] = []
    mistakes: list[str] = []
    for name in names:
        try:
            found += _one(name, sequence)
        except UsageProblem as problem:
            mistakes += problem.lines
        except OSError as error:
            mistakes.append(os_line(error))
    if mistakes:
        raise UsageProblem(mistakes)
    return found


def _one(name: str, sequence: bool) -> list[Input]:
    path = Path(name)
    if path.is_dir():
        inside = list(_sequences(name) if sequence else _files(name))
        if not inside:
            raise UsageProblem(f"{name}: an empty folder: no pictures or videos in it")
        return inside
    os.stat(name)  # what is not there says so here
    if path.suffix.lower() in VIDEOS:
        return [Input(name, "video")]
    if sequence:
        raise UsageProblem(f"{name}: with --sequence a folder of pictures or a video is wanted")
    return [Input(name, "picture")]


def _files(folder: str) -> Iterator[Input]:
    """The pictures and videos in a folder, then those of its folders, by name."""
    for place, below in _walk(folder):
        for path in sorted([*pictures_in(place), *_videos(place)], key=lambda path: path.name):
            kind = "video" if path.suffix.lower() in VIDEOS else "picture"
            yield Input(os.path.join(folder, below, path.name), kind)


def _sequences(folder: str) -> Iterator[Input]:
    """Each folder with pictures of its own, and each video."""
    for place, below in _walk(folder):
        if pictures_in(place):
            yield Input(os.path.join(folder, below) if below else folder, "folder")
        for path in _videos(place):
            yield Input(os.path.join(folder, below, path.name), "video")


def _walk(folder: str) -> Iterator[tuple[Path, str]]:
    """The folder and all below it, by name: (path, what lies below `folder`)."""
    for place, names, _ in os.walk(folder, onerror=_raise):
        names.sort()
        below = os.path.relpath(place, folder)
        yield Path(place), "" if below == os.curdir else below


def _raise(error: OSError) -> None:
    raise error


def _videos(folder: Path) -> list[Path]:
    return sorted(named(folder, VIDEOS))
