"""The reference camera's picture: where things land to the pixel, blur, light, noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sim_support import CLEAN, rng

from hw_sim.camera import HEIGHT, WIDTH, Camera
from hw_sim.decks import STYLES, draw_face
from hw_sim.motion import Pose

MARK_MM = (10.0, 20.0, 3.0)  # left, top, side of a black square on a white card


def marked_face() -> np.ndarray:
    face = np.full((711, 508, 3), 255, np.uint8)
    left, top, side = (round(v * 8) for v in MARK_MM)
    face[top : top + side, left : left + side] = 0
    return face


def shot(pose: Pose, camera: Camera | None = None, face: np.ndarray | None = None) -> np.ndarray:
    camera = camera or Camera(CLEAN, rng())
    return camera.frame([(camera.prepare(marked_face() if face is None else face), pose)], 0.0)


def test_card_lies_to_the_pixel() -> None:
    picture = shot(Pose(10.0, 5.0, 0.0, 0.0))
    assert picture.shape == (HEIGHT, WIDTH, 3)
    light = picture[:, :, 1] > 140
    rows, columns = np.flatnonzero(light.any(axis=1)), np.flatnonzero(light.any(axis=0))
    assert (rows[0], columns[0], columns[-1]) == (40, 80, 80 + 508 - 1)
    assert rows[-1] == HEIGHT - 1  # it reaches below the picture
    dark = picture[40:, 120:500, 1] < 100
    mark = np.argwhere(dark)
    assert (mark.min(axis=0)).tolist() == [160, 80 - 40]
    assert (mark.max(axis=0)).tolist() == [160 + 23, 80 - 40 + 23]


@pytest.mark.parametrize("tilt", [-6.0, -2.5, 0.0, 4.0, 6.0])
@pytest.mark.parametrize("x", [11.3, 3.07])
def test_tilt_is_about_the_leading_top_corner(tilt: float, x: float) -> None:
    picture = shot(Pose(x, 6.2, tilt, 0.0)).astype(float)
    a = np.radians(tilt)
    middle = np.array([MARK_MM[0], MARK_MM[1]]) + MARK_MM[2] / 2
    wanted = np.array([x, 6.2]) + np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) @ middle
    near = (wanted * 8).astype(int)
    part = 255 - picture[near[1] - 25 : near[1] + 26, near[0] - 25 : near[0] + 26, 1]
    v, u = np.mgrid[near[1] - 25 : near[1] + 26, near[0] - 25 : near[0] + 26]
    found = np.array([(u * part).sum(), (v * part).sum()]) / part.sum()
    assert np.abs(found + 0.5 - wanted * 8).max() < 0.15


@pytest.mark.parametrize("speed", [0.5, 1.0, 2.0, -0.5])
def test_blur_is_as_long_as_the_way_in_the_exposure(speed: float) -> None:
    picture = shot(Pose(10.0, 5.0, 0.0, speed)).astype(float)
    edge = picture[250, 60:100, 1]
    ramp = (edge - edge[0]) / (edge[-1] - edge[0])
    length = abs(speed) * 1000 * 0.0004 * 8
    assert ((ramp > 0.02) & (ramp < 0.98)).sum() == pytest.approx(length, abs=1.1)
    assert (20 - ramp.sum()) == pytest.approx(0.0, abs=0.6)  # the edge's middle stays where it was
    column = picture[20:60, 300, 1]
    assert ((column > 40) & (column < 215)).sum() <= 1  # nothing is blurred upwards


def test_out_of_sight_is_the_bare_floor() -> None:
    camera = Camera(CLEAN, rng())
    card = camera.prepare(marked_face())
    for pose in (Pose(80.9, 5.0, 0.0, 0.0), Pose(-64.9, 5.0, 0.0, 1.0)):
        picture = camera.frame([(card, pose)], 0.0)
        assert not picture.flags.writeable
        assert np.unique(picture.reshape(-1, 3), axis=0).tolist() == [list(CLEAN.floor)]


def test_round_corner_shows_the_floor() -> None:
    picture = shot(Pose(10.0, 5.0, 0.0, 0.0))
    assert picture[41, 81, 1] < 40
    assert picture[60, 81, 1] > 200


def test_upper_card_covers_the_lower() -> None:
    camera = Camera(CLEAN, rng())
    white, grey = camera.prepare(marked_face()), camera.prepare(np.full((711, 508, 3), 120, np.uint8))
    picture = camera.frame([(white, Pose(5.0, 5.0, 0.0, 0.0)), (grey, Pose(40.0, 5.0, 0.0, 0.0))], 0.0)
    assert picture[300, 60, 1] == 255
    assert picture[300, 500, 1] == 120
    assert picture[300, 318, 1] == 255
    assert picture[300, 322, 1] == 120


def test_light_and_cast_scale_the_picture() -> None:
    dim = Camera(replace(CLEAN, light=0.5, cast=(0.8, 1.0, 1.0)), rng())
    blue, green, red = shot(Pose(10.0, 5.0, 0.0, 0.0), dim)[300, 500].astype(int)
    assert green == red == pytest.approx(127, abs=2)
    assert blue == pytest.approx(102, abs=2)


def test_gradient_falls_across_the_picture() -> None:
    camera = Camera(replace(CLEAN, light=0.8, gradient=(-0.4, 0.0)), rng())
    row = shot(Pose(5.0, 5.0, 0.0, 0.0), camera)[420, 60:520, 1].astype(float)
    assert row[0] > row[-1] * 1.2


def test_noise_has_the_asked_strength() -> None:
    camera = Camera(replace(CLEAN, light=0.5, noise=4.0), rng())
    patch = shot(Pose(10.0, 5.0, 0.0, 0.0), camera)[250:450, 300:500].astype(float)
    assert patch.std() == pytest.approx(4.0, rel=0.1)
    assert patch.mean() == pytest.approx(127, abs=1.5)


def test_seed_fixes_the_picture() -> None:
    face = draw_face(STYLES["classic"], "Kd", 8.0)
    pose = Pose(12.0, 5.0, 2.0, 0.7)
    camera = Camera(replace(CLEAN, noise=3.0, card_smudges=3, glass_specks=5), rng(4))
    pictures = []
    for seed in (9, 9, 10):
        camera.reseed(rng(seed))
        pictures.append(shot(pose, camera, face))
    assert np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[0], pictures[2])
