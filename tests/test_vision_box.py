"""The box's reader: one card, one exposure and one drawing; hands, half draws, faces nobody can read, an empty box."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from controller.edge.camera_link import event_of
from controller.events import AnyEvent, CardDrawn, CardExposed, CardPulledBack, CardUnread, SightEmptied
from controller.paths import config_folder
from hw_sim.camera import Camera
from hw_sim.conditions import Conditions, draw_conditions
from hw_sim.faces import DrawnFaces
from hw_sim.mechanism import Stack
from hw_sim.scenes import BoxScene
from hw_sim.styles import STYLES
from vision.answer import Answer, abstain
from vision.box import KNOWN_READS_MOST, READS_MOST, BoxState, Look, Told, advance, finish, wants
from vision.box_reader import BoxReader
from vision.geometry import load_geometry
from vision.messages import Reading
from vision.sequence import read_sequence
from vision.sources.base import Frame

REST_MM = 7.5


@dataclass
class Box:
    """A state that is fed looks; `lies`: what can be read of the card that lies there."""

    state: BoxState = field(default_factory=BoxState)
    said: list[Told] = field(default_factory=list)
    number: int = 0

    def feed(self, look: Look, lies: Answer | None = None) -> Box:
        answer = lies if lies is not None and wants(self.state, look) else None
        self.state, told = advance(self.state, look, answer)
        self.said += told
        self.number += 1
        return self

    def lie(self, symbol: str | None, frames: int = 12) -> Box:
        """A card that lies still; None: nobody can read it."""
        lies = Answer(symbol, 0.9) if symbol is not None else abstain("unclear")
        self.move([REST_MM])
        for _ in range(frames):
            self.feed(self.look(REST_MM, still=True), lies)
        return self

    def move(self, leads: Iterable[float | None], placed: bool = True) -> Box:
        for lead in leads:
            self.feed(self.look(lead, placed=placed and lead is not None))
        return self

    def slide(self) -> Box:
        """The card on top slides off to the left."""
        return self.move([6.0, 3.0, None, None, None], placed=False)

    def empty(self, frames: int = 15) -> Box:
        for _ in range(frames):
            self.feed(Look(self.number, self.number / 120, False, still=True))
        return self

    def look(self, lead: float | None, still: bool = False, placed: bool = True) -> Look:
        return Look(self.number, self.number / 120, True, lead, placed, still)

    @property
    def heard(self) -> list[tuple[str, str | None]]:
        return [(told.kind, told.face.symbol) for told in self.said]


def test_a_face_is_exposed_once_and_drawn_as_the_same_card() -> None:
    box = Box().lie("As").slide().lie("2h")
    assert box.heard == [("exposed", "As"), ("drawn", "As"), ("exposed", "2h")]
    exposed, drawn, following = box.said
    assert exposed.face is drawn.face
    assert (exposed.face.passage, following.face.passage) == (1, 2)


def test_nothing_is_said_while_a_card_slides() -> None:
    box = Box().lie("As")
    before = len(box.said)
    box.move([6.0, 3.0, None, None], placed=False)
    assert len(box.said) == before


def test_a_hand_over_the_card_is_no_news() -> None:
    assert Box().lie("As").move([None] * 30).lie("As").heard == [("exposed", "As")]


def test_a_card_pushed_back_is_no_news() -> None:
    box = Box().lie("As").move([6.0, 3.0, None, None, 2.0, 5.0], placed=False).lie("As")
    assert box.heard == [("exposed", "As"), ("pulled back", "As")]


def test_a_card_pushed_back_over_another_was_never_drawn() -> None:
    """Out of its place by 25 mm, with the next card in sight beside it: together they are wider than one."""
    box = Box().lie("As").move([6.0, 3.0, None, None], placed=False).move([2.0, 5.0], placed=False)
    assert box.move([7.0]).lie("As").heard == [("exposed", "As"), ("pulled back", "As")]


def test_the_last_card_pushed_back_was_never_drawn() -> None:
    box = Box().lie("As").move([6.0, 3.0], placed=True)
    for trail in (60.0, 46.0, 60.0):
        box.feed(replace(box.look(None, placed=False), trail_mm=trail))
    assert box.move([3.0, 6.0]).lie("As").heard == [("exposed", "As"), ("pulled back", "As")]


def test_a_next_card_that_lies_further_left_is_no_return() -> None:
    box = Box().lie("As").slide().move([REST_MM - 2.5] * 2).lie("2h")
    assert box.heard == [("exposed", "As"), ("drawn", "As"), ("exposed", "2h")]


def test_the_same_face_again_after_a_slide_is_another_card() -> None:
    assert Box().lie("back").slide().lie("back").heard == [("exposed", "back"), ("drawn", "back"), ("exposed", "back")]


def test_another_face_that_nobody_saw_come_is_exposed() -> None:
    assert Box().lie("As").move([None] * 9).lie("2h").heard == [("exposed", "As"), ("exposed", "2h")]


def test_a_face_nobody_can_read_is_said_once_and_drawn() -> None:
    box = Box().lie(None, 60).slide().lie("2h")
    assert box.heard == [("exposed", None), ("drawn", None), ("exposed", "2h")]
    assert box.said[0].looks == READS_MOST
    assert box.said[0].face.why == "unclear"


def test_a_hand_that_covers_the_index_of_a_known_card_is_given_time() -> None:
    box = Box().lie("As").move([None] * 3).lie(None, 3 * READS_MOST)
    assert box.heard == [("exposed", "As")]
    assert box.move([None] * 3).lie("As").heard == [("exposed", "As")]
    assert box.move([None] * 3).lie(None, 5 * KNOWN_READS_MOST).heard[1:] == [("exposed", None)]


def test_looks_that_disagree_say_nothing() -> None:
    box = Box().move([REST_MM])
    for k in range(60):
        box.feed(box.look(REST_MM, still=True), Answer("As" if k % 2 else "Ah", 0.9))
    assert box.heard == [("exposed", None)]
    assert box.said[0].face.why == "frames disagree"


def test_the_last_card_leaves_an_empty_box() -> None:
    box = Box().empty().lie("As").slide().empty().empty()
    assert [kind for kind, _ in box.heard] == ["emptied", "exposed", "drawn", "emptied"]


def test_a_pack_taken_away_is_not_drawn() -> None:
    box = Box().lie("As").empty().lie("As")
    assert [kind for kind, _ in box.heard] == ["exposed", "emptied", "exposed"]


def test_a_lamp_that_flickers_empties_nothing() -> None:
    assert Box().lie("As").empty(4).lie("As").heard == [("exposed", "As")]


def test_a_card_half_read_at_the_end_of_the_frames_is_said_unread() -> None:
    box = Box().lie("As").slide().lie(None, 6)
    assert box.heard == [("exposed", "As"), ("drawn", "As")]
    (told,) = finish(box.state, box.look(REST_MM))
    assert (told.kind, told.face.symbol, told.face.why, told.face.passage) == ("exposed", None, "unclear", 2)


def test_what_was_said_or_moves_is_not_said_again_at_the_end() -> None:
    for box in (Box(), Box().lie("As"), Box().lie("As").slide(), Box().lie("As").move([None] * 3).lie(None, 6)):
        assert finish(box.state, box.look(REST_MM)) == ()


# ---- pictures ----------------------------------------------------------------------------------------------


GEOMETRY = load_geometry(config_folder() / "cameras" / "reference-box.toml")


def box_scene(seed: int) -> tuple[Stack, BoxScene]:
    """A loaded box before the simulator's camera, in good light (even seeds) or poor."""
    rng = np.random.default_rng(seed)
    conditions = draw_conditions(rng) if seed % 2 else Conditions()
    stack = Stack("zecchinetta", rng)
    stack.load()
    return stack, BoxScene(stack, DrawnFaces(list(STYLES.values())[seed % len(STYLES)]), Camera(conditions, rng), seed)


