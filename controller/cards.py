"""Cards: their one spelling, the decks, points and colours. Values only; what a card does is the game's matter.

A card is rank then suit (`As`, `Th`, `7d`); three more symbols can come out of a shoe: `cut`, `back`, `joker`.
"""

from __future__ import annotations

RANKS = "A23456789TJQK"
SUITS = "shdc"
DECK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
ZECCHINETTA_DECK: tuple[str, ...] = tuple(card for card in DECK if card[0] not in "89T")  # ZE-1
CUT, BACK, JOKER = "cut", "back", "joker"
SYMBOLS: tuple[str, ...] = (*DECK, CUT, BACK, JOKER)

POSITION: dict[str, int] = {card: number for number, card in enumerate(DECK)}
POINTS: dict[str, int] = {card: min(RANKS.index(card[0]) + 1, 10) for card in DECK}  # TQ-2
RED: frozenset[str] = frozenset(card for card in DECK if card[1] in "hd")


def _spellings() -> dict[str, str]:
    """Everything that is accepted, in lower case, with the symbol that it means."""
    accepted = {symbol.lower(): symbol for symbol in SYMBOLS}
    accepted.update({"10" + suit: "T" + suit for suit in SUITS})
    return accepted


_ACCEPTED = _spellings()


def parse(text: str) -> str | None:
    """The symbol that `text` spells (`10h` and either letter case too), or None."""
    return _ACCEPTED.get(text.lower())
