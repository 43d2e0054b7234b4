"""What a simulator is told: the options of `python -m hw_sim`, as a value and as a command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from hw_sim.decks import SYMBOLS
from hw_sim.faces import symbol_of
from hw_sim.mechanism import DECKS
from hw_sim.styles import STYLES

PATIENCE_S = 60.0


@dataclass(frozen=True)
class SimOptions:
    """`state` is the state folder; `seed` None: any; `style` None: by the seed; `decks` None: the game's."""

    state: Path
    game: str = "trente-et-quarante"
    seed: int | None = None
    speed: float = 1.0
    deck: Path | None = None  # faces from pictures in this folder
    style: str | None = None
    on_fault: str | None = None
    confirm: bool = False  # confirm what a restarted table restored, without anybody being asked
    decks: int | None = None
    seats: int = 1  # players beside the banker
    double_feeds: float = 0.0  # of the pulls bring two cards
    portion: int = 0  # cards put into the shoe at a time; 0: all
    check: bool = False  # every pack is fed through and counted before it is shuffled
    remainder: bool = False  # what is left in an ended shoe is fed out and counted
    missing: tuple[str, ...] = ()  # cards that the pack lacks, one for each time a card is named
    extra: tuple[str, ...] = ()  # cards that it holds beyond its own
    lamps: tuple[str, ...] = ()  # of the panel, in their order
    patience: float = PATIENCE_S  # seconds without a daemon after which the simulator saves its stack and ends

    @property
    def folder(self) -> Path:
        """Where the simulator keeps its files."""
        return self.state / "sim"

    def arguments(self) -> list[str]:
        """The options as the command line of `python -m hw_sim`."""
        made: list[str] = []
        for field in fields(self):
            value = getattr(self, field.name)
            flag = "--" + field.name.replace("_", "-")
            if value is None or value is False:
                continue
            if isinstance(value, tuple):
                made += [f"{flag}={','.join(value)}"]
            else:
                made += [flag] if value is True else [f"{flag}={value}"]
        return made


def parse(arguments: Sequence[str]) -> SimOptions:
    """The options that a command line says; ends the process with a line for a person where it is wrong (status 2)."""
    parser = argparse.ArgumentParser(
        prog="python -m hw_sim", description="A simulated shoe, dealer and panel for a state folder."
    )
    parser.add_argument("--state", type=Path, required=True, help="the table's state folder")
    parser.add_argument("--game", choices=sorted(DECKS), default="trente-et-quarante")
    parser.add_argument("--seed", type=_not_negative, help="fixes shuffle and noise")
    parser.add_argument("--speed", type=_positive, default=1.0, help="1 is two cards a second")
    parser.add_argument("--deck", type=Path, help="folder with pictures As.png, 10H.png, ...")
    parser.add_argument("--style", choices=sorted(STYLES), help="design of the drawn faces; default: by the seed")
    parser.add_argument("--on-fault", help="how the dealer resolves faults")
    parser.add_argument("--confirm", action="store_true", help="the dealer confirms what a restart restored")
    parser.add_argument("--decks", type=_at_least_one)
    parser.add_argument("--double-feeds", type=_chance, default=0.0, help="of the pulls that bring two cards")
    parser.add_argument("--seats", type=_at_least_one, default=1, help="players beside the banker")
    parser.add_argument("--portion", type=_not_negative, default=0, help="cards put into the shoe at a time; 0: all")
    parser.add_argument("--check", action="store_true", help="the dealer counts the pack before it is shuffled")
    parser.add_argument("--remainder", action="store_true", help="the dealer counts what is left in an ended shoe")
    parser.add_argument("--missing", type=_symbols, default=(), help="cards that the pack lacks, with commas between")
    parser.add_argument("--extra", type=_symbols, default=(), help="cards that it holds too many")
    parser.add_argument("--lamps", type=_names, default=(), help="names of the panel's lamps, with commas between")
    parser.add_argument("--patience", type=_positive, default=PATIENCE_S, help="seconds to wait for a new daemon")
    return SimOptions(**vars(parser.parse_args(arguments)))


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text} is not a number above 0")
    return value


def _not_negative(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is below 0")
    return value


def _chance(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is no number from 0 to 1")
    return value


def _at_least_one(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is below 1")
    return value


def _symbols(text: str) -> tuple[str, ...]:
    symbols = tuple(symbol_of(name) or name for name in _names(text))
    wrong = [symbol for symbol in symbols if symbol not in SYMBOLS]
    if wrong:
        raise argparse.ArgumentTypeError(f"{wrong[0]} is no card")
    return symbols


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)
