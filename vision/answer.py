"""What one look at a card gives: a symbol, or an abstention with its reason."""

from __future__ import annotations

from dataclasses import dataclass

NO_CARD = "no card"
UNCLEAR = "unclear"
TWO_CARDS = "two cards"
HALF_CARD = "half a card"


@dataclass(frozen=True)
class Answer:
    """`symbol`: `As` … `Kc` (ten is `T`), `back`, `cut`, `joker`, or None with its `why`; `confidence` 0..1."""

    symbol: str | None
    confidence: float
    why: str = ""


def abstain(why: str, confidence: float = 0.0) -> Answer:
    """An answer that says no symbol."""
    return Answer(None, confidence, why)
