"""The passage machine on scripted sights: what one passage is, and what ends it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from vision.answer import UNCLEAR, Answer, abstain
from vision.passage import AGREE, Ended, FirstSeen, Said, Sight, SlotState, advance, finish, wants

WIDTH, CARD = 80.0, 63.5


def sight(number: int, x: float | None, *, two: bool = False, repeated: bool = False) -> Sight:
    """A card with its leading edge at `x` mm; None: floor."""
    if x is None or x >= WIDTH or x + CARD <= 0:
        return Sight(number, number / 120, False)
    lead = x if x > 0 else None
    trail = x + CARD if x + CARD < WIDTH else None
    return Sight(number, number / 120, True, lead, trail, two, lead is not None and x + 16 <= WIDTH, repeated)


def run(sights: Sequence[Sight], answers: dict[int, Answer] | Answer) -> list[Said]:
    """Every sight that the machine wants read gets its answer by number (a missing one is unclear)."""
    state, said = SlotState(), []
    for look in sights:
        answer = None
        if wants(state, look):
            answer = answers if isinstance(answers, Answer) else answers.get(look.number, abstain(UNCLEAR))
        state, new = advance(state, look, answer)
        said += new
    return said + list(finish(state))


def path(*places: float | None) -> list[Sight]:
    return [sight(number, x) for number, x in enumerate(places)]


def through(step: float = 15.0) -> list[float | None]:
    """A card that comes and leaves at an even speed, floor before and after."""
    places: list[float | None] = [None, None]
    x = WIDTH - 3
    while x + CARD > 0:
        places.append(x)
        x -= step
    return [*places, None, None]


def ended(said: Sequence[Said]) -> list[Ended]:
    return [s for s in said if isinstance(s, Ended)]


QS = Answer("Qs", 0.97)


def test_a_card_that_passes_is_seen_then_drawn() -> None:
    said = run(path(*through()), QS)
    assert [type(s) for s in said] == [FirstSeen, Ended]
    (end,) = ended(said)
    assert (end.kind, end.answer.symbol, end.passage) == ("drawn", "Qs", 1)
    assert end.seen_s is not None
    assert end.start_s < end.seen_s < end.end_s


def test_one_frame_alone_says_nothing() -> None:
    said = run(path(*through()), {4: QS})
    assert [e.answer.symbol for e in ended(said)] == [None]
    assert ended(said)[0].answer.why == "too few frames agree"


def test_frames_that_disagree_say_nothing() -> None:
    sights = path(*through(4.0))
    read = next(look.number for look in sights if look.index)
    answers = {look.number: QS for look in sights}
    for late in (0, 1, 7):  # each of the two that agree, and the one that confirms
        (end,) = ended(run(sights, answers | {read + late: Answer("Ks", 0.99)}))
        assert end.answer.symbol is None
        assert end.answer.why == "frames disagree"


def test_an_unread_passage_says_why() -> None:
    (end,) = ended(run(path(*through()), abstain("colour unclear")))
    assert (end.kind, end.answer.symbol, end.answer.why) == ("drawn", None, "colour unclear")


def test_a_stop_and_a_small_pull_back_are_one_passage() -> None:
    places = [None, 75.0, 60.0, 50.0, 50.0, 50.0, 58.0, 66.0, 50.0, 30.0, 5.0, -20.0, -50.0, None, None]
    (end,) = ended(run(path(*places), QS))
    assert (end.kind, end.answer.symbol) == ("drawn", "Qs")


def test_a_card_that_goes_back_is_pulled_back() -> None:
    places = [None, 75.0, 60.0, 45.0, 45.0, 60.0, 74.0, None, None]
    (end,) = ended(run(path(*places), QS))
    assert (end.kind, end.answer.symbol) == ("pulled back", None)


def test_two_cards_are_said_whatever_was_read() -> None:
    sights = [replace(s, two=s.card and s.number > 6) for s in path(*through(8))]
    (end,) = ended(run(sights, QS))
    assert (end.answer.symbol, end.answer.why) == (None, "two cards")


@pytest.mark.parametrize("dark", [1, 2, 3])
def test_a_lamp_that_flickers_does_not_end_a_passage(dark: int) -> None:
    places = through(8)
    middle = places.index(min((p for p in places if p is not None), key=lambda p: abs(p - 40)))
    places[middle + 1 : middle + 1] = [None] * dark
    (end,) = ended(run(path(*places), QS))
    assert end.answer.symbol == "Qs"


def test_repeated_frames_do_not_agree_with_themselves() -> None:
    looks = path(*through(30))
    shown = []
    for look in looks:
        shown += [look] + [replace(look, repeated=True)] * 3
    readable = [look.number for look in looks if look.index]
    (end,) = ended(run(shown, {readable[0]: QS}))
    assert end.answer.symbol is None


def test_dropped_frames_cost_no_card() -> None:
    looks = [look for look in path(*through(5)) if look.number % 3 == 0]
    (end,) = ended(run(looks, QS))
    assert end.answer.symbol == "Qs"


def test_a_card_gone_while_frames_were_dropped_ends_its_passage() -> None:
    looks = [*path(None, 60.0, 48.0), sight(60, None), sight(61, 60.0), sight(62, 48.0), sight(70, None)]
    assert [(e.kind, e.answer.symbol, e.answer.why) for e in ended(run(looks, QS))] == [
        ("drawn", None, "lost from sight"),
        ("drawn", None, "lost from sight"),
    ]


def test_passages_are_counted() -> None:
    places = through() + through() + through()
    assert [e.passage for e in ended(run(path(*places), QS))] == [1, 2, 3]


def test_a_seen_card_is_read_again_further_on_and_not_all_the_time() -> None:
    state, reads = SlotState(), []
    for look in path(*through(2.0)):
        answer = QS if wants(state, look) else None
        if answer is not None:
            reads.append(look.lead_mm)
        state, _ = advance(state, look, answer)
    assert AGREE < len(reads) <= 5


def test_a_card_at_rest_does_not_cost_a_core() -> None:
    state, reads = SlotState(), 0
    looks = [sight(0, None)] + [sight(n, 30.0) for n in range(1, 1200)]
    for look in looks:
        wanted = wants(state, look)
        reads += wanted
        state, _ = advance(state, look, abstain(UNCLEAR) if wanted else None)
    assert reads < 150


def test_a_fast_card_is_two_when_every_frame_with_both_edges_says_so() -> None:
    looks = path(None, 78.0, 60.0, 48.0, 36.0, 24.0, 12.0, -4.0, -20.0, -40.0, -60.0, None)
    whole = next(look for look in looks if look.lead_mm is not None and look.trail_mm is not None)
    (end,) = ended(run([replace(look, two=look is whole) for look in looks], QS))
    assert (end.answer.symbol, end.answer.why) == (None, "two cards")
    slower = path(None, 78.0, 60.0, 48.0, 36.0, 24.0, 12.0, 6.0, 1.0, -20.0, -40.0, -60.0, None)
    (end,) = ended(run([replace(look, two=look.number == 7) for look in slower], QS))
    assert end.answer.symbol == "Qs"


def stalled(places: Sequence[float | None], after: int, frames: int) -> list[Sight]:
    """The camera gives nothing for so many frames after the place of that number."""
    shift = [0 if n <= after else frames for n in range(len(places))]
    return [sight(n + more, x) for (n, x), more in zip(enumerate(places), shift, strict=True)]


def test_another_card_after_a_stall_of_the_camera_is_not_taken_for_the_first() -> None:
    places = [None, 75.0, 60.0, 55.0, 50.0, 45.0, 40.0, 30.0, 20.0, 5.0, -20.0, -40.0, -60.0, None]
    looks = stalled(places, 5, 120)
    another = {look.number: QS if look.number < 100 else Answer("7d", 0.98) for look in looks}
    (end,) = ended(run(looks, another))
    assert (end.answer.symbol, end.answer.why) == (None, "frames disagree")
    (end,) = ended(run(looks, QS))  # the same card: read again, and drawn
    assert end.answer.symbol == "Qs"
    (end,) = ended(run(stalled(places, 9, 120), QS))  # its index had left when the frames came again
    assert (end.answer.symbol, end.answer.why) == (None, "lost from sight")


def test_a_short_stall_costs_no_card() -> None:
    for after in (3, 5, 8, 9, 10):
        places = [None, 75.0, 60.0, 55.0, 50.0, 45.0, 40.0, 30.0, 20.0, 5.0, -20.0, -40.0, -60.0, None]
        (end,) = ended(run(stalled(places, after, 2), QS))
        assert end.answer.symbol == "Qs"


def test_a_slow_camera_that_drops_nothing_is_believed() -> None:
    looks = [replace(look, time_s=look.number / 30) for look in path(*through(5.0))]
    (end,) = ended(run(looks, QS))
    assert end.answer.symbol == "Qs"


def test_a_card_that_stops_for_seconds_and_creeps_on_is_one() -> None:
    places = [None, *[78.0 - 0.83 * k for k in range(30)], *[53.0] * 600]
    x = 53.0
    while x > -CARD:
        x -= 0.83
        places.append(x)
    (end,) = ended(run(path(*places, None, None), QS))
    assert (end.kind, end.answer.symbol) == ("drawn", "Qs")


def test_a_card_that_goes_back_and_enters_again_is_drawn_once() -> None:
    places = [None, 75.0, 60.0, 45.0, 60.0, 74.0, None, None, *through(8.0)]
    assert [(e.kind, e.answer.symbol) for e in ended(run(path(*places), QS))] == [
        ("pulled back", None),
        ("drawn", "Qs"),
    ]


@pytest.mark.parametrize("dark", [3, 8])
def test_a_lamp_that_goes_out_ends_no_passage_and_draws_no_card(dark: int) -> None:
    places = through(8)
    middle = places.index(min((p for p in places if p is not None), key=lambda p: abs(p - 40)))
    looks = path(*places[: middle + 1], *[None] * dark, *places[middle + 1 :])
    looks = [replace(look, blind=middle < look.number <= middle + dark) for look in looks]
    (end,) = ended(run(looks, QS))
    assert end.answer.symbol == "Qs"
