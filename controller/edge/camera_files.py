"""The files that say how a camera sees its cards: found by name in `config/cameras/`, or by path; read by vision.

Light until one is really read (vision brings OpenCV).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from controller.edge.problems import UsageProblem
from controller.paths import config_folder

if TYPE_CHECKING:
    from vision.geometry import Geometry


def geometry_file(name: str, base: Path) -> Path:
    """The file of a camera: a path (with a slash or .toml) from `base`, else a name in config/cameras."""
    if "/" in name or name.endswith(".toml"):
        return base / name
    return config_folder() / "cameras" / f"{name}.toml"


def known_cameras() -> str:
    """The names in config/cameras, for a message."""
    return ", ".join(sorted(file.stem for file in (config_folder() / "cameras").glob("*.toml")))


def read_geometry(file: Path) -> Geometry:
    """Raises UsageProblem with a line for each mistake in the file."""
    from vision.geometry import GeometryError, load_geometry

    try:
        return load_geometry(file)
    except GeometryError as error:
        raise UsageProblem(str(error).splitlines()) from error
