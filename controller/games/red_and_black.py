"""Red and black, the private five-card game: five cards to each seat in turn, settled one by one (RB-2 to RB-6).

`take` is handed a card that the shoe's own rules let through. Finding the first banker (RB-1) is banker.py's.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from msgspec.structs import replace

from controller import bets, money
from controller.cards import DECK, RED
from controller.events import AnyEvent, DoubleDecided
from controller.money import ZERO
from controller.outcomes import Item, Outcome, RbCard, RbHand, Settlement
from controller.plays import Place, Play, Round
from controller.state import State, Step, Table, Taken, in_round, left
from controller.view import Result, Row, Stake

DECKS = 2  # RB-1
CARDS = frozenset(DECK)
CUT_CARD = True
BURNS = False
OPENS_ON_LOADING = False
HAND = 5
PAYS = {3: 1, 4: 2, 5: 4}  # RB-5: times the stake


def first(table: Table) -> Round:
    return Round()


def begin(play: Play) -> Round:
    """RB-6: after a round bank and deal pass one place to the left."""
    assert isinstance(play, Round)
    return Round(banker=play.banker + play.over, tries=play.tries)


def take(state: State, event: AnyEvent, card: str, seen: tuple[int, ...], manual: bool) -> Taken:
    """RB-3: the next card of the seat that is being dealt to."""
    play = state.play
    assert isinstance(play, Round)
    hand = (*play.hand, card)
    said = RbCard(state.index, card, state.round, play.seat, len(hand), may_double(hand), manual)
    after = replace(
        state,
        phase="dealing",
        index=state.index + 1,
        seen=seen,
        play=replace(play, hand=hand),
        log=(*state.log, event),
        manual=(*state.manual, on_cloth(play)) if manual else state.manual,
    )
    if len(hand) < HAND:
        return after, (said,), None
    return _settled(after, play, hand, said)


def reds(hand: tuple[str, ...]) -> int:
    return sum(card in RED for card in hand)


def may_double(hand: tuple[str, ...]) -> bool:
    """RB-4: four cards, two of each colour."""
    return len(hand) == HAND - 1 and reds(hand) == 2


def _settled(state: State, play: Round, hand: tuple[str, ...], said: Outcome) -> Taken:
    """RB-3: settled with that seat; a settled hand stands whatever happens later in the round."""
    red, seat = reds(hand), play.seat
    start = len(play.hands) * HAND
    line = RbHand(state.round, seat, hand, red, HAND - red, any(place >= start for place in state.manual))
    mine = [bet for bet in play.bets if bet.seat == seat]
    settlement = _settlement(state.round, seat, tuple(pay(bet, red) for bet in mine))
    last = seat == state.table.seats
    play = replace(
        play,
        hand=(),
        hands=(*play.hands, hand),
        seat=seat if last else seat + 1,
        bets=tuple(bet for bet in play.bets if bet.seat != seat),
        decided=False,
        over=last,
    )
    result = Result(state.round, "settled", tuple(reds(each) for each in play.hands), manual=bool(state.manual))
    return replace(state, play=play), (said, line, settlement), result if last else None


def _settlement(round_number: int, seat: int, items: tuple[Item, ...]) -> Settlement:
    gain = money.negated(money.total(item.net for item in items))
    return Settlement(round_number, items, gain, ZERO, seat=seat)


def pay(bet: Place, red: int) -> Item:
    """RB-5: three, four or five cards of the staked colour win 1, 2 or 4 times the stake, of the other lose as much."""
    mine = red if bet.on == "red" else HAND - red
    won = mine > HAND - mine
    gain = money.times(bet.stake, PAYS[max(mine, HAND - mine)])
    if won:
        return _item(bet, "win", money.add(bet.stake, gain), gain)
    return _item(bet, "lose", ZERO, money.negated(gain))


def _item(bet: Place, result: Literal["win", "lose", "push"], returned: Decimal, net: Decimal) -> Item:
    return Item(str(bet.seat), bet.on, bet.stake, ZERO, result, returned, net)


def give_back(state: State) -> Step:
    """CO-4: what is not settled goes back, one settlement a seat."""
    play = state.play
    assert isinstance(play, Round)
    lines = tuple(
        _settlement(state.round, bet.seat, (_item(bet, "push", bet.stake, ZERO),))
        for bet in sorted(play.bets, key=lambda bet: bet.seat)
    )
    return replace(state, play=replace(play, bets=())), lines


def on_cloth(play: Play) -> int:
    assert isinstance(play, Round)
    return len(play.hands) * HAND + len(play.hand)


def in_box(play: Play) -> int:
    return 0


def may_open(state: State) -> str | None:
    """RB-6."""
    if left(state, len(DECK)) < HAND * state.table.seats:
        return "fewer than five cards for each player are left in the shoe"
    return None


def sought(play: Play) -> int:
    assert isinstance(play, Round)
    return len(play.tries)


def place_bet(state: State, bet: bets.Bet) -> Round | str:
    """CO-5, CO-6, RB-2: one stake a seat, before the round's first card."""
    play = state.play
    assert isinstance(play, Round)
    if state.phase != "betting" or bets.whole(bet, "round", state.round) != state.round:
        return "bets are not open for that round"
    seat, on, stake = bets.whole(bet, "seat", 0), bets.text(bet, "on"), bets.stake(bet)
    if seat is None or on is None or stake is None:
        return "malformed: seat, on and stake are needed"
    if not 1 <= seat <= state.table.seats:
        return "no such seat"
    if on not in ("red", "black"):
        return "no such colour"
    broken = bets.limits(state.table.rules, stake)
    if broken is not None:
        return broken
    if any(other.seat == seat for other in play.bets):
        return "one stake a seat"
    return replace(play, bets=(*play.bets, Place(seat, on, stake)))


def decide(state: State, event: DoubleDecided) -> State | str:
    """RB-4: before the fifth card, once; drawing on decides against it."""
    play = state.play
    assert isinstance(play, Round)
    if not in_round(state) or not may_double(play.hand) or play.decided:
        return "no double is to be decided"
    mine = [bet for bet in play.bets if bet.seat == play.seat]
    if not mine:
        return "that seat has no stake"
    others = tuple(bet for bet in play.bets if bet.seat != play.seat)
    stake = money.times(mine[0].stake, 2) if event.double else mine[0].stake
    laid = replace(mine[0], stake=stake, doubled=event.double)
    return replace(state, play=replace(play, bets=(*others, laid), decided=True), log=(*state.log, event))


def at_stake(play: Play) -> Decimal:
    assert isinstance(play, Round)
    return money.total(bet.stake for bet in play.bets)


def stakes(play: Play) -> tuple[Stake, ...]:
    assert isinstance(play, Round)
    return tuple(Stake(str(bet.seat), bet.on, bet.stake, "doubled" if bet.doubled else "laid") for bet in play.bets)


def rows(state: State) -> tuple[Row, ...]:
    """One row a seat, from the banker's left; `total` is its number of red cards."""
    play = state.play
    assert isinstance(play, Round)
    hands = (*play.hands, play.hand) if play.hand else play.hands
    found = []
    for seat in range(state.table.seats):
        hand = hands[seat] if seat < len(hands) else ()
        start = seat * HAND
        manual = tuple(place - start for place in state.manual if start <= place < start + HAND)
        found.append(Row(str(seat + 1), hand, reds(hand), len(hand) == HAND, manual))
    return tuple(found)


def active(state: State) -> str | None:
    play = state.play
    assert isinstance(play, Round)
    return str(play.seat) if in_round(state) else None
