"""Red and black, the private five-card game, in one loop (RB-1 to RB-6)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from oracle_basics import (
    FULL,
    OFFERED,
    Line,
    Shoe,
    against_limits,
    amount,
    colour,
    fault,
    item,
    push,
    refused,
    setting,
    settlement,
    unreached,
)

ZERO = Fraction(0)
TIMES = {3: 1, 4: 2, 5: 4}


def why_not(bet: Line, seats: int, taken: dict[int, Line], rules: dict[str, Any]) -> str | None:
    if bet["on"] not in ("red", "black"):
        return "no such chance"
    if not 1 <= bet["seat"] <= seats:
        return "no such seat"
    return against_limits(amount(bet["stake"]), rules) or ("one stake a seat" if bet["seat"] in taken else None)


def settle(seat: int, bet: Line, red: int, doubled: bool) -> Line:
    stake = amount(bet["stake"]) * (2 if doubled else 1)
    mine = red if bet["on"] == "red" else 5 - red
    if mine >= 3:
        return item(str(seat), bet["on"], stake, "win", stake * (1 + TIMES[mine]), stake * TIMES[mine])
    return item(str(seat), bet["on"], stake, "lose", ZERO, -stake * TIMES[5 - mine])


def replay(
    symbols: list[str],
    rules: dict[str, Any],
    bets: list[Line],
    on_fault: str | None,
    seats: int,
    doubles: set[tuple[int, int]],
) -> tuple[list[Line], int]:
    decks = setting(rules, "decks", 2)
    shoe = Shoe(FULL, decks, has_cut=True)
    lines: list[Line] = []
    number, rounds, void, cards, status, reason, reached = 1, 0, 0, 0, 0, "empty", 0
    seat = 1
    hand: list[str] = []
    stakes: dict[int, Line] = {}
    running, cut_out = False, False

    def go_back() -> None:
        for later in range(seat, seats + 1):
            if later in stakes:
                bet = stakes[later]
                stake = amount(bet["stake"]) * (2 if (number, later) in doubled else 1)
                lines.append(settlement([push(str(later), bet["on"], stake)], round=number, seat=later))

    doubled: set[tuple[int, int]] = set()
    for index, symbol in enumerate(symbols):
        if not running and sum(shoe.left.values()) < 5 * seats:
            break
        cards += 1
        code = shoe.wrong(symbol)
        if code:
            status = 1
            lines.append(fault(code, symbol, index))
            if on_fault not in OFFERED:
                reason = "fault"
                break
            if on_fault == "void" and running:
                go_back()
                number, void, seat, hand, stakes, running = number + 1, void + 1, 1, [], {}, False
                if cut_out:
                    reason = "cut"
                    break
            continue
        if symbol == "cut":
            cut_out = True
            if not running:
                reason = "cut"
                break
            continue
        if not running:
            running, reached = True, number
            for bet in bets:
                if bet["round"] == number:
                    why = why_not(bet, seats, stakes, rules)
                    if why:
                        lines.append(refused(bet, why))
                    else:
                        stakes[bet["seat"]] = bet
        hand.append(symbol)
        red = sum(1 for card in hand if colour(card) == "red")
        may_double = len(hand) == 4 and red == 2
        if may_double and (number, seat) in doubles:
            doubled.add((number, seat))
        lines.append(
            {
                "event": "card",
                "index": index,
                "card": symbol,
                "round": number,
                "seat": seat,
                "place": len(hand),
                "may_double": may_double,
            }
        )
        if len(hand) < 5:
            continue
        lines.append({"event": "hand", "round": number, "seat": seat, "cards": hand, "red": red, "black": 5 - red})
        items = [settle(seat, stakes[seat], red, (number, seat) in doubled)] if seat in stakes else []
        lines.append(settlement(items, round=number, seat=seat))
        seat, hand = seat + 1, []
        if seat > seats:
            number, rounds, seat, stakes, running = number + 1, rounds + 1, 1, {}, False
            if cut_out:
                reason = "cut"
                break
    if reason == "empty" and running:
        void += 1
        go_back()
    lines += [unreached(bet) for bet in bets if not 1 <= bet["round"] <= reached]
    lines.append({"event": "end", "cards": cards, "rounds": rounds, "void": void, "reason": reason})
    return lines, status
