"""`sabot odds G`: reads house rules and the cards that have gone; prints the exact figures of `controller.odds`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from controller import odds
from controller.cards import CUT, DECK, parse
from controller.edge.problems import UsageProblem, os_line
from controller.rules import Rules


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "odds",
        help="exact probabilities of a game",
        description="Exact probabilities, nothing sampled, for a fresh shoe or for one from which cards have gone.",
        allow_abbrev=False,
    )
    parser.add_argument("game", choices=odds.GAMES, metavar="GAME", help=", ".join(odds.GAMES))
    parser.add_argument("--rules", type=Path, metavar="FILE.toml", help="house rules (decks, insurance.rate)")
    parser.add_argument(
        "--removed", metavar="FILE", help="the cards that have gone from the shoe, as for replay; - is standard input"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    rules = _rules(args.rules)
    removed = _removed(args.removed) if args.removed else []
    try:
        left = odds.composition(args.game, rules, removed)
    except odds.ImpossibleShoe as problem:
        raise UsageProblem(f"{args.removed}: {problem}") from problem
    answer = odds.odds(args.game, rules, left)
    print(msgspec.json.encode(answer).decode() if args.json else _for_a_person(answer, sum(left.values())))
    return 0


def _rules(path: Path | None) -> Rules:
    if path is None:
        return Rules()
    from controller.edge.house_rules import load_rules  # pydantic takes its time, and most calls have no rules

    return load_rules(path)


def _removed(name: str) -> list[str]:
    """The cards of a file in the spelling of `replay`; the cut card is none and passed over."""
    cards, mistakes = [], []
    for number, line in enumerate(_text(name).splitlines(), start=1):
        for word in line.partition("#")[0].split():
            symbol = parse(word)
            if symbol in DECK:
                cards.append(str(symbol))
            elif symbol != CUT:
                mistakes.append(f'{name}:{number}: "{word}" is not a card')
    if mistakes:
        raise UsageProblem(mistakes)
    return cards


def _text(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except OSError as error:
        raise UsageProblem(os_line(error, name)) from error
    except UnicodeDecodeError as error:
        raise UsageProblem(f"{name}: byte {error.start} is not UTF-8") from error


def _for_a_person(answer: odds.Odds, cards: int) -> str:
    """The same figures in lines, without the table of both rows."""
    lines = [f"{cards} cards left"]
    for field, value in msgspec.structs.asdict(answer).items():
        if isinstance(value, dict) and field != "joint":
            lines += [f"{field} {key:12} {chance:.10f}" for key, chance in value.items()]
        elif not isinstance(value, dict):
            lines.append(f"{field:16} " + ("-" if value is None else f"{value:.10f}"))
    return "\n".join(lines)
