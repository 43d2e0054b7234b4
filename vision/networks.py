"""The two small networks that read an index, run by OpenCV's dnn module, and the one place that prepares their input.

`IndexNet` sees the whole corner of a card (rank, suit, where they stand, how red the ink is) and never a
segmentation; `GlyphNet` sees single glyphs cut out by `vision.glyphs`, shape alone, no colour. They fail
differently: what one takes from layout and colour the other does not have. Training uses the very functions below,
so what is trained is what runs. Which answers to believe, and whether both agree, is left to the caller; how they
were trained: `docs/training.md`.

Not safe across threads: a network belongs to the thread that calls it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("s", "h", "d", "c")
REJECT = "?"  # the last class of every head: nothing of the others
RANK_CLASSES = (*RANKS, REJECT)
SUIT_CLASSES = (*SUITS, REJECT)
GLYPH_CLASSES = (*RANKS, *SUITS, REJECT)

PATCH_SHAPE = (144, 64, 3)  # BGR, 36 x 16 mm of the card at 4 px/mm, upright, (0, 0) the card's top left corner
GLYPH_SHAPE = (32, 32)  # rows, columns: ink 0 (paper) to 255 (full), aspect kept, longer side 28, centred

MODELS = Path(__file__).parent / "models"
_PAPER_LEVEL = 200.0  # where paper lies in the light plane
_RED_GAIN = 127.0  # red-ness of 1 (no green left, all red) lies at 255, none at 128


class IndexAnswer(NamedTuple):
    """Probabilities, one row a patch: `rank` over RANK_CLASSES (n x 14), `suit` over SUIT_CLASSES (n x 5)."""

    rank: Floats
    suit: Floats


class IndexNet:
    """Reads rank and suit out of whole corner patches."""

    def __init__(self, model: Path = MODELS / "index.onnx") -> None:
        self._net = load_network(model)

    def read(self, patches: Sequence[Image]) -> IndexAnswer:
        """Patches as PATCH_SHAPE says; the card's corner may be off by 2 mm, tilted by 4 degrees, scaled 0.85 to 1.2.

        Raises ValueError for another shape or type.
        """
        if not patches:
            logits = np.zeros((0, len(RANK_CLASSES) + len(SUIT_CLASSES)), np.float32)
        else:
            logits = _run(self._net, np.stack([index_planes(patch) for patch in patches]))
        return IndexAnswer(_softmax(logits[:, : len(RANK_CLASSES)]), _softmax(logits[:, len(RANK_CLASSES) :]))


class GlyphNet:
    """Reads single glyphs, ranks and pips alike."""

    def __init__(self, model: Path = MODELS / "glyph.onnx") -> None:
        self._net = load_network(model)

    def read(self, glyphs: Sequence[Image]) -> Floats:
        """Glyphs as GLYPH_SHAPE says (`vision.glyphs.Glyphs.rank_picture`, `.suit_picture`): n x 18 over GLYPH_CLASSES.

        Raises ValueError for another shape or type.
        """
        if not glyphs:
            return np.zeros((0, len(GLYPH_CLASSES)), np.float32)
        for glyph in glyphs:
            if glyph.shape != GLYPH_SHAPE or glyph.dtype != np.uint8:
                raise ValueError(f"a glyph is {GLYPH_SHAPE} uint8, not {glyph.shape} {glyph.dtype}")
        return _softmax(_run(self._net, np.stack(glyphs)[:, None]))


def index_planes(patch: Image) -> Image:
    """A patch as the network takes it: two planes (2 x 144 x 64, uint8), light and red-ness, relative to the paper.

    Dividing by the paper's own colour takes the light's colour and the exposure out; what is left of them the network
    knows from training.
    """
    if patch.shape != PATCH_SHAPE or patch.dtype != np.uint8:
        raise ValueError(f"a patch is {PATCH_SHAPE} uint8, not {patch.shape} {patch.dtype}")
    grey = np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), np.uint8)
    green, red = np.ascontiguousarray(patch[..., 1]), np.ascontiguousarray(patch[..., 2])
    paper_grey, paper_green, paper_red = _paper(grey, green, red)
    light = cv2.convertScaleAbs(grey, alpha=_PAPER_LEVEL / paper_grey)
    redness = cv2.addWeighted(red, _RED_GAIN / paper_red, green, -_RED_GAIN / paper_green, 128.0)
    return np.stack((light, redness)).astype(np.uint8, copy=False)


def _paper(grey: Image, green: Image, red: Image) -> tuple[float, float, float]:
    """Mean grey, green and red of the paper: the bright part of the patch, not the brightest (glare, a bright desk)."""
    samples = grey[2::5, 2::5]
    ordered = np.sort(samples, axis=None)
    low, high = ordered[int(0.6 * len(ordered))], ordered[int(0.9 * len(ordered))]
    paper = (samples >= low) & (samples <= high)
    level, of_green, of_red = (float(np.mean(plane[2::5, 2::5][paper])) for plane in (grey, green, red))
    return max(level, 1.0), max(of_green, 1.0), max(of_red, 1.0)


def load_network(model: Path) -> cv2.dnn.Net:
    """A network from an ONNX file, on OpenCV's classic engine: for nets this small its new one takes twice as long."""
    classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    return cv2.dnn.readNetFromONNX(str(model)) if classic is None else cv2.dnn.readNetFromONNX(str(model), classic)


def _run(net: cv2.dnn.Net, planes: Image) -> Floats:
    net.setInput(planes.astype(np.float32))
    return np.asarray(net.forward(), np.float32)


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
