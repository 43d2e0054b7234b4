"""The simulated camera before the reader's eye: each card that passes is one passage, however dim, slow or close."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest
from sim_support import rng

from controller.paths import config_folder
from hw_sim.camera import Camera
from hw_sim.conditions import Conditions, draw_conditions
from hw_sim.decks import CARDS, STYLES, draw_face
from hw_sim.motion import Hand, draw_card
from hw_sim.window import EMPTY_FRAMES
from vision.answer import Answer
from vision.geometry import load_geometry
from vision.messages import Reading
from vision.slot_reader import SlotReader
from vision.sources.base import Frame

SLOW = Hand(slowest=0.1, fastest=0.4, stop_chance=0.3, pull_back_chance=0.3, tilt_deg=3.0, top_edge_mm=1.5)


@dataclass
class Told:
    """Reads every patch as the card that is passing: passages are looked at here, not networks."""

    symbol: str = ""

    def read(self, patch: np.ndarray) -> Answer:
        return Answer(self.symbol, 0.99)


@dataclass
class Shoe:
    """Cards of one design, frame by frame."""

    conditions: Conditions
    design: str
    told: Told = field(default_factory=Told)

    def frames(self, cards: int, hand: Hand, seed: int) -> Iterator[np.ndarray]:
        turn = rng(seed)
        camera = Camera(self.conditions, rng(seed, 1))
        yield from (camera.frame([], 0.0, k) for k in range(60))
        for _ in range(cards):
            self.told.symbol = CARDS[int(turn.integers(52))]
            card = camera.prepare(draw_face(STYLES[self.design], self.told.symbol, 8.0))
            yield from (camera.frame([(card, pose)], k / 120, k) for k, pose in enumerate(draw_card(turn, hand).poses))
            yield from (camera.frame([], 0.0, k) for k in range(EMPTY_FRAMES))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("hand", [Hand(), SLOW], ids=["practised", "slow"])
def test_one_card_is_one_passage(seed: int, hand: Hand) -> None:
    shoe = Shoe(draw_conditions(rng(seed)), list(STYLES)[seed % len(STYLES)])
    reader = SlotReader(load_geometry(str(config_folder() / "cameras" / "reference-slot.toml")), None, shoe.told)
    read: list[tuple[str, bool]] = []
    for number, frame in enumerate(shoe.frames(5, hand, seed)):
        said = [each for each in reader.feed(Frame(frame, number, number / 120)) if isinstance(each, Reading)]
        read += [(each.kind, each.symbol == shoe.told.symbol) for each in said]
    assert read == [("drawn", True)] * 5
