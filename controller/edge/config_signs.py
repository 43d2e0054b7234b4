"""`[[signs]]` of a table's configuration: any number of signs of other makers, each with the keys of its driver.

Checked here: each key by itself (the schema), what a driver needs and has no use for, templates against the table's
own fields, ports that are named twice. Which bytes a driver sends is `firmware_bridge.signs`' matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, ValidationError

from controller.edge.toml_input import Section
from controller.sign_lines import TemplateError, fields_of, parse

_NAME = "a name of a to z, 0 to 9 and -, at most 32, beginning with a letter or digit"
_LAMP = re.compile(r"([a-z0-9][a-z0-9-]{0,31})(?: ([0-9]{1,5})(?:-([0-9]{1,5}) ([0-9a-fA-F]{6}))?)?")
_LAMPS = 'a list of "NAME FIRST-LAST RRGGBB" (adalight, tpm2: pixels and colour) or "NAME SEGMENT" (wled)'


class Kind(NamedTuple):
    """What a driver needs and may have besides name, driver and refresh_s; `baud` and `frame` of its port."""

    needs: tuple[str, ...]
    may: tuple[str, ...] = ()
    baud: int = 0
    frame: str = "8N1"


_PORT = ("baud", "frame", "dtr")
KINDS = {
    "alpha": Kind(("port", "lines"), (*_PORT, "urgent", "address", "answers"), 9600, "7E1"),
    "adalight": Kind(("port", "lamps"), _PORT, 115200),
    "tpm2": Kind(("port", "lamps"), (*_PORT, "answers"), 115200),
    "wled": Kind(("port",), (*_PORT, "lines", "segments", "lamps", "brightness"), 115200),
    "seven-segment": Kind(("port", "lines"), (*_PORT, "brightness"), 9600),
    "matrix-orbital": Kind(("port", "lines", "columns"), _PORT, 19200),
    "noritake": Kind(("port", "lines", "columns"), _PORT, 38400),
    "modbus": Kind(("port", "lines", "registers"), (*_PORT, "device"), 9600),
    "max7219": Kind(("lines", "modules"), ("brightness",)),
}
_ONE_LINE = ("seven-segment", "max7219")
_ALWAYS = ("name", "driver", "refresh_s")
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]


def _lamps(value: list[str]) -> list[str]:
    if not all(map(_LAMP.fullmatch, value)):
        raise ValueError(_LAMPS)
    return value


def _plain_number(value: object) -> object:
    return float(value) if isinstance(value, Decimal) else value


class SignSection(Section):
    name: Name = Field(
        description="names the sign on the page and in logs",
        json_schema_extra={"allowed": _NAME},
        examples=["upstairs"],
    )
    driver: Literal[
        "alpha", "adalight", "tpm2", "wled", "seven-segment", "matrix-orbital", "noritake", "modbus", "max7219"
    ] = Field(
        description="its protocol (docs/hardware.md)",
        examples=["alpha"],
    )
    port: str = Field(
        default="",
        description="its serial port, best a link under /dev/serial/by-id; every driver but max7219",
        json_schema_extra={"allowed": "the path of a serial port"},
        examples=["/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A1B2C3D4-if00-port0"],
    )
    baud: int | None = Field(
        default=None,
        ge=300,
        le=3_000_000,
        description="speed of the port; left out: the driver's own",
        json_schema_extra={"unit": "bit/s"},
        examples=[9600],
    )
    frame: str | None = Field(
        default=None,
        pattern=r"^[78][NEO][12]$",
        description="bits, parity, stop bits; left out: the driver's own (alpha 7E1, others 8N1)",
        json_schema_extra={"allowed": "7 or 8, then N, E or O, then 1 or 2"},
        examples=["7E1"],
    )
    dtr: bool = Field(
        default=False,
        description="raise DTR on opening; boards that reset on it want false",
        examples=[False],
    )
    lines: list[str] = Field(
        default=[],
        max_length=9,
        description='a template for each line, such as "N {noir.total:>2}  R {rouge.total:>2}"',
        json_schema_extra={"allowed": "a list of at most 9 texts with {FIELD} or {FIELD:>WIDTH} (docs/hardware.md)"},
        examples=[["N {noir.total:>2}  R {rouge.total:>2}", "{display.text}"]],
    )
    urgent: str = Field(
        default="",
        description="a template that covers all lines while it is not empty (alpha)",
        json_schema_extra={"allowed": "a text with {FIELD}"},
        examples=["{hold.code}"],
    )
    lamps: Annotated[list[str], AfterValidator(_lamps)] = Field(
        default=[],
        max_length=64,
        description="which lamps it shows, and where",
        json_schema_extra={"allowed": _LAMPS},
        examples=[["noir 0-7 FFFFFF", "rouge 8-15 FF0000"]],
    )
    columns: int | None = Field(
        default=None,
        ge=1,
        le=80,
        description="characters a line (matrix-orbital, noritake)",
        examples=[20],
    )
    segments: list[int] = Field(
        default=[],
        max_length=9,
        description="the segment of each line (wled)",
        json_schema_extra={"allowed": "a list of whole numbers"},
        examples=[[0, 1]],
    )
    registers: list[int] = Field(
        default=[],
        max_length=9,
        description="the holding register of each line's number (modbus)",
        json_schema_extra={"allowed": "a list of whole numbers from 0 to 65535"},
        examples=[[12300, 12301]],
    )
    device: int = Field(
        default=1,
        ge=1,
        le=247,
        description="Modbus address (modbus)",
        examples=[1],
    )
    modules: int | None = Field(
        default=None,
        ge=1,
        le=64,
        description="8 by 8 modules in the chain (max7219)",
        examples=[8],
    )
    address: str = Field(
        default="Z00",
        pattern=r"^[!-~][0-9A-F]{2}$",
        description="type code and number of the sign, Z00: every one (alpha)",
        json_schema_extra={"allowed": "a character and two hexadecimal digits"},
        examples=["Z00"],
    )
    answers: bool | None = Field(
        default=None,
        description="the sign acknowledges (alpha: from 2.0 on, default false; tpm2: WLED, default true)",
        examples=[True],
    )
    brightness: int | None = Field(
        default=None,
        ge=0,
        le=255,
        description="wled, seven-segment, max7219",
        examples=[128],
    )
    refresh_s: Annotated[float | None, BeforeValidator(_plain_number)] = Field(
        default=None,
        ge=0.5,
        le=3600,
        description="a sign that does not answer is told all again after this; left out: the driver's own",
        json_schema_extra={"unit": "seconds"},
        examples=[5],
    )


class Lamp(NamedTuple):
    """One text of `lamps`, taken apart; `segment` is also the first pixel."""

    name: str
    segment: int
    last: int | None
    colour: tuple[int, int, int]


def lamp(text: str) -> Lamp:
    found = _LAMP.fullmatch(text)
    assert found is not None  # the schema saw to it
    red, green, blue = bytes.fromhex(found[4] or "000000")
    return Lamp(found[1], int(found[2] or 0), int(found[3]) if found[3] else None, (red, green, blue))


def sign_mistakes(data: dict[str, Any], path: object) -> list[str]:
    """What the schema cannot see: driver by driver, between signs, and templates against the table's fields."""
    signs = [_valid(raw) for raw in data["signs"]] if isinstance(data.get("signs"), list) else []
    table = data["table"] if isinstance(data.get("table"), dict) else {}
    ports = _other_ports(data)
    names: dict[str, str] = {}
    lines: list[str] = []
    for number, sign in enumerate(signs):
        if sign is None:
            continue
        place = f"signs.{number}"
        found = [*_of_the_driver(sign), *_of_the_templates(sign, table), *_taken(sign, ports, names)]
        lines += [f"{path}: {place}.{line}" for line in found]
        ports.setdefault(sign.port, f"{place}.port")
        names.setdefault(sign.name, f"{place}.name")
    return lines


