"""Seeded random input for `sabot replay`: shoes, house rules, bets good and bad, faults, cut cards, short shoes.

Everything is drawn from the one seed of `make`. Rare things (a refait-31, a playette, a broken bank) are made
frequent on purpose; uniform shoes are among the cases too.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import oracle_rb
import oracle_tq
import oracle_ze
from oracle_basics import FORTY, FULL
from oracle_tq import points

GAMES = ("trente-et-quarante", "red-and-black", "zecchinetta")
PLAYERS = ("ana", "bo", "cy", "dé", "e e")
RESOLUTIONS = (None, None, "put-back", "burn", "void", "void", "next")


@dataclass
class Case:
    """One call of `sabot replay`; `rules` holds amounts as decimal strings or decimals."""

    game: str
    symbols: list[str]
    rules: dict[str, Any]
    bets: list[dict[str, Any]]
    on_fault: str | None = None
    seats: int = 1
    doubles: set[tuple[int, int]] = field(default_factory=set)
    seed: int = 0

    def write(self, folder: Path) -> list[str]:
        """Files for the command line, spelt in the many ways that are allowed; the arguments after `sabot replay`."""
        rng = random.Random(f"spelling {self.seed}")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "shoe.cards").write_text(spelt_cards(rng, self.symbols), encoding="utf-8")
        (folder / "rules.toml").write_text(spelt_rules(rng, self.rules), encoding="utf-8")
        (folder / "bets.jsonl").write_text("".join(spelt_bet(rng, bet) + "\n" for bet in self.bets), encoding="utf-8")
        arguments = [
            str(folder / "shoe.cards"),
            "--game",
            self.game,
            "--rules",
            str(folder / "rules.toml"),
            "--bets",
            str(folder / "bets.jsonl"),
            "--json",
        ]
        if self.on_fault:
            arguments += ["--on-fault", self.on_fault]
        if self.game == "red-and-black":
            arguments += ["--seats", str(self.seats)]
            if self.doubles:
                arguments += ["--doubles", ",".join(f"{number}:{seat}" for number, seat in sorted(self.doubles))]
        return arguments


def spelt_cards(rng: random.Random, symbols: list[str]) -> str:
    words = []
    for symbol in symbols:
        word = symbol
        if symbol == "---":
            word = "\n---\n"
        elif symbol not in ("cut", "back", "joker"):
            word = symbol.replace("T", rng.choice(("T", "10", "t")))
            word = rng.choice((word, word, word, word.upper(), word.lower()))
        words.append(
            word + rng.choice((" ",) * 15 + ("\n", "\t", "  # As joker, a comment\n", "\n# --- no separator\n"))
        )
    return "".join(words)


def spelt_rules(rng: random.Random, rules: dict[str, Any]) -> str:
    top, tables = [], []
    for key, value in rules.items():
        if not isinstance(value, dict):
            top.append(f"{key} = {toml_value(value)}")
        elif rng.random() < 0.5:
            top += [f"{key}.{name} = {toml_value(inner)}" for name, inner in value.items()]
        else:
            tables += [f"[{key}]", *(f"{name} = {toml_value(inner)}" for name, inner in value.items())]
    return "\n".join(top + tables) + "\n"


def toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return format(value, "f") if isinstance(value, Decimal) else str(value) if isinstance(value, int) else f'"{value}"'


def spelt_bet(rng: random.Random, bet: dict[str, Any]) -> str:
    text = json.dumps(
        {**bet, "stake": "@"} if isinstance(bet["stake"], Decimal) else bet, ensure_ascii=rng.random() < 0.5
    )
    return text.replace('"@"', format(bet["stake"], "f")) if isinstance(bet["stake"], Decimal) else text


# ---- house rules -----------------------------------------------------------------------------------------


def amount_value(rng: random.Random, value: Decimal) -> Any:
    """As a string, or (rarely) as the number that TOML and JSON know."""
    return value if rng.random() < 0.1 else format(value, "f")


def common_rules(rng: random.Random) -> tuple[dict[str, Any], Decimal]:
    rules: dict[str, Any] = {}
    unit = Decimal("0.01")
    if rng.random() < 0.7:
        unit = Decimal(rng.choice(("0.01", "0.05", "0.10", "0.25", "0.5", "1", "5", "0.005")))
        rules["money"] = {"unit": amount_value(rng, unit)}
    limits = {}
    lowest = unit * rng.choice((1, 2, 5, 10))
    if rng.random() < 0.4:
        limits["min"] = amount_value(rng, lowest)
    if rng.random() < 0.5:
        limits["max"] = amount_value(rng, lowest * rng.choice((1, 2, 10, 77, 100)))
    if limits:
        rules["limits"] = limits
    return rules, unit


def stranger(rng: random.Random, rules: dict[str, Any]) -> dict[str, Any]:
    """A key of another game now and then: it is ignored."""
    if rng.random() < 0.15:
        key, value = rng.choice(
            (
                ("doubling", True),
                ("commission", "0.2"),
                ("burn", 3),
                ("prison", {"tie": "stay"}),
                ("bank", {"reserve": "5"}),
            )
        )
        rules.setdefault(key, value)
    return rules


def stake_value(rng: random.Random, rules: dict[str, Any], unit: Decimal) -> Any:
    limits = rules.get("limits", {})
    lowest, highest = Decimal(limits.get("min", unit)), Decimal(limits.get("max", unit * 300))
    kind = rng.random()
    if kind < 0.5:
        stake = unit * rng.randint(int(lowest / unit), max(int(lowest / unit), int(highest / unit)))
    elif kind < 0.8:
        stake = rng.choice((lowest, highest))
    else:
        stake = rng.choice(
            (
                lowest - unit,
                highest + unit,
                unit / 2,
                lowest + unit / 2,
                Decimal(0),
                -unit,
                Decimal(10000),
                highest + unit / 2,
            )
        )
    return amount_value(rng, stake)


# ---- shoes -----------------------------------------------------------------------------------------------


def spoil(rng: random.Random, symbols: list[str], decks: int, strangers: tuple[str, ...]) -> list[str]:
    """Faults, a cut card (or two), and a shoe that ends early."""
    if rng.random() < 0.35:
        for _ in range(rng.choice((1, 1, 2, 5))):
            symbols.insert(rng.randint(0, len(symbols)), rng.choice(strangers))
    if rng.random() < 0.3 and symbols:
        card = rng.choice(symbols)
        for _ in range(rng.randint(1, decks + 1)):
            symbols.insert(rng.randint(0, len(symbols)), card)
    if rng.random() < 0.4:
        symbols = symbols[: rng.randint(0, len(symbols))]
    return symbols


def with_cut(rng: random.Random, symbols: list[str]) -> list[str]:
    for _ in range(rng.choice((0, 0, 1, 1, 1, 2))):
        symbols.insert(rng.randint(len(symbols) * rng.choice((0, 1, 3)) // 4, len(symbols)), "cut")
    return symbols


def ended_at_a_round(rng: random.Random, symbols: list[str], lines: list[dict[str, Any]], seats: int) -> list[str]:
    """The shoe up to the last card of some round, with or without a cut card behind it."""
    index, ends = 0, []
    for line in lines:
        index = line.get("index", index)
        if line["event"] == "coup" or (line["event"] == "hand" and line["seat"] == seats):
            ends.append(index + 1)
    return symbols[: rng.choice(ends)] + rng.choice(([], ["cut"])) if ends else symbols


def row_of(rng: random.Random, pool: list[str], wanted: int | None) -> list[str]:
    """Cards of one row, taken from the pool's end; of the wanted total if a few tries find it."""
    for _ in range(40):
        row: list[str] = []
        while pool and sum(map(points, row)) < 31:
            row.append(pool.pop())
        if wanted is None or sum(map(points, row)) == wanted or not pool:
            return row
        pool += row
        rng.shuffle(pool)
    return row_of(rng, pool, None)


