"""The slot reader on passages before the simulator's camera: right symbols, honest abstentions, no card of nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from vision_support import face, passage_frames, slot_geometry, styles

from hw_sim.camera import Camera
from hw_sim.conditions import Conditions, draw_conditions
from hw_sim.motion import Hand, Pose, draw_card, withdraw_card
from vision.corner_read import FrameUnusable
from vision.decide import FaceReader
from vision.deck_views import cards_in, kinds
from vision.enrol_pictures import find_labelled
from vision.geometry import FREE, Geometry
from vision.keep import KeepFolder
from vision.messages import Reading, Seen
from vision.sequence import read_sequence
from vision.slot_reader import SlotReader
from vision.sources.base import Frame

GEOMETRY = slot_geometry()
FACES = FaceReader()
WHOLE_RANGE = Hand(slowest=0.1, fastest=2.0, tilt_deg=2.5)


def read(frames: Iterable[Frame], keep: Path | None = None, geometry: Geometry = GEOMETRY) -> list[Reading]:
    reader = SlotReader(geometry, keep, FACES)
    said = [message for frame in frames for message in reader.feed(frame)]
    return [m for m in said + reader.finish() if isinstance(m, Reading)]


def numbered(images: Iterable[np.ndarray]) -> Iterator[Frame]:
    for number, image in enumerate(images):
        yield Frame(image, number, number / 120)


@pytest.mark.parametrize("style", styles())
def test_passages_of_every_drawn_design(style: str) -> None:
    symbols = ["As", "Th", "Qd", "6c"]
    readings = read(passage_frames(symbols, 4, style))
    assert [r.kind for r in readings] == ["drawn"] * 4
    assert [r.passage for r in readings] == [1, 2, 3, 4]
    wrong = [(r.symbol, s) for r, s in zip(readings, symbols, strict=True) if r.symbol not in (s, None)]
    assert wrong == []
    assert sum(r.symbol is not None for r in readings) >= 3


@pytest.mark.parametrize("seed", range(8))
def test_no_misread_in_poor_conditions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    symbol = "A23456789TJQK"[int(rng.integers(13))] + "shdc"[seed % 4]
    style = styles()[seed % len(styles())]
    readings = read(passage_frames([symbol], seed, style, draw_conditions(rng), WHOLE_RANGE))
    assert [r.kind for r in readings] == ["drawn"]
    assert readings[0].symbol in (symbol, None)


def test_what_is_drawn_was_seen_before() -> None:
    reader = SlotReader(GEOMETRY, reads=FACES)
    said = [message for frame in passage_frames(["7h"], 2) for message in reader.feed(frame)]
    assert [type(message) for message in said] == [Seen, Reading]
    seen, reading = said
    assert isinstance(seen, Seen)
    assert isinstance(reading, Reading)
    assert seen.symbol == reading.symbol == "7h"
    assert reading.seen_s == seen.time_s
    assert reading.start_s < seen.time_s < reading.end_s
    assert reading.first < seen.frame < reading.last


@pytest.mark.parametrize("symbol", ["back", "cut"])
def test_what_is_no_face_is_said(symbol: str) -> None:
    readings = read(passage_frames([symbol], 5, hand=Hand(slowest=0.3, fastest=0.8)))
    assert [r.symbol for r in readings] == [symbol]


@pytest.mark.parametrize("level", [80, 150, 235])
def test_a_cut_card_without_colour_is_told_where_the_camera_file_says_so(level: int) -> None:
    plain = np.full((711, 508, 3), level, np.uint8)
    rng = np.random.default_rng(4)
    camera = Camera(Conditions(), rng)
    card = camera.prepare(plain)
    poses = [None] * 4 + list(draw_card(rng, Hand(slowest=0.3, fastest=0.8)).poses) + [None] * 4
    images = [camera.frame([] if pose is None else [(card, pose)], 0.0) for pose in poses]
    assert [r.symbol for r in read(numbered(images))] == [None]
    said = read(numbered(images), geometry=replace(GEOMETRY, cut_card="plain"))
    assert [r.symbol for r in said] == ["cut"]


def test_a_face_is_no_plain_cut_card() -> None:
    cards = ["As", "2c", "Kd", "joker", "back"]
    readings = read(passage_frames(cards, 8), geometry=replace(GEOMETRY, cut_card="plain"))
    assert [r.symbol for r in readings] == ["As", "2c", "Kd", "joker", "back"]


def test_a_joker_is_no_face() -> None:
    for style in styles()[:3]:
        assert all(r.symbol in (None, "joker") for r in read(passage_frames(["joker"], 5, style)))


def test_a_card_that_goes_back_is_not_drawn() -> None:
    rng = np.random.default_rng(3)
    camera = Camera(Conditions(), rng)
    card = camera.prepare(face("Kc"))
    poses = [None] * 4 + list(withdraw_card(rng, Hand()).poses) + [None] * 4
    images = [camera.frame([] if pose is None else [(card, pose)], 0.0) for pose in poses]
    assert [(r.kind, r.symbol) for r in read(numbered(images))] == [("pulled back", None)]


@pytest.mark.parametrize("behind_mm", [5.0, 25.0, 62.0])
def test_two_cards_without_floor_between(behind_mm: float) -> None:
    camera = Camera(Conditions(), np.random.default_rng(3))
    cards = camera.prepare(face("Kc")), camera.prepare(face("5d"))
    images = [camera.frame([], 0.0)] * 4
    for x in np.arange(84.0, -140.0, -7.0):
        poses = Pose(float(x), 5.0, 0.3, 0.84), Pose(float(x) + behind_mm, 5.1, -0.2, 0.84)
        images.append(camera.frame(list(zip(cards, poses, strict=True)), 0.0))
    readings = read(numbered([*images, camera.frame([], 0.0)]))
    assert [(r.symbol, r.why) for r in readings] == [(None, "two cards")]


def test_flicker_repeats_and_drops() -> None:
    frames = list(passage_frames(["9s"], 6))
    middle = next(f.number for f in frames if f.image.mean() > 90) + 6
    dark = [Frame(np.zeros_like(f.image) if f.number == middle else f.image, f.number, f.time_s) for f in frames]
    repeated = [again for f in frames for again in (f, Frame(f.image, f.number, f.time_s))]
    for variant in (dark, repeated):
        assert [r.symbol for r in read(variant)] == ["9s"]
    for every in (2, 3):
        dropped = [f for f in frames if f.number % every == 0]
        assert [r.symbol for r in read(dropped)] in (["9s"], [None])


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_camera_that_is_mounted_otherwise(rotation: int) -> None:
    size = (480, 640) if rotation in (90, 270) else (640, 480)
    geometry = Geometry("slot", width=size[0], height=size[1], rotation=rotation, mirrored=True)
    frames = (
        Frame(np.ascontiguousarray(np.rot90(f.image[:, ::-1], rotation // 90)), f.number, f.time_s)
        for f in passage_frames(["Qh"], 7)
    )
    assert [r.symbol for r in read(frames, geometry=geometry)] == ["Qh"]


def torture() -> Iterator[tuple[str, list[np.ndarray]]]:
    rng = np.random.default_rng(9)
    empty = np.full((480, 640, 3), 22, np.uint8)
    yield "white", [np.full_like(empty, 255)] * 6
    yield "noise", [rng.integers(0, 256, empty.shape, dtype=np.uint8) for _ in range(6)]
    stripes = empty.copy()
    stripes[:, ::20] = stripes[:, 1::20] = 250
    yield "stripes", [np.roll(stripes, k, axis=1) for k in range(12)]
    hand = []
    yy, xx = np.mgrid[0:480, 0:640]
    for step in range(12):
        image = empty.copy()
        for k in range(4):
            image[np.hypot((xx - 640 + 40 * step) / 2.4, yy - 110 * k - 60) < 44] = (110, 140, 200)
        hand.append(image)
    yield "a hand", hand
    text = []
    for step in range(12):
        image = empty.copy()
        image[40:, max(0, 600 - 50 * step) : 1100 - 50 * step] = 245
        cv2.putText(image, "A Q 10", (620 - 50 * step, 120), cv2.FONT_HERSHEY_DUPLEX, 2.0, (20, 20, 20), 4)
        text.append(image)
    yield "text", text
    mirrored = [np.ascontiguousarray(f.image[:, ::-1]) for f in passage_frames(["Js"], 8)]
    yield "mirrored", mirrored[::-1]
    upside = [np.ascontiguousarray(f.image[::-1]) for f in passage_frames(["6s"], 8)]
    yield "upside down in a mirror", upside


@pytest.mark.parametrize(("name", "images"), list(torture()), ids=[name for name, _ in torture()])
def test_nothing_is_made_a_card(name: str, images: list[np.ndarray]) -> None:
    empty = [np.full((480, 640, 3), 22, np.uint8)] * 4
    for readings in (read(numbered([*empty, *images, *empty])), read(numbered(images))):
        assert [r.symbol for r in readings if r.symbol not in (None, "back", "cut")] == []


def test_frames_of_another_size_or_type_are_refused() -> None:
    reader = SlotReader(GEOMETRY, reads=FACES)
    for wrong in (
        np.zeros((240, 320, 3), np.uint8),
        np.zeros((480, 640), np.uint8),
        np.zeros((480, 640, 4), np.uint8),
        np.zeros((480, 640, 3), np.float32),
        np.zeros((0, 0, 3), np.uint8),
    ):
        with pytest.raises(FrameUnusable, match="480x640x3"):
            reader.feed(Frame(wrong, 0, 0.0))  # type: ignore[arg-type]


def test_the_best_frames_of_an_abstention_are_kept(tmp_path: Path) -> None:
    blind = [Frame(cv2.GaussianBlur(f.image, (0, 0), 14), f.number, f.time_s) for f in passage_frames(["Qh"], 2)]
    (reading,) = read(blind, tmp_path / "unread")
    assert (reading.kind, reading.symbol) == ("drawn", None)
    assert 1 <= len(reading.crops) <= 3
    assert all(cv2.imread(path) is not None for path in reading.crops)
    (read_well,) = read(passage_frames(["Qh"], 2), tmp_path / "none")
    assert read_well.crops == ()
    assert not (tmp_path / "none").exists()


def test_every_kind_of_abstention_keeps_frames_that_an_enrolment_takes(tmp_path: Path) -> None:
    camera = Camera(Conditions(), np.random.default_rng(3))
    cards = camera.prepare(face("Kc")), camera.prepare(face("5d"))
    images = [camera.frame([], 0.0)] * 4
    for x in np.arange(84.0, -90.0, -7.0):
        poses = Pose(float(x), 5.0, 0.3, 0.84), Pose(float(x) + 9.0, 5.1, -0.2, 0.84)
        images.append(camera.frame(list(zip(cards, poses, strict=True)), 0.0))
    (reading,) = read(numbered([*images, camera.frame([], 0.0)]), tmp_path / "unread")
    assert reading.why == "two cards"  # though its frames were read
    sorted_by_hand = tmp_path / "Kc"
    sorted_by_hand.mkdir()
    for path in reading.crops:
        Path(path).rename(sorted_by_hand / Path(path).name)
    (tmp_path / "unread").rmdir()
    found = find_labelled(tmp_path)
    assert {one.symbol for one in found} == {"Kc"}
    pictures = [cv2.imread(str(one.path)) for one in found]
    assert all(cards_in(picture, GEOMETRY, kinds(GEOMETRY)[0]) for picture in pictures)


def as_jpeg(image: np.ndarray) -> np.ndarray:
    return cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1], cv2.IMREAD_COLOR)


def dimmed(image: np.ndarray, gain: float) -> np.ndarray:
    return np.clip(image * gain, 0, 255).astype(np.uint8)


def spoilt(frames: list[Frame], how: str) -> list[Frame]:
    """The frames through JPEG, under a lamp that wavers, or in light (or an exposure) that changes in mid passage."""
    middle = frames[len(frames) // 2].number
    change = {
        "jpeg": lambda f: as_jpeg(f.image),
        "flicker": lambda f: dimmed(f.image, 1 + 0.08 * np.sin(2 * np.pi * 100 * f.time_s)),
        "dimmer": lambda f: dimmed(f.image, 0.55 if f.number >= middle else 1.0),
        "brighter": lambda f: dimmed(f.image, 1.0 if f.number >= middle else 0.55),
    }[how]
    return [Frame(change(frame), frame.number, frame.time_s) for frame in frames]


@pytest.mark.parametrize("how", ["jpeg", "flicker", "dimmer", "brighter"])
def test_the_picture_may_change_on_its_way(how: str) -> None:
    hand = Hand(slowest=0.2, fastest=0.6)
    assert [r.symbol for r in read(spoilt(list(passage_frames(["9s", "Kd"], 6, hand=hand)), how))] == ["9s", "Kd"]


def test_late_and_doubled_frames_are_left_out() -> None:
    frames = list(passage_frames(["9s"], 6))
    swapped = [frames[n ^ 1] if (n ^ 1) < len(frames) else frames[n] for n in range(len(frames))]
    for variant in (swapped, [again for frame in frames for again in (frame, frame)]):
        assert [(r.passage, r.symbol) for r in read(variant)] == [(1, "9s")]


def test_a_camera_whose_numbers_begin_anew_is_believed() -> None:
    reader = SlotReader(GEOMETRY, None, FACES)
    said = [m for _ in range(2) for frame in passage_frames(["9s"], 6) for m in reader.feed(frame)]
    assert [m.symbol for m in said if isinstance(m, Reading)] == ["9s", "9s"]


def test_grey_frames_of_a_camera_without_colour_make_no_card_and_no_error() -> None:
    geometry = replace(GEOMETRY, colour=False)
    grey = [Frame(cv2.cvtColor(f.image, cv2.COLOR_BGR2GRAY), f.number, f.time_s) for f in passage_frames(["9h"], 6)]
    assert [(r.kind, r.symbol) for r in read(grey, geometry=geometry)] == [("drawn", None)]


def test_the_folder_of_kept_frames_is_bounded(tmp_path: Path) -> None:
    folder = KeepFolder(tmp_path / "unread", most=5)
    for k in range(4):
        folder.put(f"{k}", [np.zeros((4, 4, 3), np.uint8)] * 2)
    names = sorted(path.name for path in (tmp_path / "unread").iterdir())
    assert names == ["1_2.png", "2_1.png", "2_2.png", "3_1.png", "3_2.png"]
    blocked = tmp_path / "file"
    blocked.touch()
    assert KeepFolder(blocked).put("x", [np.zeros((4, 4, 3), np.uint8)]) == ()


def test_a_recorded_sequence() -> None:
    frames: list[Frame | None] = [*passage_frames(["2s", "Kd"], 3)]
    frames[3:3] = [None]
    readings = list(read_sequence(frames, GEOMETRY))
    assert [(r.passage, r.symbol) for r in readings] == [(1, "2s"), (2, "Kd")]
    with pytest.raises(ValueError, match="slot's or a box's camera"):
        list(read_sequence([], FREE))


def test_reading_is_the_same_every_time() -> None:
    def outcome() -> list[tuple[object, ...]]:
        return [(r.symbol, r.confidence, r.why, r.frames) for r in read(passage_frames(["8h", "Js"], 12))]

    assert outcome() == outcome()
