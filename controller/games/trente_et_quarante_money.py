"""The money of trente et quarante: chances, refait, prison, insurance and the bank (TQ-6, TQ-8 to TQ-11, TQ-14).

Stakes in prison are settled before the coup's own, each in the order in which it was laid.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from msgspec.structs import replace

from controller import bets, money
from controller.events import RefaitChosen
from controller.money import ZERO
from controller.outcomes import Bank, Item, Outcome, Settlement
from controller.plays import Chance, Choice, Coup, Prisoner
from controller.rules import Rules
from controller.state import State, Step

OPPOSITE = {"noir": "rouge", "rouge": "noir", "couleur": "inverse", "inverse": "couleur"}
LOST_AT_LEVEL = 3  # TQ-10, `deeper`: the third refait-31
_CHOICES: dict[str | int | bool, Choice] = {"half": "half", "prison": "prison"}
Net = Literal["win", "lose", "tie"]
Result = Literal["win", "lose", "push", "half", "insured"]


def settle(state: State, coup: Coup, outcome: str, couleur: str | None) -> tuple[Coup, tuple[Outcome, ...]]:
    """The play after the settlement of a complete coup, and its lines."""
    rules = state.table.rules
    items: list[Item] = []
    prison: list[Prisoner] = []
    for kept in coup.prison:
        item, still = _judge(kept, outcome, couleur, rules)
        items.append(item)
        prison += still
    for bet in coup.bets:
        items.append(_pay(bet, outcome, couleur, rules))
        if items[-1].result == "prison":
            prison.append(Prisoner(bet.player, OPPOSITE[bet.on] if bet.transfer else bet.on, bet.stake))
    laid = coup.bets if outcome == "refait-31" else ()
    return _book(state, replace(coup, bets=(), laid=laid, prison=tuple(prison)), tuple(items))


def give_back(state: State) -> Step:
    """CO-4: what was laid on the open coup goes back, no premium is charged; prison stays as it is."""
    coup = state.play
    assert isinstance(coup, Coup)
    items = tuple(Item(bet.player, bet.on, bet.stake, ZERO, "push", bet.stake, ZERO) for bet in coup.bets)
    if not items:
        return state, ()
    after, lines = _book(state, replace(coup, bets=()), items)
    return replace(state, play=after), lines


def _book(state: State, coup: Coup, items: tuple[Item, ...]) -> tuple[Coup, tuple[Outcome, ...]]:
    """What the players lost is the bank's; TQ-14: a broken bank is laid again in full at once."""
    gain = money.negated(money.total(item.net for item in items))
    line = Settlement(state.round, items, gain, ZERO)
    reserve = state.table.rules.bank.reserve
    if reserve is None:
        return coup, (line,)
    left = money.add(reserve if coup.bank is None else coup.bank, gain)
    relaid = coup.relaid + (left <= 0)
    left = reserve if left <= 0 else left
    return replace(coup, bank=left, relaid=relaid), (line, Bank(left, relaid))


def wins(on: str, outcome: str, couleur: str | None) -> Net:
    """TQ-6."""
    if couleur is None:
        return "tie"
    winners = (outcome, "couleur" if couleur == "gagne" else "inverse")
    return "win" if on in winners else "lose"


def _pay(bet: Chance, outcome: str, couleur: str | None, rules: Rules) -> Item:
    """TQ-6, TQ-8 to TQ-11: one stake of this coup."""
    unit, stake = rules.money.unit, bet.stake
    premium = money.share_down(stake, rules.insurance.rate, unit) if bet.insured else ZERO
    net = wins(bet.on, outcome, couleur)
    if net == "win":
        return _item(bet, premium, "win", money.add(stake, stake))
    if net == "lose":
        return _item(bet, premium, "lose", ZERO)
    if outcome == "refait":
        return _item(bet, premium, "push", stake)
    if bet.insured:
        return _item(bet, premium, "insured", stake)
    if bet.refait == "prison":
        return Item(bet.player, bet.on, stake, ZERO, "prison", ZERO, ZERO)
    return _item(bet, premium, "half", money.half_up(stake, unit))  # TQ-9


