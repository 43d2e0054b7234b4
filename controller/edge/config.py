"""A table's configuration: one strict schema, every mistake of a file at once (docs/configuration.md).

`config/table.toml` shows every key; a table's own file is usually /etc/sabot/table.toml. Two tables on one machine have
two files: state folder, lock and page port are the table's own. What the parts do with their values is theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints

from controller.edge.camera_files import geometry_file, known_cameras, read_geometry
from controller.edge.config_gpio import GpioSection, gpio_mistakes
from controller.edge.config_signs import SignSection, sign_mistakes
from controller.edge.house_rules import TableRules
from controller.edge.problems import UsageProblem
from controller.edge.toml_input import Section, check, read_toml

STANDARD_FILE = Path("/etc/sabot/table.toml")
STATE_ROOT = Path("/var/lib/sabot")
SHOE_MAX = 12 * 52  # cards in the largest shoe
LAMPS_MAX = 16  # as many as the panel's wire carries

_NAME = "a name of a to z, 0 to 9 and -, at most 32, beginning with a letter or digit"
_SOURCE = "picamera2, v4l2:PATH, folder:PATH, video:PATH, shared:PATH, or none beside a shoe that reads its cards"
_LAMP = "a list of at most 16 different names of a to z, 0 to 9 and -; the first is the panel's lamp 0"


def _camera_source(value: str) -> str:
    kind, colon, path = value.partition(":")
    if value in ("picamera2", "none") or (kind in ("v4l2", "folder", "video", "shared") and colon and path):
        return value
    raise ValueError(_SOURCE)


def _different(value: list[str]) -> list[str]:
    if len(set(value)) != len(value):
        raise ValueError(_LAMP)
    return value


Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]


class TableSection(Section):
    name: Name = Field(
        default="table-1",
        description="names the table on the page, in logs and in the default state folder",
        json_schema_extra={"allowed": _NAME},
    )
    game: Literal["trente-et-quarante", "red-and-black", "zecchinetta"] = Field(
        default="trente-et-quarante", description="the game dealt at this table"
    )
    seats: int = Field(default=1, ge=1, le=9, description="players beside the banker (red and black, zecchinetta)")


class CameraSection(Section):
    source: Annotated[str, AfterValidator(_camera_source)] = Field(
        default="picamera2",
        description="where frames come from; give a V4L2 camera by its stable path under /dev/v4l/by-id",
        json_schema_extra={"allowed": _SOURCE},
    )
    geometry: str = Field(
        default="reference-slot",
        min_length=1,
        description="how the camera sees the card",
        json_schema_extra={"allowed": "the name of a file in config/cameras, or the path of such a file"},
    )
    deck: str = Field(
        default="",
        description="enrolled deck; empty: the reader's own",
        json_schema_extra={"allowed": "the name or folder of a deck profile, or empty"},
    )
    codes: str = Field(
        default="",
        description="code table of the cards' barcodes; empty: they bear none",
        json_schema_extra={"allowed": "the path of a code table, or empty"},
    )
    fps: int = Field(
        default=120, ge=1, le=500, description="asked of the camera", json_schema_extra={"unit": "frames a second"}
    )


class PanelSection(Section):
    port: str = Field(
        default="",
        description="serial port of the LED panel, best a link under /dev/serial/by-id; empty: no panel",
        json_schema_extra={"allowed": "the path of a serial port, or empty"},
    )
    baud: int = Field(
        default=115200, ge=1200, le=3_000_000, description="speed of the port", json_schema_extra={"unit": "bit/s"}
    )
    lamps: Annotated[list[Name], AfterValidator(_different)] = Field(
        default=["noir", "rouge", "couleur", "inverse", "refait", "bets", "hold"],
        max_length=LAMPS_MAX,
        description="lamps in the order of the panel's outputs",
        json_schema_extra={"allowed": _LAMP},
    )
    dtr: bool = Field(
        default=True, description="raise DTR on opening: true for a Pico's USB, false for Arduino-like boards"
    )


class ShoeSection(Section):
    port: str = Field(
        default="",
        description="serial port of a shoe that reads its cards; empty: none. Beside a camera both must agree",
        json_schema_extra={"allowed": "the path of a serial port, or empty"},
    )
    driver: Literal["bee-tek"] = Field(default="bee-tek", description="what the shoe speaks (docs/hardware.md)")
    baud: int = Field(
        default=9600, ge=300, le=115200, description="speed of the port", json_schema_extra={"unit": "bit/s"}
    )
    dtr: bool = Field(default=True, description="raise DTR on opening")
    virtual_cut: int | None = Field(
        default=None,
        ge=1,
        le=SHOE_MAX,
        description="a virtual cut card: the shoe ends after the round in which so many symbols have left it",
        json_schema_extra={"unit": "cards"},
        examples=[260],
    )
    portion: int = Field(
        default=0,
        ge=0,
        le=SHOE_MAX,
        description="cards put into the shoe at a time, a tailleur's handful; 0: all at once",
        json_schema_extra={"unit": "cards"},
    )


class PageSection(Section):
    host: str = Field(
        default="127.0.0.1",
        pattern=r"^[0-9A-Za-z.:-]+$",
        description="address the page is served on; 0.0.0.0 for the whole network",
        json_schema_extra={"allowed": "an address or host name of this machine"},
    )
    port: int = Field(default=8031, ge=0, le=65535, description="TCP port of the page; 0: any free one")


class StateSection(Section):
    folder: str = Field(
        default="",
        description="journal, lock and unread frames; empty: /var/lib/sabot/NAME",
        json_schema_extra={"allowed": "the path of a folder, or empty"},
    )


class AnnounceSection(Section):
    style: Literal["units", "full"] = Field(
        default="units", description="trente et quarante, end of a row: units (36 is six) or full"
    )
    language: Literal["fr", "it", "en", "ru"] = Field(default="fr", description="language of the announcements")


class TableConfig(Section):
    """Everything a daemon is told."""

    table: TableSection = TableSection()
    rules: TableRules = TableRules()
    camera: CameraSection = CameraSection()
    shoe: ShoeSection = ShoeSection()
    panel: PanelSection = PanelSection()
    gpio: GpioSection = GpioSection()
    page: PageSection = PageSection()
    state: StateSection = StateSection()
    announce: AnnounceSection = AnnounceSection()
    signs: list[SignSection] = Field(default=[], description="signs of other makers")

    def state_folder(self) -> Path:
        return Path(self.state.folder) if self.state.folder else STATE_ROOT / self.table.name


def load_config(path: Path | str) -> TableConfig:
    """The table's configuration; relative paths in it are taken from the file's folder and come out absolute.

    Raises UsageProblem with one line for each mistake: file, key, value and what is allowed.
    """
    path = Path(path)
    base = path.absolute().parent
    data = read_toml(path)
    lines = [*_file_mistakes(data, base, path), *sign_mistakes(data, path)]
    lines += [f"{path}: {line}" for line in (*shoe_mistakes(data), *gpio_mistakes(data))]
    try:
        config = check(TableConfig, data, path)
    except UsageProblem as problem:
        raise UsageProblem([*problem.lines, *lines]) from problem
    if lines:
        raise UsageProblem(lines)
    return _with_paths(config, base)


def shoe_mistakes(data: dict[str, Any]) -> Iterator[str]:
    """A shoe that reads its cards and a camera: at least one of them, and no shoe for the box of zecchinetta."""
    table, camera, shoe, panel = (
        section if isinstance(section := data.get(name), dict) else {} for name in ("table", "camera", "shoe", "panel")
    )
    port = shoe.get("port")
    if camera.get("source") == "none" and not port:
        yield 'camera.source = "none": allowed: only where shoe.port names a shoe that reads its cards'
    if port and table.get("game") == "zecchinetta":
        yield f'shoe.port = "{port}": zecchinetta is dealt from a box, a camera sees its cards'
    if port and port == panel.get("port"):
        yield f'shoe.port = "{port}": this is panel.port already'


def _file_mistakes(data: dict[str, Any], base: Path, path: Path) -> list[str]:
    """What is wrong with the files that a configuration names; values of a wrong type are the schema's to refuse."""
    camera = data.get("camera")
    camera = camera if isinstance(camera, dict) else {}
    geometry, deck = camera.get("geometry"), camera.get("deck")
    lines = _geometry_mistakes(geometry, base, path) if isinstance(geometry, str) and geometry else []
    if isinstance(deck, str) and "/" in deck and not (base / deck).is_dir():
        lines.append(f'{path}: camera.deck = "{deck}": allowed: the folder of a deck profile (this one is not there)')
    return lines


