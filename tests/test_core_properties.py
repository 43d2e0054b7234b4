"""Whatever happens at a table: no event raises, every state is legal, cards and money add up, the journal replays.

A stateful machine plays each game with honest cards, odd cards, holds and their resolutions, undo, corrections, bets
and requests out of place, through the public functions of `controller.table` alone.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from functools import cache
from random import Random
from typing import get_args

import msgspec
import pytest
from core_support import GAMES, PACKS, anything, bets, house_rules, symbols
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from controller import events as ev
from controller import outcomes as out
from controller import table
from controller.cards import DECK, POINTS, ZECCHINETTA_DECK
from controller.phases import Shown
from controller.rules import Rules
from controller.view import View

PLAIN: dict[str, type[ev.Event]] = {
    "shoe-loaded": ev.ShoeLoaded, "portion-loaded": ev.PortionLoaded, "round-opened": ev.RoundOpened,
    "shoe-ended": ev.ShoeEnded, "table-closed": ev.TableClosed, "confirmed": ev.Confirmed, "undone": ev.Undone,
    "bank-passed": ev.BankPassed, "banker-sought": ev.BankerSought, "count-opened": ev.CountOpened,
    "count-closed": ev.CountClosed, "count-abandoned": ev.CountAbandoned,
}  # fmt: skip  # requests that carry nothing

TAKEN_BACK = (ev.Undone, ev.CardCorrected, ev.DoubleDecided, ev.RefaitChosen)


@cache
def decoder() -> msgspec.json.Decoder[ev.AnyEvent]:
    return msgspec.json.Decoder(ev.AnyEvent)


class Table(RuleBasedStateMachine):
    """One table of the game that the subclass names, from its opening on."""

    game: str
    taken_back = True  # whether cards are undone and corrected, stakes doubled and moved to prison afterwards

    @initialize(rules=house_rules(), seats=st.integers(1, 3), loaded=st.sampled_from([True, True, True, False]))
    def open(self, rules: Rules, seats: int, loaded: bool) -> None:
        self.opened = ev.TableOpened(self.game, rules, seats)
        self.state = table.initial(self.opened)
        self.log: list[bytes] = []
        self.said: list[out.Outcome] = []
        self.is_open = True
        packs = 1 if self.game == "zecchinetta" else rules.decks or PACKS[self.game]
        self.full = dict.fromkeys(ZECCHINETTA_DECK if self.game == "zecchinetta" else DECK, packs)
        if loaded:
            self.happen(ev.ShoeLoaded())

    def view(self) -> View:
        return table.view(self.state)

    def happen(self, event: ev.Event) -> tuple[out.Outcome, ...]:
        """One event into the state, with what must hold for any event whatsoever."""
        why = table.verify(self.state, event) if isinstance(event, ev.REQUESTS) else None
        before = self.view()
        state, outcomes = table.step(self.state, event)
        assert (state, outcomes) == table.step(self.state, event), "step is a function of state and event"
        refused = any(refuses(outcome, event) for outcome in outcomes)
        if isinstance(event, ev.REQUESTS):
            assert refused == (why is not None), f"{event}: verify says {why}, step says {outcomes}"
        if why is not None:
            assert table.view(state) == before, "a refused request changes nothing"
        self.state = state
        if isinstance(event, ev.TableClosed) and why is None:
            self.is_open = False
        self.log.append(msgspec.json.encode(event))
        self.said += outcomes
        for outcome in outcomes:
            if isinstance(outcome, out.Settlement):
                money_adds_up(outcome)
        return outcomes

    # ---- what happens ------------------------------------------------------------------------------------

    @rule(count=st.integers(1, 40), seed=st.randoms(use_true_random=False))
    def honest_cards(self, count: int, seed: Random) -> None:
        """Cards that are still in the shoe, until the table is held; rounds are opened as the prompt asks."""
        for _ in range(count):
            view = self.view()
            if view.hold is not None:
                return
            if "round-opened" in view.prompt.requests and seed.random() < 0.9:
                self.happen(ev.RoundOpened())
            if self.view().phase == "betting":
                self.some_bets(seed)
            if "double-decided" in view.prompt.requests and self.taken_back:
                self.happen(ev.DoubleDecided(seed.random() < 0.5))
            self.one_honest_card(seed)

    def some_bets(self, seed: Random) -> None:
        """Good ones for the round that is open, with players who would go to prison and who have not said so."""
        unit = self.opened.rules.money.unit
        for _ in range(seed.choice([0, 0, 1, 3])):
            stake = str(unit * seed.choice([1, 3, 10]))
            number, player = self.view().round, seed.choice(["ana", "bo", "dé"])
            if self.game == "trente-et-quarante":
                on = seed.choice(["noir", "rouge", "couleur", "inverse"])
                bet: dict[str, str | int | bool] = {"coup": number, "player": player, "on": on, "stake": stake}
                bet.update(seed.choice([{}, {"refait": "prison"}, {"insured": True}]))
            elif self.game == "red-and-black":
                seat, on = seed.randint(1, self.opened.seats), seed.choice(["red", "black"])
                bet = {"round": number, "seat": seat, "on": on, "stake": stake}
            else:
                turn, ranks = self.table_cards()
                bet = {"hand": number, "after_turn": turn, "player": player, "on": seed.choice(ranks), "stake": stake}
            self.happen(ev.BetPlaced(bet))

    def table_cards(self) -> tuple[int, list[str]]:
        """Zecchinetta: the last turn said, and the ranks on the table then."""
        for outcome in reversed(self.said):
            if isinstance(outcome, out.ZeTurn):
                return outcome.turn, [*outcome.table, "A"]
            if isinstance(outcome, out.ZeOpening):
                return 0, [pile[0][0] for pile in outcome.table]
        return 0, ["A"]

    def one_honest_card(self, seed: Random) -> None:
        left = table.supervisor(self.state).remaining
        there = sorted(card for card, number in left.items() for _ in range(number) if card in self.full)
        if not there:
            return
        card = (
            seed.choice([card for card in there if self.makes_31(card)] or there)
            if seed.random() < 0.6
            else seed.choice(there)
        )
        self.a_slip_is_undone(card)
        phase = self.view().phase
        self.happen(self.next_card(card))
        gone = Counter(left) - Counter(table.supervisor(self.state).remaining)
        assert gone in (Counter(), Counter([card])), f"{card} was drawn, {gone} went"
        view = self.view()
        if self.game == "zecchinetta" and phase not in ("betting", "dealing"):
            return  # a face in sight between hands is counted when its pack is opened
        if view.phase in ("betting", "dealing", "result", "burning"):
            assert gone == Counter([card]), f"{card} was drawn and not counted"

    def a_slip_is_undone(self, card: str) -> None:
        """The card goes back, and the table stands as if it had never come."""
        before = self.view()
        drawn, _ = table.step(self.state, self.next_card(card))
        undone, said = table.step(drawn, ev.Undone())
        if any(isinstance(outcome, out.Undone) and outcome.what == card for outcome in said):
            difference = changed(before, table.view(undone))
            assert not difference, f"{card} was taken back: {difference}"

    def next_card(self, card: str) -> ev.AnyEvent:
        """A card is drawn; from the box it comes into sight."""
        return ev.CardExposed(card) if self.game == "zecchinetta" else ev.CardDrawn(card)

    def makes_31(self, card: str) -> bool:
        """So that a refait-31 is no rarity here."""
        totals = [row.total or 0 for row in self.view().rows if not row.complete]
        return self.game == "trente-et-quarante" and bool(totals) and totals[0] + POINTS[card] == 31

    @precondition(lambda self: self.taken_back)
    @rule(player=st.sampled_from(["ana", "bo"]), on=st.sampled_from(["noir", "couleur"]), transfer=st.booleans())
    def prison_is_chosen(self, player: str, on: str, transfer: bool) -> None:
        self.happen(ev.RefaitChosen(player, on, "prison", transfer))

    @rule(symbol=symbols)
    def any_symbol(self, symbol: str) -> None:
        self.happen(ev.CardDrawn(symbol))

    @rule(event=anything)
    def any_event(self, event: ev.Event) -> None:
        if self.taken_back or not isinstance(event, TAKEN_BACK):
            self.happen(event)

    @rule(data=st.data())
    def a_bet(self, data: st.DataObject) -> None:
        view = self.view()
        for bet in data.draw(st.lists(bets(self.game, view.round, 0), min_size=1, max_size=5)):
            self.happen(ev.BetPlaced(bet))

    @rule(data=st.data())
    def what_the_prompt_asks(self, data: st.DataObject) -> None:
        tags = [tag for tag in self.view().prompt.requests if tag in PLAIN and (self.taken_back or tag != "undone")]
        if tags:
            request = PLAIN[data.draw(st.sampled_from(tags))]()
            assert table.verify(self.state, request) is None, f"the prompt offers {request}"
            self.happen(request)

    @precondition(lambda self: self.view().hold is not None)
    @rule(data=st.data())
    def the_hold_is_answered(self, data: st.DataObject) -> None:
        hold = self.view().hold
        assert hold is not None
        if hold.resolutions:
            request: ev.Event = ev.FaultResolved(data.draw(st.sampled_from(hold.resolutions)))
        elif hold.enter:
            request = ev.CardEntered(data.draw(st.sampled_from(sorted(self.full))))
        else:
            request = ev.Confirmed()
        if not isinstance(request, ev.CardEntered):
            assert table.verify(self.state, request) is None, f"{hold} offers {request}"
        self.happen(request)

    @precondition(lambda self: self.taken_back)
    @rule()
    def the_last_is_undone(self) -> None:
        self.happen(ev.Undone())

    @precondition(lambda self: self.taken_back)
    @rule(data=st.data())
    def a_correction(self, data: st.DataObject) -> None:
        index = data.draw(st.integers(0, max(self.view().shoe.index - 1, 0)))
        self.happen(ev.CardCorrected(index, data.draw(st.sampled_from(sorted(self.full)))))

    # ---- what always holds -------------------------------------------------------------------------------

    @invariant()
    def the_state_is_legal(self) -> None:
        view = self.view()
        assert view.phase in get_args(Shown)
        assert (view.phase == "hold") == (view.hold is not None)
        assert msgspec.json.decode(msgspec.json.encode(view), type=View) == view
        if view.hold is not None and not view.hold.enter:
            assert view.hold.resolutions or table.verify(self.state, ev.Confirmed()) is None, "every hold has a way out"
        if self.game == "trente-et-quarante":
            for row in view.rows:
                assert (row.total or 0) == sum(POINTS[card] for card in row.cards)
                assert row.complete == ((row.total or 0) >= 31)

    @invariant()
    def cards_are_conserved(self) -> None:
        inside = table.supervisor(self.state)
        assert inside.total == sum(inside.remaining.values())
        for card, number in inside.remaining.items():
            assert 0 <= number <= self.full.get(card, 1), card
        if self.view().shoe.loaded:
            cards = sum(inside.remaining.get(card, 0) for card in self.full)
            assert sum(self.full.values()) - cards <= self.view().shoe.index

    @invariant()
    def every_resolution_can_be_undone(self) -> None:
        """CO-3: whatever the hold offers works, and is taken back as long as nothing was played since."""
        before = self.view()
        if before.hold is None or self.state.queue:
            return  # cards that came meanwhile are played when the hold is released
        for resolution in before.hold.resolutions:
            resolved, said = table.step(self.state, ev.FaultResolved(resolution))
            assert not any(isinstance(outcome, out.Refused) for outcome in said), said
            undone, said = table.step(resolved, ev.Undone())
            assert not any(isinstance(outcome, out.Refused) for outcome in said), (resolution, said)
            difference = changed(before, table.view(undone))
            assert not difference, f"{resolution}: {difference}"

    def teardown(self) -> None:
        """The journal's events, read back, give the same state and say the same; so does the state from a snapshot."""
        if not hasattr(self, "opened"):
            return
        state, said = table.initial(self.opened), []
        for line in self.log:
            state, outcomes = table.step(state, decoder().decode(line))
            said += outcomes
        assert state == self.state
        assert said == self.said
        assert msgspec.json.decode(msgspec.json.encode(state), type=type(state)) == state


