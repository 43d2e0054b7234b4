"""Barcodes beside the faces of a shoe's camera: which part of a frame is searched, and what face and code say together.

A code alone names no card; where both are read they must name the same one. The pictures go to `vision.barcode`'s
process, what a code means is `vision.barcode_table`'s. Photographs have `vision.still_codes`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.answer import Answer, abstain
from vision.barcode import BarcodeProcess
from vision.barcode_child import Found
from vision.barcode_table import Codes, Label, label_of
from vision.geometry import Geometry
from vision.slot import Corner, cut

Image = NDArray[np.uint8]

DIFFER = "barcode and face differ"
_PATIENCE_S = 0.25  # at a passage's end, or for a card that lies still
_LABEL_EVERY = 240  # frames without a face, of which one is searched for a label: two seconds


class CardCodes:
    """The codes of one card after another. A reader shows it frames, then asks what its answer is beside them."""

    def __init__(
        self, codes: Codes | None, process: BarcodeProcess | None = None, recorded: bool = False, start: bool = True
    ) -> None:
        """`codes` None: only labels are looked for. `recorded`: the frames do not go on without us, each is waited
        for. `start`: at once, so that the first card is not through before the process is there."""
        self._codes = codes
        self._process = process if process is not None else BarcodeProcess(kinds_of(codes))
        self._recorded = recorded
        self._symbols: set[str] = set()
        self._without = _LABEL_EVERY - 1  # the very first is searched
        self.label: Label | None = None
        if start:
            self._process.start()

    @property
    def note(self) -> str:
        """Why barcodes are off; empty while they are read."""
        return self._process.note

    def look(self, region: Image) -> None:
        """One frame's region."""
        if self._recorded:
            self._take(self._process.read(region))
        else:
            self._process.send(region)
            self._take(self._process.receive())

    def card(self, upright: Image, corner: Corner, geometry: Geometry) -> None:
        """The part of a frame where the geometry says that the card's barcode is."""
        region = region_of(upright, corner, geometry)
        if region is not None:
            self.look(region)

    def watch(self, upright: Image, answer: Answer | None) -> None:
        """A QR on the cut card, or on the lid while no face is read, names shoe and deck. `answer`: of this frame."""
        symbol = answer.symbol if answer is not None else None
        self._without = self._without + 1 if symbol in (None, "cut") else 0
        if symbol == "cut" or self._without == _LABEL_EVERY:
            self._without = 0
            self.look(upright)

    def begin(self) -> None:
        """Another card: what was read of the one before is forgotten, also what is still on its way."""
        self._take(self._process.receive(_PATIENCE_S))
        self._symbols = set()

    def beside(self, answer: Answer) -> Answer:
        """A face's answer: it stands, unless a code of this card, also one on its way, says another."""
        self._take(self._process.receive(_PATIENCE_S))
        return agree(answer, self._symbols)

    def passage(self, answer: Answer) -> Answer:
        """The same at a passage's end: the next card has its own codes."""
        beside = self.beside(answer)
        self._symbols = set()
        return beside

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def _take(self, found: Found) -> None:
        for kind, text in found:
            self.label = label_of(kind, text) or self.label
            symbol = self._codes.symbol(kind, text) if self._codes is not None else None
            if symbol is not None:
                self._symbols.add(symbol)


def kinds_of(codes: Codes | None) -> tuple[str, ...]:
    """The symbologies that are looked for: the cards' own, and that of labels."""
    return ("qr",) if codes is None else tuple(sorted({codes.symbology, "qr"}))


def agree(answer: Answer, symbols: set[str]) -> Answer:
    """The face's answer where no barcode was read or it says the same; a code alone names no card, it only hints."""
    if not symbols or symbols == {answer.symbol}:
        return answer
    if answer.symbol is not None:
        return abstain(DIFFER, answer.confidence)
    hint = "the barcodes differ" if len(symbols) > 1 else f"the barcode says {next(iter(symbols))}"
    return abstain(f"{answer.why}; {hint}", answer.confidence)


def region_of(upright: Image, corner: Corner, geometry: Geometry) -> Image | None:
    """Where the geometry says that a card's barcode is; None where it has none, or it is not wholly in view."""
    scale = geometry.px_per_mm
    size = round(geometry.barcode_width_mm * scale), round(geometry.barcode_height_mm * scale)
    left, top = geometry.barcode_left_mm * scale, geometry.barcode_top_mm * scale
    x = corner.x + corner.along[0] * left + corner.down[0] * top
    y = corner.y + corner.along[1] * left + corner.down[1] * top
    if min(size) == 0 or x < 0 or x + size[0] > upright.shape[1] or y + size[1] > upright.shape[0]:
        return None
    return cut(upright, Corner(x, y, corner.along, corner.down), scale, scale, size)
