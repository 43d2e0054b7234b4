"""Zecchinetta from an open box: opening, turns and what each exposed card does (ZE-3 to ZE-11).

Exposing and drawing are separate facts: card *k+1* comes into sight when *k* is drawn. `take` is handed each card as
it comes into sight; the one before it was drawn then and is laid first. Money is in zecchinetta_money.py.
"""

from __future__ import annotations

from decimal import Decimal

from msgspec.structs import replace

from controller import money
from controller.cards import RANKS, ZECCHINETTA_DECK
from controller.events import AnyEvent, CardDrawn, CardEntered, CardExposed
from controller.games import zecchinetta_money as settling
from controller.outcomes import Outcome, ZeHand, ZeOpening, ZePlayette, ZeTurn
from controller.phases import move
from controller.plays import Hand, Play
from controller.state import State, Step, Table, Taken
from controller.view import Result, Row, Stake

DECKS = 1
CARDS = frozenset(ZECCHINETTA_DECK)
CUT_CARD = False  # ZE-1
BURNS = False
OPENS_ON_LOADING = True
THRESHOLD = {1: 2, 2: 3, 3: 4, 4: 4}  # ZE-11, by the largest pile at the end of the opening
_RANK = {card: RANKS.index(card[0]) for card in ZECCHINETTA_DECK}
Piles = tuple[tuple[str, ...], ...]


def first(table: Table) -> Hand:
    return Hand()


def begin(play: Play) -> Hand:
    """ZE-6: the banker who lost passes bank and deal to the player on the right."""
    assert isinstance(play, Hand)
    return Hand(shown=(0,) * len(RANKS), banker=play.banker - play.over, tries=play.tries)


def take(state: State, event: AnyEvent, card: str, seen: tuple[int, ...], manual: bool) -> Taken:
    """A card came into sight."""
    hand = state.play
    assert isinstance(hand, Hand)
    rank = _RANK[card]
    shown = hand.shown
    if manual:
        state = replace(state, manual=(*state.manual, sum(shown)))
    hand = replace(_laid(hand), sight=card, drawn=False, shown=(*shown[:rank], shown[rank] + 1, *shown[rank + 1 :]))
    after = replace(state, index=state.index + 1, seen=seen, log=(*state.log, event))
    return _turn(after, hand, card) if hand.threshold else _opening(after, hand, card)


def _laid(hand: Hand) -> Hand:
    """The card that was in sight is drawn: by what it did, it goes to the table, to the banker or to the fan."""
    card = hand.sight
    if card is None:
        return hand
    if hand.threshold and not hand.turn:  # ZE-5: the banker's card, laid with one end under the box
        return hand
    if hand.effect in ("dead", "bank-wins"):
        return replace(hand, fan=(*hand.fan, card))
    if hand.threshold and hand.banker_card is not None and card[0] == hand.banker_card[0]:
        return replace(hand, with_banker=(*hand.with_banker, card))
    return replace(hand, piles=_joined(hand.piles, card))


def _joined(piles: Piles, card: str) -> Piles:
    """The card on the pile of its rank, or as a new pile (ZE-9, ZE-10)."""
    if any(pile[0][0] == card[0] for pile in piles):
        return tuple((*pile, card) if pile[0][0] == card[0] else pile for pile in piles)
    return (*piles, (card,))


# ---- the opening -----------------------------------------------------------------------------------------


def _opening(state: State, hand: Hand, card: str) -> Taken:
    """ZE-3, ZE-10: two piles of different ranks and a third rank in sight; else a playette."""
    laid = sum(hand.shown) - 1
    alike = len(hand.piles) < 2 or any(pile[0][0] == card[0] for pile in hand.piles)
    if laid < 2 or (alike and state.table.rules.doubling):
        return replace(state, play=hand, phase=move(state.phase, "card played")), (), None
    if alike:
        said = ZePlayette(state.round, True)
        return replace(state, play=hand), (said,), Result(state.round, "void", manual=bool(state.manual))
    largest = max(len(pile) for pile in hand.piles)
    hand = replace(
        hand,
        banker_card=card,
        threshold=THRESHOLD[largest],
        dead=tuple(pile[0][0] for pile in hand.piles if len(pile) == 4),
    )
    line = ZeOpening(state.round, hand.piles, card, hand.threshold)
    return replace(state, play=hand, phase=move(state.phase, "bets opened")), (line,), None


# ---- the turns -------------------------------------------------------------------------------------------


