"""A card cut out of a photograph and squared up, as a deck's face for `sabot cards-from-photos`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.locate import find_cards
from vision.squared import Squared

Image = NDArray[np.uint8]

PX_PER_MM = 8.0
_LEAST_VOTES = 3  # levels at which an outline must have stood


def cut_card(image: Image) -> Image | None:
    """The likeliest card of a BGR photograph, 711 x 508 px (8 px/mm), portrait; None where none is found."""
    quads = [quad for quad in find_cards(image) if quad.votes >= _LEAST_VOTES]
    if not quads:
        return None
    face = Squared(image, quads[0], PX_PER_MM).face(PX_PER_MM)
    assert face.shape == (round(CARD_HEIGHT_MM * PX_PER_MM), round(CARD_WIDTH_MM * PX_PER_MM), 3)
    return face
