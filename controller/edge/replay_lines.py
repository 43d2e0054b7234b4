"""What a replay prints: JSON Lines, or lines for a person. Buffered; `flush` writes the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, BinaryIO, Protocol

import msgspec

from controller import outcomes as o
from controller.outcomes import Outcome

BUFFERED = 1 << 16  # bytes


class RefusedBet(Outcome, frozen=True, tag="refused"):
    """`o.Refused` with the bet's line as it was given."""

    bet: msgspec.Raw
    why: str


class Lines(Protocol):
    def say(self, outcomes: Iterable[Outcome]) -> None: ...

    def flush(self) -> None: ...


class JsonLines:
    """One object a line."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._buffer = bytearray()
        self._encode_into = msgspec.json.Encoder().encode_into

    def say(self, outcomes: Iterable[Outcome]) -> None:
        buffer = self._buffer
        for outcome in outcomes:
            self._encode_into(outcome, buffer, -1)
            buffer += b"\n"
        if len(buffer) > BUFFERED:
            self.flush()

    def flush(self) -> None:
        self._out.write(self._buffer)
        self._out.flush()
        self._buffer.clear()


class PlainLines:
    """What a person wants to read: no line for each card, one for each result."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._buffer = bytearray()

    def say(self, outcomes: Iterable[Outcome]) -> None:
        for outcome in outcomes:
            text = _PLAIN.get(type(outcome))
            if text is not None:
                self._buffer += f"{text(outcome)}\n".encode()
        if len(self._buffer) > BUFFERED:
            self.flush()

    def flush(self) -> None:
        self._out.write(self._buffer)
        self._out.flush()
        self._buffer.clear()


def _cards(cards: Iterable[str]) -> str:
    return " ".join(cards)


def _coup(line: o.TqCoup) -> str:
    rows = f"noir {_cards(line.noir.cards)} = {line.noir.total}  rouge {_cards(line.rouge.cards)} = {line.rouge.total}"
    return f"coup {line.coup}: {rows}  {', '.join(line.call)}"


def _settlement(line: o.Settlement) -> str:
    where = f" seat {line.seat}" if line.seat is not None else f" turn {line.turn}" if line.turn is not None else ""
    said = [f"round {line.round}{where}: bank {line.bank:+f}" + (f", house {line.house:+f}" if line.house else "")]
    for item in line.items:
        premium = f", premium {item.premium:f}" if item.premium else ""
        said.append(
            f"    {item.player} {item.stake:f} on {item.on}: {item.result}, returned {item.returned:f}{premium}, "
            f"net {item.net:+f}"
        )
    return "\n".join(said)


def _opening(line: o.ZeOpening) -> str:
    table = " | ".join(_cards(pile) for pile in line.table)
    return f"hand {line.hand}: table {table}, banker {line.banker}, threshold {line.threshold}"


def _turn(line: o.ZeTurn) -> str:
    dead = f", dead {_cards(line.dead)}" if line.dead else ""
    return f"hand {line.hand} turn {line.turn}: {line.exposed} {line.effect}; table {_cards(line.table) or '-'}{dead}"


def _fault(line: o.Fault) -> str:
    return f"fault {line.code}: symbol {line.index}, {line.card} (resolutions: {', '.join(line.resolutions)})"


def _end(line: o.Ended) -> str:
    return f"end ({line.reason}): {line.cards} symbols read, {line.rounds} rounds, {line.void} void"


_PLAIN: dict[type, Callable[[Any], str]] = {
    o.TqCoup: _coup,
    o.Settlement: _settlement,
    o.Bank: lambda line: f"bank: {line.left:f} left, laid again {line.relaid} times",
    o.RbHand: lambda line: (
        f"round {line.round} seat {line.seat}: {_cards(line.cards)}  red {line.red} black {line.black}"
    ),
    o.ZeOpening: _opening,
    o.ZePlayette: lambda line: f"hand {line.hand}: playette, the deal is void",
    o.ZeTurn: _turn,
    o.ZeHand: lambda line: (
        f"hand {line.hand}: over after {line.turns} turns, banker's rank {line.banker_rank}, "
        f"won {_cards(line.won) or '-'}"
    ),
    o.Fault: _fault,
    o.Resolved: lambda line: f"resolved: {line.resolution}",
    RefusedBet: lambda line: f"refused: {bytes(line.bet).decode()} ({line.why})",
    o.Ended: _end,
}
