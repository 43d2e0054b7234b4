"""Trente et quarante: the coup (TQ-1 to TQ-8, TQ-12), card by card. Its money is in trente_et_quarante_money.py.

`take` is handed a card that the shoe's own rules let through; faults, burning and the cut card are shoe.py's.
"""

from __future__ import annotations

from decimal import Decimal

from msgspec.structs import replace

from controller import money
from controller.announcements import APRES, CALLS, UN_APRES
from controller.cards import DECK, POINTS, RED
from controller.events import AnyEvent
from controller.games import trente_et_quarante_money as settling
from controller.outcomes import Outcome, TqCard, TqCoup, TqRow
from controller.plays import Coup, Play
from controller.state import State, Step, Table, Taken, in_round
from controller.view import Result, Row, Stake

DECKS = 6  # TQ-1
CARDS = frozenset(DECK)
CUT_CARD = True
BURNS = True
OPENS_ON_LOADING = False
COMPLETE = 31  # TQ-3


def first(table: Table) -> Coup:
    return Coup(bank=table.rules.bank.reserve)


def begin(play: Play) -> Coup:
    """TQ-10, TQ-14: prison and bank outlive the coup."""
    assert isinstance(play, Coup)
    return Coup(prison=play.prison, bank=play.bank, relaid=play.relaid)


def take(state: State, event: AnyEvent, card: str, seen: tuple[int, ...], manual: bool) -> Taken:
    """TQ-3: noir until its total is 31 or more, then rouge the same way."""
    coup = state.play
    assert isinstance(coup, Coup)
    points = POINTS[card]
    if coup.noir_total < COMPLETE:
        row, total = "noir", coup.noir_total + points
        coup = replace(coup, noir=(*coup.noir, card), noir_total=total)
    else:
        row, total = "rouge", coup.rouge_total + points
        coup = replace(coup, rouge=(*coup.rouge, card), rouge_total=total)
    index = state.index
    after = replace(state, phase="dealing", index=index + 1, seen=seen, play=coup, log=(*state.log, event))
    if manual:
        after = replace(after, manual=(*state.manual, on_cloth(coup) - 1))
    said = TqCard(index, card, state.round, row, total, manual)
    if row == "rouge" and total >= COMPLETE:
        return _finish(after, coup, said)
    return after, (said,), None


def _finish(state: State, coup: Coup, said: Outcome) -> Taken:
    outcome = decide(coup.noir_total, coup.rouge_total)
    couleur = colour(coup.noir[0], outcome)
    call = called(outcome, couleur)
    manual = bool(state.manual)
    line = TqCoup(
        state.round,
        TqRow(coup.noir, coup.noir_total),
        TqRow(coup.rouge, coup.rouge_total),
        outcome,
        couleur,
        call,
        manual,
    )
    settled, money_lines = settling.settle(state, coup, outcome, couleur)
    result = Result(state.round, outcome, (coup.noir_total, coup.rouge_total), call, manual, couleur)
    return replace(state, play=settled), (said, line, *money_lines), result


def decide(noir: int, rouge: int) -> str:
    """TQ-5: the lower total wins."""
    if noir == rouge:
        return "refait-31" if noir == COMPLETE else "refait"
    return "noir" if noir < rouge else "rouge"


def colour(first_card: str, outcome: str) -> str | None:
    """TQ-6: couleur wins where the colour of the coup's very first card is that of the winning row."""
    if outcome not in ("noir", "rouge"):
        return None
    return "gagne" if (first_card in RED) == (outcome == "rouge") else "perd"


def called(outcome: str, couleur: str | None) -> tuple[str, ...]:
    """TQ-7: only red and colour are named."""
    if couleur is None:
        return (UN_APRES,) if outcome == "refait-31" else (APRES,)
    return CALLS[outcome == "rouge", couleur == "gagne"]


def give_back(state: State) -> Step:
    return settling.give_back(state)


def on_cloth(play: Play) -> int:
    assert isinstance(play, Coup)
    return len(play.noir) + len(play.rouge)


def in_box(play: Play) -> int:
    return 0


def sought(play: Play) -> int:
    return 0


def place_bet(state: State, bet: dict[str, str | int | bool]) -> Coup | str:
    return settling.place(state, bet)


def may_open(state: State) -> str | None:
    """No number of cards is asked for: a coup that the shoe cannot finish is void (CO-4)."""
    return None


def at_stake(play: Play) -> Decimal:
    assert isinstance(play, Coup)
    return money.total([bet.stake for bet in play.bets] + [kept.stake for kept in play.prison])


def stakes(play: Play) -> tuple[Stake, ...]:
    assert isinstance(play, Coup)
    laid = [Stake(bet.player, bet.on, bet.stake, "insured" if bet.insured else "laid") for bet in play.bets]
    free = [Stake(bet.player, bet.on, bet.stake, bet.refait) for bet in play.laid if not bet.insured]
    new = sum(stake.state == "prison" for stake in free)  # they are the last in prison
    kept = [Stake(each.player, each.on, each.stake, "prison") for each in play.prison[: len(play.prison) - new]]
    return (*kept, *free, *laid)


def rows(state: State) -> tuple[Row, ...]:
    coup = state.play
    assert isinstance(coup, Coup)
    length = len(coup.noir)
    in_noir = tuple(place for place in state.manual if place < length)
    in_rouge = tuple(place - length for place in state.manual if place >= length)
    return (
        _row("noir", coup.noir, coup.noir_total, in_noir),
        _row("rouge", coup.rouge, coup.rouge_total, in_rouge),
    )


def _row(name: str, cards: tuple[str, ...], total: int, manual: tuple[int, ...]) -> Row:
    return Row(name, cards, total, total >= COMPLETE, manual)


def active(state: State) -> str | None:
    coup = state.play
    assert isinstance(coup, Coup)
    if not in_round(state):
        return None
    return "noir" if coup.noir_total < COMPLETE else "rouge"
