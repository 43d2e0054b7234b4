"""The networks' contract: what they take and give, and that the shipped files are what the card says."""

from __future__ import annotations

import hashlib

import cv2
import numpy as np
import pytest

from vision.networks import (
    GLYPH_CLASSES,
    GLYPH_SHAPE,
    MODELS,
    PATCH_SHAPE,
    RANK_CLASSES,
    SUIT_CLASSES,
    GlyphNet,
    IndexNet,
    index_planes,
)


def card_corner(paper: tuple[int, int, int] = (230, 240, 245), ink: tuple[int, int, int] = (30, 25, 200)) -> np.ndarray:
    patch = np.full(PATCH_SHAPE, paper, np.uint8)
    patch[20:50, 16:36] = ink
    return patch


def test_weights_stay_under_three_megabytes() -> None:
    assert sum(path.stat().st_size for path in MODELS.glob("*.onnx")) < 3_000_000
    assert (MODELS / "CARD.md").is_file()


def test_the_card_is_of_the_weights_beside_it() -> None:
    """Whoever ships other weights must say anew what they are and how well they read."""
    card = (MODELS / "CARD.md").read_text(encoding="utf-8")
    for name in ("index.onnx", "glyph.onnx"):
        assert hashlib.sha256((MODELS / name).read_bytes()).hexdigest() in card, name


def test_probabilities_add_to_one_for_any_number_of_pictures() -> None:
    rng = np.random.default_rng(1)
    index, glyph = IndexNet(), GlyphNet()
    for count in (1, 3, 2, 1):
        answer = index.read([rng.integers(0, 256, PATCH_SHAPE, np.uint8) for _ in range(count)])
        assert answer.rank.shape == (count, len(RANK_CLASSES))
        assert answer.suit.shape == (count, len(SUIT_CLASSES))
        assert np.allclose(answer.rank.sum(axis=1), 1, atol=1e-5)
        assert np.allclose(answer.suit.sum(axis=1), 1, atol=1e-5)
        shapes = glyph.read([rng.integers(0, 256, GLYPH_SHAPE, np.uint8) for _ in range(count)])
        assert shapes.shape == (count, len(GLYPH_CLASSES))
        assert np.allclose(shapes.sum(axis=1), 1, atol=1e-5)


def test_pictures_read_together_read_as_alone() -> None:
    rng = np.random.default_rng(2)
    patches = [cv2.blur(rng.integers(0, 256, PATCH_SHAPE, np.uint8), (9, 9)) for _ in range(3)]
    index = IndexNet()
    together = index.read(patches)
    for number, patch in enumerate(patches):
        assert np.allclose(index.read([patch]).rank[0], together.rank[number], atol=1e-4)


def test_nothing_to_read_is_no_answer() -> None:
    assert IndexNet().read([]).rank.shape == (0, len(RANK_CLASSES))
    assert GlyphNet().read([]).shape == (0, len(GLYPH_CLASSES))


@pytest.mark.parametrize(
    "wrong", [np.zeros((64, 144, 3), np.uint8), np.zeros(PATCH_SHAPE, np.float32), np.zeros((9, 9), np.uint8)]
)
def test_another_shape_or_type_is_refused(wrong: np.ndarray) -> None:
    with pytest.raises(ValueError, match="a patch is"):
        index_planes(wrong)
    with pytest.raises(ValueError, match="a glyph is"):
        GlyphNet().read([wrong])


def test_light_and_cast_are_taken_out() -> None:
    """Half the light, or a lamp of another colour, changes the planes by hardly more than rounding."""
    bright = index_planes(card_corner())
    dim = index_planes((card_corner() // 2).astype(np.uint8))
    warm = index_planes((card_corner() * np.array([0.6, 0.85, 1.0])).astype(np.uint8))
    assert np.abs(bright.astype(int) - dim.astype(int)).max() <= 4
    assert np.abs(bright[1].astype(int) - warm[1].astype(int)).max() <= 6


def test_redness_tells_red_from_black() -> None:
    red = index_planes(card_corner())[1]
    black = index_planes(card_corner(ink=(40, 38, 35)))[1]
    assert red[35, 26] > 190
    assert abs(int(black[35, 26]) - 128) < 12
    assert abs(int(red[100, 40]) - 128) < 4


@pytest.mark.parametrize("value", [0, 7, 128, 255])
def test_plain_pictures_are_no_card(value: int) -> None:
    answer = IndexNet().read([np.full(PATCH_SHAPE, value, np.uint8)])
    assert RANK_CLASSES[int(answer.rank[0].argmax())] == "?"