def _item(bet: Chance, premium: Decimal, result: Result, back: Decimal) -> Item:
    return Item(bet.player, bet.on, bet.stake, premium, result, back, money.net(back, bet.stake, premium))


def _judge(kept: Prisoner, outcome: str, couleur: str | None, rules: Rules) -> tuple[Item, list[Prisoner]]:
    """TQ-10: a stake in prison after another coup, and what of it is still there."""
    net = wins(kept.on, outcome, couleur)
    if net == "lose":
        return _released(kept, "lose"), []
    if net == "win":
        if kept.wins + 1 >= kept.level:
            return _released(kept, "released"), []
        return _released(kept, "prison"), [replace(kept, wins=kept.wins + 1)]
    return _tied(kept, outcome, rules)


def _tied(kept: Prisoner, outcome: str, rules: Rules) -> tuple[Item, list[Prisoner]]:
    if rules.prison.tie == "lose":
        return _released(kept, "lose"), []
    if rules.prison.tie == "stay" or outcome == "refait":
        return _released(kept, "prison"), [kept]
    if kept.level + 1 >= LOST_AT_LEVEL:
        return _released(kept, "lose"), []
    return _released(kept, "prison"), [replace(kept, level=kept.level + 1, wins=0)]


def _released(kept: Prisoner, result: Literal["lose", "released", "prison"]) -> Item:
    back = kept.stake if result == "released" else ZERO
    net = money.negated(kept.stake) if result == "lose" else ZERO
    return Item(kept.player, kept.on, kept.stake, ZERO, result, back, net)


def place(state: State, bet: bets.Bet) -> Coup | str:
    """CO-5, CO-6: the coup with this stake laid, or why it is refused."""
    coup = state.play
    assert isinstance(coup, Coup)
    if state.phase != "betting" or bets.whole(bet, "coup", state.round) != state.round:
        return "bets are not open for that coup"
    laid = _laid(bet)
    if isinstance(laid, str):
        return laid
    if laid.transfer and not state.table.rules.prison.transfer:
        return "prison.transfer"
    broken = bets.limits(state.table.rules, laid.stake)
    return broken or replace(coup, bets=(*coup.bets, laid))


def _laid(bet: bets.Bet) -> Chance | str:
    player, on, stake = bets.text(bet, "player"), bets.text(bet, "on"), bets.stake(bet)
    insured, transfer = bets.flag(bet, "insured"), bets.flag(bet, "transfer")
    refait = _CHOICES.get(bet.get("refait", "half"))
    if player is None or on is None or stake is None or insured is None or transfer is None:
        return "malformed: player, on and stake are needed"
    if refait is None:
        return "malformed: refait is half or prison"
    if on not in OPPOSITE:
        return "no such chance"
    return Chance(player, on, stake, insured, refait, transfer)


def choose(state: State, event: RefaitChosen) -> State | str:
    """TQ-10: the player's wish for stakes that lie there and are not insured."""
    coup = state.play
    assert isinstance(coup, Coup)
    if event.transfer and not state.table.rules.prison.transfer:
        return "prison.transfer"
    mine = [_wished(bet, event.choice, event.transfer) if _is_meant(bet, event) else bet for bet in coup.bets]
    if not any(_is_meant(bet, event) for bet in coup.bets):
        return "no such stake"
    return replace(state, play=replace(coup, bets=tuple(mine)), log=(*state.log, event))


def _is_meant(bet: Chance, event: RefaitChosen) -> bool:
    return bet.player == event.player and bet.on == event.on and not bet.insured


def _wished(bet: Chance, choice: Choice, transfer: bool) -> Chance:
    return replace(bet, refait=choice, transfer=transfer)
