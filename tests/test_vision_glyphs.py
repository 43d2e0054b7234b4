"""Rank and pip cut out of a corner by geometry: glyphs that stand close, touch, or lie under a court's drawing."""

from __future__ import annotations

import cv2
import numpy as np

from vision.glyphs import PATCH_HEIGHT, PATCH_WIDTH, Box, find_glyphs, glyph_candidates

BLACK, RED, YELLOW = (30, 25, 25), (40, 30, 200), (30, 170, 225)


def paper() -> np.ndarray:
    return np.full((PATCH_HEIGHT, PATCH_WIDTH, 3), 225, np.uint8)


def near(box: Box, x: int, y: int, right: int, bottom: int, slack: int = 2) -> bool:
    return max(abs(box.x - x), abs(box.y - y), abs(box.right - right), abs(box.bottom - bottom)) <= slack


def test_a_pip_close_under_a_thin_rank_is_no_part_of_it() -> None:
    patch = paper()
    cv2.rectangle(patch, (16, 3), (21, 57), RED, -1)  # a J's stem
    cv2.rectangle(patch, (8, 53), (21, 57), RED, -1)
    cv2.ellipse(patch, (18, 69), (11, 9), 0, 0, 360, RED, -1)
    glyphs = find_glyphs(patch)
    assert glyphs is not None
    assert near(glyphs.rank, 8, 3, 22, 58)
    assert near(glyphs.suit, 7, 60, 30, 79)


def test_a_tail_that_touches_the_pip_stays_with_its_rank() -> None:
    patch = paper()
    cv2.circle(patch, (17, 20), 13, BLACK, 3)
    cv2.line(patch, (18, 31), (23, 40), BLACK, 3)  # a Q's tail, into the pip
    cv2.circle(patch, (18, 52), 14, BLACK, -1)
    assert any(38 <= glyphs.rank.bottom <= 43 and glyphs.suit.bottom >= 65 for glyphs in glyph_candidates(patch))


def test_a_pip_half_under_a_drawing_of_another_colour() -> None:
    for ink in (BLACK, RED):
        patch = paper()
        cv2.rectangle(patch, (8, 6), (28, 48), ink, 5)
        cv2.circle(patch, (18, 70), 11, ink, -1)
        cv2.rectangle(patch, (18, 64), (27, PATCH_HEIGHT), YELLOW, -1)  # a sceptre
        whole = [glyphs.suit for glyphs in glyph_candidates(patch)]
        assert any(near(suit, 7, 59, 27, 82, 3) for suit in whole), whole


def test_a_rank_of_17_mm_is_one_and_its_stem_no_frame_line() -> None:
    patch = paper()
    cv2.rectangle(patch, (14, 10), (19, 78), BLACK, -1)
    cv2.rectangle(patch, (14, 72), (34, 78), BLACK, -1)
    cv2.circle(patch, (24, 100), 13, BLACK, -1)
    assert any(near(glyphs.rank, 14, 10, 35, 79) for glyphs in glyph_candidates(patch))
