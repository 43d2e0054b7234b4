"""CO-5, CO-6: what holds for a stake in every game, and the fields of a bet as a page or a `--bets` line writes it."""

from __future__ import annotations

from decimal import Decimal

from controller.money import amount, is_multiple
from controller.rules import Rules

Bet = dict[str, str | int | bool]


def limits(rules: Rules, stake: Decimal) -> str | None:
    """The first limit that the stake breaks, by its key."""
    least = rules.money.unit if rules.limits.min is None else rules.limits.min
    if stake < least:
        return "limits.min"
    if rules.limits.max is not None and stake > rules.limits.max:
        return "limits.max"
    return None if is_multiple(stake, rules.money.unit) else "money.unit"


def text(bet: Bet, key: str) -> str | None:
    value = bet.get(key)
    return value if isinstance(value, str) else None


def whole(bet: Bet, key: str, default: int) -> int | None:
    value = bet.get(key, default)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def flag(bet: Bet, key: str) -> bool | None:
    value = bet.get(key, False)
    return value if isinstance(value, bool) else None


def stake(bet: Bet) -> Decimal | None:
    value = bet.get("stake")
    if isinstance(value, bool):
        return None
    return amount(str(value)) if isinstance(value, str | int) else None
