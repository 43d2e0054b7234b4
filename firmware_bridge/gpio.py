"""Levels of a Raspberry Pi's pins, by gpiozero with an explicit lgpio factory (detection tries what is not there).

Leaves debouncing and what a level means to its owner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from firmware_bridge.errors import BridgeError

PI_CHIPS = ("pinctrl-rp1", "pinctrl-bcm2711")  # Pi 5 and Pi 4; the chip's number differs between kernels
CHIPS_MAX = 8


class GpioUnusable(BridgeError, OSError):
    """The pins cannot be read here; the text is one line."""


class GpioLines:
    """`pins`: BCM numbers by line name; a switch closes its pin to ground, which is level False. `on_level` gets each
    line's level at `start`, on the caller's thread, and then each change on gpiozero's. `factory`: gpiozero's pin
    factory, by default that of the Pi's own chip. Raises GpioUnusable."""

    def __init__(self, pins: Mapping[str, int], on_level: Callable[[str, bool], None], factory: Any = None) -> None:
        self._pins = dict(pins)
        self._on_level = on_level
        self._factory = factory if factory is not None else pi_factory()
        self._switches: list[Any] = []

    def start(self) -> None:
        from gpiozero import DigitalInputDevice  # type: ignore[import-untyped]

        for line, pin in self._pins.items():
            switch = DigitalInputDevice(pin, pull_up=True, pin_factory=self._factory)
            self._switches.append(switch)

            def changed(line: str = line, switch: Any = switch) -> None:
                self._on_level(line, not switch.is_active)

            switch.when_activated = switch.when_deactivated = changed
            changed()

    def stop(self) -> None:
        for switch in self._switches:
            switch.close()


def pi_factory() -> Any:
    """gpiozero's lgpio factory on the Pi's own chip, found by its label. Raises GpioUnusable."""
    try:
        import lgpio  # type: ignore[import-not-found]
        from gpiozero.pins.lgpio import LGPIOFactory  # type: ignore[import-untyped]
    except ImportError as error:
        raise GpioUnusable(f"no GPIO here: {error} (on a Pi: pip install 'sabot[pi]')") from error
    for chip in range(CHIPS_MAX):
        if _label(lgpio, chip) in PI_CHIPS:
            return LGPIOFactory(chip=chip)
    raise GpioUnusable("no GPIO here: none of the chips is a Raspberry Pi's")


def _label(lgpio: Any, chip: int) -> str:
    try:
        handle = lgpio.gpiochip_open(chip)
    except lgpio.error:
        return ""
    label = str(lgpio.gpio_get_chip_info(handle)[3])
    lgpio.gpiochip_close(handle)
    return label
