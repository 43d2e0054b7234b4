"""What the training data promise, without torch and without fonts: the drawing, the spoiling, the labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.networks import GLYPH_SHAPE, PATCH_SHAPE, RANKS, REJECT, SUITS
from vision.training.faces import Face, corner_of_face, drawn_faces
from vision.training.layout import draw_notched_frame
from vision.training.marks import MARGIN_MM, SCALE, Supplies, random_design
from vision.training.pips import pip_mask
from vision.training.samples import glyph_samples, index_sample, seen_swapped
from vision.training.spoil import Patch, moved_box, place, placement, spoil
from vision.training.textures import make_back, make_courts, make_grounds, make_hand

SEED = 5


@pytest.fixture(scope="module")
def supplies() -> Supplies:
    rng = np.random.default_rng(SEED)
    return Supplies(fonts=None, grounds=make_grounds(rng, 3))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def faces() -> list[Face]:
    return drawn_faces(np.random.default_rng(SEED), 30)


@pytest.mark.parametrize("suit", [*SUITS, "?"])
def test_pips_are_tight_masks_of_many_shapes(suit: str) -> None:
    rng = np.random.default_rng(SEED)
    masks = [pip_mask(rng, suit) for _ in range(20)]
    assert all(mask.max() == 255 and mask[0].any() and mask[-1].any() and mask[:, 0].any() for mask in masks)
    assert len({mask.tobytes() for mask in masks}) >= (10 if suit == "?" else 20)


def test_textures_have_the_asked_size() -> None:
    rng = np.random.default_rng(SEED)
    assert make_back(rng, 50, 30).shape == make_hand(rng, 50, 30).shape == (50, 30, 3)
    assert all(picture.dtype == np.uint8 for picture in make_courts(rng, 2))


def test_faces_carry_every_symbol_sometime(faces: list[Face]) -> None:
    assert {face.suit for face in faces} == set(SUITS)
    assert {face.rank for face in faces} <= set(RANKS)


def test_a_patch_is_as_the_networks_take_it(supplies: Supplies, faces: list[Face]) -> None:
    rng = np.random.default_rng(SEED)
    patches = [spoil(rng, corner_of_face(rng, supplies, face)) for face in faces]
    assert all(patch.picture.shape == PATCH_SHAPE and patch.picture.dtype == np.uint8 for patch in patches)
    assert {patch.rank for patch in patches} <= {*RANKS, REJECT, None}
    samples = [index_sample(patch) for patch in patches]
    assert all(sample.planes.shape == (2, *PATCH_SHAPE[:2]) for sample in samples)
    glyphs = [glyph for patch in patches for glyph in glyph_samples(rng, patch)]
    assert glyphs
    assert all(glyph.picture.shape == GLYPH_SHAPE for glyph in glyphs)


def test_the_same_seed_draws_the_same(supplies: Supplies, faces: list[Face]) -> None:
    first, second = (np.random.default_rng(SEED) for _ in range(2))
    one, other = (spoil(rng, corner_of_face(rng, supplies, faces[0])) for rng in (first, second))
    assert np.array_equal(one.picture, other.picture)


def test_a_box_goes_where_its_ink_goes() -> None:
    """A white square drawn on the corner and its box must land on one another, however the corner is placed."""
    rng = np.random.default_rng(SEED)
    start = round((MARGIN_MM + 4) * SCALE)
    picture = np.zeros((376, 200, 3), np.uint8)
    picture[start : start + 60, start : start + 40] = 255
    for _ in range(20):
        matrix = placement(rng)
        box = moved_box((start, start, 40, 60), matrix)
        assert box is not None
        rows, columns = np.nonzero(place(picture, matrix)[..., 0] > 127)
        assert abs(columns.min() - box[0]) <= 3
        assert abs(rows.min() - box[1]) <= 3
        assert abs(columns.max() + 1 - box[0] - box[2]) <= 3


def test_a_cut_index_is_not_asked_for(supplies: Supplies, faces: list[Face]) -> None:
    """Labels of glyphs that left the patch are refusals, never the rank that is no longer in sight."""
    rng = np.random.default_rng(SEED)
    corner = corner_of_face(rng, supplies, faces[0])
    corner.rank_box = (-400.0, 0.0, 40.0, 60.0)
    assert spoil(rng, corner).rank == REJECT


def test_art_that_is_missing_is_named(tmp_path: Path) -> None:
    from vision.training.faces import art_faces

    with pytest.raises(FileNotFoundError, match=r"AS\.png: no readable picture"):
        art_faces(tmp_path)


@pytest.mark.parametrize(
    ("ink", "label"),
    [((30, 25, 200), REJECT), ((25, 25, 25), None), ((40, 40, 115), None)],
    ids=("red", "black", "brown"),
)
def test_a_spade_in_red_is_refused_where_red_can_be_seen(ink: tuple[int, int, int], label: str | None) -> None:
    """Where the spoilt picture no longer shows the wrong colour, neither answer is taught."""
    picture = np.full(PATCH_SHAPE, 235, np.uint8)
    picture[60:80, 12:32] = ink
    patch = Patch(picture, "9", REJECT, None, (12.0, 60.0, 20.0, 20.0), "9", "s", False)
    assert seen_swapped(patch).suit == label
    assert seen_swapped(patch).rank == "9"


def test_a_notched_frame_leaves_the_index_as_it_is() -> None:
    """Lines pass beside the rank and under the suit; only a sceptre may hide a little of the suit's foot."""
    rng = np.random.default_rng(SEED)
    rank, suit = (80.0, 60.0, 40.0, 60.0), (84.0, 130.0, 32.0, 40.0)
    drawn = 0
    for _ in range(60):
        canvas = np.full((376, 200, 3), 250, np.float32)
        draw_notched_frame(rng, canvas, random_design(rng, "s"), rank, suit)
        touched = (canvas != 250).any(axis=2)
        drawn += bool(touched.any())
        assert not touched[60:120, 80:120].any()
        assert not touched[130:162, 84:116].any()
    assert drawn > 10
