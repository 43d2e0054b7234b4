"""`[gpio]` of a table's configuration: what is wired to which pin, and pins that cannot be.

Pins are BCM numbers. A pin is one line's; the pins of buses that are in use are refused. What the lines do is
`console`'s matter, the wiring `docs/hardware.md`'s.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field, ValidationError

from controller.edge.toml_input import Section

BUSES = {
    "i2c": {2: "SDA", 3: "SCL"},
    "uart": {14: "TXD", 15: "RXD"},
    "spi": {7: "CE1", 8: "CE0", 9: "MISO", 10: "MOSI", 11: "SCLK"},
}
Pin = int | None


def _pin(what: str, example: int) -> Any:
    return Field(
        default=None,
        ge=0,
        le=27,
        description=f"{what}; left out: none",
        json_schema_extra={"unit": "BCM number"},
        examples=[example],
    )


class GpioSection(Section):
    lid: Pin = _pin("the lid's switch, low when the lid is shut", 17)
    beam_before: Pin = _pin("beam before the window, low while a card interrupts it", 5)
    beam_behind: Pin = _pin("beam behind the window, low while a card interrupts it", 6)
    key_supervisor: Pin = _pin("key switch, low at supervisor (neither contact: play)", 12)
    key_diagnostic: Pin = _pin("key switch, low at diagnostic", 13)
    button_bets_closed: Pin = _pin("button: bets are closed, the lock opens", 16)
    button_next: Pin = _pin("button: open the next coup", 18)
    button_undo: Pin = _pin("button: take the last card back (with a key switch: at supervisor)", 19)
    button_double_yes: Pin = _pin("button: the player doubles", 20)
    button_double_no: Pin = _pin("button: the player does not double", 21)
    button_call: Pin = _pin("button: call the supervisor", 22)
    lamp_green: Pin = _pin("lamp: a card may be drawn", 23)
    lamp_amber: Pin = _pin("lamp: somebody is to do something first", 24)
    lamp_red: Pin = _pin("lamp: hold", 25)
    buzzer: Pin = _pin("buzzer", 26)
    lock: Pin = _pin("the card lock's solenoid (its driver bars while it is high)", 27)
    lock_pull_in_ms: int = Field(
        default=150,
        ge=20,
        le=2000,
        description="full power at first",
        json_schema_extra={"unit": "ms"},
    )
    lock_hold: int = Field(
        default=40,
        ge=5,
        le=100,
        description="power that holds it",
        json_schema_extra={"unit": "percent"},
    )
    lock_max_s: int = Field(
        default=60,
        ge=1,
        le=3600,
        description="longest time that it bars; then it lets go",
        json_schema_extra={"unit": "seconds"},
    )
    lock_fault: Literal["open", "barred"] = Field(
        default="open",
        description="the lock where the program cannot go on (without power it is open)",
    )
    buses: list[Literal["i2c", "uart", "spi"]] = Field(
        default=["i2c", "uart", "spi"],
        description="buses in use on this machine, whose pins are not to be had",
        json_schema_extra={"allowed": 'a list of "i2c", "uart", "spi"'},
    )
    chip: str = Field(
        default="",
        description="label of the GPIO chip; empty: a Raspberry Pi's own",
        json_schema_extra={"allowed": "a label as gpioinfo shows it, or empty"},
    )

    def pins(self) -> dict[str, int]:
        """The pins that are wired, by line."""
        return {key: pin for key in PINS if (pin := getattr(self, key)) is not None}


PINS = tuple(name for name, field in GpioSection.model_fields.items() if field.annotation == Pin)


def gpio_mistakes(data: dict[str, Any]) -> Iterator[str]:
    """Pins that are named twice, or belong to a bus that is in use."""
    try:
        section = GpioSection.model_validate(data.get("gpio", {}))
    except ValidationError:
        return  # told by the schema
    taken: dict[int, str] = {}
    for line, pin in section.pins().items():
        for bus in section.buses:
            if pin in BUSES[bus]:
                yield f"gpio.{line} = {pin}: {BUSES[bus][pin]} of {bus}: take another, or {bus} out of gpio.buses"
        if pin in taken:
            yield f"gpio.{line} = {pin}: this is gpio.{taken[pin]} already"
        taken.setdefault(pin, line)
    if section.beam_before is not None and section.beam_behind is None:
        yield f"gpio.beam_before = {section.beam_before}: needs gpio.beam_behind, which counts the cards"
    yield from _spi(section, data)


def _spi(section: GpioSection, data: dict[str, Any]) -> Iterator[str]:
    signs = data.get("signs")
    on_spi = isinstance(signs, list) and any(
        isinstance(each, dict) and each.get("driver") == "max7219" for each in signs
    )
    if on_spi and "spi" not in section.buses:
        yield 'gpio.buses: needs "spi", which a sign with max7219 uses'
