"""What every round has in common, whatever the game: it opens, is completed or void, and the shoe ends after it."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from controller.cards import DECK
from controller.events import AnyEvent
from controller.games import GAMES
from controller.order import Order, next_shoe
from controller.outcomes import Ended, Outcome, Settlement
from controller.phases import Phase, allows, move
from controller.state import RESULTS_KEPT, Ledger, Shoe, State, Step, Table, account, bare, in_round
from controller.view import Result

VOID = "void"


def open_round(state: State, event: AnyEvent) -> State:
    """A new round: from here undo and correction reckon."""
    state = _with_next_rules(state)
    what = "hand opened" if GAMES[state.table.game].OPENS_ON_LOADING else "round opened"
    return replace(
        state,
        phase=move(state.phase, what),
        round=state.round + 1,
        play=GAMES[state.table.game].begin(state.play),
        base=bare(state),
        log=(event,),
        manual=(),
        calls=(),
        settled=(),
    )


def with_settled(state: State, outcomes: tuple[Outcome, ...]) -> State:
    """What was settled stays in sight until the next round opens."""
    lines = tuple(line for line in outcomes if isinstance(line, Settlement) and line.items)
    return replace(state, settled=(*state.settled, *lines)) if lines else state


def begun(state: State) -> bool:
    """CO-6: a round begins with its first card; before it there is nothing that could be void."""
    game = GAMES[state.table.game]
    return in_round(state) and game.on_cloth(state.play) + game.in_box(state.play) > 0


def why_not_opened(state: State) -> str | None:
    game = GAMES[state.table.game]
    if game.OPENS_ON_LOADING:
        return "a hand opens when the box is loaded"
    if not allows(state.phase, "round opened"):
        return f"no round can be opened: the table is {shown(state)}"
    return "the cut card is out" if is_cut_out(state) else game.may_open(state)


def reader_lost(state: State) -> str | None:
    """The lost one of the devices that read cards, by name."""
    lost = (device.name for device in state.devices if device.name in ("camera", "shoe") and device.state == "lost")
    return next(lost, None)


def shown(state: State) -> str:
    """The phase in a person's words."""
    return "on hold" if state.hold else f"in phase {state.phase}"


def complete(state: State, result: Result) -> Step:
    """The round is over: its cards are played, its result goes on the board."""
    if result.outcome == VOID:
        return void_round(state)
    game = GAMES[state.table.game]
    after = replace(
        state,
        phase=move(state.phase, "round completed"),
        rounds=state.rounds + 1,
        ledger=account(state, played=game.on_cloth(state.play), box=game.in_box(state.play)),
        results=(result, *state.results[: RESULTS_KEPT - 1]),
        calls=result.call,
    )
    return end_if_over(after)


def void_round(state: State) -> Step:
    """CO-4: the open round is void; what is not yet settled goes back, what was settled stands."""
    game = GAMES[state.table.game]
    after, outcomes = game.give_back(state)
    after = with_settled(after, outcomes)
    result = Result(state.round, VOID, manual=bool(state.manual))
    after = replace(
        after,
        phase=move(state.phase, "round void"),
        void=state.void + 1,
        ledger=account(state, void=game.on_cloth(state.play), box=game.in_box(state.play)),
        results=(result, *state.results[: RESULTS_KEPT - 1]),
        play=game.begin(after.play),
    )
    after, more = end_if_over(after)
    return after, outcomes + more


def burnt(state: State) -> State:
    """The phase after a card was burnt: burning ends with the last one that the house burns."""
    last = state.ledger.burnt >= state.table.rules.burn
    return replace(state, phase=move(state.phase, "last card burnt" if last else "card burnt"))


def end_if_over(state: State) -> Step:
    """Between rounds: the cut card was seen, or the shoe holds too little for another round."""
    if is_cut_out(state):
        return end_shoe(state, "cut")
    if not GAMES[state.table.game].OPENS_ON_LOADING and GAMES[state.table.game].may_open(state) is not None:
        return end_shoe(state, "empty")
    return state, ()


def is_cut_out(state: State) -> bool:
    """The cut card has left the shoe, or as many symbols as lie above the virtual one."""
    virtual = state.table.cut_after
    if state.cut_seen or virtual is None or not GAMES[state.table.game].CUT_CARD:
        return state.cut_seen
    return state.index >= virtual


def end_shoe(state: State, reason: str) -> Step:
    """The shoe is over; stakes on a round that was open but not begun go back."""
    outcomes: tuple[Outcome, ...] = ()
    if in_round(state):
        state, outcomes = GAMES[state.table.game].give_back(state)
    after = replace(state, phase=move(state.phase, "shoe ended"), shoe=replace(state.shoe, reason=reason))
    return after, (*outcomes, ended(after, reason))


def ended(state: State, reason: str) -> Ended:
    return Ended(state.index, state.rounds - state.shoe.rounds_before, state.void - state.shoe.void_before, reason)


def load_shoe(state: State, event: AnyEvent) -> Step:
    """A freshly shuffled shoe: nothing of it was seen; prison and bank outlive the old one."""
    fresh = fresh_shoe(state)
    game = GAMES[fresh.table.game]
    if game.OPENS_ON_LOADING:
        return replace(open_round(fresh, event), base=bare(state)), ()
    burns = game.BURNS and fresh.table.rules.burn > 0
    phase: Phase = move(state.phase, "shoe loaded, to burn" if burns else "shoe loaded")
    loaded = replace(fresh, phase=phase, base=bare(state), log=(event,), manual=())
    return end_if_over(loaded) if not burns else (loaded, ())


def fresh_shoe(state: State) -> State:
    """The state with a full shoe of which nothing was seen, and an empty cloth."""
    before, state = state.table, _with_next_table(state)
    return replace(
        state,
        order=next_shoe(state.order) if same_pack(state.table, before) else Order(),
        seen=(0,) * len(DECK),
        index=0,
        cut_seen=False,
        ledger=Ledger(),
        shoe=Shoe(state.shoe.number + 1, state.rounds, state.void, state.shoe.lid_open, state.shoe.empty, 1),
        exits=replace(state.exits, base=state.exits.base + state.index - state.sight.inside),
        play=GAMES[state.table.game].begin(state.play),
        calls=(),
    )


def accounts(state: State) -> dict[str, int]:
    """CO-2: every symbol that left this shoe, once; the numbers add up to `State.index`."""
    game, held = GAMES[state.table.game], state.hold
    waiting = 0
    while held is not None:
        waiting, held = waiting + held.counted, held.beneath
    counts = msgspec.structs.asdict(state.ledger)
    counts["cloth"] = game.on_cloth(state.play) if in_round(state) else 0
    counts["box"] += game.in_box(state.play) if in_round(state) else 0
    counts["sought"] = game.sought(state.play) if state.phase == "banker" else 0
    return {**counts, "held": waiting}


def _with_next_rules(state: State) -> State:
    """Changed house rules hold from the next round on; another game, deck or company from the next shoe on."""
    table = state.next_table
    if table is None or not same_shoe(table, state.table):
        return state
    return replace(state, table=table, next_table=None)


def same_shoe(table: Table, other: Table) -> bool:
    return (table.game, table.decks, table.seats) == (other.game, other.decks, other.seats)


def same_pack(table: Table, other: Table) -> bool:
    return (table.game, table.decks) == (other.game, other.decks)


def _with_next_table(state: State) -> State:
    table = state.next_table
    if table is None:
        return state
    play = state.play if table.game == state.table.game else GAMES[table.game].first(table)
    return replace(state, table=table, next_table=None, play=play)
