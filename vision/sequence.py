"""A row of recorded frames as a shoe's or a box's camera: one Reading a passage, or a card exposed in the box.

The very readers that the daemon's child runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from vision.box_reader import BoxReader
from vision.card_codes import CardCodes
from vision.corner_read import FrameUnusable
from vision.deck import Deck, opened
from vision.geometry import Geometry
from vision.messages import Reading, Seen
from vision.quiet import quiet_opencv
from vision.slot_reader import SlotReader
from vision.sources.base import Frame

_LINES = {"slot": ("drawn", "pulled back"), "box": ("exposed",)}


def read_sequence(
    frames: Iterable[Frame | None],
    geometry: Geometry,
    deck: Deck | str | Path | None = None,
    codes: CardCodes | None = None,
) -> Iterator[Reading]:
    """Readings in order, that of a passage which the frames' end cuts short too; None (no frame came) is passed over.

    Of a box only what is exposed: that it was drawn, pushed back or emptied names no card that was not named before.
    `deck`: an enrolled one, or its folder; `codes`: for cards that bear barcodes. Raises ValueError for a deck that
    cannot be used, a camera that is neither a slot's nor a box's, or a frame of another size.
    """
    if geometry.motion not in _LINES:
        raise ValueError(f"a sequence is of a slot's or a box's camera, not of one of motion {geometry.motion!r}")
    quiet_opencv()
    reads = BoxReader if geometry.motion == "box" else SlotReader
    reader = reads(geometry, deck=opened(deck, geometry), codes=codes)
    for frame in frames:
        if frame is not None:
            yield from _lines(_fed(reader, frame), geometry)
    yield from _lines(reader.finish(), geometry)


def _fed(reader: BoxReader | SlotReader, frame: Frame) -> list[Reading | Seen]:
    try:
        return reader.feed(frame)
    except FrameUnusable as error:
        raise FrameUnusable(f"frame {frame.number}: {error}") from error


def _lines(said: Iterable[Reading | Seen], geometry: Geometry) -> Iterator[Reading]:
    return (each for each in said if isinstance(each, Reading) and each.kind in _LINES[geometry.motion])
