"""Zecchinetta's box: which face lies in its window, apart from what the hand makes of it (ZE-1).

A face comes into sight, is drawn, or is gone with the whole pack; each is a fact of its own. A face counts from the
moment at which it is in sight of an open hand; one in sight before the hand was opened is the new pack's first card.
What a counted face means is shoe.py's and the game's; how cards left are counted by a beam is exits.py's.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller import holds, shoe
from controller.events import AnyEvent, CardDrawn, CardEntered, CardExposed, CardUnread, SightEmptied
from controller.games import GAMES, zecchinetta
from controller.outcomes import Waiting
from controller.phases import Phase
from controller.plays import Hand
from controller.state import UNREAD, Sight, State, Step, in_round

_TAKES_FACES: tuple[Phase, ...] = ("dealing", "betting", "banker", "checking")
NOT_SEEN = "drawn before it was seen"
BEFORE_THE_HAND = "in sight before the pack was loaded"


def is_box(state: State) -> bool:
    return GAMES[state.table.game].OPENS_ON_LOADING


def _takes_faces(state: State) -> bool:
    """A face counts in an open hand, where a banker is sought or a pack counted; so does a remainder's."""
    return state.phase in _TAKES_FACES or (state.phase in ("ended", "reconciling") and not state.sight.fresh)


def in_sight(state: State) -> Sight:
    """The window once all that waits has been played."""
    sight = state.sight
    for event in state.queue if state.queue and is_box(state) else ():
        if isinstance(event, CardExposed | CardUnread):
            sight = Sight(event.symbol if isinstance(event, CardExposed) else UNREAD, inside=True, sure=sight.sure)
        elif isinstance(event, CardDrawn):
            sight = replace(sight, card=None, inside=False)
        elif isinstance(event, SightEmptied):
            sight = replace(sight, card=None)
    return sight


# ---- facts -----------------------------------------------------------------------------------------------


def exposed(state: State, event: CardExposed) -> Step:
    """A new face lies still; the same one again is no news, but certain then."""
    if not is_box(state):
        return state, ()
    from_camera = event.source == "camera"
    known = (state.sight if state.hold is None else in_sight(state)).card
    state = _sure(state, state.sight.sure or from_camera)
    if from_camera and event.symbol == known:
        return state, ()
    if state.hold is not None:
        return _waits(state, event, event.symbol)
    if not _takes_faces(state) and from_camera and event.symbol in GAMES[state.table.game].CARDS:
        return _before_the_hand(state, event.symbol), ()
    return shoe.arrive(_counted(state, event.symbol), event, event.source == "hand")


def unread(state: State, event: CardUnread) -> Step:
    """A new face lies still and cannot be read: a person enters it."""
    state = _sure(state, True)
    if (state.sight if state.hold is None else in_sight(state)).card == UNREAD:
        return state, ()
    if state.hold is not None:
        return _waits(state, event, UNREAD)
    if not _takes_faces(state):
        return _before_the_hand(state, UNREAD), ()
    return holds.unread(_counted(state, UNREAD), event, event.why)


def drawn(state: State, event: CardDrawn) -> Step:
    """The card in sight left the box, whatever its face was taken for."""
    sight = state.sight
    if state.hold is not None:
        known = in_sight(state).card is not None
        return (replace(state, queue=(*state.queue, event)), ()) if known else _waits(state, event, event.symbol)
    if sight.card is None:
        return _drawn_unseen(state, event)
    gone = replace(state, sight=replace(sight, card=None, inside=False))
    if not sight.played:  # before a hand is open: of a pack that is being gathered, or one card too early
        return shoe.arrive(gone, event, False) if sight.fresh else (gone, ())
    return _drawn_by_the_hand(gone, event) or (gone, ())


