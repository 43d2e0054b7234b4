"""Money: exact decimals, and rounding to the table's smallest unit in the player's favour.

Amounts come in as text, so that what was written is what is counted; every operation here is exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Context, Decimal, Inexact

ZERO = Decimal(0)
LONGEST = 60  # digits before or after the point; an amount beyond is no amount

# Wide enough for the product of two amounts; a result that does not fit would be our own mistake, never rounded.
EXACT = Context(prec=6 * LONGEST, traps=[Inexact])
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)


def amount(text: str) -> Decimal | None:
    """The amount that `text` writes, or None where it is none (NaN, beyond 60 digits, letters)."""
    if len(text) > 4 * LONGEST or not _NUMBER.fullmatch(text):
        return None
    value = Decimal(text)
    if value and not -LONGEST <= value.adjusted() < LONGEST:
        return None
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int) or exponent < -LONGEST:
        return None
    return value if exponent <= 0 else EXACT.quantize(value, Decimal(1)) if value else ZERO


def add(left: Decimal, right: Decimal) -> Decimal:
    return EXACT.add(left, right)


def times(value: Decimal, factor: int) -> Decimal:
    return EXACT.multiply(value, Decimal(factor))


def negated(value: Decimal) -> Decimal:
    return EXACT.minus(value)


def total(amounts: Iterable[Decimal]) -> Decimal:
    result = ZERO
    for each in amounts:
        result = EXACT.add(result, each)
    return result


def net(returned: Decimal, stake: Decimal, premium: Decimal = ZERO) -> Decimal:
    """A player's gain or loss: what came back, less what was laid and paid."""
    return EXACT.subtract(EXACT.subtract(returned, stake), premium)


def is_multiple(value: Decimal, unit: Decimal) -> bool:
    return EXACT.remainder(value, unit) == 0


def share_down(value: Decimal, rate: Decimal, unit: Decimal) -> Decimal:
    """`rate` of `value`, rounded down to a whole number of units (premium, commission)."""
    return EXACT.multiply(EXACT.divide_int(EXACT.multiply(value, rate), unit), unit)


def half_up(value: Decimal, unit: Decimal) -> Decimal:
    """Half of `value`, rounded up to a whole number of units (a returned half)."""
    double_unit = EXACT.multiply(unit, Decimal(2))
    units = EXACT.divide_int(value, double_unit)
    if EXACT.remainder(value, double_unit):
        units = EXACT.add(units, Decimal(1))
    return EXACT.multiply(units, unit)
