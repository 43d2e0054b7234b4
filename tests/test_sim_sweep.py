"""What the sweep past the reference camera's ranges does to pictures."""

from __future__ import annotations

import numpy as np
import pytest
from sweep_axes import AXES, FLOOR, MIDDLE, coloured, covered, keystone, scaled

PICTURE = np.zeros((480, 640, 3), np.uint8)
PICTURE[40:, 80:588] = (200, 220, 210)
EDGES = (80, 588)


def edges(picture: np.ndarray, row: int = 240) -> tuple[int, int]:
    light = np.flatnonzero(picture[row, :, 1] > 110)
    return int(light[0]), int(light[-1]) + 1


def test_nothing_is_done_at_each_axis_own_zero() -> None:
    for same in (scaled(PICTURE, 1.0), covered(PICTURE, 0, True), coloured(PICTURE, 0.0), keystone(PICTURE, 0.0)):
        assert np.array_equal(same, PICTURE)


def test_scale_keeps_the_top_edge() -> None:
    larger = scaled(PICTURE, 1.1)
    assert larger[41, 300, 1] > 200 > 20 > larger[38, 300, 1]
    assert edges(larger)[0] == pytest.approx(88, abs=1)


def test_a_cover_is_dark_and_leaves_the_rest() -> None:
    at_exit, at_entry = covered(PICTURE, 20.0, False), covered(PICTURE, 20.0, True)
    assert (at_exit[:, :160] == FLOOR).all()
    assert np.array_equal(at_exit[:, 160:], PICTURE[:, 160:])
    assert (at_entry[:, 480:] == FLOOR).all()
    assert np.array_equal(at_entry[:, :480], PICTURE[:, :480])


def test_warm_light_takes_blue_and_keeps_red() -> None:
    blue, green, red = (int(value) for value in coloured(PICTURE, 2.0)[300, 300])
    assert (red, green, blue) == pytest.approx((210, 110, 50), abs=1)
    assert coloured(PICTURE, -2.0)[300, 300].tolist() == pytest.approx([200, 110, 52], abs=1)


def test_seen_from_the_side_the_nearer_end_is_larger() -> None:
    turned = keystone(PICTURE, 12.0)
    left, right = (int(np.argmax(turned[:, x, 1] > 110)) for x in (120, 560))
    assert left < right
    assert edges(turned)[1] - edges(turned)[0] < 508


def test_each_axis_goes_past_its_range_and_changes_the_setting() -> None:
    for axis in AXES:
        steps = sorted(axis.steps)
        assert steps[0] < axis.range[0] or steps[-1] > axis.range[1]
        first, last = axis.setting(axis.steps[0], 0), axis.setting(axis.steps[-1], 0)
        assert first != last
    assert {axis.setting(axis.steps[0], 0).conditions.noise for axis in AXES if axis.name != "noise"} == {MIDDLE.noise}
