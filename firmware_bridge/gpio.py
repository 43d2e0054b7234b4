"""Levels of a Raspberry Pi's pins, by gpiozero with an explicit lgpio factory (detection tries what is not there).

Leaves debouncing and what a level means to its owner.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from firmware_bridge.errors import BridgeError

PI_CHIPS = ("pinctrl-rp1", "pinctrl-bcm2711")  # Pi 5 and Pi 4; the chip's number differs between kernels
CHIPS_MAX = 8


class GpioUnusable(BridgeError, OSError):
    """The pins cannot be read here; the text is one line."""


class GpioLines:
    """`pins`: BCM numbers by line name; a switch closes its pin to ground, which is level False. `on_level` gets each
    line's level and the monotonic time at `start`, on the caller's thread, and then each change on gpiozero's.
    `factory`: gpiozero's pin factory, by default that of the Pi's own chip. Raises GpioUnusable."""

    def __init__(
        self, pins: Mapping[str, int], on_level: Callable[[str, bool, float], None], factory: Any = None
    ) -> None:
        self._pins = dict(pins)
        self._on_level = on_level
        self._factory = factory if factory is not None else pi_factory()
        self._switches: list[Any] = []

    def start(self) -> None:
        for line, pin in self._pins.items():
            switch = _input(pin, self._factory)
            self._switches.append(switch)

            def changed(line: str = line, switch: Any = switch) -> None:
                self._on_level(line, not switch.is_active, time.monotonic())

            switch.when_activated = switch.when_deactivated = changed
            changed()

    def stop(self) -> None:
        for switch in self._switches:
            switch.close()


class GpioOutputs:
    """`pins`: BCM numbers by line name, all off at first; `power` names the ones driven by PWM at `hertz`. Raises
    GpioUnusable."""

    def __init__(
        self, pins: Mapping[str, int], power: Collection[str] = (), factory: Any = None, hertz: int = 400
    ) -> None:
        factory = factory if factory is not None else pi_factory()
        self._outputs: dict[str, Any] = {}
        for line, pin in pins.items():
            self._outputs[line] = _output(pin, factory, hertz if line in power else None)

    def __contains__(self, line: object) -> bool:
        return line in self._outputs

    def set(self, line: str, value: float) -> None:
        """0 is off, 1 is on; between them only for a line with PWM. A line that there is not is passed over. Raises
        GpioUnusable."""
        output = self._outputs.get(line)
        if output is not None:
            _claimed(line, lambda: setattr(output, "value", value))

    def stop(self) -> None:
        """Everything off."""
        outputs, self._outputs = self._outputs, {}
        for output in outputs.values():
            output.close()


def _input(pin: int, factory: Any) -> Any:
    from gpiozero import DigitalInputDevice  # type: ignore[import-untyped]

    return _claimed(pin, lambda: DigitalInputDevice(pin, pull_up=True, pin_factory=factory))


def _output(pin: int, factory: Any, hertz: int | None) -> Any:
    from gpiozero import DigitalOutputDevice, PWMOutputDevice

    if hertz is None:
        return _claimed(pin, lambda: DigitalOutputDevice(pin, pin_factory=factory))
    return _claimed(pin, lambda: PWMOutputDevice(pin, frequency=hertz, pin_factory=factory))


def _claimed(pin: int | str, make: Callable[[], Any]) -> Any:
    """What `make` gives. Raises GpioUnusable: gpiozero and lgpio have errors of their own (a pin that is taken)."""
    from gpiozero import GPIOZeroError

    try:
        return make()
    except (GPIOZeroError, OSError) as error:
        raise GpioUnusable(f"pin {pin}: {error}") from error
    except Exception as error:
        if type(error).__module__ != "lgpio":  # lgpio.error is an Exception and no OSError
            raise
        raise GpioUnusable(f"pin {pin}: {error}") from error


def pi_factory(labels: Sequence[str] = PI_CHIPS) -> Any:
    """gpiozero's lgpio factory on the first chip with one of these labels, by default the Pi's own. Raises
    GpioUnusable."""
    try:
        import lgpio
        from gpiozero.pins.lgpio import LGPIOFactory  # type: ignore[import-untyped]
    except ImportError as error:
        raise GpioUnusable(f"no GPIO here: {error} (on a Pi: pip install 'sabot[pi]')") from error
    for chip in range(CHIPS_MAX):
        if _label(lgpio, chip) in labels:
            return LGPIOFactory(chip=chip)
    raise GpioUnusable(f"no GPIO here: no chip is a {' or a '.join(labels)}")


def _label(lgpio: Any, chip: int) -> str:
    try:
        handle = lgpio.gpiochip_open(chip)
    except lgpio.error:
        return ""
    label = str(lgpio.gpio_get_chip_info(handle)[3])
    lgpio.gpiochip_close(handle)
    return label
