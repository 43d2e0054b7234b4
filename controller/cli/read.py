"""`sabot read PATH…`: recognises cards in pictures, folders and videos with the reader that the daemon runs.

The arguments and what is printed; the answers are made in `controller.cli.read_lines`, the reading is vision's.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from controller.cli.read_inputs import find
from controller.cli.read_lines import CardReader, Line
from controller.edge.camera_files import geometry_file, known_cameras, read_geometry
from controller.edge.deck_files import deck_folder
from controller.edge.problems import UsageProblem
from vision.answer import NO_CARD
from vision.barcode_table import Codes, CodesError, load_codes
from vision.card_codes import CardCodes
from vision.deck import Deck, open_deck
from vision.geometry import Geometry
from vision.profile import ProfileError
from vision.quiet import quiet_opencv
from vision.still_codes import StillCodes

PULLED_BACK = "pulled back"
FINE_WITHOUT_SYMBOL = (NO_CARD, PULLED_BACK)


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
        "--sequence",
        action="store_true",
        help="a folder's pictures, or a video, are frames of a shoe's or box's camera in order",
    )
    parser.add_argument("--codes", metavar="FILE", help="the code table of cards that bear barcodes (default: none)")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    geometry = _geometry(args.camera or ("reference-slot" if args.sequence else "free"))
    deck = _deck(args.deck, geometry) if args.deck else None
    codes = _codes(args.codes) if args.codes is not None else None
    inputs = find(args.paths, args.sequence)
    status = 0
    with _reader(geometry, deck, codes, args.sequence) as reader:
        for each in inputs:
            for line in reader.lines(each, args.sequence):
                print(msgspec.json.encode(line).decode() if args.json else _for_a_person(line), flush=True)
                if line["symbol"] is None and line["why"] not in FINE_WITHOUT_SYMBOL:
                    status = 1
    return status


@contextmanager
def _reader(geometry: Geometry, deck: Deck | None, codes: Codes | None, sequence: bool) -> Iterator[CardReader]:
    """The reader with its barcode process; where barcodes went off meanwhile, that is said at the end."""
    if codes is None:
        yield CardReader(geometry, deck)
        return
    cards = CardCodes(codes, recorded=True) if sequence else None
    photographs = None if sequence else StillCodes(codes)
    try:
        yield CardReader(geometry, deck, cards, photographs)
    finally:
        for each in (cards, photographs):
            if each is not None:
                each.close()
    note = cards.note if cards is not None else photographs.note if photographs is not None else ""
    if note:
        print(note, file=sys.stderr)


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


def _codes(path: str) -> Codes:
    try:
        return load_codes(path)
    except CodesError as error:
        raise UsageProblem(str(error).splitlines()) from error


def _for_a_person(line: Line) -> str:
    where = [f"{name} {line[name]}" for name in ("passage", "frame") if name in line]
    notes = line.get("drift")
    drift = [str(note) for note in notes] if isinstance(notes, list) else []
    label = line.get("label")
    labelled = [f"label: shoe {label['shoe']}, deck {label['deck']}"] if isinstance(label, dict) else []
    said = f"{line['symbol']}  {line['confidence']:.2f}" if line["symbol"] else f"-  {line['why']}"
    return "  ".join([str(line["file"]), *where, said, f"({line['ms']:.1f} ms)", *labelled, *drift])
