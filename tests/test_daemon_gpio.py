"""The lid's switch on a pin (gpiozero's mock pins): level, edge, bounce; and a machine without GPIO."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from controller.edge.sensors import PinSource, Sensors
from controller.events import AnyEvent, LidChanged
from firmware_bridge.gpio import GpioUnusable

LID = 17


def test_the_lid_is_debounced_and_read_at_the_start() -> None:
    async def run() -> list[AnyEvent]:
        posted: list[AnyEvent] = []
        factory = MockFactory()
        pin = factory.pin(LID)
        sensors = Sensors(PinSource({"lid": LID}, factory), False, posted.append)
        sensors.start()  # pulled up and open: the switch is not closed
        await asyncio.sleep(0.2)
        for _ in range(5):
            pin.drive_low()
            pin.drive_high()
        pin.drive_low()
        await asyncio.sleep(0.2)
        await sensors.stop()
        factory.close()
        return posted

    assert asyncio.run(run()) == [LidChanged(open=True), LidChanged(open=False)]


@pytest.mark.skipif(bool(list(Path("/dev").glob("gpiochip*"))), reason="this machine has GPIO")
def test_a_machine_without_gpio_is_one_line() -> None:
    with pytest.raises(GpioUnusable, match="no GPIO here"):
        PinSource({"lid": LID})
