"""The view: what stands at the table now, computed whole from the state (`view.py` has the shapes).

Nothing here changes anything, and nothing that has not been dealt is shown (CO-7).
"""

from __future__ import annotations

from controller import box, counting, prompts, signs
from controller.events import AnyEvent, CardDrawn, CardExposed, CardsMissed, CardUnread
from controller.games import GAMES
from controller.holds import cards_of
from controller.phases import HOLD
from controller.rounds import is_cut_out
from controller.state import Held, State
from controller.view import Hold, Shoe, View


def view(state: State) -> View:
    game = GAMES[state.table.game]
    return View(
        game=state.table.game,
        phase=HOLD if state.hold is not None else state.phase,
        round=state.round,
        rows=game.rows(state),
        active=game.active(state),
        call=state.calls,
        announcement=signs.announcement(state),
        results=state.results,
        prompt=prompts.prompt(state),
        hold=_hold(state, state.hold) if state.hold is not None else None,
        shoe=_shoe(state),
        devices=state.devices,
        display=signs.display(state),
        manual=bool(state.manual),
        stakes=game.stakes(state.play),
        settled=state.settled,
        rounds=state.rounds,
        void=state.void,
        alarms=state.alarms,
        count=counting.under_way(state),
        receipt=counting.receipt(state),
    )


def _shoe(state: State) -> Shoe:
    loaded = state.phase not in ("closed", "no shoe", *counting.FEEDS)
    return Shoe(state.shoe.number, state.index, loaded, state.shoe.lid_open, is_cut_out(state), state.shoe.empty)


def _hold(state: State, held: Held) -> Hold:
    text = _TEXTS.get(held.code, held.code).format(
        card=held.card, index=held.index, why=held.why, count=held.count, shoe=state.shoe.number
    )
    known = CardDrawn if box.is_box(state) else ()  # a card that leaves the box was in sight before
    waiting = [card for event in state.queue if not isinstance(event, known) for card in _waiting(event)]
    if waiting:
        text += f" {len(waiting)} left the shoe meanwhile, played in turn afterwards: {' '.join(waiting)}."
    return Hold(held.code, text, held.card, held.index, held.resolutions, held.enter, held.count)


def _waiting(event: AnyEvent) -> list[str]:
    """The cards that a fact in the queue stands for, ? where nobody saw them."""
    if isinstance(event, CardDrawn | CardExposed):
        return [event.symbol]
    if isinstance(event, CardsMissed):
        return ["?"] * min(event.count, 20)
    return ["?"] * cards_of(event.why) if isinstance(event, CardUnread) else []


_TEXTS = {
    "composition": "Card {index}, {card}, is one more than the shoe can hold.",
    "foreign": "Card {index}, {card}, does not belong into this shoe.",
    "overdraw": "Card {index}, {card}, was drawn while no round is open.",
    "unread": "Card {index} was not read ({why}): look at it and enter it.",
    "gap": "{count} card(s) left the shoe unseen, from card {index} on: enter them in their order.",
    "restored": "The table stands where it stood before the restart: compare it with the cloth and confirm.",
}