def _geometry_mistakes(name: str, base: Path, path: Path) -> list[str]:
    file = geometry_file(name, base)
    if not file.is_file():
        return [f'{path}: camera.geometry = "{name}": allowed: {known_cameras()}, or the path of such a file']
    try:
        read_geometry(file)
    except UsageProblem as problem:
        return list(problem.lines)
    return []


def _with_paths(config: TableConfig, base: Path) -> TableConfig:
    camera = {
        "source": _absolute_source(config.camera.source, base),
        "geometry": str(geometry_file(config.camera.geometry, base)),
        "deck": str(base / config.camera.deck) if "/" in config.camera.deck else config.camera.deck,
        "codes": _absolute(config.camera.codes, base),
    }
    changes: dict[str, Any] = {
        "camera": config.camera.model_copy(update=camera),
        "shoe": config.shoe.model_copy(update={"port": _absolute(config.shoe.port, base)}),
        "panel": config.panel.model_copy(update={"port": _absolute(config.panel.port, base)}),
        "signs": [sign.model_copy(update={"port": _absolute(sign.port, base)}) for sign in config.signs],
        "state": config.state.model_copy(update={"folder": str(base / config.state_folder())}),
    }
    return config.model_copy(update=changes)


def _absolute(path: str, base: Path) -> str:
    return str(base / path) if path else path


def _absolute_source(source: str, base: Path) -> str:
    kind, colon, path = source.partition(":")
    return f"{kind}:{base / path}" if colon else source
