"""A row of recorded frames as a shoe's camera: one Reading a passage. The very reader that the daemon's child runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from vision.card_codes import CardCodes
from vision.deck import Deck, opened
from vision.geometry import Geometry
from vision.messages import Reading
from vision.quiet import quiet_opencv
from vision.slot_reader import SlotReader
from vision.sources.base import Frame


def read_sequence(
    frames: Iterable[Frame | None],
    geometry: Geometry,
    deck: Deck | str | Path | None = None,
    codes: CardCodes | None = None,
) -> Iterator[Reading]:
    """Readings in order, that of a passage which the frames' end cuts short too; None (no frame came) is passed over.

    `deck`: an enrolled one, or its folder; `codes`: for cards that bear barcodes. Raises ValueError for a deck that
    cannot be used, a camera that is no slot's, or a frame of another size.
    """
    if geometry.motion != "slot":
        raise ValueError(f"a sequence is read with a slot camera, not with one of motion {geometry.motion!r}")
    quiet_opencv()
    reader = SlotReader(geometry, deck=opened(deck, geometry), codes=codes)
    for frame in frames:
        if frame is not None:
            yield from (said for said in reader.feed(frame) if isinstance(said, Reading))
    yield from (said for said in reader.finish() if isinstance(said, Reading))
