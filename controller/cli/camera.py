"""`sabot camera --preview OUT.png`: one frame with what the reader sees drawn on it. The drawing is vision's."""

from __future__ import annotations

import argparse
import os
from contextlib import closing
from pathlib import Path

import cv2
import msgspec

from controller.cli.enrol import read_camera
from controller.edge.config import load_config
from controller.edge.deck_files import deck_folder
from controller.edge.problems import UsageProblem, os_line
from vision.deck import Deck, open_deck
from vision.geometry import Geometry
from vision.preview import preview
from vision.profile import ProfileError
from vision.quiet import quiet_opencv
from vision.sources.base import CameraLost, Frame, SourceError
from vision.sources.folder import read_picture
from vision.sources.opening import open_source

_SETTLE = 10  # frames of a live camera that are passed over: exposure and white balance settle


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("camera", help="one frame with what the reader sees drawn on it")
    parser.add_argument("--preview", required=True, metavar="OUT.png", type=Path, help="the picture to write")
    parser.add_argument("--config", metavar="FILE", type=Path, help="the table whose camera it is (default: none)")
    parser.add_argument("--source", metavar="SOURCE", help="camera.source, or a picture's file (default: picamera2)")
    parser.add_argument(
        "--camera", metavar="NAME|FILE", help="geometry: a file, or a name in config/cameras (default: reference-slot)"
    )
    parser.add_argument("--deck", metavar="NAME|FOLDER", help="an enrolled deck")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    quiet_opencv()
    if args.preview.suffix.lower() != ".png":
        raise UsageProblem(f"{args.preview}: a name that ends in .png is wanted")
    config = load_config(args.config).camera if args.config is not None else None
    source = args.source or (config.source if config is not None else "picamera2")
    geometry = read_camera(args.camera or (config.geometry if config is not None else "reference-slot"))
    deck = _deck(args.deck or (config.deck if config is not None else ""), geometry)
    frame = _frame(source, geometry)
    try:
        seen = preview(frame.image, geometry, deck)
    except ValueError as error:
        raise UsageProblem(f"{source}: {error}") from error
    _write(args.preview, cv2.imencode(".png", seen.picture)[1].tobytes())
    answer = seen.answer
    line = {"file": str(args.preview), "symbol": answer.symbol, "confidence": answer.confidence, "why": answer.why}
    print(msgspec.json.encode(line).decode() if args.json else f"{args.preview}: {answer.symbol or answer.why}")
    return 0


def _deck(name: str, geometry: Geometry) -> Deck | None:
    try:
        return open_deck(deck_folder(name, Path()), geometry) if name else None
    except ProfileError as error:
        raise UsageProblem(str(error)) from error


def _frame(source: str, geometry: Geometry) -> Frame:
    """One frame of a source, or a picture's file. Raises UsageProblem where there is none."""
    if Path(source).is_file():
        image = read_picture(Path(source))
        if image is None:
            raise UsageProblem(f"{source}: unreadable file")
        return Frame(image, 0, 0.0)
    settle = 0 if source.startswith(("folder:", "video:")) else _SETTLE
    try:
        with closing(open_source(source, geometry, geometry.fps)) as camera:
            for frame in camera.frames():
                if frame is not None and frame.number >= settle:
                    return Frame(frame.image.copy(), frame.number, frame.time_s)
    except (SourceError, CameraLost) as error:
        raise UsageProblem(f"{source}: {error}") from error
    raise UsageProblem(f"{source}: no frame came")


def _write(path: Path, data: bytes) -> None:
    """The old file or the new one, never half of it."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(data)
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UsageProblem(os_line(error, path)) from error