def trente_et_quarante(rng: random.Random) -> Case:
    rules, unit = common_rules(rng)
    decks = 6
    if rng.random() < 0.6:
        decks = rules["decks"] = rng.choice((1, 1, 2, 4, 6, 8))
    if rng.random() < 0.4:
        rules["burn"] = rng.choice((0, 1, 5, 12))
    if rng.random() < 0.8:
        rules["prison"] = {"tie": rng.choice(("lose", "stay", "deeper", "deeper")), "transfer": rng.random() < 0.7}
    if rng.random() < 0.4:
        rules["insurance"] = {"rate": rng.choice(("0", "0.03", "0.05", "0.0125", "0.1"))}
    if rng.random() < 0.3:
        rules["bank"] = {"reserve": format(unit * rng.choice((1, 20, 500, 10000)), "f")}
    pool = FULL * decks
    rng.shuffle(pool)
    stacked = rng.choice((0.0, 0.3, 0.7))
    symbols = [pool.pop() for _ in range(rules.get("burn", 0))]
    while pool:
        target = rng.choice((31, 31, 31, 36, 40)) if rng.random() < stacked else None
        symbols += row_of(rng, pool, target) + row_of(rng, pool, target)
    if rng.random() < 0.2 and symbols:
        symbols[0] = "back"
    symbols = spoil(rng, with_cut(rng, symbols), decks, ("back", "joker"))
    if rng.random() < 0.15:
        symbols = ended_at_a_round(rng, symbols, oracle_tq.replay(symbols, rules, [], "burn")[0], 0)
    bets = [tq_bet(rng, rules, unit, decks * 5) for _ in range(rng.choice((0, 10, 40, 120)))]
    return Case(GAMES[0], symbols, stranger(rng, rules), bets, rng.choice(RESOLUTIONS))


