"""`sabot cards-from-photos SRC DST`: photographs of single cards, cut out and squared up, as a deck for `bench --deck`.

Which card a photograph shows is told by its name (`10clubs.jpg`, `Ahearts.jpg`, `As_3.jpg`, `queen_of_spades.png`);
finding its outline is vision's. Nothing is read here, and a photograph that will not do is named, never guessed.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path

import cv2

from controller.cards import DECK, ZECCHINETTA_DECK, parse
from controller.cli.quiet import quiet_libraries
from controller.edge.problems import UsageProblem, os_line
from vision.cutout import cut_card
from vision.sources.folder import pictures_in, read_picture

REFUSED = 1
_RANKS = {
    "ace": "A", "one": "A", "1": "A", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "T", "10": "T", "jack": "J", "knave": "J", "queen": "Q", "king": "K",
}  # fmt: skip
_RANK = "|".join([*_RANKS, "[2-9atjqk]"])
_NAME = re.compile(rf"(?P<rank>{_RANK})[ _-]*(?:of)?[ _-]*(?P<suit>spade|heart|diamond|club|[shdc])s?(?:[ _().-]+\w*)*")
_OTHER = re.compile(r"(?P<symbol>back|cut|joker)(?:[ _().-]+\w*)*")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("cards-from-photos", help="cut card faces out of photographs, as a deck")
    parser.add_argument(
        "source",
        type=Path,
        metavar="SRC",
        help="a folder of photographs of one card each, named by it: As.jpg, 10hearts.png, queen_of_spades_2.jpg",
    )
    parser.add_argument("target", type=Path, metavar="DST", help="the deck's folder: As.png, Th.png, …")


def run(args: argparse.Namespace) -> int:
    photographs = _photographs(args.source, args.target)
    written: dict[str, Path] = {}
    refused = [line for path in photographs if (line := _one(path, args.target, written)) is not None]
    for line in refused:
        print(line, file=sys.stderr)
    print(f"{args.target}: {len(written)} cards{_missing(written)}")
    return REFUSED if refused else 0


def symbol_named(path: Path) -> str | None:
    """The symbol that a file's name begins with or spells; None where it names none."""
    name = path.stem.lower()
    match = _NAME.fullmatch(name)
    if match:
        rank = match["rank"]
        return parse(_RANKS.get(rank, rank) + match["suit"][0])
    other = _OTHER.fullmatch(name)
    return other["symbol"] if other else None


def _photographs(source: Path, target: Path) -> list[Path]:
    """The pictures to cut. Raises UsageProblem where there are none, or where the deck cannot be written."""
    try:
        found = pictures_in(source)
        if target.exists() and source.resolve() == target.resolve():
            raise UsageProblem(f"{target}: the photographs' own folder; the deck wants another")
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageProblem(os_line(error)) from error
    if not found:
        raise UsageProblem(f"{source}: an empty folder: no pictures in it")
    return found


def _one(path: Path, target: Path, written: dict[str, Path]) -> str | None:
    """Cut one photograph; why it was refused, None where it is done."""
    symbol = symbol_named(path)
    if symbol is None:
        return f"{path}: its name says no card (10clubs, As_3, queen_of_spades, …)"
    if symbol in written:
        return f"{path}: a second picture of {symbol}; {written[symbol].name} was taken"
    with quiet_libraries():
        image = read_picture(path)
    if image is None:
        return f"{path}: unreadable file"
    card = cut_card(image)
    if card is None:
        return f"{path}: no card's outline found in it"
    _write_whole(target / f"{symbol}.png", cv2.imencode(".png", card)[1].tobytes())
    written[symbol] = path
    return None


def _write_whole(path: Path, data: bytes) -> None:
    """The old file or the new one, never half of it."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(data)
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UsageProblem(os_line(error, path)) from error


def _missing(written: dict[str, Path]) -> str:
    """What is missing of the deck that this seems to be."""
    wanted = ZECCHINETTA_DECK if not any(symbol in written for symbol in set(DECK) - set(ZECCHINETTA_DECK)) else DECK
    missing = [symbol for symbol in wanted if symbol not in written]
    return f"; missing of {len(wanted)}: {' '.join(missing)}" if missing else ""
