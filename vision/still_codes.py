"""Barcodes of photographs: each card that is found is squared up and searched, the whole picture for a label alone.

What face and code say together is `vision.card_codes`'s; the face itself is read by `vision.still`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from vision.answer import NO_CARD, TWO_CARDS, Answer
from vision.barcode import BarcodeProcess
from vision.barcode_table import Codes, Label, label_of
from vision.card_codes import agree, kinds_of
from vision.geometry import Geometry
from vision.locate import find_cards
from vision.squared import Squared

Image = NDArray[np.uint8]

_PX_PER_MM = 8.0  # a bar is at least a quarter of a millimetre wide
_NOT_ONE_CARD = (NO_CARD, TWO_CARDS)


class StillCodes:
    """Looks at one photograph after another. `label`: what the newest one's QR says."""

    def __init__(self, codes: Codes, process: BarcodeProcess | None = None) -> None:
        self._codes = codes
        self._process = process if process is not None else BarcodeProcess(kinds_of(codes))
        self.label: Label | None = None

    @property
    def note(self) -> str:
        """Why barcodes are off; empty while they are read."""
        return self._process.note

    def beside(self, answer: Answer, image: Image, geometry: Geometry) -> Answer:
        """What `answer` of a BGR photograph is beside the codes in it."""
        self.label = None
        symbols: set[str] = set()
        for region in _regions(image, geometry):
            for kind, text in self._process.read(region):
                self.label = label_of(kind, text) or self.label
                symbol = self._codes.symbol(kind, text)
                symbols |= {symbol} if symbol is not None else set()
        if self.label is None and (answer.symbol is None or answer.symbol == "cut"):
            labels = [label_of(kind, text) for kind, text in self._process.read(image)]
            self.label = next((label for label in labels if label is not None), None)
        return answer if answer.why in _NOT_ONE_CARD else agree(answer, symbols)

    def close(self) -> None:
        """End the process."""
        self._process.close()


def _regions(image: Image, geometry: Geometry) -> Iterator[Image]:
    """The cards' faces; only the part where the geometry says that the barcode is, either end up."""
    if geometry.motion != "free":
        yield image
        return
    left, top = round(geometry.barcode_left_mm * _PX_PER_MM), round(geometry.barcode_top_mm * _PX_PER_MM)
    width, height = round(geometry.barcode_width_mm * _PX_PER_MM), round(geometry.barcode_height_mm * _PX_PER_MM)
    for quad in find_cards(image):
        card = Squared(image, quad, _PX_PER_MM)
        if min(width, height) == 0:
            yield card.face(_PX_PER_MM)
            continue
        for turn in (0, 2):
            part = card.face(_PX_PER_MM, turn)[top : top + height, left : left + width]
            if part.size:
                yield part
