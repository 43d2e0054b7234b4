"""Two witnesses of every card, camera and commercial shoe: what both say is a fact, what they do not agree on is a card
that a person names. Knows no device; called on the loop.

Both see the cards in the same order, so the first card that one of them has told and the other has not yet is waited
for, `patience_s` at most. An abstention of one is no contradiction: the other's reading counts. Symbols that only a
camera can tell (cut card, back, joker) need no second witness, and keep their place in the order.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from controller.cards import POSITION
from controller.edge.eye import LOOK_S, Eye, Mark
from controller.events import AnyEvent, CardDrawn, CardUnread
from controller.holds import cards_of

PATIENCE_S = 3.0  # a shoe tells a card at once, a camera when a hand that rests lets it go
Seen = CardDrawn | CardUnread


class _Told(NamedTuple):
    event: Seen
    until: float  # loop time
    mark: Mark  # where the camera's reader was


class Witnesses:
    """`camera` and `shoe` take what each says; `post` gets facts in the order of the cards."""

    def __init__(self, post: Callable[[AnyEvent], None], eye: Eye, patience_s: float = PATIENCE_S) -> None:
        self._post = post
        self._eye = eye
        self._patience_s = patience_s
        self._loop = asyncio.get_running_loop()
        self._camera: deque[_Told] = deque()
        self._shoe: deque[_Told] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def camera(self, event: AnyEvent) -> None:
        self._take(self._camera, event)

    def shoe(self, event: AnyEvent) -> None:
        self._take(self._shoe, event)

    def pending(self) -> int:
        """Cards that wait for their second witness."""
        return max(len(self._camera), len(self._shoe))

    def close(self) -> None:
        """What still waits for its second witness is said by one."""
        for queue in (self._camera, self._shoe):
            for _ in range(len(queue)):
                self._alone(queue)
        self._wait()

    def _take(self, queue: deque[_Told], event: AnyEvent) -> None:
        if not isinstance(event, CardDrawn | CardUnread):
            self._post(event)
            return
        until, mark = self._loop.time() + self._patience_s, self._eye.mark()
        if isinstance(event, CardUnread) and (count := cards_of(event.why)) > 1:
            queue.extend(_Told(CardUnread("unclear", event.passage), until, mark) for _ in range(count))
        else:
            queue.append(_Told(event, until, mark))
        self._compare()

    def _compare(self) -> None:
        while self._camera:
            if _needs_no_second(self._camera[0].event):
                self._post(self._camera.popleft().event)
            elif self._shoe:
                self._post(judged(self._camera.popleft().event, self._shoe.popleft().event))
            else:
                break
        self._wait()

    def _wait(self, again: float = 0.0) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        waiting = self._camera or self._shoe
        if waiting:
            self._timer = self._loop.call_at(max(waiting[0].until, again), self._give_up)

    def _give_up(self) -> None:
        self._timer = None
        queue = self._camera or self._shoe
        if queue and queue is self._shoe and not self._eye.past(queue[0].mark, self._patience_s):
            self._wait(self._loop.time() + LOOK_S)  # a reader that stalls says its card late
            return
        if queue and queue[0].until <= self._loop.time():
            self._alone(queue)
        self._compare()

    def _alone(self, queue: deque[_Told]) -> None:
        event = queue.popleft().event
        who = "camera" if queue is self._camera else "shoe"
        if _needs_no_second(event):
            self._post(event)
            return
        what = event.symbol if isinstance(event, CardDrawn) else event.why
        self._post(CardUnread(f"only the {who} saw a card: {what}", event.passage))


def judged(camera: Seen, shoe: Seen) -> AnyEvent:
    """What two witnesses of one card say together."""
    if isinstance(camera, CardUnread):
        return camera if isinstance(shoe, CardUnread) else shoe
    if isinstance(shoe, CardUnread) or camera.symbol == shoe.symbol:
        return camera
    return CardUnread(f"the camera saw {camera.symbol}, the shoe {shoe.symbol}", camera.passage)


def _needs_no_second(event: Seen) -> bool:
    return isinstance(event, CardDrawn) and event.symbol not in POSITION
