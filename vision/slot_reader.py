"""The slot camera's reader: frames in, passages read. Joins eye, passage and classifiers; knows no process and no
source.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.answer import UNCLEAR, Answer, abstain
from vision.card_codes import CardCodes
from vision.corner_read import NO_CORNER, Order, read_card, upright
from vision.decide import FaceReader
from vision.deck import Deck
from vision.geometry import Geometry
from vision.keep import KeepFolder
from vision.messages import Reading, Seen
from vision.passage import Ended, Said, Sight, SlotState, advance, finish, wants
from vision.reads import Reads
from vision.slot import SlotEye
from vision.sources.base import Frame

Image = NDArray[np.uint8]

_KEEP_FRAMES = 3


class SlotReader:
    """Feed it frames in order. `keep` is where the best frames of abstentions go (None: nowhere)."""

    def __init__(
        self,
        geometry: Geometry,
        keep: Path | None = None,
        reads: Reads | None = None,
        deck: Deck | None = None,
        codes: CardCodes | None = None,
    ) -> None:
        self._geometry = geometry
        self._eye = SlotEye(geometry)
        self._reads: Reads = reads if reads is not None else FaceReader()
        self._deck, self._codes = deck, codes
        self._keep = KeepFolder(keep)
        self._order = Order()
        self._state = SlotState()
        self._best: list[tuple[float, int, Image]] = []
        self._ms = 0.0
        self._received = 0.0

    def feed(self, frame: Frame) -> list[Reading | Seen]:
        """One frame further. Raises FrameUnusable for a frame of another size or type than the geometry says."""
        self._received, start = time.monotonic(), time.perf_counter()
        image = upright(frame.image, self._geometry)
        if self._order.late(frame):
            return []
        sight = self._eye.look(frame, image)
        answer = self._read(frame, image, sight) if wants(self._state, sight) else None
        if sight.card and answer is None and not self._best:
            self._remember(frame, -1.0)  # better than nothing for who must decide what it was
        if self._codes is not None:
            self._codes.watch(image, answer)
        self._state, said = advance(self._state, sight, answer)
        if sight.card or said:
            self._ms += 1000 * (time.perf_counter() - start)
        return [self._message(what) for what in said]

    @property
    def busy(self) -> bool:
        """Whether a card is in the window."""
        return self._state.now is not None

    def finish(self) -> list[Reading | Seen]:
        """The frames have ended."""
        return [self._message(what) for what in finish(self._state)]

    def _read(self, frame: Frame, image: Image, sight: Sight) -> Answer:
        corner = self._eye.corner(image, sight)
        if corner is None:
            self._remember(frame, 0.0)
            return abstain(NO_CORNER)
        if self._codes is not None:
            self._codes.card(image, corner, self._geometry)
        answer = read_card(image, corner, self._eye, self._reads, self._deck)
        self._remember(frame, answer.confidence)
        return answer

    def _remember(self, frame: Frame, score: float) -> None:
        """Keep a copy of the most promising frames, as the camera gave them: an enrolment takes no others."""
        if len(self._best) == _KEEP_FRAMES and score <= self._best[-1][0]:
            return
        best = [*self._best, (score, frame.number, frame.image.copy())]
        self._best = sorted(best, key=lambda b: (-b[0], b[1]))[:_KEEP_FRAMES]

    def _message(self, said: Said) -> Reading | Seen:
        if not isinstance(said, Ended):
            return Seen(said.symbol, said.passage, said.frame, said.time_s)
        verdict = said.answer
        if self._codes is not None and said.kind == "drawn":
            verdict = self._codes.passage(verdict)
        unread = said.kind == "drawn" and verdict.symbol is None
        name = f"{time.time_ns() // 1_000_000}_{said.passage}"
        crops = self._keep.put(name, [b[2] for b in self._best]) if unread else ()
        reading = Reading(
            kind=said.kind,
            symbol=verdict.symbol,
            confidence=verdict.confidence,
            why=verdict.why or ("" if verdict.symbol else UNCLEAR),
            passage=said.passage,
            first=said.first,
            last=said.last,
            frames=said.frames,
            start_s=said.start_s,
            seen_s=said.seen_s,
            end_s=said.end_s,
            ms=self._ms,
            end_monotonic=self._received,
            crops=crops,
        )
        self._best, self._ms = [], 0.0
        return reading
