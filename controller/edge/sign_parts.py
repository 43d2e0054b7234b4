"""From `[[signs]]` to drivers: which class, which port settings, which options. Opens nothing."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from typing import TypeVar

from controller.edge.config_signs import KINDS, SignSection, lamp
from controller.edge.problems import UsageProblem
from controller.edge.sign_link import SignLike, SignSettings
from controller.sign_lines import fields_of, parse
from firmware_bridge.events import Event
from firmware_bridge.port import PortSettings
from firmware_bridge.signs.adalight import Adalight
from firmware_bridge.signs.alpha import AlphaSign
from firmware_bridge.signs.driver import SignDriver
from firmware_bridge.signs.matrix_orbital import MatrixOrbital
from firmware_bridge.signs.max7219 import Max7219Driver
from firmware_bridge.signs.modbus import ModbusNumbers
from firmware_bridge.signs.noritake import Noritake
from firmware_bridge.signs.pixels import LampPixels, Strip
from firmware_bridge.signs.seven_segment import SevenSegment
from firmware_bridge.signs.sign import Sign
from firmware_bridge.signs.tpm2 import Tpm2
from firmware_bridge.signs.wled import WledJson

_T = TypeVar("_T")
_LIBRARIES = {"modbus": "pymodbus", "max7219": "luma.led_matrix"}


def sign_parts(signs: Sequence[SignSection], game: str, seats: int) -> tuple[SignSettings, ...]:
    """Each sign's settings. Raises UsageProblem, a line for each library that is not installed."""
    missing = [
        f'signs.{number}.driver = "{sign.driver}": needs {_LIBRARIES[sign.driver]} (pip install "sabot[signs]")'
        for number, sign in enumerate(signs)
        if sign.driver in _LIBRARIES and importlib.util.find_spec(_LIBRARIES[sign.driver].partition(".")[0]) is None
    ]
    if missing:
        raise UsageProblem(missing)
    return tuple(_settings(sign, fields_of(game, seats)) for sign in signs)


def _settings(sign: SignSection, fields: Sequence[str]) -> SignSettings:
    return SignSettings(
        name=sign.name,
        lines=tuple(parse(text, fields) for text in sign.lines),
        urgent=parse(sign.urgent, fields) if sign.urgent else None,
        lamps=frozenset(lamp(text).name for text in sign.lamps),
        make=lambda on_event: make_driver(sign, on_event),
        numbers=sign.driver == "modbus",
    )


def make_driver(sign: SignSection, on_event: Callable[[Event], None]) -> SignLike:
    """The sign's driver, not started."""
    if sign.driver == "max7219":
        return Max7219Driver(
            sign.modules or 1, on_event, contrast=_or(sign.brightness, 0x70), refresh_s=_or(sign.refresh_s, 5.0)
        )
    return SignDriver(port_settings(sign), protocol(sign), on_event)


def port_settings(sign: SignSection) -> PortSettings:
    kind = KINDS[sign.driver]
    frame = sign.frame or kind.frame
    return PortSettings(sign.port, sign.baud or kind.baud, sign.dtr, int(frame[0]), frame[1], int(frame[2]))


def protocol(sign: SignSection) -> Sign:
    """The pure protocol of a sign on a serial port."""
    rows = len(sign.lines)
    columns = sign.columns or 1
    match sign.driver:
        case "alpha":
            return AlphaSign(rows, sign.address, bool(sign.answers), _or(sign.refresh_s, 5.0))
        case "adalight":
            return Adalight(_strip(sign), _or(sign.refresh_s, 1.0))
        case "tpm2":
            return Tpm2(_strip(sign), sign.answers is not False, _or(sign.refresh_s, 1.0))
        case "wled":
            segments = {lamp(text).name: lamp(text).segment for text in sign.lamps}
            return WledJson(sign.segments, segments, _or(sign.brightness, 128))
        case "seven-segment":
            return SevenSegment(0, _or(sign.brightness, 255), _or(sign.refresh_s, 5.0))
        case "matrix-orbital":
            return MatrixOrbital(columns, rows, _or(sign.refresh_s, 5.0))
        case "noritake":
            return Noritake(columns, rows, _or(sign.refresh_s, 5.0))
        case _:
            return ModbusNumbers(dict(enumerate(sign.registers)), sign.device)


def _strip(sign: SignSection) -> Strip:
    lamps = [lamp(text) for text in sign.lamps]
    pixels = {each.name: LampPixels(each.segment, (each.last or 0) - each.segment + 1, each.colour) for each in lamps}
    return Strip(1 + max(each.last or 0 for each in lamps), pixels)


def _or(value: _T | None, default: _T) -> _T:
    return default if value is None else value
