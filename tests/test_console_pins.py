"""Buttons, key, beams, lamps, buzzer and card lock on gpiozero's mock pins, round a real table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from console_support import PINS, STEADY_S, Bed, bed

from controller.edge.console import GREEN, LOCK, OUTPUTS
from controller.edge.witnesses import Witnesses
from controller.events import (
    CardDrawn,
    CardsMissed,
    DeviceChanged,
    DoubleDecided,
    LidChanged,
    RoundOpened,
    ShoeLoaded,
    Undone,
)

Script = Callable[[Bed], Awaitable[None]]
COUP = ("Kh", "Ts", "9d", "3c", "Jh", "Qs", "8d", "3h")  # noir 32, rouge 31


def play(folder: Path, script: Script, lines: tuple[str, ...] = tuple(PINS), **times: float) -> None:
    async def run() -> None:
        async with bed(folder, lines, **times) as made:
            await made.table.request(ShoeLoaded())
            await script(made)

    asyncio.run(run())


async def deal(made: Bed, cards: tuple[str, ...]) -> None:
    """Cards with their beams."""
    for card in cards:
        for line, low in (("beam_before", True), ("beam_behind", True), ("beam_before", False), ("beam_behind", False)):
            made.drive(line, low=low)
            await asyncio.sleep(0.008)
        made.table.post(CardDrawn(card))
        await asyncio.sleep(0.008)


def devices(made: Bed) -> dict[str, str]:
    return {device.name: device.state for device in made.view.devices}


def test_next_coup_and_lamps_and_lock_through_a_coup(tmp_path: Path) -> None:
    async def script(made: Bed) -> None:
        assert (made.lamps(), made.out(LOCK) > 0) == ("a", True)  # no round is open
        await made.press("button_next")
        await made.until(lambda: made.view.phase == "betting")
        assert (made.lamps(), made.out(LOCK) > 0) == ("a", True)
        await made.press("button_bets_closed")
        assert (made.lamps(), made.out(LOCK)) == ("g", 0)
        await deal(made, COUP)
        await made.until(lambda: made.view.phase == "result")
        assert (made.lamps(), made.out(LOCK) > 0) == ("a", True)

    play(tmp_path, script)


def test_the_lock_bars_within_the_event_that_ends_the_coup(tmp_path: Path) -> None:
    async def script(made: Bed) -> None:
        await made.table.request(RoundOpened())
        seen: list[tuple[str, bool]] = []
        made.table.add_display(
            lambda step: (
                seen.append((step.view.phase, made.out(LOCK) > 0)) if isinstance(step.event, CardDrawn) else None
            )
        )
        for card in (*COUP, "2d"):
            made.table.post(CardDrawn(card))
        await made.until(lambda: made.view.hold is not None)
        assert seen == [("dealing", False)] * 7 + [("result", True), ("hold", True)]
        assert made.view.hold is not None
        assert made.view.hold.code == "overdraw"
        assert made.lamps() == "r"

    play(tmp_path, script, ("lid", LOCK, *OUTPUTS[:3]))


def test_the_solenoid_is_pulled_in_held_and_let_go(tmp_path: Path) -> None:
    async def script(made: Bed) -> None:
        assert made.out(LOCK) == 1.0
        await made.until(lambda: made.out(LOCK) == pytest.approx(0.4))
        await made.until(lambda: made.out(LOCK) == 0)
        await made.until(lambda: devices(made).get("lock") == "released")
        await made.table.request(RoundOpened())
        await made.until(lambda: devices(made).get("lock") == "ok")
        assert made.out(LOCK) == 0

    play(tmp_path, script, ("lid", LOCK), pull_in_s=0.1, hold=0.4, max_on_s=0.3)


def test_at_the_end_the_lock_is_open_and_lamps_are_dark(tmp_path: Path) -> None:
    pins: list[object] = []

    async def script(made: Bed) -> None:
        await made.until(lambda: made.out(LOCK) > 0)
        pins.extend(made.factory.pin(made.pins[line]) for line in (LOCK, GREEN, "lamp_amber"))

    play(tmp_path, script)
    assert [pin.state for pin in pins if getattr(pin, "function", "") == "output"] == []  # released: pulled down


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("button_next", RoundOpened("dealer")),
        ("button_call", DeviceChanged("supervisor", "called", "the dealer calls the supervisor")),
        ("key_supervisor", DeviceChanged("key", "ok", "supervisor")),
        ("key_diagnostic", DeviceChanged("key", "ok", "diagnostic")),
        ("lid", LidChanged(open=False)),
    ],
)
def test_every_switch_through_its_bounces(tmp_path: Path, line: str, event: object) -> None:
    async def script(made: Bed) -> None:
        await made.until(lambda: made.view.shoe.lid_open and "beams" in devices(made))
        made.steps.clear()
        for _ in range(8):  # bounces of 2 ms each, then it stands
            made.drive(line, low=True)
            await asyncio.sleep(0.002)
            made.drive(line, low=False)
            await asyncio.sleep(0.002)
        assert made.steps == []
        made.drive(line, low=True)
        await made.until(lambda: made.steps)
        for _ in range(5):  # and a bounce on the way back is none
            made.drive(line, low=False)
            made.drive(line, low=True)
        await asyncio.sleep(STEADY_S)
        assert made.steps == [event]

    play(tmp_path, script)


def test_undo_needs_the_supervisors_key(tmp_path: Path) -> None:
    async def script(made: Bed) -> None:
        await made.table.request(RoundOpened())
        await deal(made, COUP[:2])
        await made.press("button_undo")
        assert not any(isinstance(event, Undone) for event in made.steps)
        made.drive("key_supervisor", low=True)
        await asyncio.sleep(STEADY_S)
        await made.press("button_undo")
        assert made.steps[-1] == Undone("supervisor")
        assert made.view.rows[0].cards == ("Kh",)

    play(tmp_path, script)


def test_without_a_key_switch_undo_is_the_dealers(tmp_path: Path) -> None:
    async def script(made: Bed) -> None:
        await made.table.request(RoundOpened())
        made.table.post(CardDrawn("Kh"))
        await made.press("button_undo")
        assert made.steps[-1] == Undone("dealer")

    play(tmp_path, script, ("button_undo",))


@pytest.mark.parametrize("line", ["button_double_yes", "button_double_no"])
def test_a_button_of_another_game_is_refused_with_a_buzz(tmp_path: Path, line: str) -> None:
    async def script(made: Bed) -> None:
        made.drive(line, low=True)
        await made.until(lambda: made.out("buzzer") > 0)
        await made.until(lambda: made.out("buzzer") == 0)
        assert not any(isinstance(event, DoubleDecided) for event in made.steps)

    play(tmp_path, script)


def test_the_supervisor_is_called_and_comes(tmp_path: Path) -> None:
    async def script(made: Bed) -> None:
        await made.press("button_call")
        assert (made.lamps(), devices(made)["supervisor"]) == ("r", "called")
        made.drive("key_supervisor", low=True)
        await made.until(lambda: devices(made)["supervisor"] == "ok")
        assert made.lamps() == "a"

    play(tmp_path, script)


def test_at_diagnostic_lamps_are_lit_and_nothing_is_played(tmp_path: Path) -> None:
    async def script(made: Bed) -> None:
        made.drive("key_diagnostic", low=True)
        await made.until(lambda: made.lamps() == "gar")
        await made.press("button_next")
        assert made.view.phase != "betting"

    play(tmp_path, script)


def test_a_button_that_is_down_from_the_start_is_no_press(tmp_path: Path) -> None:
    async def held() -> None:
        from controller.edge.console_buttons import Buttons

        async with bed(tmp_path / "two") as made:
            buttons = Buttons(made.table, ("button_call",), lambda: None, lambda: None)
            buttons.line("button_call", False)
            assert not buttons.called
            buttons.line("button_call", True)
            buttons.line("button_call", False)
            assert buttons.called

    asyncio.run(held())


# Beams.


def test_beam_and_reader_agree_on_every_card(tmp_path: Path) -> None:
    async def script(made: Bed) -> None:
        await made.table.request(RoundOpened())
        await deal(made, COUP[:6])
        await asyncio.sleep(1.2)
        assert devices(made)["beams"] == "ok"
        assert made.view.hold is None

    play(tmp_path, script)


def test_a_beam_without_a_picture_is_a_missed_card(tmp_path: Path) -> None:
    async def script(made: Bed) -> None:
        await made.table.request(RoundOpened())
        await deal(made, COUP[:2])
        made.drive("beam_before", low=True)
        made.drive("beam_behind", low=True)
        await asyncio.sleep(0.02)
        made.drive("beam_before", low=False)
        made.drive("beam_behind", low=False)
        await made.until(lambda: made.view.hold is not None)
        assert made.steps[-1] == CardsMissed(1)
        assert made.view.hold is not None
        assert (made.view.hold.code, made.view.hold.index) == ("gap", 2)

    play(tmp_path, script)


def test_a_picture_without_a_beam_is_the_sensors_fault(tmp_path: Path) -> None:
    async def script(made: Bed) -> None:
        await made.table.request(RoundOpened())
        made.table.post(CardDrawn("Kh"))
        await made.until(lambda: devices(made).get("beams") == "fault")
        assert made.view.hold is None
        await deal(made, COUP[1:3])
        await made.until(lambda: devices(made)["beams"] == "ok")

    play(tmp_path, script)


def test_a_card_that_is_pushed_back_in_is_no_exit(tmp_path: Path) -> None:
    async def script(made: Bed) -> None:
        await made.table.request(RoundOpened())
        for line, low in (("beam_behind", True), ("beam_before", True), ("beam_behind", False), ("beam_before", False)):
            made.drive(line, low=low)
            await asyncio.sleep(0.01)
        await asyncio.sleep(1.2)
        assert made.view.hold is None

    play(tmp_path, script)


def test_spikes_on_a_beam_are_no_cards(tmp_path: Path) -> None:
    async def script(made: Bed) -> None:
        await made.table.request(RoundOpened())
        for _ in range(50):
            made.drive("beam_behind", low=True)
            made.drive("beam_behind", low=False)
            await asyncio.sleep(0.001)
        await asyncio.sleep(1.2)
        assert made.view.hold is None

    play(tmp_path, script)


def test_a_stuck_beam_is_said(tmp_path: Path) -> None:
    async def script(made: Bed) -> None:
        assert made.console._beams is not None
        made.console._beams._stuck_s = 0.1
        made.drive("beam_behind", low=True)
        await made.until(lambda: devices(made).get("beams") == "blocked")
        assert made.view.hold is None
        made.drive("beam_behind", low=False)
        await made.until(lambda: devices(made)["beams"] == "ok")

    play(tmp_path, script)


def test_a_card_taken_back_and_drawn_again_is_two_exits_and_no_gap(tmp_path: Path) -> None:
    async def script(made: Bed) -> None:
        await made.table.request(RoundOpened())
        await deal(made, COUP[:2])
        await made.table.request(Undone("supervisor"))
        await deal(made, COUP[1:3])
        await asyncio.sleep(1.2)
        assert made.view.hold is None
        assert devices(made)["beams"] == "ok"

    play(tmp_path, script)


def test_a_card_that_waits_for_its_second_witness_is_no_gap(tmp_path: Path) -> None:
    async def script(made: Bed) -> None:
        await made.table.request(RoundOpened())
        both = Witnesses(made.table.post, made.table.eye, 1.6)
        made.table.pending = both.pending
        both.shoe(CardDrawn("Kh", source="shoe"))
        for line, low in (("beam_before", True), ("beam_behind", True), ("beam_before", False), ("beam_behind", False)):
            made.drive(line, low=low)
            await asyncio.sleep(0.01)
        await made.until(lambda: made.view.hold is not None)
        await asyncio.sleep(1.2)
        assert made.view.hold is not None
        assert (made.view.hold.code, made.view.hold.count) == ("unread", 1)
        assert not any(isinstance(event, CardsMissed) for event in made.steps)

    play(tmp_path, script)
