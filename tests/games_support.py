"""A table in a test: posts events to `controller.table` alone and keeps what was said."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, TypeVar

from controller import events as e
from controller import outcomes as o
from controller import rules as r
from controller.rounds import accounts
from controller.table import initial, step, verify, view
from controller.view import View

TQ, RB, ZE = "trente-et-quarante", "red-and-black", "zecchinetta"
Line = TypeVar("Line", bound=o.Outcome)

# Coups of trente et quarante, whole: noir 31 and rouge 32, a refait of 33, a refait-31, rouge 31 over noir 40.
NOIR_WINS = "Ks Qs 9d 2d As Kd 9c Jd 2c"
REFAIT = "Ks Qs 9d 4d Kd 9c Jd 4c"
REFAIT_31 = "Ks Qs 9d 2d Kd 9c Jd 2c"
ROUGE_WINS = "Ks Qs Td Jd Kd 9c Jc 2c"


class Played:
    """`said` is all outcomes so far, `last` those of the last event."""

    def __init__(self, game: str, seats: int = 1, **rules: Any) -> None:
        self.state = initial(e.TableOpened(game, r.Rules(**rules), seats))
        self.said: list[o.Outcome] = []
        self.last: tuple[o.Outcome, ...] = ()

    def post(self, *events: e.AnyEvent) -> Played:
        for event in events:
            self.state, self.last = step(self.state, event)
            self.said += self.last
            assert sum(accounts(self.state).values()) == self.state.index  # CO-2
        return self

    def open(self) -> Played:
        """A shoe in place and a round open."""
        self.post(e.ShoeLoaded())
        return self if self.state.table.game == ZE else self.post(e.RoundOpened())

    def draw(self, cards: str) -> Played:
        return self.post(*(e.CardDrawn(card) for card in cards.split()))

    def show(self, cards: str) -> Played:
        """Faces that come into sight in the box, in their order."""
        return self.post(*(e.CardExposed(card) for card in cards.split()))

    def bet(self, **bet: Any) -> Played:
        return self.post(e.BetPlaced({key: str(value) if key == "stake" else value for key, value in bet.items()}))

    def lines(self, kind: type[Line]) -> list[Line]:
        return [line for line in self.said if isinstance(line, kind)]

    def one(self, kind: type[Line]) -> Line:
        """The last line of that kind."""
        return self.lines(kind)[-1]

    @property
    def why(self) -> str | None:
        """Why the last event was refused, or None."""
        return next((line.why for line in self.last if isinstance(line, o.Refused)), None)

    @property
    def view(self) -> View:
        return view(self.state)

    def would(self, request: e.AnyEvent) -> str | None:
        return verify(self.state, request)


def items(settlement: o.Settlement) -> list[tuple[str, Decimal, Decimal, Decimal]]:
    """Result, premium, returned and net of each item."""
    return [(item.result, item.premium, item.returned, item.net) for item in settlement.items]


def amounts(*texts: str) -> tuple[Decimal, ...]:
    return tuple(Decimal(text) for text in texts)
