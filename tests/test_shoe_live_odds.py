"""The live advantage of the remaining shoe: by a worker, labelled, dropped when stale, for the supervisor alone."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Awaitable, Callable

import pytest

from controller import odds
from controller.cards import DECK
from controller.edge.live_odds import Composition, OddsWorker, compute
from controller.rules import Rules

PATIENCE_S = 30.0


def shoe(index: int, *, number: int = 1, between: bool = True, game: str = "trente-et-quarante") -> Composition:
    """A shoe of six decks without its first `index` cards."""
    left = odds.composition(game, Rules(), (DECK * 6)[:index])
    return Composition(game, Rules(), number, index, between, left)


async def until(done: Callable[[], object]) -> None:
    async def poll() -> None:
        while not done():
            await asyncio.sleep(0.01)

    await asyncio.wait_for(poll(), PATIENCE_S)


def with_worker(play: Callable[[OddsWorker, list[Composition | None]], Awaitable[None]]) -> None:
    async def main() -> None:
        now: list[Composition | None] = [None]
        worker = OddsWorker(lambda: now[0])
        try:
            await play(worker, now)
        finally:
            await worker.stop()

    asyncio.run(main())


def test_it_is_the_exact_figure_labelled_with_its_composition() -> None:
    async def play(worker: OddsWorker, now: list[Composition | None]) -> None:
        now[0] = shoe(30)
        worker.look()
        await until(worker.found)
        found = worker.found()
        assert found is not None
        assert (found.shoe, found.index, found.cards) == (1, 30, 282)
        assert found.figures["edge"] == pytest.approx(odds.advantage(now[0].left), rel=1e-12)
        assert found.figures["refait_31"] == 2 * (found.figures["edge"] or 0)

    with_worker(play)


def test_a_stale_result_is_dropped_and_the_newest_composition_is_computed() -> None:
    async def play(worker: OddsWorker, now: list[Composition | None]) -> None:
        seen: set[int] = set()
        for index in (0, 11, 22):
            now[0] = shoe(index)
            worker.look()
        await until(lambda: (found := worker.found()) and (seen.add(found.index) or found.index == 22))
        assert seen == {22}

    with_worker(play)


def test_during_a_round_the_figure_of_its_beginning_stands_and_another_shoe_ends_it() -> None:
    async def play(worker: OddsWorker, now: list[Composition | None]) -> None:
        now[0] = shoe(30)
        worker.look()
        await until(worker.found)
        now[0] = shoe(33, between=False)
        worker.look()
        found = worker.found()
        assert found is not None
        assert found.index == 30
        now[0] = None
        worker.look()
        assert worker.found() is None

    with_worker(play)


def test_a_corrected_card_is_another_composition_of_the_same_length() -> None:
    async def play(worker: OddsWorker, now: list[Composition | None]) -> None:
        now[0] = shoe(30)
        worker.look()
        await until(worker.found)
        first = worker.found()
        now[0] = Composition("trente-et-quarante", Rules(), 1, 30, True, {**now[0].left, "As": 1})
        worker.look()
        await until(lambda: worker.found() is not first)

    with_worker(play)


def test_a_worker_that_dies_costs_one_figure() -> None:
    async def play(worker: OddsWorker, now: list[Composition | None]) -> None:
        now[0] = shoe(30)
        worker.look()
        await until(worker.found)
        assert worker._pid is not None
        os.kill(worker._pid, 9)
        now[0] = shoe(40)
        worker.look()
        await until(lambda: worker._task is not None and worker._task.done())
        now[0] = shoe(50)
        worker.look()
        await until(lambda: (found := worker.found()) and found.index == 50)

    with_worker(play)


def test_a_worker_that_still_begins_does_not_hold_up_the_end() -> None:
    begun: list[multiprocessing.process.BaseProcess] = []

    async def play(worker: OddsWorker, now: list[Composition | None]) -> None:
        now[0] = shoe(30)
        worker.look()
        await until(multiprocessing.active_children)
        begun.extend(multiprocessing.active_children())

    with_worker(play)
    begun[0].join(PATIENCE_S)
    assert begun[0].exitcode == -signal.SIGKILL


def test_the_private_games_have_their_figures() -> None:
    red = compute("red-and-black", Rules(), odds.composition("red-and-black", Rules()))[2]
    assert red == {"expectation_red": 0.0, "expectation_black": 0.0}
    hand = compute("zecchinetta", Rules(), odds.composition("zecchinetta", Rules()))[2]
    assert hand["playette"] == pytest.approx(1 - 36 * 32 / (39 * 38))
    assert hand["mean_turns"] == pytest.approx(38 / 4)


def test_a_shoe_that_is_all_but_empty_has_a_figure_too() -> None:
    assert compute("trente-et-quarante", Rules(), dict.fromkeys(DECK, 0))[2]["edge"] == 0
