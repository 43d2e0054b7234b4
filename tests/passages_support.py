"""Passages of faces that others drew before the simulated slot camera, for the benchmarks of passages and their test.

Of a frame only the rows are drawn that the reader looks at: a few of every frame, all of those that it reads. Which
passages there are under what conditions is left to the benchmarks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from vision_support import slot_geometry

from hw_sim.camera import HEIGHT, WIDTH, Camera, Prepared, Shot
from hw_sim.faces import read_face
from hw_sim.motion import FPS, Pose
from vision.deck import Deck
from vision.messages import Reading
from vision.reads import Reads
from vision.slot_reader import SlotReader
from vision.sources.base import Frame

EMPTY = 4  # frames of bare floor before and after a card
SPARSE = 4  # rows that are asked for with at least this step are drawn without those between
# Aces to kings with usual letters, index above its suit; families stand together (docs/vision.md).
DESIGNS = (
    *("aisleriot_anglo", "aisleriot_anglo_modern", "aisleriot_anglo_modern_4_color", "aisleriot_atlasnye"),
    *("aisleriot_gnomangelo", "aisleriot_bellot", "htdebeer_svgcards", "linux1306_ramino", "cardsjs_aguilar"),
    *("npm_younestouati", "aisleriot_bonded", "aisleriot_dondorf", "kde_dondorf", "aisleriot_neoclassical"),
    *("aisleriot_neoclassical_4_color", "aisleriot_orell", "aisleriot_paris", "kde_gm-paris", "aisleriot_tango"),
    *("aisleriot_tigullio", "kde_penguins", "kde_standard"),
)
PACK = tuple(rank + suit for suit in "shdc" for rank in "A23456789TJQK")


@lru_cache(maxsize=160)
def art_face(folder: Path, symbol: str) -> np.ndarray:
    """A face at 8 px/mm from `10H.png`; transparent paper is white."""
    name = symbol[0].replace("T", "10") + symbol[1].upper()
    image = read_face(folder / f"{name}.png")
    smaller = image.shape[1] > 508
    return np.asarray(cv2.resize(image, (508, 711), interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC))


class Sketch(np.ndarray):
    """A frame, drawn row by row as it is looked at: sparse rows alone, everything with the first denser look."""

    camera: Camera
    shot: Shot
    whole: bool
    rows: set[tuple[int, ...]]

    @classmethod
    def of(cls, camera: Camera, shot: Shot) -> Sketch:
        image = np.zeros((HEIGHT, WIDTH, 3), np.uint8).view(cls)
        image.camera, image.shot, image.whole, image.rows = camera, shot, False, set()
        return image

    def __getitem__(self, key: Any) -> Any:
        plain = self.view(np.ndarray)
        if not self.whole:
            self._draw(plain, key[0] if isinstance(key, tuple) else key)
        return plain[key]

    def _draw(self, plain: np.ndarray, rows: Any) -> None:
        if isinstance(rows, slice) and (rows.step or 1) >= SPARSE:
            wanted = rows.indices(HEIGHT)
            if wanted not in self.rows:
                self.camera.develop(self.shot, rows, plain)
                self.rows.add(wanted)
        else:
            self.camera.develop(self.shot, picture=plain)
            self.whole = True


class Shoe:
    """The product's reader of a slot before a simulated camera; frames are numbered on from passage to passage.

    `spoil` is done to whole frames; without it they are drawn as far as they are looked at.
    """

    def __init__(
        self,
        camera: Camera,
        reads: Reads,
        deck: Deck | None = None,
        spoil: Callable[[np.ndarray], np.ndarray] | None = None,
    ) -> None:
        self.camera = camera
        self._reader = SlotReader(slot_geometry(), reads=reads, deck=deck)
        self._spoil = spoil
        self._number = 0

    def passage(self, card: Prepared, poses: Sequence[Pose]) -> tuple[str, str]:
        """What was said of a card that was drawn (empty where nothing was), and why not.

        Two cards counted for one are two symbols, which is no card's name: a misread.
        """
        shown: list[list[tuple[Prepared, Pose]]] = [[]] * EMPTY
        shown += [[(card, pose)] for pose in poses]
        said = [reading for cards in [*shown, *[[]] * EMPTY] for reading in self._show(cards)]
        drawn = [reading for reading in said if reading.kind == "drawn"]
        why = drawn[0].why if len(drawn) == 1 else f"{len(drawn)} cards of one"
        return " ".join(reading.symbol for reading in drawn if reading.symbol), why

    def _show(self, cards: list[tuple[Prepared, Pose]]) -> list[Reading]:
        number, self._number = self._number, self._number + 1
        shot = self.camera.expose(cards, number / FPS, number)
        image = Sketch.of(self.camera, shot) if self._spoil is None else self._spoil(self.camera.develop(shot))
        return [said for said in self._reader.feed(Frame(image, number, number / FPS)) if isinstance(said, Reading)]
