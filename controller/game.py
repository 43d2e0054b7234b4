"""What the table asks of a game: each module in games/ answers these, and `games.GAMES` lists them by name."""

from __future__ import annotations

from decimal import Decimal
from typing import Protocol

from controller.events import AnyEvent
from controller.plays import Play
from controller.state import State, Step, Table, Taken
from controller.view import Row, Stake

Bet = dict[str, str | int | bool]


class Game(Protocol):
    """Functions of a module; `State.play` is the game's own kind throughout."""

    @property
    def DECKS(self) -> int:
        """Decks in a shoe where the house rules name none."""

    @property
    def CARDS(self) -> frozenset[str]:
        """The deck (CO-1)."""

    @property
    def CUT_CARD(self) -> bool:
        """Whether a cut card belongs into the shoe."""

    @property
    def BURNS(self) -> bool:
        """Whether `burn` is a rule of this game."""

    @property
    def OPENS_ON_LOADING(self) -> bool:
        """Whether a loaded shoe is an open round at once (each hand of zecchinetta has its own deck)."""

    def first(self, table: Table) -> Play:
        """The play of a table that just opened."""

    def begin(self, play: Play) -> Play:
        """The play of a new round: an empty cloth, and what outlives a round (prison, bank, banker)."""

    def take(self, state: State, event: AnyEvent, card: str, seen: tuple[int, ...], manual: bool) -> Taken:
        """A card of the deck came in its turn (`seen` counts it): play it, and say whether the round is over."""

    def give_back(self, state: State) -> Step:
        """CO-4: every stake of the open round that is not settled goes back (`push`)."""

    def on_cloth(self, play: Play) -> int:
        """Cards of a round in progress (CO-2)."""

    def in_box(self, play: Play) -> int:
        """Cards that were seen and have not left: the one in sight in zecchinetta's box."""

    def sought(self, play: Play) -> int:
        """Cards dealt so far to find the first banker."""

    def place_bet(self, state: State, bet: Bet) -> Play | str:
        """CO-5, CO-6: the play with that bet, or why it is refused."""

    def may_open(self, state: State) -> str | None:
        """Why no round can begin from this shoe, or None."""

    def at_stake(self, play: Play) -> Decimal:
        """All that lies on the table: unsettled stakes and prison."""

    def stakes(self, play: Play) -> tuple[Stake, ...]: ...

    def rows(self, state: State) -> tuple[Row, ...]: ...

    def active(self, state: State) -> str | None:
        """The name of the row that gets the next card."""