def _other_ports(data: dict[str, Any]) -> dict[str, str]:
    """Ports that are not a sign's, by path."""
    sections = [(name, data[name]) for name in ("panel", "shoe") if isinstance(data.get(name), dict)]
    return {port: f"{name}.port" for name, keys in sections if isinstance(port := keys.get("port"), str) and port}


def _valid(raw: Any) -> SignSection | None:
    try:
        return SignSection.model_validate(raw)
    except ValidationError:
        return None  # told by the schema


def _of_the_driver(sign: SignSection) -> Iterator[str]:
    kind = KINDS[sign.driver]
    for key in kind.needs:
        if not getattr(sign, key):
            yield f"{key}: missing; the driver {sign.driver} needs it"
    for key in sorted(sign.model_fields_set - {*_ALWAYS, *kind.needs, *kind.may}):
        yield f"{key}: the driver {sign.driver} has no such key; it has {', '.join((*kind.needs, *kind.may))}"
    if sign.driver in _ONE_LINE and len(sign.lines) > 1:
        yield f"lines: the driver {sign.driver} shows one line"
    for key in ("segments", "registers"):
        if key in (*kind.needs, *kind.may) and len(getattr(sign, key)) != len(sign.lines):
            yield f"{key} = {getattr(sign, key)}: allowed: one for each of the {len(sign.lines)} lines"
    yield from _of_the_lamps(sign)


def _of_the_lamps(sign: SignSection) -> Iterator[str]:
    for text in sign.lamps:
        pixels = lamp(text)
        strip = sign.driver in ("adalight", "tpm2")
        if strip != (pixels.last is not None) or (pixels.last is not None and pixels.last < pixels.segment):
            yield f'lamps = "{text}": allowed: {_LAMPS}'
    if any(not 0 <= register <= 0xFFFF for register in sign.registers):
        yield f"registers = {sign.registers}: allowed: a list of whole numbers from 0 to 65535"


def _of_the_templates(sign: SignSection, table: dict[str, Any]) -> Iterator[str]:
    game, seats = table.get("game", "trente-et-quarante"), table.get("seats", 1)
    fields = fields_of(str(game), seats if isinstance(seats, int) else 1)
    for key, text in [*((f"lines.{at}", text) for at, text in enumerate(sign.lines)), ("urgent", sign.urgent)]:
        try:
            parse(text, fields)
        except TemplateError as error:
            yield f"{key}: {error}"


def _taken(sign: SignSection, ports: dict[str, str], names: dict[str, str]) -> Iterator[str]:
    if sign.port and sign.port in ports:
        yield f'port = "{sign.port}": this is {ports[sign.port]} already'
    if sign.name in names or sign.name == "panel":
        yield f'name = "{sign.name}": this is {names.get(sign.name, "the panel")} already'
