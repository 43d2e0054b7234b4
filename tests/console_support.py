"""A table of real parts round gpiozero's mock pins: journal, loop, sensors, console."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from gpiozero.pins.mock import MockFactory, MockPWMPin

from controller import table as core
from controller.edge.console import BEAMS, INPUTS, OUTPUTS, Console, ConsoleSettings
from controller.edge.journal import Journal
from controller.edge.loop import Table
from controller.edge.restore import engine
from controller.edge.sensors import Sensors
from controller.events import AnyEvent, TableOpened
from controller.rules import Rules
from controller.view import View
from firmware_bridge.lock import LockTimes

PINS = {line: pin for pin, line in enumerate((*INPUTS, *OUTPUTS), start=2)}
STEADY_S = 0.1


class Bed:
    """Pins in, pins out, and the table between them."""

    def __init__(self, folder: Path, settings: ConsoleSettings, factory: MockFactory) -> None:
        self.factory = factory
        self.pins = settings.pins
        self._journal = Journal(folder, engine())
        self._journal.open()
        opened = TableOpened("trente-et-quarante", Rules())
        self.table = Table(self._journal, 0, core.initial(opened))
        self.steps: list[AnyEvent] = []
        self.table.add_display(lambda step: self.steps.append(step.event) if step.event else None)
        self.console = Console(settings, self.table)
        source = settings.source()
        assert source is not None
        self.sensors = Sensors(source, False, self.table.post, self.console.line, BEAMS)

    @property
    def view(self) -> View:
        return self.table.standing()[1]

    def drive(self, line: str, *, low: bool) -> None:
        pin = self.factory.pin(self.pins[line])
        pin.drive_low() if low else pin.drive_high()

    def out(self, line: str) -> float:
        return float(self.factory.pin(self.pins[line]).state)

    def lamps(self) -> str:
        return "".join(line.removeprefix("lamp_")[0] for line in OUTPUTS[:3] if self.out(line))

    async def press(self, line: str) -> None:
        self.drive(line, low=True)
        await asyncio.sleep(STEADY_S)
        self.drive(line, low=False)
        await asyncio.sleep(STEADY_S)

    async def until(self, check: object, patience_s: float = 5.0) -> None:
        assert callable(check)
        end = asyncio.get_running_loop().time() + patience_s
        while not check():
            assert asyncio.get_running_loop().time() < end, "did not come true in time"
            await asyncio.sleep(0.005)

    def close(self) -> None:
        self._journal.close()


@contextlib.asynccontextmanager
async def bed(folder: Path, lines: tuple[str, ...] = tuple(PINS), **times: float) -> AsyncIterator[Bed]:
    """A running table with these lines wired; inputs are high (open) at first."""
    factory = MockFactory(pin_class=MockPWMPin)
    pins = {line: PINS[line] for line in lines}
    settings = ConsoleSettings(pins, LockTimes(**{"pull_in_s": 0.1, "max_on_s": 5.0, **times}), "open", factory)
    made = Bed(folder, settings, factory)
    running = asyncio.create_task(made.table.run())
    made.console.start()
    made.sensors.start()
    try:
        yield made
    finally:
        await made.sensors.stop()
        made.console.stop()
        made.table.close()
        await running
        made.close()
        factory.close()
