"""Torture: what is no readable card, in many drawn variants, is never said as a card and never ends a reader.

The drawings are `torture_support`'s. Files that are no pictures or hostile ones: `test_vision_hostile`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pytest
import torture_support as torture
from vision_support import ROOT, slot_geometry

from vision.box_reader import BoxReader
from vision.corner_read import FrameUnusable
from vision.decide import FaceReader
from vision.geometry import FREE, load_geometry
from vision.messages import Reading
from vision.slot_reader import SlotReader
from vision.sources.base import Frame
from vision.still import read_still

SLOT = slot_geometry()
BOX = load_geometry(ROOT / "config" / "cameras" / "reference-box.toml")
FACES = FaceReader()
PASSAGES, LYING, PHOTOGRAPHS = 6, 6, 3  # seeds of each drawing: with the eleven drawings 165 variants
NO_FACE = (None, "back", "cut", "joker", "empty")


def read(reader: SlotReader | BoxReader, images: Iterable[np.ndarray]) -> list[Reading]:
    said = [each for n, image in enumerate(images) for each in reader.feed(Frame(image, n, n / 120))]
    return [each for each in [*said, *reader.finish()] if isinstance(each, Reading)]


def faces(readings: Iterable[Reading]) -> list[str | None]:
    return [each.symbol for each in readings if each.symbol not in NO_FACE]


def variants(name: str, count: int) -> Iterator[tuple[np.ndarray, np.random.Generator]]:
    for seed in range(count):
        rng = np.random.default_rng([seed, *name.encode()])
        yield torture.DRAWINGS[name](rng), rng


@pytest.mark.parametrize("name", torture.DRAWINGS)
def test_before_the_slot(name: str) -> None:
    for thing, rng in variants(name, PASSAGES):
        assert faces(read(SlotReader(SLOT, reads=FACES), torture.passing(torture.lit(thing, rng), rng))) == []


@pytest.mark.parametrize("name", torture.DRAWINGS)
def test_in_the_box(name: str) -> None:
    for thing, rng in variants(name, LYING):
        assert faces(read(BoxReader(BOX, reads=FACES), torture.lying(torture.lit(thing, rng), rng))) == []


@pytest.mark.parametrize("name", torture.DRAWINGS)
def test_in_a_photograph(name: str) -> None:
    for thing, rng in variants(name, PHOTOGRAPHS):
        reading = read_still(torture.photographed(thing, rng), FREE, reads=FACES)
        assert reading.symbol in NO_FACE, reading
        assert (reading.symbol is None) == bool(reading.why)


def test_the_same_card_whole_is_read_everywhere() -> None:
    """The drawings are refused for what they are, not for how they are shown."""
    right = {"slot": 0, "box": 0, "photograph": 0}
    for seed in range(8):
        rng = np.random.default_rng([seed, 1])
        card = torture.drawn_card(rng)
        right["slot"] += bool(faces(read(SlotReader(SLOT, reads=FACES), torture.passing(card, rng))))
        right["box"] += bool(faces(read(BoxReader(BOX, reads=FACES), torture.lying(card, rng))))
        right["photograph"] += read_still(torture.photographed(card, rng), FREE, reads=FACES).symbol not in NO_FACE
    assert min(right.values()) >= 7, right


def test_two_cards_in_one_photograph() -> None:
    for seed in range(4):
        rng = np.random.default_rng([seed, 2])
        table = np.full((480, 960, 3), 40, np.uint8)
        for x in (0, 480):
            table[:, x : x + 480] = torture.photographed(torture.drawn_card(rng), rng)
        reading = read_still(table, FREE, reads=FACES)
        assert (reading.symbol, bool(reading.why)) == (None, True)


SIZE = (480, 640, 3)
WRONG = {
    "half the size": np.zeros((240, 320, 3), np.uint8),
    "turned": np.zeros((640, 480, 3), np.uint8),
    "huge": np.zeros((4800, 6400, 3), np.uint8),
    "one pixel": np.zeros((1, 1, 3), np.uint8),
    "empty": np.zeros((0, 0, 3), np.uint8),
    "no columns": np.zeros((480, 0, 3), np.uint8),
    "a plane": np.zeros(SIZE[:2], np.uint8),
    "alpha": np.zeros((480, 640, 4), np.uint8),
    "one channel": np.zeros((480, 640, 1), np.uint8),
    "a row of pictures": np.zeros((1, *SIZE), np.uint8),
    "a line": np.zeros(640, np.uint8),
    "a number": np.array(7, np.uint8),
    "16 bits": np.zeros(SIZE, np.uint16),
    "signed": np.zeros(SIZE, np.int8),
    "floats": np.zeros(SIZE, np.float32),
    "not a number": np.full(SIZE, np.nan, np.float64),
    "truths": np.zeros(SIZE, np.bool_),
    "objects": np.full(SIZE, None),
    "nothing": None,
    "bytes": b"\x00" * 921600,
    "a text": "frame",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_frame_of_another_size_or_type_is_one_error(name: str) -> None:
    wrong = WRONG[name]
    for reader in (SlotReader(SLOT, reads=FACES), BoxReader(BOX, reads=FACES)):
        with pytest.raises(FrameUnusable, match="480x640x3"):
            reader.feed(Frame(wrong, 0, 0.0))  # type: ignore[arg-type]
        assert reader.feed(Frame(np.zeros(SIZE, np.uint8), 1, 0.1)) == [], "and the next is looked at"
    if isinstance(wrong, np.ndarray) and wrong.dtype == np.uint8 and wrong.ndim == 3 and wrong.shape[2] == 3:
        assert read_still(wrong, FREE, reads=FACES).symbol is None  # a photograph may have any size
    else:
        with pytest.raises(ValueError, match="uint8 BGR"):
            read_still(wrong, FREE, reads=FACES)  # type: ignore[arg-type]


@pytest.mark.parametrize("how", ["read only", "every other pixel", "from the end", "Fortran's order"])
def test_any_memory_will_do(how: str) -> None:
    """A ring's frames are read only, a turned one lies otherwise in memory: read like a copy, and never written to."""
    rng = np.random.default_rng(4)
    card = torture.drawn_card(rng)
    images = [_laid(image, how) for image in torture.passing(card, np.random.default_rng(5))]
    before = [image.tobytes() for image in images]
    plain = read(SlotReader(SLOT, reads=FACES), torture.passing(card, np.random.default_rng(5)))
    assert [r.symbol for r in read(SlotReader(SLOT, reads=FACES), images)] == [r.symbol for r in plain]
    still = torture.photographed(card, np.random.default_rng(6))
    assert read_still(_laid(still, how), FREE, reads=FACES).symbol == read_still(still, FREE, reads=FACES).symbol
    lying = [_laid(image, how) for image in torture.lying(card, np.random.default_rng(7))]
    assert len(faces(read(BoxReader(BOX, reads=FACES), lying))) == 1
    assert [image.tobytes() for image in images] == before


def _laid(image: np.ndarray, how: str) -> np.ndarray:
    """The same picture, otherwise in memory."""
    if how == "every other pixel":
        return np.repeat(image, 2, axis=1)[:, ::2]
    if how == "from the end":
        return np.ascontiguousarray(image[::-1, ::-1])[::-1, ::-1]
    if how == "Fortran's order":
        return np.asfortranarray(image)
    image = image.copy()
    image.flags.writeable = False
    return image
