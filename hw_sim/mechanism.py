"""What is really in the shoe or box: the shuffled stack, what left it, and whether it is empty. The truth of a bench.

Nothing of the product may see it; the simulated dealer may, as a person sees the cloth. How a card moves is left to
motion.py.
"""

from __future__ import annotations

import json
import os
import threading
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from hw_sim.decks import CARDS

DECKS = {"trente-et-quarante": 6, "red-and-black": 2, "zecchinetta": 1}
_END_MARK = {"trente-et-quarante": (48, 75), "red-and-black": (8, 24)}
# How many cards lie behind the cut card: at least as many as the longest round takes (TQ: 44; red and black: 5 a
# player), so that it can end.
HAND = 5
SHOES_KEPT = 20


def deck_of(game: str) -> tuple[str, ...]:
    """The cards of one deck of `game`; zecchinetta's is without 8, 9 and 10."""
    return tuple(c for c in CARDS if game != "zecchinetta" or c[0] not in "89T")


def shuffled(
    game: str,
    rng: np.random.Generator,
    decks: int | None = None,
    pack: list[str] | None = None,
    seats: int = 1,
) -> list[str]:
    """A new stack, top first, with the cut card put in as an end mark (TQ-1) where the game has one."""
    cards = list(deck_of(game)) * (decks or DECKS[game]) if pack is None else pack
    stack = [cards[i] for i in rng.permutation(len(cards))]
    if game in _END_MARK:
        behind = int(rng.integers(*_END_MARK[game])) + HAND * (seats - 1)
        stack.insert(max(0, len(stack) - behind), "cut")
    return stack


@dataclass
class Stack:
    """The shoe's content; any thread. `portion` is how many cards the tailleur takes at a time (CO-7); 0 is all."""

    game: str
    rng: np.random.Generator
    decks: int | None = None
    portion: int = 0
    missing: list[str] = field(default_factory=list)  # cards that the pack lacks
    extra: list[str] = field(default_factory=list)  # cards that it holds too many
    seats: int = 1  # players beside the banker
    waiting: list[str] = field(default_factory=list)  # not yet in the shoe
    inside: list[str] = field(default_factory=list)  # top first
    under_way: str | None = None  # in the window now
    rider: str | None = None  # a second card that came with it
    dealt: list[str] = field(default_factory=list)  # left this shoe, in order
    shoes: int = 0
    before: list[list[str]] = field(default_factory=list)  # what was seen of the shoes before this one

    def __post_init__(self) -> None:
        self._lock = threading.RLock()

    def load(self) -> None:
        """Take away what is left, shuffle anew and put the first portion in."""
        with self._lock:
            self.before = [*self.before, self.cloth()][-SHOES_KEPT:] if self.shoes else []
            self.waiting = shuffled(self.game, self.rng, self.decks, self.pack(), self.seats)
            self.inside, self.dealt = [], []
            self.shoes += 1
            self.load_portion()

    def load_pack(self) -> None:
        """Put the whole pack in as it comes from the maker, to be counted before it is shuffled."""
        with self._lock:
            self.waiting, self.inside, self.dealt = [], self.pack(), []

    def pack(self) -> list[str]:
        """The cards as they come from the maker, with what is wrong with them."""
        cards = list(deck_of(self.game)) * (self.decks or DECKS[self.game])
        for card in self.missing:
            cards.remove(card)
        return cards + self.extra

    def load_portion(self) -> None:
        """CO-7: put the next portion in."""
        with self._lock:
            count = self.portion or len(self.waiting)
            self.inside += self.waiting[:count]
            del self.waiting[:count]

    @property
    def fresh(self) -> bool:
        """A loaded shoe that no card has left."""
        return bool(self.inside) and not self.dealt and self.under_way is None

    @property
    def empty(self) -> bool:
        with self._lock:
            return not self.inside and self.under_way is None

    def top(self) -> str | None:
        """The card that would come next; in a box it lies in sight."""
        with self._lock:
            return self.inside[0] if self.inside else None

    @property
    def box(self) -> bool:
        """Whether the next card lies open."""
        return self.game == "zecchinetta"

    def cloth(self) -> list[str]:
        """What anybody at the table has seen of this shoe: what left it and, in a box, the card in sight."""
        with self._lock:
            return self.dealt + (self.inside[:1] if self.box else [])

    def pull(self) -> str | None:
        """The top card comes into the window; None where the shoe is empty."""
        with self._lock:
            self.under_way = self.inside.pop(0) if self.inside else None
            return self.under_way

    def join(self) -> str | None:
        """A double feed: the next card comes along with the one in the window; None where there is none."""
        with self._lock:
            self.rider = self.inside.pop(0) if self.inside else None
            return self.rider

    def leave(self) -> None:
        """What is in the window has left the shoe."""
        with self._lock:
            self.dealt += self._in_the_window()

    def go_back(self) -> None:
        """What is in the window went back into the shoe."""
        with self._lock:
            self.inside[:0] = self._in_the_window()

    def _in_the_window(self) -> list[str]:
        cards = [card for card in (self.under_way, self.rider) if card is not None]
        self.under_way = self.rider = None
        return cards

    def slip(self, symbol: str) -> str | None:
        """Put a wrong face in the place of the next card; the card that it replaced, None where the shoe was empty."""
        with self._lock:
            if not self.inside:
                self.inside.append(symbol)
                return None
            replaced, self.inside[0] = self.inside[0], symbol
            return replaced

    def saved(self) -> str:
        """All of it as JSON, with where the shuffling stands; a card in the window goes back for it."""
        with self._lock:
            self.go_back()
            kept = {name: getattr(self, name) for name in _KEPT}
            return json.dumps({**kept, "shuffling": self.rng.bit_generator.state})


_KEPT = ("game", "decks", "portion", "missing", "extra", "waiting", "inside", "dealt", "shoes")


def save(stack: Stack, path: Path) -> None:
    """Write the stack whole, or leave the old file."""
    part = path.with_suffix(".part")
    part.write_text(stack.saved(), encoding="utf-8")
    os.replace(part, path)


def restore(path: Path, game: str, rng: np.random.Generator) -> Stack | None:
    """The stack that a simulator before this one saved; None where there is none, or one of another game."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    if kept["game"] != game:
        return None
    rng.bit_generator.state = kept.pop("shuffling")
    return Stack(rng=rng, **kept)
