"""Trente et quarante in one loop (TQ-1 to TQ-14)."""

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
    down,
    fault,
    item,
    push,
    refused,
    setting,
    settlement,
    unreached,
    up,
)
from oracle_basics import shown as money

ZERO = Fraction(0)
OTHER = {"noir": "rouge", "rouge": "noir", "couleur": "inverse", "inverse": "couleur"}


def points(card: str) -> int:
    return 1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def why_not(bet: Line, rules: dict[str, Any]) -> str | None:
    if bet["on"] not in OTHER:
        return "no such chance"
    if bet.get("transfer", False) and not setting(rules, "prison.transfer", False):
        return "prison.transfer"
    return against_limits(amount(bet["stake"]), rules)


def who_won(noir: list[str], rouge: list[str]) -> tuple[str, list[str], str | None]:
    """Outcome, the chances that win, and couleur's word."""
    totals = sum(map(points, noir)), sum(map(points, rouge))
    if totals[0] == totals[1]:
        return ("refait-31" if totals[0] == 31 else "refait"), [], None
    winner = "noir" if totals[0] < totals[1] else "rouge"
    same = colour(noir[0]) == ("black" if winner == "noir" else "red")
    return winner, [winner, "couleur" if same else "inverse"], "gagne" if same else "perd"


def settle_prisoner(prisoner: Line, outcome: str, winning: list[str], tie: str) -> tuple[Line, bool]:
    """TQ-10; the settlement item, and whether the stake stays in prison."""
    stake, on = prisoner["stake"], prisoner["on"]
    stays = item(prisoner["player"], on, stake, "prison", ZERO, ZERO), True
    gone = item(prisoner["player"], on, stake, "lose", ZERO, -stake), False
    out = item(prisoner["player"], on, stake, "released", stake, ZERO), False
    if winning:
        if on not in winning:
            return gone
        prisoner["wins"] += 1
        return stays if prisoner["wins"] < prisoner["level"] else out
    if tie == "stay" or (tie == "deeper" and outcome == "refait"):
        return stays
    if tie == "deeper" and prisoner["level"] == 1:
        prisoner["level"], prisoner["wins"] = 2, 0
        return stays
    return gone


def settle_bet(bet: Line, outcome: str, winning: list[str], rules: dict[str, Any]) -> Line:
    unit = amount(setting(rules, "money.unit", "0.01"))
    stake, player, on = amount(bet["stake"]), bet["player"], bet["on"]
    insured = bet.get("insured", False)
    premium = down(stake * amount(setting(rules, "insurance.rate", "0.05")), unit) if insured else ZERO
    if winning:
        if on in winning:
            return item(player, on, stake, "win", 2 * stake, stake - premium, premium)
        return item(player, on, stake, "lose", ZERO, -stake - premium, premium)
    if outcome == "refait":
        return item(player, on, stake, "push", stake, -premium, premium)
    if insured:
        return item(player, on, stake, "insured", stake, -premium, premium)
    if bet.get("refait", "half") == "prison":
        return item(player, on, stake, "prison", ZERO, ZERO)
    back = up(stake / 2, unit)
    return item(player, on, stake, "half", back, back - stake)


def replay(symbols: list[str], rules: dict[str, Any], bets: list[Line], on_fault: str | None) -> tuple[list[Line], int]:
    shoe = Shoe(FULL, setting(rules, "decks", 6), has_cut=True)
    to_burn, tie = setting(rules, "burn", 0), setting(rules, "prison.tie", "lose")
    reserve = setting(rules, "bank.reserve", None)
    bank, relaid = (amount(reserve) if reserve is not None else ZERO), 0
    lines: list[Line] = []
    coup, rounds, void, cards, status, reason = 1, 0, 0, 0, 0, "empty"
    noir: list[str] = []
    rouge: list[str] = []
    live: list[Line] = []
    prisoners: list[Line] = []
    cut_out, reached = False, 0

    def settled(items: list[Line]) -> None:
        nonlocal bank, relaid
        line = settlement(items, round=coup)
        lines.append(line)
        if reserve is not None:
            bank += amount(line["bank"])
            if bank <= 0:
                bank, relaid = amount(reserve), relaid + 1
            lines.append({"event": "bank", "left": money(bank), "relaid": relaid})

    for index, symbol in enumerate(symbols):
        cards += 1
        code = shoe.wrong(symbol, burning=to_burn > 0)
        if code:
            status = 1
            lines.append(fault(code, symbol, index))
            if on_fault not in OFFERED:
                reason = "fault"
                break
            if on_fault == "burn" and to_burn > 0:
                to_burn -= 1
            if on_fault == "void" and noir:
                settled([push(bet["player"], bet["on"], amount(bet["stake"])) for bet in live])
                coup, void, noir, rouge, live = coup + 1, void + 1, [], [], []
                if cut_out:
                    reason = "cut"
                    break
            continue
        if symbol == "cut":
            cut_out = True
            if not noir:
                reason = "cut"
                break
            continue
        if to_burn > 0:
            to_burn -= 1
            continue
        if not noir:
            reached = coup
            for bet in bets:
                if bet["coup"] == coup:
                    why = why_not(bet, rules)
                    if why:
                        lines.append(refused(bet, why))
                    else:
                        live.append(bet)
        row = noir if sum(map(points, noir)) < 31 else rouge
        row.append(symbol)
        lines.append(
            {
                "event": "card",
                "index": index,
                "card": symbol,
                "coup": coup,
                "row": "noir" if row is noir else "rouge",
                "total": sum(map(points, row)),
            }
        )
        if row is noir or sum(map(points, rouge)) < 31:
            continue
        outcome, winning, word = who_won(noir, rouge)
        call = [f"Rouge {'gagne' if outcome == 'rouge' else 'perd'}", f"Couleur {word}"] if winning else []
        lines.append(
            {
                "event": "coup",
                "coup": coup,
                "outcome": outcome,
                "couleur": word,
                "call": call,
                "noir": {"cards": noir, "total": sum(map(points, noir))},
                "rouge": {"cards": rouge, "total": sum(map(points, rouge))},
            }
        )
        items, staying = [], []
        for prisoner in prisoners:
            entry, stays = settle_prisoner(prisoner, outcome, winning, tie)
            items.append(entry)
            if stays:
                staying.append(prisoner)
        for bet in live:
            entry = settle_bet(bet, outcome, winning, rules)
            items.append(entry)
            if entry["result"] == "prison":
                on = OTHER[bet["on"]] if bet.get("transfer", False) else bet["on"]
                staying.append(
                    {"player": bet["player"], "on": on, "stake": amount(bet["stake"]), "level": 1, "wins": 0}
                )
        settled(items)
        prisoners, live = staying, []
        coup, rounds, noir, rouge = coup + 1, rounds + 1, [], []
        if cut_out:
            reason = "cut"
            break
    if reason == "empty" and noir:
        void += 1
        settled([push(bet["player"], bet["on"], amount(bet["stake"])) for bet in live])
    lines += [unreached(bet) for bet in bets if not 1 <= bet["coup"] <= reached]
    lines.append({"event": "end", "cards": cards, "rounds": rounds, "void": void, "reason": reason})
    return lines, status