def _drawn_by_the_hand(state: State, event: CardDrawn) -> Step | None:
    """The hand's card in sight is drawn; None where it has none."""
    hand = state.play
    if not in_round(state) or not isinstance(hand, Hand) or hand.sight is None or hand.drawn:
        return None
    return zecchinetta.draw(state, replace(event, symbol=UNREAD)), ()  # whatever a correction makes of its face


def _drawn_unseen(state: State, event: CardDrawn) -> Step:
    """Nothing was known to be in sight: the hand's last card, or one that came into sight unseen before it left."""
    drawn = _drawn_by_the_hand(state, event)
    if drawn is not None and getattr(state.play, "sight", None) == event.symbol:
        return drawn
    if event.symbol == UNREAD:
        return holds.unread(state, CardUnread(NOT_SEEN), NOT_SEEN)
    return shoe.arrive(state, event, event.source == "hand")


def emptied(state: State, event: SightEmptied) -> Step:
    """The window shows its floor: the last card is out, or the pack was taken away."""
    if not is_box(state):
        return state, ()
    if state.hold is not None:
        return replace(state, queue=(*state.queue, event)), ()
    sight = state.sight
    between = state.phase not in _TAKES_FACES
    return replace(state, sight=replace(sight, card=None, played=True, fresh=sight.fresh or between, sure=True)), ()


def again(state: State, event: CardExposed | CardUnread | CardDrawn) -> Step:
    """A fact of the round's log once more: what counted then counts now, whatever lies in the window today."""
    if state.hold is not None:  # a correction made a fault of an earlier one
        return _waits(state, event, UNREAD if isinstance(event, CardUnread) else event.symbol)
    if isinstance(event, CardUnread):
        return holds.unread(state, event, event.why)
    if event.symbol == UNREAD and isinstance(event, CardDrawn):
        return _drawn_by_the_hand(state, event) or (state, ())
    return shoe.arrive(state, event, event.source == "hand")


# ---- what is known of the window -------------------------------------------------------------------------


def entered(state: State, event: CardEntered) -> State:
    """A person names the face in sight: the one that was not read, or the next one where no camera looks."""
    held, sight = state.hold, state.sight
    if not is_box(state) or not _takes_faces(state) or (held is not None and sight.card != UNREAD):
        return state
    return replace(state, sight=replace(sight, card=event.symbol, played=True, inside=True, fresh=False))


def known_already(state: State, event: CardEntered) -> bool:
    """The face that could not be read again, after a restart, is the one that the hand has in sight."""
    hand, held = state.play, state.hold
    asked = held is not None and held.code == "unread" and state.sight.card == UNREAD
    return asked and isinstance(hand, Hand) and not hand.drawn and hand.sight == event.symbol


def unsure(state: State) -> State:
    """Nobody looked for a while: the face in sight may have left."""
    return _sure(state, False)


def loaded(answer: Step | str) -> Step | str:
    """A pack is in the box: a face of it that is in sight already is its first card, and is played at once."""
    if isinstance(answer, str) or not is_box(answer[0]):
        return answer
    state, lines = answer
    sight = state.sight
    after = replace(state, sight=Sight(fresh=False, sure=sight.sure))
    if sight.card is None or sight.played:
        return replace(after, sight=replace(after.sight, card=sight.card)), lines
    first: AnyEvent = CardExposed(sight.card) if sight.fresh and sight.card != UNREAD else CardUnread(BEFORE_THE_HAND)
    return replace(after, queue=(*after.queue, first)), lines


def _counted(state: State, card: str) -> State:
    return replace(state, sight=Sight(card, inside=True, fresh=False, sure=state.sight.sure))


def _before_the_hand(state: State, card: str) -> State:
    return replace(state, sight=replace(state.sight, card=card, played=False))


def _sure(state: State, sure: bool) -> State:
    return state if state.sight.sure == sure else replace(state, sight=replace(state.sight, sure=sure))


def _waits(state: State, event: AnyEvent, symbol: str) -> Step:
    queue = (*state.queue, event)
    return replace(state, queue=queue), (Waiting(symbol, len(queue)),)
