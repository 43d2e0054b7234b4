"""Cards, money and bets as the second engine sees them: strings, dicts and exact fractions.

Written from the pages rules.md and interface.md alone, in another style than the product, so that the two can
disagree. Nothing of the product is imported here or in any other oracle_*.py module.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

RANKS = "A23456789TJQK"
SUITS = "shdc"
WORDS = ("cut", "back", "joker")
FULL = [rank + suit for rank in RANKS for suit in SUITS]
FORTY = [card for card in FULL if card[0] not in "89T"]
OFFERED = ("put-back", "burn", "void")

Line = dict[str, Any]


def parse(text: str) -> list[str]:
    """The symbols of a file of cards, comments gone, spelt as `Th`; `---` stays."""
    symbols = []
    for line in text.splitlines():
        for word in line.split("#")[0].split():
            symbols.append(
                word if word in WORDS or word == "---" else word[:-1].upper().replace("10", "T") + word[-1].lower()
            )
    return symbols


def colour(card: str) -> str:
    return "red" if card[1] in "hd" else "black"


def setting(rules: dict[str, Any], key: str, default: Any) -> Any:
    value: Any = rules
    for part in key.split("."):
        if not isinstance(value, dict) or part not in value:
            return default
        value = value[part]
    return value


def amount(value: Any) -> Fraction:
    return Fraction(Decimal(str(value)))


def shown(value: Fraction) -> str:
    with localcontext() as context:
        context.prec = 80
        return format(Decimal(value.numerator) / Decimal(value.denominator), "f")


def down(value: Fraction, unit: Fraction) -> Fraction:
    return (value // unit) * unit


def up(value: Fraction, unit: Fraction) -> Fraction:
    return -((-value) // unit) * unit


def against_limits(stake: Fraction, rules: dict[str, Any]) -> str | None:
    """CO-5, the three reasons that concern the amount, in their order."""
    unit = amount(setting(rules, "money.unit", "0.01"))
    lowest = setting(rules, "limits.min", None)
    highest = setting(rules, "limits.max", None)
    if stake < (unit if lowest is None else amount(lowest)):
        return "limits.min"
    if highest is not None and stake > amount(highest):
        return "limits.max"
    if stake % unit != 0:
        return "money.unit"
    return None


def item(
    player: str,
    on: str,
    stake: Fraction,
    result: str,
    returned: Fraction,
    net: Fraction,
    premium: Fraction = Fraction(0),
) -> Line:
    return {
        "player": player,
        "on": on,
        "stake": shown(stake),
        "premium": shown(premium),
        "result": result,
        "returned": shown(returned),
        "net": shown(net),
    }


def push(player: str, on: str, stake: Fraction) -> Line:
    return item(player, on, stake, "push", stake, Fraction(0))


def settlement(items: list[Line], house: Fraction = Fraction(0), **where: Any) -> Line:
    """Nets, bank and house add up to 0: the bank's share is what remains."""
    players = sum((amount(entry["net"]) for entry in items), Fraction(0))
    return {"event": "settlement", **where, "items": items, "bank": shown(-players - house), "house": shown(house)}


def refused(bet: Line, why: str) -> Line:
    return {"event": "refused", "bet": bet, "why": why}


def unreached(bet: Line) -> Line:
    """Not a line of the product: a bet that play never came to; whether it is refused is free."""
    return {"event": "unreached", "bet": bet}


class Shoe:
    """One shoe of 52 or 40 card decks, and what has legally come out of it."""

    def __init__(self, deck: list[str], decks: int, has_cut: bool) -> None:
        self.left = dict.fromkeys(deck, decks)
        self.cut_left = 1 if has_cut else 0
        self.has_cut = has_cut

    def wrong(self, symbol: str, burning: bool = False) -> str | None:
        """CO-1: the fault of a symbol, or None, and then it has been counted as gone."""
        if symbol == "back" and burning:
            return None
        if symbol == "cut" and self.has_cut:
            self.cut_left -= 1
            return "composition" if self.cut_left < 0 else None
        if symbol not in self.left:
            return "foreign"
        if self.left[symbol] == 0:
            return "composition"
        self.left[symbol] -= 1
        return None


def fault(code: str, symbol: str, index: int) -> Line:
    return {"event": "fault", "code": code, "card": symbol, "index": index, "resolutions": list(OFFERED)}