def box_frames(seed: int, cards: int) -> tuple[list[str], list[Frame]]:
    """Pictures of `cards` drawn from a box, and the cards in order."""
    stack, scene = box_scene(seed)
    truth = list(stack.inside)
    images = [scene.rest(k) for k in range(40)]
    for _ in range(cards):
        symbol = stack.pull()
        assert symbol is not None
        images += [scene.move(pose, k / 120, k) for k, pose in enumerate(scene.start(symbol, True).poses)]
        stack.leave()
        images += [scene.rest(k) for k in range(8)]
    return truth, [Frame(image, number, number / 120) for number, image in enumerate(images)]


@pytest.mark.parametrize("seed", [0, 3, 6])
def test_reads_what_lies_in_a_drawn_box(seed: int) -> None:
    truth, frames = box_frames(seed, 3)
    reader = BoxReader(GEOMETRY)
    said = [each for frame in frames for each in reader.feed(frame) if isinstance(each, Reading)]
    events: list[AnyEvent] = [event_of(each, boxed=True) for each in said]
    wanted = ["", truth[0]] + [symbol for k in range(3) for symbol in (truth[k], truth[k + 1])]
    kinds = [SightEmptied, CardExposed] + [CardDrawn, CardExposed] * 3
    assert [type(event) for event in events] == kinds
    assert [getattr(event, "symbol", "") for event in events] == wanted
    passages = [event.passage for event in events if isinstance(event, CardDrawn | CardExposed)]
    assert passages == [1, 1, 2, 2, 3, 3, 4]


def test_what_readings_of_a_box_mean() -> None:
    def reading(kind: str, symbol: str | None) -> Reading:
        return Reading(kind, symbol, 0.9, "" if symbol else "unclear", 4, 1, 2, 3, 0.0, None, 0.1, 1.0, 5.0)

    assert event_of(reading("exposed", None), boxed=True) == CardUnread("unclear", 4)
    assert event_of(reading("drawn", None), boxed=True) == CardDrawn("?", passage=4)
    assert event_of(reading("drawn", None)) == CardUnread("unclear", 4)
    assert event_of(reading("pulled back", "As"), boxed=True) == CardPulledBack(4)
    assert event_of(reading("emptied", "empty"), boxed=True) == SightEmptied()


def test_a_recorded_box_is_a_line_a_card() -> None:
    truth, frames = box_frames(0, 2)
    readings = list(read_sequence(frames, GEOMETRY))
    assert [(each.passage, each.symbol) for each in readings] == [(k + 1, truth[k]) for k in range(3)]
    assert all(each.first <= each.last for each in readings)


@pytest.mark.parametrize("seed", [0, 1])
def test_a_card_drawn_by_a_third_and_pushed_back_is_one_card(seed: int) -> None:
    stack, scene = box_scene(seed)
    images = [scene.rest(k) for k in range(40)]
    symbol = stack.pull()
    assert symbol is not None
    out = [pose for pose in scene.start(symbol, True).poses if pose.x > -20.0]
    images += [scene.move(pose, k / 120, k) for k, pose in enumerate([*out, *out[-1:] * 3, *out[::-1], *out[:1] * 10])]
    reader = BoxReader(GEOMETRY)
    said = [each for k, image in enumerate(images) for each in reader.feed(Frame(image, k, k / 120))]
    kinds = [(each.kind, each.symbol) for each in said if isinstance(each, Reading)]
    assert kinds == [("emptied", "empty"), ("exposed", symbol), ("pulled back", symbol)]
