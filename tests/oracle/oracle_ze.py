"""Zecchinetta, block by block (ZE-1 to ZE-12)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from oracle_basics import (
    FORTY,
    OFFERED,
    Line,
    Shoe,
    against_limits,
    amount,
    down,
    fault,
    item,
    push,
    refused,
    setting,
    settlement,
    unreached,
)

ZERO = Fraction(0)


class Stopped(Exception):
    """A fault that nobody resolves."""


class HandVoid(Exception):
    """The block ran out, or a fault was resolved by voiding the hand."""


def blocks_of(symbols: list[str]) -> list[list[tuple[int, str]]]:
    """Hands with the index of each symbol; empty blocks are none."""
    blocks: list[list[tuple[int, str]]] = [[]]
    index = 0
    for symbol in symbols:
        if symbol == "---":
            blocks.append([])
        else:
            blocks[-1].append((index, symbol))
            index += 1
    return [block for block in blocks if block]


class Hand:
    """One hand; `lines` grows as it is played."""

    def __init__(
        self, number: int, block: list[tuple[int, str]], rules: dict[str, Any], bets: list[Line], on_fault: str | None
    ) -> None:
        self.number, self.block, self.rules, self.on_fault = number, list(block), rules, on_fault
        self.bets = [bet for bet in bets if bet["hand"] == number]
        self.shoe = Shoe(FORTY, 1, has_cut=False)
        self.lines: list[Line] = []
        self.read, self.faults, self.shown_cards = 0, 0, 0
        self.live: list[Line] = []
        self.table: list[str] = []
        self.dead: list[str] = []

    def next(self) -> str:
        while self.block:
            index, symbol = self.block.pop(0)
            self.read += 1
            code = self.shoe.wrong(symbol)
            if not code:
                self.shown_cards += 1
                return symbol
            self.faults += 1
            self.lines.append(fault(code, symbol, index))
            if self.on_fault not in OFFERED:
                raise Stopped
            if self.on_fault == "void" and self.shown_cards:
                raise HandVoid
        raise HandVoid

    def refuse_rest(self, first_turn: int) -> None:
        late = [bet for bet in self.bets if bet["after_turn"] >= first_turn]
        self.lines += [refused(bet, "bets closed") for bet in late]

    def take_bets(self, turn: int) -> None:
        for bet in self.bets:
            if bet["after_turn"] != turn:
                continue
            why = "no such card" if bet["on"] not in self.table else against_limits(amount(bet["stake"]), self.rules)
            if why:
                self.lines.append(refused(bet, why))
            else:
                self.live.append(bet)

    def opening(self) -> tuple[list[list[str]], str] | None:
        """Piles and banker's card, or None for a void playette."""
        first = [self.next(), self.next(), self.next()]
        if not setting(self.rules, "doubling", False):
            if len({card[0] for card in first}) < 3:
                return None
            return [[first[0]], [first[1]]], first[2]
        piles = [[first[0]]]
        in_hand = first[1:]
        while True:
            card = in_hand.pop(0) if in_hand else self.next()
            same = [pile for pile in piles if pile[0][0] == card[0]]
            if same:
                same[0].append(card)
            elif len(piles) < 2:
                piles.append([card])
            else:
                return piles, card

    def settle(self, turn: int, effect: str, rank: str) -> None:
        unit = amount(setting(self.rules, "money.unit", "0.01"))
        rate = amount(setting(self.rules, "commission", "0.10"))
        items, house, staying = [], ZERO, []
        for bet in self.live:
            stake = amount(bet["stake"])
            if effect == "bank-loses":
                items.append(item(bet["player"], bet["on"], stake, "win", 2 * stake, stake))
            elif bet["on"] == rank:
                items.append(item(bet["player"], bet["on"], stake, "lose", ZERO, -stake))
                house += down(stake * rate, unit)
            else:
                staying.append(bet)
        self.live = staying
        self.lines.append(settlement(items, house, round=self.number, turn=turn))

    def turns(self, piles: list[list[str]], banker: str) -> None:
        largest = max(len(pile) for pile in piles)
        threshold = {1: 2, 2: 3, 3: 4, 4: 4}[largest]
        self.lines.append(
            {"event": "opening", "hand": self.number, "table": piles, "banker": banker, "threshold": threshold}
        )
        count = {pile[0][0]: len(pile) for pile in piles}
        count[banker[0]] = 1
        self.table = [pile[0][0] for pile in piles if len(pile) < 4]
        self.dead = [pile[0][0] for pile in piles if len(pile) == 4]
        won: list[str] = []
        waiting = ""
        self.turn = 0
        while True:
            self.take_bets(self.turn)
            if waiting:
                self.table.append(waiting)
            waiting = ""
            card = self.next()
            self.turn += 1
            rank = card[0]
            count[rank] = count.get(rank, 0) + 1
            if rank in self.dead:
                effect = "dead"
            elif count[rank] == 1:
                effect, waiting = "new", rank
            elif count[rank] < threshold:
                effect = "joins"
            elif rank == banker[0]:
                effect = "bank-loses"
            else:
                effect = "bank-wins"
                self.table.remove(rank)
                self.dead.append(rank)
                won.append(rank)
            self.lines.append(
                {
                    "event": "turn",
                    "hand": self.number,
                    "turn": self.turn,
                    "exposed": card,
                    "effect": effect,
                    "table": list(self.table),
                    "dead": list(self.dead),
                }
            )
            if effect in ("bank-wins", "bank-loses"):
                self.settle(self.turn, effect, rank)
            if effect == "bank-loses":
                self.lines.append(
                    {"event": "hand", "hand": self.number, "turns": self.turn, "banker_rank": rank, "won": won}
                )
                self.refuse_rest(self.turn)
                return

    def play(self) -> str:
        """How it ended: `done`, `void` or `stopped`."""
        self.turn = -1
        try:
            opened = self.opening()
            if opened is None:
                self.lines.append({"event": "opening", "hand": self.number, "playette": True})
                self.lines += [refused(bet, "bets closed") for bet in self.bets]
                return "void"
            self.turns(*opened)
            self.lines += [unreached(bet) for bet in self.bets if bet["after_turn"] < 0]  # no such turn: free
            return "done"
        except HandVoid:
            items = [push(bet["player"], bet["on"], amount(bet["stake"])) for bet in self.live]
            self.lines.append(settlement(items, round=self.number))
            self.not_reached()
            return "void"
        except Stopped:
            self.not_reached()
            return "stopped"

    def not_reached(self) -> None:
        self.lines += [unreached(bet) for bet in self.bets if not 0 <= bet["after_turn"] <= self.turn]


def replay(symbols: list[str], rules: dict[str, Any], bets: list[Line], on_fault: str | None) -> tuple[list[Line], int]:
    lines: list[Line] = []
    rounds, void, cards, status, reason, number = 0, 0, 0, 0, "empty", 0
    for block in blocks_of(symbols):
        hand = Hand(number + 1, block, rules, bets, on_fault)
        how = hand.play()
        cards += hand.read
        status = 1 if hand.faults else status
        if how == "void" and not hand.shown_cards:
            lines += [line for line in hand.lines if line["event"] == "fault"]
            continue
        lines += hand.lines
        number += 1
        rounds += how == "done"
        void += how == "void"
        if how == "stopped":
            reason = "fault"
            break
    lines += [unreached(bet) for bet in bets if not 1 <= bet["hand"] <= number]
    lines.append({"event": "end", "cards": cards, "rounds": rounds, "void": void, "reason": reason})
    return lines, status
