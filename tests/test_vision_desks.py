"""Photographs of single cards on desks as light as paper, and of several cards: composed by `desk_support`."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from desk_support import Laid, Shot, compose, outline
from vision_support import face

from vision.answer import TWO_CARDS
from vision.evaluate_many import outcome
from vision.geometry import FREE
from vision.locate import Quad, covered, overlap
from vision.locate_print import find_by_print
from vision.still import StillReading, read_still

SHOT = Shot(card_height=0.6, turn=25.0, fall=0.25, contact=0.12, drop=0.05, blur=0.8, seed=4)


@pytest.mark.parametrize(
    ("desk", "symbol", "turn", "style"),
    [
        ("white", "7h", 12.0, "classic"),
        ("white", "Tc", 100.0, "slab"),
        ("paper", "Qs", 205.0, "classic"),
        ("laminate", "As", 310.0, "slab"),
        ("marble", "5d", 40.0, "classic"),
        ("cloth", "Kh", 350.0, "classic"),
        ("checks", "3c", 70.0, "slab"),
    ],
)
def test_a_card_on_a_desk_as_light_as_paper(desk: str, symbol: str, turn: float, style: str) -> None:
    picture = compose([Laid(face(symbol, style))], replace(SHOT, desk=desk, turn=turn))
    assert read_still(picture, FREE).symbol == symbol


def test_a_card_without_an_edge_is_found_by_its_print() -> None:
    """No shadow at all, and a desk of the paper's own light: nothing but print tells where the card lies."""
    shot = replace(SHOT, desk="white", contact=0.0, drop=0.0)
    card = Laid(face("8d"))
    quads = find_by_print(compose([card], shot))
    truth = outline(card, shot)
    middle = truth.mean(axis=0)
    assert any(np.abs(quad.corners.mean(axis=0) - middle).max() < 0.03 * np.ptp(truth[:, 1]) for quad in quads)


@pytest.mark.parametrize("desk", ["felt", "brown", "laminate"])
@pytest.mark.parametrize(
    "cards",
    [
        [("9h", -38.0, 0.0, 0.0), ("Kc", 38.0, 3.0, 8.0)],
        [("4s", -16.0, -14.0, 2.0), ("7d", 6.0, 8.0, -2.0)],
        [("As", -14.0, -10.0, 0.0), ("5h", 2.0, 2.0, 5.0)],
        [("2c", -24.0, 0.0, -13.0), ("8h", -8.0, 4.0, -4.0), ("Jd", 8.0, 8.0, 5.0)],
    ],
    ids=["side by side", "another's index looks out", "stacked", "fan"],
)
def test_several_cards_are_two_cards(desk: str, cards: list[tuple[str, float, float, float]]) -> None:
    laid = [Laid(face(symbol), right, down, turn) for symbol, right, down, turn in cards]
    reading = read_still(compose(laid, replace(SHOT, desk=desk, card_height=0.45, turn=4.0)), FREE)
    assert reading.symbol is None
    assert reading.why == TWO_CARDS or len(cards) > 2


@pytest.mark.parametrize("place", [(40.0, 6.0, 4.0), (-40.0, 0.0, 90.0)], ids=["beside", "crossed"])
def test_another_card_without_an_index_in_sight(place: tuple[float, float, float]) -> None:
    """Only its paper tells: no index shows, as under the upper card."""
    upper, lower = face("9h"), np.full_like(face("9h"), 244)
    shot = replace(SHOT, desk="felt", card_height=0.45, turn=4.0)
    reading = read_still(compose([Laid(lower, *place), Laid(upper, -40.0)], shot), FREE)
    assert (reading.symbol, reading.why) == (None, TWO_CARDS)


@pytest.mark.parametrize("desk", ["felt", "brown"])
def test_something_white_of_another_shape_beside_the_card(desk: str) -> None:
    picture = compose([Laid(face("9h"), -40.0)], replace(SHOT, desk=desk, card_height=0.45, turn=4.0))
    height, width = picture.shape[:2]
    cv2.circle(
        picture, (round(0.8 * width), height // 2), round(0.15 * height), (215, 225, 225), cv2.FILLED, cv2.LINE_AA
    )
    assert read_still(picture, FREE).symbol == "9h"


def test_a_black_field_among_others_is_no_cut_card() -> None:
    """A cut card lies alone; fields of a pattern do not. Recorded: a chequered flag under three cards."""
    ground = np.full((720, 1280, 3), 240, np.uint8)
    for left, symbol in ((60, "cut"), (460, None)):
        cv2.rectangle(ground, (left, 60), (left + 210, 360), (18, 18, 18), cv2.FILLED)
        assert read_still(np.asarray(cv2.GaussianBlur(ground, (5, 5), 0), np.uint8), FREE).symbol == symbol


def test_a_card_whose_ends_differ_is_never_said() -> None:
    """One end's index is hidden by nothing: that it cannot be read surely does not make it silent."""
    upper, lower = face("Ah"), face("Kc")
    joined = np.concatenate((upper[: upper.shape[0] // 2], lower[lower.shape[0] // 2 :]))
    for desk in ("felt", "white"):
        assert read_still(compose([Laid(joined)], replace(SHOT, desk=desk)), FREE).symbol is None


def test_a_neighbour_cut_off_by_the_pictures_side_does_not_count() -> None:
    picture = compose([Laid(face("6s")), Laid(face("Qh"), 92.0, 4.0, 6.0)], replace(SHOT, desk="brown", turn=0.0))
    assert picture[:, -3].min(axis=1).max() > 120  # the neighbour's paper runs out of the picture
    assert read_still(picture, FREE).symbol in ("6s", None)


@pytest.mark.parametrize(
    ("symbol", "why", "cards", "wanted"),
    [
        ("As", "", {("A", "?")}, "right"),
        ("As", "", {("A", "?"), ("K", "?")}, "one"),
        ("As", "", {("A", "h")}, "wrong"),
        ("Th", "", {("T", "h")}, "right"),
        ("back", "", {("back", "?")}, "right"),
        (None, TWO_CARDS, {("A", "?"), ("K", "?")}, "right"),
        (None, TWO_CARDS, {("A", "?")}, "abstained"),
        (None, "unclear", {("A", "?")}, "abstained"),
    ],
)
def test_what_counts_for_several(symbol: str | None, why: str, cards: set[tuple[str, str]], wanted: str) -> None:
    assert outcome(StillReading(symbol, 0.9, why, 1.0), cards) == wanted


def test_two_outlines_of_one_card_overlap() -> None:
    """Recorded: OpenCV's own intersection of these two is empty, and one card was two."""
    first = np.array([[110.0, 194.0], [242.0, 195.0], [238.0, 378.0], [110.0, 377.0]])
    second = np.array([[110.0, 194.0], [241.0, 195.0], [238.0, 378.0], [110.0, 375.0]])
    for shift in (0.0, 0.004, -0.003):
        a, b = Quad(first, 9, 0.001), Quad(second + shift, 2, 0.002)
        assert overlap(a, b) > 0.95
        assert covered(b, a) > 0.95
    assert covered(Quad(first + 200, 1, 0.0), Quad(first, 1, 0.0)) == 0


def test_pictures_are_seeded() -> None:
    first, again = (compose([Laid(face("2h"))], SHOT) for _ in range(2))
    assert cv2.absdiff(first, again).max() == 0
