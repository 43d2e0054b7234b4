"""`sabot read PATH…`: recognises cards in pictures, folders and videos with the reader that the daemon runs.

Prints a line a picture, or with `--sequence` a line a passage. What is read, and when it abstains, is vision's.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from controller.cli.quiet import quiet_libraries
from controller.cli.read_inputs import Input, find
from controller.edge.camera_files import geometry_file, known_cameras, read_geometry
from controller.edge.deck_files import deck_folder
from controller.edge.problems import UsageProblem
from vision.answer import NO_CARD
from vision.deck import Deck, open_deck
from vision.geometry import Geometry
from vision.messages import Reading
from vision.profile import ProfileError
from vision.quiet import quiet_opencv
from vision.sequence import read_sequence
from vision.sources.base import Frame, SourceError
from vision.sources.folder import FolderSource, VideoSource, read_picture
from vision.still import StillReading, read_still

UNREADABLE = "unreadable file"
PULLED_BACK = "pulled back"
FINE_WITHOUT_SYMBOL = (NO_CARD, PULLED_BACK)
Line = dict[str, object]


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("read", help="recognise cards in pictures and videos")
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a picture, a folder (with all below it) or a video")
    parser.add_argument("--deck", metavar="NAME|FOLDER", help="an enrolled deck (default: the reader's own)")
    parser.add_argument(
        "--camera",
        metavar="NAME|FILE",
        help="geometry: a file, or a name in config/cameras (default: free, with --sequence reference-slot)",
    )
    parser.add_argument(
        "--sequence", action="store_true", help="a folder's pictures, or a video, are frames of a shoe camera in order"
    )
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    geometry = _geometry(args.camera or ("reference-slot" if args.sequence else "free"))
    deck = _deck(args.deck, geometry) if args.deck else None
    inputs = find(args.paths, args.sequence)
    status = 0
    for each in inputs:
        for line in _lines(each, geometry, deck, args.sequence):
            print(msgspec.json.encode(line).decode() if args.json else _for_a_person(line), flush=True)
            if line["symbol"] is None and line["why"] not in FINE_WITHOUT_SYMBOL:
                status = 1
    return status


def _geometry(name: str) -> Geometry:
    file = geometry_file(name, Path())
    if not file.is_file():
        raise UsageProblem(f'--camera "{name}": allowed: {known_cameras()}, or the path of such a file')
    return read_geometry(file)


def _deck(name: str, geometry: Geometry) -> Deck:
    """The enrolled deck. Raises UsageProblem where there is none that this camera can use."""
    quiet_opencv()
    try:
        return open_deck(deck_folder(name, Path()), geometry)
    except ProfileError as error:
        raise UsageProblem(str(error)) from error


def _lines(each: Input, geometry: Geometry, deck: Deck | None, sequence: bool) -> Iterator[Line]:
    """The answers for one input, with what has drifted since the deck was enrolled.

    Raises UsageProblem where camera, deck and picture do not go together.
    """
    for line in _answers(each, geometry, deck, sequence):
        notes = deck.drift.notes() if deck is not None else ()
        yield {**line, "drift": list(notes)} if notes else line


def _answers(each: Input, geometry: Geometry, deck: Deck | None, sequence: bool) -> Iterator[Line]:
    try:
        if sequence:
            yield from _passages(each, geometry, deck)
        elif each.kind == "video":
            yield from _stills_of_video(each, geometry, deck)
        else:
            yield _still(each, geometry, deck)
    except ValueError as error:
        raise UsageProblem(f"{each.name}: {error}") from error


def _still(each: Input, geometry: Geometry, deck: Deck | None) -> Line:
    with quiet_libraries():
        image = read_picture(each.path)
    if image is None:
        return _unreadable(each.name)
    return _as_line(each.name, read_still(image, geometry, deck))


def _stills_of_video(each: Input, geometry: Geometry, deck: Deck | None) -> Iterator[Line]:
    """Every frame of a video by itself."""
    source = _source(each, geometry)
    if source is None:
        yield _unreadable(each.name)
        return
    for frame in _frames(source):
        if frame is not None:
            yield {**_as_line(each.name, read_still(frame.image, geometry, deck)), "frame": frame.number}


def _passages(each: Input, geometry: Geometry, deck: Deck | None) -> Iterator[Line]:
    source = _source(each, geometry)
    if source is None:
        yield _unreadable(each.name)
        return
    lost = _Lost()
    for reading in read_sequence(lost.counted(_frames(source)), geometry, deck):
        yield _as_passage(each.name, reading)
    if lost.count:  # a passage may have been lost with them
        yield {**_unreadable(each.name), "frames": lost.count}


@dataclass
class _Lost:
    """Counts the frames that could not be read."""

    count: int = 0

    def counted(self, frames: Iterator[Frame | None]) -> Iterator[Frame | None]:
        for frame in frames:
            self.count += frame is None
            yield frame


def _source(each: Input, geometry: Geometry) -> FolderSource | VideoSource | None:
    with quiet_libraries():
        try:
            return (FolderSource if each.kind == "folder" else VideoSource)(each.path, geometry.fps)
        except SourceError:
            return None


def _frames(source: FolderSource | VideoSource) -> Iterator[Frame | None]:
    frames = source.frames()
    while True:
        with quiet_libraries():
            try:
                frame = next(frames)
            except StopIteration:
                source.close()
                return
        yield frame


def _as_line(name: str, reading: StillReading) -> Line:
    return {
        "file": os.fsencode(name).decode("utf-8", "replace"),
        "symbol": reading.symbol,
        "confidence": round(reading.confidence, 4),
        "why": reading.why,
        "ms": round(reading.ms, 3),
    }


def _unreadable(name: str) -> Line:
    return _as_line(name, StillReading(None, 0.0, UNREADABLE, 0.0))


def _as_passage(name: str, reading: Reading) -> Line:
    line = _as_line(name, StillReading(reading.symbol, reading.confidence, reading.why, reading.ms))
    numbers = {"passage": reading.passage, "first": reading.first, "last": reading.last, "frames": reading.frames}
    return {**line, **numbers}


def _for_a_person(line: Line) -> str:
    where = [f"{name} {line[name]}" for name in ("passage", "frame") if name in line]
    notes = line.get("drift")
    drift = [str(note) for note in notes] if isinstance(notes, list) else []
    said = f"{line['symbol']}  {line['confidence']:.2f}" if line["symbol"] else f"-  {line['why']}"
    return "  ".join([str(line["file"]), *where, said, f"({line['ms']:.1f} ms)", *drift])
