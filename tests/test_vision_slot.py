"""The slot's eye before the simulator's camera: where it sees the card, against where the card truly was."""

from __future__ import annotations

import numpy as np
import pytest
from vision_support import face, slot_geometry, styles

from hw_sim.camera import Camera
from hw_sim.conditions import Conditions, draw_conditions
from hw_sim.motion import Pose
from vision.back_cut import tell
from vision.glyphs import PATCH_HEIGHT, PATCH_WIDTH, find_glyphs
from vision.slot import SlotEye, cut
from vision.sources.base import Frame

GEOMETRY = slot_geometry()


def show(camera: Camera, *cards: tuple[object, Pose]) -> np.ndarray:
    return camera.frame(list(cards), 0.0)  # type: ignore[arg-type]


def eye_on(camera: Camera) -> SlotEye:
    """An eye that has seen the empty window."""
    eye = SlotEye(GEOMETRY)
    for number in range(5):
        assert not eye.look(Frame(show(camera), number, 0.0), show(camera)).card
    return eye


def camera_of(seed: int, conditions: Conditions | None = None) -> Camera:
    return Camera(conditions or Conditions(), np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(12))
def test_corner_and_tilt_are_found_in_any_light(seed: int) -> None:
    rng = np.random.default_rng(seed)
    camera = camera_of(seed, draw_conditions(rng))
    eye = eye_on(camera)
    card = camera.prepare(face("Kh", styles()[seed % len(styles())]))
    for x in (60.0, 35.0, 10.0, 1.0):
        pose = Pose(x, float(rng.uniform(2.5, 7.5)), float(rng.uniform(-6, 6)), float(rng.uniform(0.1, 2.0)))
        image = show(camera, (card, pose))
        sight = eye.look(Frame(image, 9, 0.0), image)
        assert sight.card
        assert not sight.two
        if not sight.index:
            continue
        corner = eye.corner(image, sight)
        assert corner is not None
        assert abs(corner.x / 8 - pose.x) < 0.5
        assert abs(corner.y / 8 - pose.y) < 0.5
        assert abs(corner.tilt_deg - pose.tilt_deg) < 0.4
        patch = eye.patch(image, corner)
        assert patch.shape == (PATCH_HEIGHT, PATCH_WIDTH, 3)
        assert find_glyphs(patch) is not None


def test_edges_come_and_go() -> None:
    camera = camera_of(1)
    eye = eye_on(camera)
    card = camera.prepare(face("9c"))
    for x, lead, trail, index in (
        (75, 75, None, False),
        (40, 40, None, True),
        (10, 10, 73.5, True),
        (-20, None, 43.5, False),
    ):
        image = show(camera, (card, Pose(x, 5.0, 0.0, 0.5)))
        sight = eye.look(Frame(image, 9, 0.0), image)
        assert sight.index is index
        for seen, true in ((sight.lead_mm, lead), (sight.trail_mm, trail)):
            assert (seen is None) == (true is None)
            assert seen is None or abs(seen - true) < 1.0


def test_dark_print_at_the_windows_side_is_no_edge() -> None:
    camera = camera_of(1)
    eye = eye_on(camera)
    art = face("9c").copy()
    art[:, 120:132] = 15  # a court's frame line, bold
    card = camera.prepare(art)
    for x, lead, trail in ((64.0, True, False), (-16.0, False, True)):
        image = show(camera, (card, Pose(x, 5.0, 0.0, 0.1)))
        sight = eye.look(Frame(image, 9, 0.0), image)
        assert (sight.lead_mm is not None, sight.trail_mm is not None) == (lead, trail)


@pytest.mark.parametrize("behind_mm", [4.0, 20.0, 50.0])
def test_two_cards_at_once(behind_mm: float) -> None:
    camera = camera_of(2)
    eye = eye_on(camera)
    first, second = camera.prepare(face("9c")), camera.prepare(face("Ad"))
    seen = []
    for x in np.arange(70.0, -130.0, -8.0):
        image = show(
            camera, (first, Pose(float(x), 5.0, 0.5, 0.9)), (second, Pose(float(x) + behind_mm, 5.2, -0.5, 0.9))
        )
        seen.append(eye.look(Frame(image, 9, 0.0), image).two)
    assert sum(seen) >= 2


