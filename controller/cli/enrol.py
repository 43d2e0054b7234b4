"""`sabot enrol PATH --name NAME`: makes a deck profile from labelled pictures, or deals it from the camera.

What makes a profile, and what is refused, is vision's; here are the arguments, the files and what a person is told.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from controller.cli.quiet import quiet_libraries
from controller.edge.camera_files import geometry_file, known_cameras, read_geometry
from controller.edge.deck_files import new_deck
from controller.edge.problems import UsageProblem, os_line
from vision.enrol import FACES, FACES_40, Enrolled, enrol
from vision.enrol_pictures import EnrolRefused, find_labelled
from vision.geometry import Geometry
from vision.profile import ProfileError, save_profile
from vision.quiet import quiet_opencv
from vision.sources.folder import read_picture

Image = NDArray[np.uint8]

REFUSED = 1


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("enrol", help="make a deck profile from labelled pictures, or from the camera")
    parser.add_argument(
        "path",
        nargs="?",
        metavar="PATH",
        type=Path,
        help="a folder of sub-folders named by symbol (As/, back/, …), or of files named As_3.jpg",
    )
    parser.add_argument("--name", required=True, metavar="NAME", help="the deck's name")
    parser.add_argument("--out", metavar="FOLDER", type=Path, help="the profile's own folder (default: by its name)")
    parser.add_argument("--camera", metavar="NAME|FILE", help="geometry: a file, or a name in config/cameras")
    parser.add_argument("--live", action="store_true", help="deal the deck before the camera, card by card as asked")
    parser.add_argument("--source", metavar="SOURCE", help="with --live: where frames come from (default: picamera2)")
    parser.add_argument("--forty", action="store_true", help="with --live: a deck of 40 (no 8, 9 and ten)")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    quiet_opencv()
    folder = args.out if args.out is not None else new_deck(args.name)
    geometry = read_camera(args.camera or ("reference-slot" if args.live else "free"))
    if args.live == (args.path is not None):
        raise UsageProblem("sabot enrol: a folder of pictures is wanted, or --live")
    try:
        done = _live(args, geometry) if args.live else _from_pictures(args.path, geometry, args.name)
        folder.parent.mkdir(parents=True, exist_ok=True)
        save_profile(folder, done.profile, done.samples, done.cache)
    except EnrolRefused as refused:
        return _refuse(refused, args.json)
    except ProfileError as error:
        raise UsageProblem(str(error)) from error
    except OSError as error:
        raise UsageProblem(os_line(error)) from error
    _say(done, folder, args.json)
    return 0


def read_camera(name: str) -> Geometry:
    """The geometry of that name or file. Raises UsageProblem."""
    file = geometry_file(name, Path())
    if not file.is_file():
        raise UsageProblem(f'--camera "{name}": allowed: {known_cameras()}, or the path of such a file')
    return read_geometry(file)


def _from_pictures(path: Path, geometry: Geometry, name: str) -> Enrolled:
    if not path.is_dir():
        raise UsageProblem(f"{path}: a folder of labelled pictures is wanted")
    try:
        found = find_labelled(path)
    except EnrolRefused as refused:
        raise UsageProblem(refused.lines) from refused
    pictures: list[tuple[str, str, Image]] = []
    mistakes = []
    for one in found:
        with quiet_libraries():
            image = read_picture(one.path)
        if image is None:
            mistakes.append(f"{one.path}: unreadable file")
        elif geometry.motion != "free" and not geometry.fits(image):
            size = f"{geometry.width}x{geometry.height}"
            mistakes.append(f"{one.path}: {image.shape[1]}x{image.shape[0]}; this camera's pictures are {size}")
        else:
            pictures.append((str(one.path), one.symbol, image))
    if mistakes:
        raise UsageProblem(mistakes)
    return enrol(pictures, geometry, name)


def _live(args: argparse.Namespace, geometry: Geometry) -> Enrolled:
    from vision.enrol_live import deal

    return deal(args.source or "picamera2", geometry, args.name, FACES_40 if args.forty else FACES, _ask)


def _ask(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _refuse(refused: EnrolRefused, as_json: bool) -> int:
    for line in refused.lines:
        print(line, file=sys.stderr)
    print("No profile was made.", file=sys.stderr)
    if as_json:
        print(msgspec.json.encode({"written": False, "why": refused.lines}).decode())
    return REFUSED


def _say(done: Enrolled, folder: Path, as_json: bool) -> None:
    symbols = sorted({sample.symbol for sample in done.samples})
    for note in done.notes:
        print(note, file=sys.stderr)
    if as_json:
        line = {
            "written": True,
            "folder": str(folder),
            "name": done.profile.name,
            "symbols": symbols,
            "crops": done.profile.crops,
            "view": done.profile.view,
            "letters": done.profile.letters,
            "read_again": done.read_again,
            "notes": done.notes,
        }
        print(msgspec.json.encode(line).decode())
        return
    again = f"{done.read_again} pictures read again, none wrong, {len(done.notes)} remarks"
    beside = "beside the reader's networks" if done.profile.letters == "usual" else "alone: its letters are its own"
    print(f"{folder}: {len(symbols)} symbols, {done.profile.crops} crops of the {done.profile.view}; {again}")
    print(f"This deck is read {beside}.")
