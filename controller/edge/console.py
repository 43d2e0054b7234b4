"""The table's pins: beams, key, buttons, lamps, buzzer and card lock around one table. What each pin is, is `[gpio]`.

Lamps: green, a card may be drawn; amber, somebody is to do something first; red, hold, lost reader, or the supervisor
is called. The lock bars while a card would be an over-draw: no round is open, a hold stands, or (with a button for it)
bets are not closed. Driven from the view after each step, so within one event. Leaves pins to `firmware_bridge`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from controller.edge.beams import BEFORE, BEHIND, BeamWatch
from controller.edge.console_buttons import BETS_CLOSED, BUTTONS, DIAGNOSTIC, KEYS, Buttons
from controller.edge.loop import Step, Table
from controller.edge.sensors import PinSource
from controller.events import DeviceChanged
from controller.view import View
from firmware_bridge.gpio import GpioOutputs, GpioUnusable
from firmware_bridge.lock import LockDrive, LockTimes

GREEN, AMBER, RED, BUZZER, LOCK = "lamp_green", "lamp_amber", "lamp_red", "buzzer", "lock"
INPUTS = ("lid", BEFORE, BEHIND, *KEYS, *BUTTONS)
OUTPUTS = (GREEN, AMBER, RED, BUZZER, LOCK)
BEAMS = (BEFORE, BEHIND)
DRAWING = ("betting", "dealing", "burning", "banker", "checking", "ended")
WITHOUT_SHOE = ("closed", "no shoe")
OF_THE_EDGE = ("journal", "defect", "contradiction")  # holds that only a restart ends
REFUSED, HELD, CALLED = (0.08, 0.08, 0.08), (0.5,), (0.15, 0.1, 0.15, 0.1, 0.15)  # seconds on, off, on, …


@dataclass(frozen=True)
class ConsoleSettings:
    """`pins`: BCM numbers by line; `fault`: what the lock does where the program itself cannot go on."""

    pins: Mapping[str, int]
    times: LockTimes = field(default_factory=LockTimes)
    fault: Literal["open", "barred"] = "open"
    factory: Any = None

    def inputs(self) -> dict[str, int]:
        return {line: pin for line, pin in self.pins.items() if line in INPUTS}

    def outputs(self) -> dict[str, int]:
        return {line: pin for line, pin in self.pins.items() if line in OUTPUTS}

    def source(self) -> PinSource | None:
        """The inputs, for `Sensors`. Raises GpioUnusable."""
        return PinSource(self.inputs(), self.factory) if self.inputs() else None


def barred(view: View, bets_closed: bool, fault: str) -> bool:
    """Whether a card that is drawn now would be one too many."""
    if view.hold is not None and view.hold.code in OF_THE_EDGE:
        return fault == "barred"
    if view.phase in WITHOUT_SHOE:
        return False
    return view.phase not in DRAWING or (view.phase == "betting" and not bets_closed)


def lamps(view: View, bets_closed: bool, called: bool) -> str:
    """The one lamp that is lit."""
    lost = any(device.name in ("camera", "shoe") and device.state == "lost" for device in view.devices)
    if view.hold is not None or lost or called:
        return RED
    return GREEN if view.phase in DRAWING and (view.phase != "betting" or bets_closed) else AMBER


class Console:
    """`line` takes stable levels (all but the lid's), `shown` is the display's end of the table. Raises GpioUnusable
    when it is made."""

    def __init__(self, settings: ConsoleSettings, table: Table) -> None:
        self._table = table
        self._fault = settings.fault
        self._outputs = GpioOutputs(settings.outputs(), {LOCK}, settings.factory) if settings.outputs() else None
        self._lock = LockDrive(settings.times)
        self._exhausted = False
        self._timers: dict[str, asyncio.TimerHandle] = {}
        wired = settings.inputs()
        self._waits_for_bets = BETS_CLOSED in wired
        self._buttons = Buttons(table, wired, lambda: self._buzz(REFUSED), self._again)
        self._beams = BeamWatch(table, two=BEFORE in wired) if BEHIND in wired else None
        self._held = False
        self._last: dict[str, float] = {}
        table.add_display(self.shown)

    def start(self) -> None:
        if self._beams is not None:
            self._beams.start()
        self._drive(self._table.standing()[1])

    def stop(self) -> None:
        """Lamps dark, the lock open."""
        for timer in self._timers.values():
            timer.cancel()
        self._buttons.close()
        if self._beams is not None:
            self._beams.close()
        if self._outputs is not None:
            self._outputs.stop()

    def line(self, line: str, level: bool, when: float) -> None:
        if line not in BEAMS:
            self._buttons.line(line, level)
        elif self._beams is not None:
            self._beams.beam(line, not level)

    def shown(self, step: Step) -> None:
        self._drive(step.view)
        if self._beams is not None:
            self._beams.shown(step)

    def _again(self) -> None:
        if self._buttons.called:
            self._buzz(CALLED)
        self._drive(self._table.standing()[1])

    def _drive(self, view: View) -> None:
        closed = not self._waits_for_bets or self._buttons.bets_closed(view.round)
        self._light(lamps(view, closed, self._buttons.called))
        self._power(self._lock.bar(barred(view, closed, self._fault), time.monotonic()))
        held, self._held = self._held, view.hold is not None
        if self._held and not held:
            self._buzz(HELD)

    def _light(self, lit: str) -> None:
        for lamp in (GREEN, AMBER, RED):
            self._set(lamp, lamp == lit or self._buttons.key == DIAGNOSTIC)

    def _power(self, power: float) -> None:
        self._set(LOCK, power)
        now = time.monotonic()
        deadline = self._lock.deadline(now)
        self._later("lock", None if deadline is None else deadline - now, self._time_for_the_lock)
        if self._lock.exhausted != self._exhausted:
            self._exhausted = self._lock.exhausted
            self._table.post(DeviceChanged("lock", *_state(self._exhausted)))

    def _time_for_the_lock(self) -> None:
        self._power(self._lock.power(time.monotonic()))

    def _buzz(self, pattern: tuple[float, ...], on: bool = True) -> None:
        self._set(BUZZER, bool(pattern) and on)
        if pattern:
            self._later(BUZZER, pattern[0], lambda: self._buzz(pattern[1:], not on))

    def _set(self, line: str, value: float) -> None:
        if self._outputs is None or self._last.get(line) == value:
            return
        self._last[line] = value
        try:
            self._outputs.set(line, value)
        except GpioUnusable as error:  # a display must not stop the table
            self._table.post(DeviceChanged("pins", "lost", str(error)))

    def _later(self, name: str, wait_s: float | None, call: Any) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()
        if wait_s is not None:
            self._timers[name] = asyncio.get_running_loop().call_later(max(0.0, wait_s), call)


def _state(exhausted: bool) -> tuple[str, str]:
    if exhausted:
        return "released", "the card lock was on for too long and let go"
    return "ok", "the card lock works again"
