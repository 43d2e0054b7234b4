"""Cards that left unseen, as the exit beam's counter says: a gap to be entered by hand, in the right place.

In the box the card in sight is the last one known: the first that left may be that very card; what left before a face
that the camera sees now belongs before it.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller import box, corrections, holds
from controller.corrections import Apply
from controller.events import AnyEvent, CardDrawn, CardExposed, CardsMissed, CardUnread
from controller.outcomes import Waiting
from controller.state import UNREAD, Sight, State, Step


def missed(state: State, event: CardsMissed) -> Step:
    if event.count < 1:
        return state, ()
    if state.hold is not None:
        return replace(state, queue=(*state.queue, event)), (Waiting(UNREAD, len(state.queue) + 1),)
    return holds.gap(state, event, event.count)


def from_the_box(state: State, count: int, apply: Apply) -> Step:
    """`count` cards more than are known passed the exit of the box."""
    sight = box.in_sight(state)
    if sight.inside and sight.sure and sight.card is not None:
        return _before_the_face(state, CardsMissed(count), apply)
    if not sight.inside:
        return missed(state, CardsMissed(count))
    after, lines = _left(state, sight)
    after, more = missed(after, CardsMissed(count - 1))
    return after, lines + more


def _left(state: State, sight: Sight) -> Step:
    """The newest card known left too; where no face is in sight its pack was taken away, or it slid off unseen."""
    if sight.card is None:
        return replace(state, sight=replace(state.sight, inside=False)), ()
    return box.drawn(state, CardDrawn(sight.card, "shoe"))


def _before_the_face(state: State, event: CardsMissed, apply: Apply) -> Step:
    """The face in sight is there: what is missing came before it."""
    if state.hold is not None:
        place = _face_in(state.queue)
        if place is None:
            return missed(state, event)
        queue = (*state.queue[:place], event, *state.queue[place:])
        return replace(state, queue=queue), (Waiting(UNREAD, place + 1),)
    found = corrections.without_last_face(state, apply)
    if found is None:
        return missed(state, event)
    after, face, lines = found
    after, more = missed(replace(after, sight=replace(after.sight, card=None, inside=False)), event)
    queue = (*after.queue, face)
    return replace(after, queue=queue), (*lines, *more, Waiting(face.symbol, len(queue)))


def _face_in(queue: tuple[AnyEvent, ...]) -> int | None:
    faces = [place for place, event in enumerate(queue) if isinstance(event, CardExposed | CardUnread)]
    return faces[-1] if faces else None
