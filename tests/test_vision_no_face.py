"""What is no face, in photographs: cut cards of plain colours, fine backs, jokers, bare desks; and faces are none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from vision_support import face, styles

from hw_sim.decks import CARDS
from vision.back_cut import is_bare, joker_along, plain_card, tell
from vision.geometry import FREE
from vision.still import read_still

FELT, WOOD, LIGHT = (40, 90, 35), (70, 110, 150), (205, 210, 215)


def lying(card: np.ndarray | None, ground: tuple[int, int, int], turn: float = 30.0) -> np.ndarray:
    """A picture of 640 x 480: light falls off by a quarter over it, the sensor adds noise."""
    picture = np.full((480, 640, 3), ground, np.float32)
    if card is not None:
        small = cv2.resize(card, (190, 267), interpolation=cv2.INTER_AREA)
        move = cv2.getRotationMatrix2D((95, 133), turn, 1.0)
        move[:, 2] += (225, 107)
        cover = cv2.warpAffine(np.ones((267, 190), np.float32), move, (640, 480))[..., None]
        picture = picture * (1 - cover) + cv2.warpAffine(small, move, (640, 480)) * cover
    picture *= np.linspace(1.05, 0.8, 640, dtype=np.float32)[None, :, None]
    noise = np.random.default_rng(3).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def plain(colour: tuple[int, int, int]) -> np.ndarray:
    return np.full((711, 508, 3), colour, np.uint8)


@pytest.mark.parametrize("colour", [(30, 190, 230), (20, 20, 20)])
@pytest.mark.parametrize("ground", [FELT, WOOD, LIGHT])
def test_a_cut_card_on_any_lighter_or_other_ground(colour: tuple[int, int, int], ground: tuple[int, int, int]) -> None:
    assert read_still(lying(plain(colour), ground), FREE).symbol == "cut"


@pytest.mark.parametrize("ground", [FELT, LIGHT])
def test_a_bare_table_is_no_card(ground: tuple[int, int, int]) -> None:
    reading = read_still(lying(None, ground), FREE)
    assert (reading.symbol, reading.why) == (None, "no card")


def test_a_blank_white_card_is_not_said() -> None:
    assert read_still(lying(plain((240, 240, 240)), FELT), FREE).symbol is None


def test_a_back_of_a_fine_lattice_is_no_noise() -> None:
    back = plain((60, 40, 190))[:178, :127].copy()
    back[::2] = back[:, ::3] = (225, 225, 225)
    said = tell(back)
    assert said is not None
    assert said.symbol == "back"


@pytest.mark.parametrize("style", styles())
def test_no_drawn_face_is_a_cut_card_or_a_joker(style: str) -> None:
    for symbol in CARDS[::3]:
        drawn = face(symbol, style, 4.0)
        view = np.asarray(cv2.resize(drawn, (127, 178), interpolation=cv2.INTER_AREA), np.uint8)
        assert tell(view) is None
        assert plain_card(view, 220.0) is None
        assert not is_bare(view)
        assert not joker_along(drawn)