def _turn(state: State, hand: Hand, card: str) -> Taken:
    effect = effect_of(hand, card)
    hand = replace(hand, turn=hand.turn + 1, effect=effect)
    if effect == "bank-wins":
        hand = _died(hand, card[0])
    line = ZeTurn(state.round, hand.turn, card, effect, table_ranks(hand), hand.dead, bool(state.manual))
    hand, money_lines = settling.settle(state, hand, card[0])
    after = replace(state, play=hand)
    lines: tuple[Outcome, ...] = (line, *money_lines)
    if effect != "bank-loses":
        return replace(after, phase=move(state.phase, "bets opened")), lines, None
    manual = bool(state.manual)
    end = ZeHand(state.round, hand.turn, card[0], hand.won, manual)
    result = Result(state.round, "bank-loses", (hand.turn,), hand.won, manual)
    return replace(after, play=replace(hand, over=True)), (*lines, end), result


def effect_of(hand: Hand, card: str) -> str:
    """What the card in sight does (ZE-6 to ZE-9); `hand.shown` counts it already."""
    rank = card[0]
    settles = hand.shown[_RANK[card]] >= hand.threshold  # ZE-11
    if rank in hand.dead:
        return "dead"
    if hand.banker_card is not None and rank == hand.banker_card[0]:
        return "bank-loses" if settles else "joins"
    if rank in table_ranks(hand):
        return "bank-wins" if settles else "joins"
    return "new"


def table_ranks(hand: Hand) -> tuple[str, ...]:
    """ZE-4: the live table cards, in the order of their places."""
    return tuple(pile[0][0] for pile in hand.piles if pile[0][0] not in hand.dead)


def _died(hand: Hand, rank: str) -> Hand:
    """ZE-7: the rank is dead until the hand ends; its cards go to the fan."""
    gone = tuple(card for pile in hand.piles for card in pile if card[0] == rank)
    piles = tuple(pile for pile in hand.piles if pile[0][0] != rank)
    return replace(hand, piles=piles, fan=(*hand.fan, *gone), dead=(*hand.dead, rank), won=(*hand.won, rank))


def draw(state: State, event: AnyEvent) -> State:
    """The card in sight was drawn; the next one is not in sight yet, and no bet is taken meanwhile."""
    assert isinstance(state.play, Hand)
    phase = move(state.phase, "card played")
    return replace(state, phase=phase, play=replace(state.play, drawn=True), log=(*state.log, event))


# ---- what the table asks ---------------------------------------------------------------------------------


def give_back(state: State) -> Step:
    return settling.give_back(state)


def on_cloth(play: Play) -> int:
    assert isinstance(play, Hand)
    return sum(play.shown) - in_box(play)


def in_box(play: Play) -> int:
    assert isinstance(play, Hand)
    return int(play.sight is not None and not play.drawn)


def sought(play: Play) -> int:
    assert isinstance(play, Hand)
    return len(play.tries)


def place_bet(state: State, bet: dict[str, str | int | bool]) -> Hand | str:
    return settling.place(state, bet, table_ranks)


def may_open(state: State) -> str | None:
    return None


def at_stake(play: Play) -> Decimal:
    assert isinstance(play, Hand)
    return money.total(bet.stake for bet in play.bets)


def stakes(play: Play) -> tuple[Stake, ...]:
    assert isinstance(play, Hand)
    return tuple(Stake(bet.player, bet.on, bet.stake) for bet in play.bets)


def rows(state: State) -> tuple[Row, ...]:
    """The table's piles by their rank (complete: dead where it lies), the banker's cards, the card in sight and the fan
    of dead cards."""
    hand = state.play
    assert isinstance(hand, Hand)
    hand = replace(_laid(hand), sight=None) if hand.drawn else hand
    entered = _by_hand(state)
    banker = (hand.banker_card, *hand.with_banker) if hand.banker_card is not None else ()
    sight = (hand.sight,) if hand.sight is not None else ()
    piles = tuple(_row(pile[0][0], pile, entered, pile[0][0] in hand.dead) for pile in hand.piles)
    others = (("banker", banker), ("box", sight), ("fan", hand.fan))
    return (*piles, *(_row(name, cards, entered) for name, cards in others))


def _row(name: str, cards: tuple[str, ...], entered: frozenset[str], complete: bool = False) -> Row:
    manual = tuple(place for place, card in enumerate(cards) if card in entered)
    return Row(name, cards, complete=complete, manual=manual)


def _by_hand(state: State) -> frozenset[str]:
    """The cards of this hand that a person entered; there is one of each."""
    if not state.manual:
        return frozenset()
    return frozenset(
        event.symbol
        for event in state.log
        if isinstance(event, CardEntered) or (isinstance(event, CardDrawn | CardExposed) and event.source == "hand")
    )


def active(state: State) -> str | None:
    return None
