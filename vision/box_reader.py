"""The reader of the camera that looks down on a zecchinetta box: frames in, exposures and drawings out.

Joins eye, stillness and classifiers; what a row of frames means is `vision.box`'s. A plain reader of a still card.
"""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.answer import Answer, abstain
from vision.box import BoxState, Look, Told, advance, finish, wants
from vision.card_codes import CardCodes
from vision.corner_read import NO_CORNER, Order, read_card, upright
from vision.decide import FaceReader
from vision.deck import Deck
from vision.geometry import CARD_WIDTH_MM, Geometry
from vision.keep import KeepFolder
from vision.messages import Reading, Seen
from vision.passage import Sight
from vision.reads import Reads
from vision.slot import Corner, SlotEye
from vision.sources.base import Frame

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

EMPTY = "empty"
_WIDTH_SLACK_MM = 3.0
_THUMB = (80, 60)
_CHANGED = 0.08  # of the picture's mean level: a cell that looks otherwise
_CELLS = 20  # cells that differ: something moves; a print's edge that shakes changes fewer
_FOLLOW = 0.05  # how fast slow changes of the light are taken for granted
_KEEP_FRAMES = 3


class Stillness:
    """Whether a frame looks like those before it, whatever the lamp's level."""

    def __init__(self) -> None:
        self._known: Floats | None = None

    def still(self, image: Image) -> bool:
        grey = cv2.cvtColor(np.ascontiguousarray(image[::4]), cv2.COLOR_BGR2GRAY)
        thumb = np.asarray(cv2.resize(grey, _THUMB, interpolation=cv2.INTER_AREA), np.float32)
        thumb /= max(8.0, float(thumb.mean()))
        known = self._known
        if known is None or int((np.abs(thumb - known) > _CHANGED).sum()) > _CELLS:
            self._known = thumb
            return False
        known += _FOLLOW * (thumb - known)
        return True


class BoxReader:
    """Feed it frames in order. `keep` is where pictures of cards that nobody could read go (None: nowhere)."""

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
        self._stillness = Stillness()
        self._reads: Reads = reads if reads is not None else FaceReader()
        self._deck, self._codes = deck, codes
        self._keep = KeepFolder(keep)
        self._order = Order()
        self._state = BoxState()
        self._seen: Look | None = None
        self._unread: list[Image] = []
        self._ms = 0.0
        self._received = 0.0

    def feed(self, frame: Frame) -> list[Reading | Seen]:
        """One frame further. Raises FrameUnusable for a frame of another size or type than the geometry says."""
        self._received, start = time.monotonic(), time.perf_counter()
        image = upright(frame.image, self._geometry)
        if self._order.late(frame):
            return []
        sight = self._eye.look(frame, image)
        if sight.blind:
            return []
        look = self._seen = self._look(sight, image)
        answer = self._read(frame, image, sight) if wants(self._state, look) else None
        if self._codes is not None:
            self._codes.watch(image, answer)
        self._state, told = advance(self._state, look, answer)
        if answer is not None:
            self._ms += 1000 * (time.perf_counter() - start)
        return [self._reading(each) for each in told]

    @property
    def busy(self) -> bool:
        """Whether a card is between lying still and lying still."""
        return not self._state.settled and not self._state.bare

    def finish(self) -> list[Reading | Seen]:
        """The frames have ended: a card that lies there half read is said or abstained on, what moves is not known."""
        return [] if self._seen is None else [self._reading(each) for each in finish(self._state, self._seen)]

    def _look(self, sight: Sight, image: Image) -> Look:
        still = self._stillness.still(image)
        width = (sight.trail_mm or 0.0) - (sight.lead_mm or 0.0)
        whole = sight.lead_mm is not None and sight.trail_mm is not None and not sight.two
        placed = whole and abs(width - CARD_WIDTH_MM) <= _WIDTH_SLACK_MM
        return Look(sight.number, sight.time_s, sight.card, sight.lead_mm, placed, still, sight.trail_mm)

    def _read(self, frame: Frame, image: Image, sight: Sight) -> Answer:
        corner = self._eye.corner(image, sight)
        answer = abstain(NO_CORNER) if corner is None else self._read_at(image, corner)
        if answer.symbol is None and len(self._unread) < _KEEP_FRAMES:
            self._unread.append(frame.image.copy())  # as the camera gave it: an enrolment takes no other
        return answer

    def _read_at(self, image: Image, corner: Corner) -> Answer:
        """The card's face, and its barcode beside it: the card lies still, so the process is waited for."""
        if self._codes is None:
            return read_card(image, corner, self._eye, self._reads, self._deck)
        if self._state.reads.looks == 0:
            self._codes.begin()
        self._codes.card(image, corner, self._geometry)
        return self._codes.beside(read_card(image, corner, self._eye, self._reads, self._deck))

    def _reading(self, told: Told) -> Reading:
        face = told.face
        symbol = EMPTY if told.kind == "emptied" else face.symbol
        crops: tuple[str, ...] = ()
        if told.kind == "exposed":
            name = f"{time.time_ns() // 1_000_000}_{face.passage}"
            crops = self._keep.put(name, self._unread) if symbol is None else ()
            self._unread = []
        reading = Reading(
            kind=told.kind,
            symbol=symbol,
            confidence=face.confidence,
            why="" if symbol is not None else face.why,
            passage=face.passage,
            first=face.first,
            last=told.last,
            frames=told.looks,
            start_s=face.start_s,
            seen_s=face.start_s,
            end_s=told.end_s,
            ms=self._ms,
            end_monotonic=self._received,
            crops=crops,
        )
        self._ms = 0.0
        return reading