def tq_bet(rng: random.Random, rules: dict[str, Any], unit: Decimal, coups: int) -> dict[str, Any]:
    on = rng.choice(("noir", "rouge", "couleur", "inverse") * 8 + ("Noir", "", "red"))
    bet: dict[str, Any] = {
        "coup": rng.randint(0, rng.choice((3, 8, coups + 2))),
        "player": rng.choice(PLAYERS),
        "on": on,
        "stake": stake_value(rng, rules, unit),
    }
    if rng.random() < 0.3:
        bet["insured"] = rng.random() < 0.7
    if rng.random() < 0.7:
        bet["refait"] = rng.choice(("half", "prison", "prison"))
    if rng.random() < 0.4:
        bet["transfer"] = rng.random() < 0.5
    if rng.random() < 0.03:
        bet["note"] = "an extra key"
    return bet


def red_and_black(rng: random.Random) -> Case:
    rules, unit = common_rules(rng)
    decks = 2
    if rng.random() < 0.5:
        decks = rules["decks"] = rng.choice((1, 1, 2, 3, 4))
    symbols = FULL * decks
    rng.shuffle(symbols)
    seats = rng.choice((1, 1, 2, 3, 4, 6, 9))
    rounds = decks * 52 // (5 * seats)
    symbols = spoil(rng, with_cut(rng, symbols), decks, ("back", "joker"))
    if rng.random() < 0.15:
        symbols = ended_at_a_round(rng, symbols, oracle_rb.replay(symbols, rules, [], "burn", seats, set())[0], seats)
    bets = []
    for _ in range(rng.choice((0, 5, 20, 60))):
        on = rng.choice(("red", "black") * 8 + ("noir", "Red"))
        bets.append(
            {
                "round": rng.randint(0, rng.choice((2, rounds + 2))),
                "seat": rng.choice((rng.randint(1, seats), rng.randint(0, seats + 1))),
                "on": on,
                "stake": stake_value(rng, rules, unit),
            }
        )
    doubles = {(rng.randint(1, rounds + 2), rng.randint(1, seats)) for _ in range(rng.choice((0, 3, 30)))}
    return Case(GAMES[1], symbols, stranger(rng, rules), bets, rng.choice(RESOLUTIONS), seats, doubles)


def zecchinetta(rng: random.Random) -> Case:
    rules, unit = common_rules(rng)
    if rng.random() < 0.6:
        rules["doubling"] = rng.random() < 0.8
    if rng.random() < 0.5:
        rules["commission"] = rng.choice(("0", "0.05", "0.10", "0.125", "0.333", "1"))
    spoilt = rng.random() < 0.5
    symbols: list[str] = []
    for number in range(rng.randint(1, 8)):
        if number:
            symbols += ["---"] * rng.choice((1, 1, 1, 1, 2))
        block = box(rng)
        symbols += spoil(rng, block, 1, ("back", "joker", "cut", "8s", "9d", "Th")) if spoilt else block
    symbols += ["---"] * rng.choice((0, 0, 1))
    bets = ze_bets(rng, symbols, rules, unit)
    return Case(GAMES[2], symbols, stranger(rng, rules), bets, rng.choice(RESOLUTIONS))


def box(rng: random.Random) -> list[str]:
    """One shuffled box, one in two with like ranks near its top."""
    block = list(FORTY)
    rng.shuffle(block)
    if rng.random() < 0.5:
        ranks = rng.sample("A234567JQK", 2)
        block.sort(key=lambda card: card[0] not in ranks)
        top = block[:8]
        rng.shuffle(top)
        block[: rng.randint(2, 8)] = []
        block = top[: rng.randint(1, 8)] + [card for card in block if card not in top]
        block += [card for card in FORTY if card not in block] if rng.random() < 0.5 else []
    return block


def ze_bets(rng: random.Random, symbols: list[str], rules: dict[str, Any], unit: Decimal) -> list[dict[str, Any]]:
    """Most of them on what lies on the table at that turn, so that they are good but for the stake."""
    table: list[tuple[int, int, list[str]]] = []
    for line in oracle_ze.replay(symbols, rules, [], "burn")[0]:
        if line["event"] == "turn":
            table.append((line["hand"], line["turn"], line["table"]))
        elif line["event"] == "opening":
            table.append((line["hand"], 0, [pile[0][0] for pile in line.get("table", [])]))
    bets = []
    for _ in range(rng.choice((0, 10, 40, 100))):
        hand, turn, ranks = rng.choice(table or [(1, 0, [])])
        if rng.random() < 0.15:
            hand, turn, ranks = rng.randint(0, 9), rng.randint(-1, 30), []
        on = rng.choice(ranks) if ranks and rng.random() < 0.85 else rng.choice("A234567JQK8x")
        bets.append(
            {
                "hand": hand,
                "after_turn": turn,
                "player": rng.choice(PLAYERS),
                "on": on,
                "stake": stake_value(rng, rules, unit),
            }
        )
    return bets


def make(game: str, seed: int) -> Case:
    rng = random.Random(f"{game} {seed}")
    case = {GAMES[0]: trente_et_quarante, GAMES[1]: red_and_black, GAMES[2]: zecchinetta}[game](rng)
    case.seed = seed
    return case
