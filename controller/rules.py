"""House rules as data: frozen, with the defaults of rules.md. Parsing and checking TOML is the edge's work.

Keys are TOML's: `money.unit` is `rules.money.unit` here. Amounts and rates are exact decimals.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import msgspec


class Money(msgspec.Struct, frozen=True):
    unit: Decimal = Decimal("0.01")


class Limits(msgspec.Struct, frozen=True):
    """Both inclusive; `min` None is one unit, `max` None is none."""

    min: Decimal | None = None
    max: Decimal | None = None


class Prison(msgspec.Struct, frozen=True):
    tie: Literal["lose", "stay", "deeper"] = "lose"
    transfer: bool = False


class Insurance(msgspec.Struct, frozen=True):
    rate: Decimal = Decimal("0.05")


class Bank(msgspec.Struct, frozen=True):
    reserve: Decimal | None = None


class Rules(msgspec.Struct, frozen=True):
    """One record for all games; a key of another game is ignored. `decks` None is the game's own number (6, 2, 1)."""

    decks: int | None = None
    burn: int = 0
    money: Money = Money()
    limits: Limits = Limits()
    prison: Prison = Prison()
    insurance: Insurance = Insurance()
    doubling: bool = False
    commission: Decimal = Decimal("0.10")
    bank: Bank = Bank()
