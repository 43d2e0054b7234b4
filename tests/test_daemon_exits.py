"""The exit beam's count against the table: no gap while a card is under way, a gap for what nobody saw."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from controller import exits
from controller import table as core
from controller.edge.exit_watch import ExitWatch
from controller.edge.eye import FRAMES_LEAST, Eye
from controller.events import AnyEvent, CardDrawn, ExitCounted, RoundOpened, ShoeLoaded, TableOpened
from controller.rules import Rules
from controller.state import State
from vision.messages import Camera, Heartbeat

BOOT = 77
LASTS_S = 0.1


class Bed:
    """A table without a journal: what the watch posts is stepped at once."""

    def __init__(self) -> None:
        self.state: State = core.initial(TableOpened("trente-et-quarante", Rules()))
        self.posted: list[ExitCounted] = []
        self.eye = Eye()
        for event in (ShoeLoaded(), RoundOpened()):
            self.step(event)
        self.watch = ExitWatch(self.ahead, self.post, self.eye, LASTS_S)

    def ahead(self, boot: int, count: int) -> int | None:
        known = self.state.exits
        return None if known.boot != boot else count - known.base - exits.out(self.state)

    def post(self, event: AnyEvent) -> None:
        assert isinstance(event, ExitCounted)
        self.posted.append(event)
        self.step(event)

    def step(self, event: AnyEvent) -> None:
        self.state, _ = core.step(self.state, event)

    def card(self, symbol: str) -> None:
        self.step(CardDrawn(symbol))
        self.watch.look()

    @property
    def hold(self) -> str | None:
        return self.state.hold.code if self.state.hold else None


def play(script: Callable[[Bed], object]) -> Bed:
    async def run() -> Bed:
        bed = Bed()
        bed.watch.counted(BOOT, 10)
        done = script(bed)
        if asyncio.iscoroutine(done):
            await done
        await asyncio.sleep(2 * LASTS_S)
        return bed

    return asyncio.run(run())


def test_a_new_counter_is_a_baseline() -> None:
    bed = play(lambda bed: None)
    assert bed.posted == [ExitCounted(BOOT, 10)]
    assert bed.hold is None


def test_beam_before_camera_and_camera_before_beam_are_no_gap() -> None:
    def script(bed: Bed) -> None:
        bed.watch.counted(BOOT, 11)
        bed.card("Kd")
        bed.card("Ts")
        bed.watch.counted(BOOT, 12)

    bed = play(script)
    assert len(bed.posted) == 1
    assert bed.hold is None


def test_a_card_that_nobody_saw_is_a_gap() -> None:
    bed = play(lambda bed: bed.watch.counted(BOOT, 11))
    assert bed.posted[1:] == [ExitCounted(BOOT, 11)]
    assert bed.hold == "gap"


def test_it_is_found_while_dealing_goes_on_and_the_card_under_way_is_not_part_of_it() -> None:
    async def script(bed: Bed) -> None:
        bed.watch.counted(BOOT, 11)  # nobody saw this one
        for count, symbol in ((12, "Kd"), (13, "Ts"), (14, "2h")):
            await asyncio.sleep(LASTS_S / 5)
            bed.watch.counted(BOOT, count)
            bed.card(symbol)
        bed.watch.counted(BOOT, 15)
        await asyncio.sleep(LASTS_S / 2)  # the time is over while a card is between beam and camera
        bed.card("3c")

    bed = play(script)
    assert bed.posted[1:] == [ExitCounted(BOOT, 14)]
    assert bed.state.hold is not None
    assert (bed.state.hold.code, bed.state.hold.count) == ("gap", 1)


def test_a_beam_that_missed_a_card_is_no_gap_and_sets_a_new_baseline() -> None:
    async def script(bed: Bed) -> None:
        bed.card("Kd")  # the beam says nothing
        await asyncio.sleep(2 * LASTS_S)
        bed.watch.counted(BOOT, 11)

    bed = play(script)
    assert bed.posted[1:] == [ExitCounted(BOOT, 10), ExitCounted(BOOT, 11)]
    assert bed.hold == "gap"


def test_a_restarted_counter_is_a_baseline_again() -> None:
    def script(bed: Bed) -> None:
        bed.card("Kd")
        bed.watch.counted(BOOT + 1, 0)

    bed = play(script)
    assert bed.posted[1:] == [ExitCounted(BOOT + 1, 0)]
    assert bed.hold is None


def reads(eye: Eye, *beats: tuple[int, float]) -> None:
    for frames, time_s in beats:
        eye.watch(Heartbeat(frames, time_s))


def test_a_reader_that_stalls_is_waited_for_and_its_card_is_no_gap() -> None:
    async def script(bed: Bed) -> None:
        bed.eye.watch(Camera("ok", ""))
        reads(bed.eye, (120, 1.0))
        bed.watch.counted(BOOT, 11)
        await asyncio.sleep(4 * LASTS_S)  # the reader says nothing for longer than a card takes
        assert bed.hold is None
        bed.card("Kd")
        reads(bed.eye, (121, 1.01), (121 + FRAMES_LEAST, 2.0))

    bed = play(script)
    assert len(bed.posted) == 1
    assert bed.hold is None


def test_a_reader_that_read_on_and_saw_nothing_leaves_a_gap() -> None:
    async def script(bed: Bed) -> None:
        bed.eye.watch(Camera("ok", ""))
        reads(bed.eye, (120, 1.0))
        bed.watch.counted(BOOT, 11)
        reads(bed.eye, (121 + FRAMES_LEAST, 1.0 + 2 * LASTS_S))
        await asyncio.sleep(0.4)

    assert play(script).hold == "gap"


def test_a_camera_that_jumps_in_time_has_not_read_what_it_skipped() -> None:
    eye = Eye()
    eye.watch(Camera("ok", ""))
    reads(eye, (10, 1.0))
    mark = eye.mark()
    reads(eye, (11, 5.0))
    assert not eye.past(mark, 2.0)
    reads(eye, (11 + FRAMES_LEAST, 5.3))
    assert eye.past(mark, 2.0)


def test_a_restarted_reader_counts_on_and_a_lost_one_is_not_past_at_once() -> None:
    eye = Eye()
    eye.watch(Camera("ok", ""))
    reads(eye, (100, 9.0))
    mark = eye.mark()
    eye.watch(Camera("lost", "it hung"))
    assert not eye.past(mark, 2.0)
    eye.watch(Camera("ok", ""))
    reads(eye, (5, 0.1), (5 + FRAMES_LEAST, 1.0))
    assert not eye.past(mark, 2.0)
    reads(eye, (5 + 2 * FRAMES_LEAST, 2.2))
    assert eye.past(mark, 2.0)


def test_without_a_camera_nothing_is_waited_for() -> None:
    assert Eye().past(Eye().mark(), 2.0)
