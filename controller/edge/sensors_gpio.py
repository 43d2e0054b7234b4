"""Sensors on a Raspberry Pi's pins, by gpiozero with an explicit lgpio factory (detection tries what is not there).

gpiozero calls back on a thread of its own; that does nothing but hand the level to the loop. Debouncing is sensors'.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from controller.edge.problems import UsageProblem
from controller.edge.sensors import OnLevel

PI_CHIPS = ("pinctrl-rp1", "pinctrl-bcm2711")  # Pi 5 and Pi 4; the chip's number differs between kernels
CHIPS_MAX = 8


class GpioSource:
    """`pins`: BCM numbers by line name; a switch closes its pin to ground, which is level 0. `factory`: gpiozero's, by
    default the Pi's own chip. Raises UsageProblem where there is no GPIO."""

    def __init__(self, pins: Mapping[str, int], factory: Any = None) -> None:
        self._pins = dict(pins)
        self._factory = factory if factory is not None else pi_factory(self._pins)
        self._switches: list[Any] = []

    def start(self, on_level: OnLevel) -> None:
        from gpiozero import DigitalInputDevice  # type: ignore[import-untyped]

        loop = asyncio.get_running_loop()
        for line, pin in self._pins.items():
            switch = DigitalInputDevice(pin, pull_up=True, pin_factory=self._factory)
            self._switches.append(switch)

            def changed(line: str = line, switch: Any = switch) -> None:
                loop.call_soon_threadsafe(on_level, line, not switch.is_active)

            switch.when_activated = switch.when_deactivated = changed
            on_level(line, not switch.is_active)

    async def stop(self) -> None:
        for switch in self._switches:
            switch.close()


def pi_factory(pins: Mapping[str, int]) -> Any:
    """gpiozero's lgpio factory on the Pi's own chip, found by its label."""
    where = ", ".join(f"sensors.{line} = {pin}" for line, pin in pins.items())
    try:
        import lgpio  # type: ignore[import-not-found]
        from gpiozero.pins.lgpio import LGPIOFactory  # type: ignore[import-untyped]
    except ImportError as error:
        raise UsageProblem(f"{where}: no GPIO here: {error} (on a Pi: pip install 'sabot[pi]')") from error
    for chip in range(CHIPS_MAX):
        if _label(lgpio, chip) in PI_CHIPS:
            return LGPIOFactory(chip=chip)
    raise UsageProblem(f"{where}: no GPIO here: none of the chips is a Raspberry Pi's")


def _label(lgpio: Any, chip: int) -> str:
    try:
        handle = lgpio.gpiochip_open(chip)
    except lgpio.error:
        return ""
    label = str(lgpio.gpio_get_chip_info(handle)[3])
    lgpio.gpiochip_close(handle)
    return label