def changed(before: View, after: View) -> dict[str, tuple[object, object]]:
    """The fields of the view that differ; alarms are latched, whatever becomes of the card that raised them."""
    pairs = {name: (getattr(before, name), getattr(after, name)) for name in View.__struct_fields__ if name != "alarms"}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def refuses(outcome: out.Outcome, event: ev.Event) -> bool:
    """Whether this very request was refused; a correction may also restate what became of later ones."""
    if not isinstance(outcome, out.Refused):
        return False
    if isinstance(event, ev.BetPlaced):
        return outcome.bet == event.bet
    return outcome.request == type(event).__struct_config__.tag


def money_adds_up(settlement: out.Settlement) -> None:
    assert sum((item.net for item in settlement.items), Decimal(0)) + settlement.bank + settlement.house == 0
    for item in settlement.items:
        assert item.stake > 0
        assert item.returned >= 0
        assert item.premium >= 0
        if item.result in ("win", "push", "half", "insured"):
            assert item.net == item.returned - item.stake - item.premium
        elif item.result == "lose":
            assert item.returned == 0
            assert item.net <= -item.stake - item.premium
        else:
            assert item.net == 0


class Ledger(Table):
    """The same table, where nothing is taken back: every stake that was accepted is settled once, or still stands."""

    taken_back = False

    def happen(self, event: ev.Event) -> tuple[out.Outcome, ...]:
        outcomes = super().happen(event)
        if not hasattr(self, "standing"):
            self.standing, self.in_prison = Decimal(0), False
        if isinstance(event, ev.BetPlaced) and not any(refuses(outcome, event) for outcome in outcomes):
            self.standing += Decimal(str(event.bet["stake"]))
        for outcome in outcomes:
            for item in outcome.items if isinstance(outcome, out.Settlement) else ():
                self.in_prison |= item.result == "prison"
                self.standing -= 0 if item.result == "prison" else item.stake
        return outcomes

    @invariant()
    def money_is_conserved(self) -> None:
        assert getattr(self, "standing", 0) >= 0, "more came back than was staked"
        if self.view().phase in ("loaded", "result", "ended", "no shoe", "closed") and not getattr(
            self, "in_prison", False
        ):
            assert getattr(self, "standing", 0) == 0, "no round is open and no stake in prison, but a stake is missing"


@pytest.mark.parametrize("game", GAMES)
def test_every_stake_is_settled_once(game: str) -> None:
    play(type(f"Ledger_{game}", (Ledger,), {"game": game}))


@pytest.mark.parametrize("game", GAMES)
def test_any_sequence_of_facts_and_requests(game: str) -> None:
    play(type(f"Table_{game}", (Table,), {"game": game}))


def play(machine: type[Table]) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=40,
            stateful_step_count=40,
            deadline=None,
            derandomize=True,
            phases=(Phase.generate,),  # shrinking a table of 40 steps takes minutes
            suppress_health_check=list(HealthCheck),
        ),
    )
