"""The table: `step` gives each event its meaning, and `initial`, `view`, `supervisor`, `verify` complete it.

`step` is total and pure: a fact in any state gives a state, at worst a hold; a request that cannot be granted gives
`Refused` and the very state that it met. The rules themselves are in rounds.py, shoe.py, holds.py and games/.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from controller import alarms, banker, box, corrections, counting, exits, holds, requests, rounds, shoe, showing, unseen
from controller import events as e
from controller.cards import DECK
from controller.events import AnyEvent
from controller.games import GAMES
from controller.games.trente_et_quarante_money import choose
from controller.outcomes import Refused, Waiting
from controller.phases import allows, move
from controller.plays import Coup
from controller.state import State, Step, Table, in_round, rebased
from controller.view import Device, Supervisor, View

__all__ = ["initial", "step", "supervisor", "verify", "view"]


def initial(event: e.TableOpened) -> State:
    """The state of a table that just opened: no shoe is in place. Raises KeyError for a game that there is not."""
    table = _table(event)
    play = GAMES[event.game].first(table)
    return rebased(State(table, move("closed", "table opened"), play, (0,) * len(DECK)))


def step(state: State, event: AnyEvent) -> Step:
    """The state after `event`, and what happened once because of it."""
    after, outcomes = apply(state, event)
    while after.queue and after.hold is None:
        first, rest = after.queue[0], after.queue[1:]
        after, more = apply(replace(after, queue=rest), first)
        outcomes += more
    return after, outcomes


def apply(state: State, event: AnyEvent) -> Step:
    """One event alone, without what waits in the queue."""
    fact = _FACTS.get(type(event))
    if fact is not None:
        return fact(state, event)
    answer = _REQUESTS[type(event)](state, event)
    return (state, requests.refusal(event, answer)) if isinstance(answer, str) else answer


def verify(state: State, request: AnyEvent) -> str | None:
    """Why the request would be refused now, or None."""
    after, outcomes = step(state, request)
    if after is state and outcomes and isinstance(outcomes[0], Refused):
        return outcomes[0].why
    return None


def view(state: State) -> View:
    """What stands at the table now."""
    shown = showing.view(state)
    correctable = "card-corrected" in shown.prompt.requests
    return replace(shown, cards=corrections.seen(state, apply)) if correctable else shown


def supervisor(state: State) -> Supervisor:
    """What is left in the shoe by symbol (CO-7: for the supervisor alone)."""
    cards = GAMES[state.table.game].CARDS
    left = {card: state.table.decks - seen for card, seen in zip(DECK, state.seen, strict=True) if card in cards}
    return Supervisor(left, sum(left.values()))


def _table(event: e.TableOpened) -> Table:
    game = GAMES[event.game]
    decks = game.DECKS if event.rules.decks is None or game.OPENS_ON_LOADING else event.rules.decks
    return Table(
        event.game,
        event.rules,
        event.seats,
        decks,
        event.language,
        event.full_totals,
        event.name,
        event.machine,
        event.portion,
        event.cut_after,
    )


# ---- facts -----------------------------------------------------------------------------------------------


def _drawn(state: State, event: e.CardDrawn) -> Step:
    if box.is_box(state):
        return box.drawn(state, event)
    if state.hold is not None:
        return _waits(state, event, event.symbol)
    return shoe.arrive(state, event, event.source == "hand")


def _waits(state: State, event: AnyEvent, symbol: str) -> Step:
    """It left the shoe during a hold: never lost, never silently played."""
    queue = (*state.queue, event)
    return replace(state, queue=queue), (Waiting(symbol, len(queue)),)


def _unread(state: State, event: e.CardUnread) -> Step:
    if box.is_box(state):
        return box.unread(state, event)
    if state.hold is not None:
        return _waits(state, event, "?")
    return holds.unread(state, event, event.why)


def _counted(state: State, event: e.ExitCounted) -> Step:
    missing = exits.surplus(state, event)
    after = exits.rebased(state, event)
    if missing and box.is_box(state):
        return unseen.from_the_box(after, missing, apply)
    return unseen.missed(after, e.CardsMissed(missing)) if missing else (after, ())


def _emptied(state: State, event: e.ShoeEmptied) -> Step:
    """CO-4: a round in progress is void, and the shoe is over."""
    if state.hold is not None:
        return replace(state, queue=(*state.queue, event)), ()
    logged = replace(state, log=(*state.log, event))
    if rounds.begun(state):
        return _void_at_the_end(logged)
    if GAMES[state.table.game].OPENS_ON_LOADING or not allows(state.phase, "shoe ended"):
        return state, ()
    return rounds.end_shoe(logged, "empty")


def _exhausted(state: State, event: e.ShoeExhausted) -> requests.Answer:
    """The same, as the dealer says it: where a round has begun, or nothing can begin any more."""
    if state.hold is not None:
        return requests.ON_HOLD
    if not rounds.begun(state) and (box.is_box(state) or not allows(state.phase, "shoe ended")):
        return f"no shoe can be empty: the table is {rounds.shown(state)}"
    return _emptied(state, e.ShoeEmptied())


def _level(state: State, event: e.ShoeLevelChanged) -> Step:
    return replace(state, shoe=replace(state.shoe, empty=event.empty)), ()


def _void_at_the_end(state: State) -> Step:
    after, lines = rounds.void_round(replace(state, cut_seen=False))
    if after.phase == "ended" or GAMES[state.table.game].OPENS_ON_LOADING:
        return after, lines
    after, more = rounds.end_shoe(after, "empty")
    return replace(after, cut_seen=state.cut_seen), lines + more


def _lid(state: State, event: e.LidChanged) -> Step:
    return replace(state, shoe=replace(state.shoe, lid_open=event.open)), ()


def _device(state: State, event: e.DeviceChanged) -> Step:
    if event.device == "camera" and event.state != "ok":
        state = box.unsure(state)
    others = tuple(device for device in state.devices if device.name != event.device)
    devices = sorted((*others, Device(event.device, event.state, event.detail)), key=lambda device: device.name)
    return replace(state, devices=tuple(devices)), ()


def _opened(state: State, event: e.TableOpened) -> Step:
    """Open again, or other rules: they hold from the next round on; another game or deck needs another shoe."""
    if event.game not in GAMES:
        return state, ()
    table = _table(event)
    if state.phase == "closed":
        state = rebased(replace(state, phase=move(state.phase, "table opened")))
    return replace(state, next_table=None if table == state.table else table), ()


def _unchanged(state: State, event: Any) -> Step:
    return state, ()


def _restored(state: State, event: e.DaemonStarted) -> Step:
    return holds.restored(box.unsure(state)), ()


def _choose(state: State, event: e.RefaitChosen) -> requests.Answer:
    """TQ-10: after the coup; before it is over the wish changes the stake itself."""
    if not isinstance(state.play, Coup):
        return "there is no refait in this game"
    if in_round(state):
        after = choose(state, event)
        return after if isinstance(after, str) else (after, ())
    return corrections.choose(state, event, apply)


_FACTS: dict[type, Callable[[State, Any], Step]] = {
    e.CardDrawn: _drawn,
    e.CardExposed: box.exposed,
    e.SightEmptied: box.emptied,
    e.CardUnread: _unread,
    e.CardsMissed: unseen.missed,
    e.ExitCounted: _counted,
    e.CardPulledBack: _unchanged,  # nothing was drawn
    e.DeadlineReached: _unchanged,  # no rule of these games waits for time
    e.ShoeEmptied: _emptied,
    e.LidChanged: _lid,
    e.ShoeLevelChanged: _level,
    e.DeviceChanged: _device,
    e.TableOpened: _opened,
    e.DaemonStarted: _restored,
}
_REQUESTS: dict[type, Callable[[State, Any], requests.Answer]] = {
    e.ShoeLoaded: lambda state, event: box.loaded(requests.load(state, event)),
    e.PortionLoaded: requests.portion,
    e.RoundOpened: requests.open_round,
    e.ShoeEnded: requests.end_shoe,
    e.ShoeExhausted: _exhausted,
    e.TableClosed: requests.close,
    e.Confirmed: requests.confirm,
    e.CardEntered: requests.enter,
    e.FaultResolved: requests.resolve,
    e.BetPlaced: requests.bet,
    e.DoubleDecided: requests.double,
    e.BankPassed: requests.pass_bank,
    e.BankerSought: lambda state, event: box.loaded(banker.begin(state, event)),
    e.CountOpened: lambda state, event: box.loaded(counting.begin(state, event)),
    e.CountClosed: counting.close,
    e.CountAbandoned: counting.abandon,
    e.AlarmAcknowledged: alarms.acknowledge,
    e.Undone: lambda state, event: corrections.undo(state, event, apply),
    e.CardCorrected: lambda state, event: corrections.correct(state, event, apply),
    e.RefaitChosen: lambda state, event: _choose(state, event),
}
