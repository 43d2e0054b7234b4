"""Enrolment from the camera: asks for each card by name, takes its pictures while it passes the slot, and says so
where a card was not seen well or the reader's own networks take it for another.

Passages are `vision.passage`'s, views `vision.deck_views`', the profile and its checks `vision.enrol`'s. What is told
to the dealer goes to `say`; where it is printed is left to the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

import numpy as np
from numpy.typing import NDArray

from vision.answer import Answer, abstain
from vision.decide import FaceReader
from vision.deck_views import ViewKind, at_corner, kinds
from vision.enrol import Enrolled, enrol_any
from vision.enrol_check import Shown
from vision.enrol_pictures import EnrolRefused
from vision.geometry import Geometry
from vision.passage import Ended, SlotState, advance, wants
from vision.reads import Reads
from vision.slot import SlotEye
from vision.sources.base import CameraLost, Frame, SourceError
from vision.sources.opening import open_source

Image = NDArray[np.uint8]
Say = Callable[[str], None]

_VIEWS = 3  # of a passage, spread over it
_LOOKED = "looked at"
_RANKS = {"A": "ace", "T": "ten", "J": "jack", "Q": "queen", "K": "king"}
_SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


def spoken(symbol: str) -> str:
    """A symbol as a dealer says it: `ace of spades (As)`."""
    if len(symbol) != 2:
        return {"back": "a card face down (back)", "cut": "the cut card (cut)"}.get(symbol, f"the {symbol}")
    return f"the {_RANKS.get(symbol[0], symbol[0])} of {_SUITS[symbol[1]]} ({symbol})"


def deal(source: str, geometry: Geometry, name: str, wanted: Sequence[str], say: Say) -> Enrolled:
    """Deal `wanted` one by one and make the profile.

    Raises EnrolRefused: no slot's camera, a camera that cannot be used or ends too early, and what `enrol` refuses.
    """
    if geometry.motion != "slot":
        raise EnrolRefused([f"--live deals past a slot's camera, not one of motion {geometry.motion!r}"])
    try:
        with closing(open_source(source, geometry, geometry.fps)) as camera:
            shown = _deal_all(Passages(camera.frames(), geometry), wanted, FaceReader(), say)
    except (SourceError, CameraLost) as error:
        raise EnrolRefused([f"{source}: {error}"]) from error

    def views_of(kind: ViewKind) -> list[Shown]:
        return [Shown(f"view {k}", s, [v]) for s, views in shown for k, v in enumerate(views[kind.name], 1)]

    return enrol_any(views_of, geometry, name)


Views = dict[str, list[Image]]


class Passages:
    """Frames to the views of each passage that ends as drawn, by the kind of view."""

    def __init__(self, frames: Iterator[Frame | None], geometry: Geometry) -> None:
        self._frames, self._geometry = frames, geometry
        self._eye, self._state = SlotEye(geometry), SlotState()
        self._kinds = kinds(geometry)
        self._views: Views = {kind.name: [] for kind in self._kinds}

    def next(self) -> tuple[Ended, Views] | None:
        """The next card that passed with the views of it, spread over the passage; None where the frames have ended."""
        for frame in self._frames:
            ended = self._feed(frame) if frame is not None else None
            if ended is not None:
                views, self._views = self._views, {kind.name: [] for kind in self._kinds}
                return ended, {name: _spread(found) for name, found in views.items()}
        return None

    def _feed(self, frame: Frame) -> Ended | None:
        image = np.ascontiguousarray(self._geometry.upright(frame.image))
        sight = self._eye.look(frame, image)
        answer = None
        if wants(self._state, sight):
            corner = self._eye.corner(image, sight)
            for kind in self._kinds:
                view = at_corner(image, corner, self._geometry, kind) if corner is not None else None
                if view is not None:
                    self._views[kind.name].append(view)
            answer = abstain(_LOOKED)  # never a symbol: so every frame with an index in view is wanted
        self._state, said = advance(self._state, sight, answer)
        return next((what for what in said if isinstance(what, Ended)), None)


def _deal_all(passages: Passages, wanted: Sequence[str], networks: Reads, say: Say) -> list[tuple[str, Views]]:
    shown: list[tuple[str, Views]] = []
    doubted = ""
    while len(shown) < len(wanted):
        symbol = wanted[len(shown)]
        say(f"{len(shown) + 1} of {len(wanted)}: draw {spoken(symbol)}")
        passed = passages.next()
        if passed is None:
            raise EnrolRefused([f"the camera's pictures ended; still to be dealt: {' '.join(wanted[len(shown) :])}"])
        ended, views = passed
        why, other = _unusable(ended, views), _other(symbol, views, networks)
        if why:
            say(f"{why}: put it back and draw it again, please")
        elif other and doubted != symbol:
            say(f"that looks like {spoken(other)}; if it is {spoken(symbol)} all the same, draw it once more")
            doubted = symbol
        else:
            shown.append((symbol, views))
            doubted = ""
    return shown


def _unusable(ended: Ended, views: Views) -> str:
    """Why a passage gives no views to enrol; empty where it does."""
    if ended.kind != "drawn":
        return "the card went back"
    if ended.answer.why != _LOOKED:
        return ended.answer.why
    return "" if any(views.values()) else "no picture showed the whole index (more slowly)"


def _other(symbol: str, views: Views, networks: Reads) -> str:
    """The face that the networks surely take these views for, where it is not `symbol`."""
    answers: list[Answer] = [networks.read(view) for view in views.get("index", [])]
    others = {answer.symbol for answer in answers if answer.symbol is not None}
    return next(iter(others)) or "" if len(others) == 1 and symbol not in others else ""


def _spread(found: list[Image]) -> list[Image]:
    """At most _VIEWS of them, evenly spread."""
    if len(found) <= _VIEWS:
        return found
    return [found[round(k * (len(found) - 1) / (_VIEWS - 1))] for k in range(_VIEWS)]