def test_floor_between_two_cards() -> None:
    camera = camera_of(3)
    eye = eye_on(camera)
    first, second = camera.prepare(face("9c")), camera.prepare(face("Ad"))
    image = show(camera, (first, Pose(-40.0, 5.0, 1.0, 0.9)), (second, Pose(30.0, 5.0, 1.0, 0.9)))
    assert eye.look(Frame(image, 9, 0.0), image).two


def test_print_that_is_dark_in_every_sampled_row_is_no_gap() -> None:
    camera = camera_of(3)
    eye = eye_on(camera)
    art = face("Ad").copy()
    for row in range(7):  # pips that all eight sampled rows cross, with paper between them
        art[36 + 48 * row : 72 + 48 * row, 200:224] = 20
    image = show(camera, (camera.prepare(art), Pose(8.0, 5.0, 0.0, 0.5)))
    sight = eye.look(Frame(image, 9, 0.0), image)
    assert sight.card
    assert not sight.two


@pytest.mark.parametrize(("ride_mm", "two"), [(0.0, False), (2.0, True), (4.0, True)])
def test_a_card_that_rides_on_another_is_wider(ride_mm: float, two: bool) -> None:
    camera = camera_of(7)
    eye = eye_on(camera)
    cards = camera.prepare(face("9c")), camera.prepare(face("Ad"))
    for tilt in (0.0, 5.5):
        poses = [Pose(9.0 + shift, 5.0, tilt, 1.8) for shift in (0.0, ride_mm)]
        image = show(camera, *zip(cards, poses, strict=True))
        assert eye.look(Frame(image, 9, 0.0), image).two is two


def test_a_tilted_card_whose_top_edge_leaves_the_picture_has_a_corner() -> None:
    camera = camera_of(8)
    eye = eye_on(camera)
    card = camera.prepare(face("9c"))
    for x in (40.0, 12.0):
        image = show(camera, (card, Pose(x, 2.0, -6.0, 0.5)))
        corner = eye.corner(image, eye.look(Frame(image, 9, 0.0), image))
        assert corner is not None
        assert abs(corner.x / 8 - x) < 0.5
        assert abs(corner.tilt_deg + 6.0) < 0.4


def hot(image: np.ndarray) -> np.ndarray:
    """The picture with a sensor's hot pixels, the same every time; the first lies where every frame is glanced at."""
    spoilt = image.copy()
    spoilt[96, 320] = 250
    for x, y in np.random.default_rng(1).integers(4, 476, (40, 2)):
        spoilt[y : y + 2, x : x + 2] = 250
    return spoilt


@pytest.mark.parametrize("floor", [22, 50, 75])
def test_hot_pixels_and_a_lighter_floor_of_uneven_grain_are_no_card(floor: int) -> None:
    grain = np.random.default_rng(2).integers(-12, 12, (60, 80)).astype(np.float32).repeat(8, 0).repeat(8, 1)
    camera = camera_of(9)
    empty = np.clip(show(camera).astype(np.float32) - 22 + floor + grain[..., None] * floor / 75, 0, 255)
    empty = hot(empty.astype(np.uint8))
    eye = SlotEye(GEOMETRY)
    assert not any(eye.look(Frame(empty, n, 0.0), empty).card for n in range(40))
    image = np.maximum(empty, show(camera, (camera.prepare(face("9c")), Pose(30.0, 5.0, 0.0, 0.5))))
    sight = eye.look(Frame(image, 41, 0.0), image)
    assert sight.lead_mm is not None
    assert abs(sight.lead_mm - 30.0) < 1.0
    assert not eye.look(Frame(empty, 42, 0.0), empty).card


