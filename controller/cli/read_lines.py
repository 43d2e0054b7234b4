"""What `sabot read` answers of one input: a line a picture, a frame or a passage, as a dictionary. Prints nothing.

What is read, and when it abstains, is vision's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from controller.cli.quiet import quiet_libraries
from controller.cli.read_inputs import Input
from controller.edge.problems import UsageProblem
from vision.answer import Answer
from vision.barcode_table import Label
from vision.card_codes import CardCodes
from vision.deck import Deck
from vision.geometry import Geometry
from vision.messages import Reading
from vision.sequence import read_sequence
from vision.sources.base import Frame, Image, SourceError
from vision.sources.folder import FolderSource, VideoSource, read_picture
from vision.still import StillReading, read_still
from vision.still_codes import StillCodes

UNREADABLE = "unreadable file"
Line = dict[str, object]


@dataclass(frozen=True)
class CardReader:
    """What everything is read with. `cards`, `photographs`: barcodes of passages and of stills, where asked for."""

    geometry: Geometry
    deck: Deck | None
    cards: CardCodes | None = None
    photographs: StillCodes | None = None

    def lines(self, each: Input, sequence: bool) -> Iterator[Line]:
        """The answers for one input, with what has drifted since the deck was enrolled.

        Raises UsageProblem where camera, deck and picture do not go together.
        """
        for line in self._answers(each, sequence):
            notes = self.deck.drift.notes() if self.deck is not None else ()
            yield {**line, "drift": list(notes)} if notes else line

    def _answers(self, each: Input, sequence: bool) -> Iterator[Line]:
        try:
            if sequence:
                yield from self._passages(each)
            elif each.kind == "video":
                yield from self._stills_of_video(each)
            else:
                with quiet_libraries():
                    image = read_picture(each.path)
                yield _unreadable(each.name) if image is None else self._still(each.name, image)
        except ValueError as error:
            raise UsageProblem(f"{each.name}: {error}") from error

    def _still(self, name: str, image: Image) -> Line:
        reading = read_still(image, self.geometry, self.deck)
        if self.photographs is None:
            return _as_line(name, reading)
        answer = Answer(reading.symbol, reading.confidence, reading.why)
        answer = self.photographs.beside(answer, image, self.geometry)
        line = _as_line(name, StillReading(answer.symbol, answer.confidence, answer.why, reading.ms))
        return {**line, **_labelled(self.photographs.label)}

    def _stills_of_video(self, each: Input) -> Iterator[Line]:
        """Every frame of a video by itself."""
        source = _source(each, self.geometry)
        counted = _Counted()
        for frame in counted.frames(source) if source is not None else ():
            if frame is not None:
                yield {**self._still(each.name, frame.image), "frame": frame.number}
        if counted.came == 0:
            yield _unreadable(each.name)

    def _passages(self, each: Input) -> Iterator[Line]:
        source = _source(each, self.geometry)
        if source is None:
            yield _unreadable(each.name)
            return
        counted = _Counted()
        if self.cards is not None:
            self.cards.label = None  # another shoe's
        for reading in read_sequence(counted.frames(source), self.geometry, self.deck, self.cards):
            yield _as_passage(each.name, reading) | _labelled(self.cards.label if self.cards is not None else None)
        if counted.lost or not counted.came:  # a passage may have been lost with them
            yield {**_unreadable(each.name), "frames": counted.lost}


@dataclass
class _Counted:
    """Counts the frames of a source that came and those that could not be read."""

    came: int = 0
    lost: int = 0

    def frames(self, source: FolderSource | VideoSource) -> Iterator[Frame | None]:
        frames = source.frames()
        while True:
            with quiet_libraries():
                try:
                    frame = next(frames)
                except StopIteration:
                    source.close()
                    return
            self.lost += frame is None
            self.came += frame is not None
            yield frame


def _source(each: Input, geometry: Geometry) -> FolderSource | VideoSource | None:
    with quiet_libraries():
        try:
            return (FolderSource if each.kind == "folder" else VideoSource)(each.path, geometry.fps)
        except SourceError:
            return None


def _as_line(name: str, reading: StillReading) -> Line:
    return {
        "file": os.fsencode(name).decode("utf-8", "replace"),
        "symbol": reading.symbol,
        "confidence": round(reading.confidence, 4),
        "why": reading.why,
        "ms": round(reading.ms, 3),
    }


def _unreadable(name: str) -> Line:
    return _as_line(name, StillReading(None, 0.0, UNREADABLE, 0.0))


def _as_passage(name: str, reading: Reading) -> Line:
    line = _as_line(name, StillReading(reading.symbol, reading.confidence, reading.why, reading.ms))
    numbers = {"passage": reading.passage, "first": reading.first, "last": reading.last, "frames": reading.frames}
    return {**line, **numbers}


def _labelled(label: Label | None) -> Line:
    return {"label": {"shoe": label.shoe, "deck": label.deck}} if label is not None else {}
