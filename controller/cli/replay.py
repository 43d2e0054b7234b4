"""`sabot replay`: the call's arguments and files, then `controller.edge.replay`."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from controller.edge.bet_lines import Bets, load_bets
from controller.edge.problems import UsageProblem
from controller.edge.replay import Options, replay
from controller.edge.replay_lines import JsonLines, PlainLines
from controller.edge.shoe_file import Mistakes, opened, words
from controller.games import GAMES
from controller.holds import NEXT, RESOLUTIONS
from controller.rules import Rules

_DOUBLE = re.compile(r"\s*([0-9]{1,9})\s*:\s*([0-9]{1,9})\s*")
MOST_SEATS = 1000


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "replay",
        help="run a recorded shoe through the rules",
        description="Plays a recorded shoe; the files and the lines: docs/replay.md. Status 1: it holds a fault.",
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="symbols (As 10h cut back joker) between white space, # comments; - is standard input",
    )
    parser.add_argument("--game", required=True, choices=list(GAMES), help="the game that was dealt")
    parser.add_argument(
        "--rules", metavar="FILE.toml", help="house rules: keys of [rules] in docs/configuration.md, such as decks = 6"
    )
    parser.add_argument(
        "--bets",
        metavar="FILE.jsonl",
        help='bets, one a line: {"coup": 1, "player": "Ann", "on": "rouge", "stake": "20"}',
    )
    parser.add_argument(
        "--on-fault",
        choices=[*RESOLUTIONS, NEXT],
        help="the resolution to take at each fault (default: the replay ends)",
    )
    parser.add_argument("--seats", type=_seats, default=1, metavar="N", help="red and black: players beside the banker")
    parser.add_argument(
        "--doubles", type=_doubles, default=frozenset(), metavar="R:S,…", help="red and black: round:seat that double"
    )
    parser.add_argument("--json", action="store_true", help="print JSON Lines")


def run(args: argparse.Namespace) -> int:
    """Replay; the exit status. Raises UsageProblem for what is not usable, after what was printed already."""
    rules, bets = _load(args)
    options = Options(args.game, rules, args.on_fault, args.seats, args.doubles)
    lines = JsonLines(sys.stdout.buffer) if args.json else PlainLines(sys.stdout.buffer)
    mistakes = Mistakes(args.file)
    with opened(args.file) as file:
        status = replay(options, bets, words(file), lines, mistakes)
    lines.flush()
    if mistakes.lines:
        raise UsageProblem(mistakes.lines)
    return status


def _load(args: argparse.Namespace) -> tuple[Rules, Bets]:
    """Both files, and every mistake in either."""
    rules, bets, problems = Rules(), Bets(), list[str]()
    try:
        rules = _rules(args.rules)
    except UsageProblem as problem:
        problems += problem.lines
    try:
        bets = load_bets(Path(args.bets), args.game) if args.bets is not None else bets
    except UsageProblem as problem:
        problems += problem.lines
    if problems:
        raise UsageProblem(problems)
    return rules, bets


def _rules(path: str | None) -> Rules:
    if path is None:
        return Rules()
    from controller.edge.house_rules import load_rules  # pydantic takes longer than a short replay

    return load_rules(Path(path))


def _seats(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or not 1 <= int(text) <= MOST_SEATS:
        raise argparse.ArgumentTypeError(f'"{text}" is no number of seats from 1 to {MOST_SEATS}')
    return int(text)


def _doubles(text: str) -> frozenset[tuple[int, int]]:
    found = [_DOUBLE.fullmatch(part) for part in text.split(",")] if text.strip() else []
    if not all(found):
        raise argparse.ArgumentTypeError(f'"{text}" is no list like 1:2,3:1 (round:seat)')
    return frozenset((int(pair[1]), int(pair[2])) for pair in found if pair)