def test_a_floor_in_brighter_light_is_floor_again_and_dark_cards_are_seen_on_it_later() -> None:
    camera = camera_of(10)
    eye = eye_on(camera)
    lamp = np.clip(show(camera).astype(np.int32) * 3, 0, 255).astype(np.uint8)
    seen = [eye.look(Frame(lamp, n, 0.0), lamp).card for n in range(120)]
    assert not any(seen[90:])
    for n in range(120, 200):  # the lamp as before
        assert not eye.look(Frame(show(camera), n, 0.0), show(camera)).card
    dark = show(camera, (camera.prepare(face("9c") // 3), Pose(30.0, 5.0, 0.0, 0.5)))
    assert eye.look(Frame(dark, 121, 0.0), dark).card


def test_black_frames_are_no_empty_window_and_no_floor() -> None:
    camera = camera_of(11)
    eye = eye_on(camera)
    black = np.zeros((480, 640, 3), np.uint8)
    seen = [eye.look(Frame(black, n, 0.0), black) for n in range(12)]
    assert all(sight.blind and not sight.card for sight in seen)
    floor = eye.look(Frame(show(camera), 12, 0.0), show(camera))
    assert not floor.card
    assert not floor.blind
    for n in range(80):
        last = eye.look(Frame(black, n, 0.0), black)
    assert not last.blind  # no lamp at all any more: what is seen is the floor


def test_a_dim_card_that_creeps_in_does_not_become_floor() -> None:
    camera = camera_of(12, Conditions(light=0.28, noise=5.0))
    eye = eye_on(camera)
    card = camera.prepare(face("9c"))
    seen = []
    for number, x in enumerate(np.arange(80.5, 40.0, -0.3)):
        image = show(camera, (card, Pose(float(x), 5.0, 2.0, 0.04)))
        seen.append(eye.look(Frame(image, number, number / 120), image).card)
    assert all(seen[20:])


def test_glances_at_a_card_that_creeps_in_teach_nothing() -> None:
    """Between two closer looks nobody knows that what gets slowly brighter is floor."""
    camera = camera_of(12, Conditions(noise=3.0))
    eye = eye_on(camera)
    seen = []
    for number in range(80):
        image = show(camera).copy()
        image[:, 580:] = np.minimum(image[:, 580:].astype(np.int32) + number, 255)
        seen.append(eye.look(Frame(image, number, number / 120), image).card)
    assert all(seen[40:])


def test_the_very_same_picture_is_told() -> None:
    camera = camera_of(4)
    eye = eye_on(camera)
    card = camera.prepare(face("9c"))
    image = show(camera, (card, Pose(30.0, 5.0, 0.0, 0.0)))
    again = show(camera, (card, Pose(30.0, 5.0, 0.0, 0.0)))
    assert [eye.look(Frame(i, 9, 0.0), i).repeated for i in (image, image, again)] == [False, True, False]


def test_a_hand_has_no_corner() -> None:
    camera = camera_of(5)
    eye = eye_on(camera)
    image = show(camera).copy()
    yy, xx = np.mgrid[0:480, 0:640]
    for k in range(4):
        image[np.hypot((xx - 400) / 2.2, yy - 110 * k - 60) < 45] = (110, 140, 200)
    sight = eye.look(Frame(image, 9, 0.0), image)
    assert sight.card
    assert eye.corner(image, sight) is None


@pytest.mark.parametrize("style", styles())
@pytest.mark.parametrize("symbol", ["back", "cut", "joker", "Ks", "Qd", "Th", "As", "2c"])
def test_back_and_cut_card_are_told_from_faces(style: str, symbol: str) -> None:
    camera = camera_of(6)
    eye = eye_on(camera)
    card = camera.prepare(face(symbol, style))
    for x in (40.0, 8.0):
        image = show(camera, (card, Pose(x, 5.0, 1.5, 0.6)))
        sight = eye.look(Frame(image, 9, 0.0), image)
        corner = eye.corner(image, sight)
        assert corner is not None
        answer = tell(cut(image, corner, 8.0, 2.0, (round((76 - x) * 2) if x > 16.5 else 127, 100)))
        expected = symbol if symbol in ("back", "cut") else None
        assert (answer.symbol if answer else None) == expected
