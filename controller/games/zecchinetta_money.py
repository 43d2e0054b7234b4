"""The money of zecchinetta (ZE-4, ZE-6, ZE-7): bets on live table cards, the banker's part and the house's."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Literal

from msgspec.structs import replace

from controller import bets, money
from controller.money import ZERO
from controller.outcomes import Item, Outcome, Settlement
from controller.plays import Hand, Punt
from controller.state import State, Step


def settle(state: State, hand: Hand, rank: str) -> tuple[Hand, tuple[Outcome, ...]]:
    """What the card in sight, of `rank`, settles by `hand.effect`."""
    if hand.effect == "bank-loses":  # ZE-6: every outstanding bet is paid 1 to 1
        items = tuple(_item(bet, "win", money.add(bet.stake, bet.stake), bet.stake) for bet in hand.bets)
        return replace(hand, bets=()), (_line(state, items, ZERO, hand.turn),)
    if hand.effect != "bank-wins":
        return hand, ()
    lost = [bet for bet in hand.bets if bet.on == rank]  # ZE-7
    items = tuple(_item(bet, "lose", ZERO, money.negated(bet.stake)) for bet in lost)
    rules = state.table.rules
    house = money.total(money.share_down(bet.stake, rules.commission, rules.money.unit) for bet in lost)
    kept = tuple(bet for bet in hand.bets if bet.on != rank)
    return replace(hand, bets=kept), (_line(state, items, house, hand.turn),)


def give_back(state: State) -> Step:
    """CO-4."""
    hand = state.play
    assert isinstance(hand, Hand)
    if not hand.bets:
        return state, ()
    items = tuple(_item(bet, "push", bet.stake, ZERO) for bet in hand.bets)
    return replace(state, play=replace(hand, bets=())), (_line(state, items, ZERO, None),)


def _line(state: State, items: tuple[Item, ...], house: Decimal, turn: int | None) -> Settlement:
    """The banker gets what the players lost, less the house's part."""
    nets = money.total(item.net for item in items)
    return Settlement(state.round, items, money.negated(money.add(nets, house)), house, turn=turn)


def _item(bet: Punt, result: Literal["win", "lose", "push"], returned: Decimal, net: Decimal) -> Item:
    return Item(bet.player, bet.on, bet.stake, ZERO, result, returned, net)


def place(state: State, bet: bets.Bet, table_ranks: Callable[[Hand], tuple[str, ...]]) -> Hand | str:
    """CO-5, CO-6, ZE-4: on a live table card, between turns."""
    hand = state.play
    assert isinstance(hand, Hand)
    here = (state.round, hand.turn)
    if state.phase != "betting" or (bets.whole(bet, "hand", here[0]), bets.whole(bet, "after_turn", here[1])) != here:
        return "bets are not open for that turn"
    player, on, stake = bets.text(bet, "player"), bets.text(bet, "on"), bets.stake(bet)
    if player is None or on is None or stake is None:
        return "malformed: player, on and stake are needed"
    if on not in table_ranks(hand):
        return "no such card on the table"
    broken = bets.limits(state.table.rules, stake)
    return broken or replace(hand, bets=(*hand.bets, Punt(player, on, stake)))
