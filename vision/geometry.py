"""What a camera sees and at what scale: the strict TOML files of `config/cameras/`.

Everything downstream works in millimetres of the card; this file alone turns them into the pixels of one mounting.
Where a file of that name lies is left to the caller.
"""

from __future__ import annotations

import tomllib
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

CARD_WIDTH_MM, CARD_HEIGHT_MM = 63.5, 88.9
CUT_CARDS = ("coloured", "plain")
MOTIONS = ("slot", "box", "free", "fixed")
_ROTATIONS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


class GeometryError(ValueError):
    """A camera file is unusable; the message holds one line for each mistake."""


@dataclass(frozen=True)
class Geometry:
    """One camera's geometry. `slot` and `box` need all of it, `free` photographs none of the scale; before a `fixed`
    camera a card lies still at one place, either way round, and only an enrolled deck can be read.

    Sizes are those of the frame as the camera gives it. `rotation` (degrees clockwise) and `mirrored` (left and right
    exchanged, after the rotation) make the index upright; `top_edge_px` is the row of the card's top edge then. The
    barcode's region lies in mm from the card's top left corner; without a width there is none. `cut_card`: "coloured",
    or "plain" where the cut card may be white, grey or black: then whatever bears no print is the cut card.
    """

    motion: str
    width: int = 640
    height: int = 480
    px_per_mm: float = 8.0
    rotation: int = 0
    mirrored: bool = False
    top_edge_px: int = 40
    top_edge_slack_mm: float = 3.0
    tilt_max_deg: float = 6.0
    exposure_ms: float = 0.4
    fps: float = 120.0
    colour: bool = True
    cut_card: str = "coloured"
    barcode_left_mm: float = 0.0
    barcode_top_mm: float = 0.0
    barcode_width_mm: float = 0.0
    barcode_height_mm: float = 0.0

    @property
    def upright_size(self) -> tuple[int, int]:
        """Width and height of the upright frame."""
        return (self.height, self.width) if self.rotation in (90, 270) else (self.width, self.height)

    def fits(self, image: Image) -> bool:
        """Whether a frame has the size that this file says."""
        return image.shape[:2] == (self.height, self.width)

    def upright(self, image: Image) -> Image:
        """The frame with its index upright: a view where nothing is to be turned."""
        if self.rotation:
            image = np.asarray(cv2.rotate(image, _ROTATIONS[self.rotation]), np.uint8)
        return np.asarray(image[:, ::-1], np.uint8) if self.mirrored else image


FREE = Geometry(motion="free")

# The allowed range of each number, bounds included.
_RANGES: dict[str, tuple[float, float]] = {
    "width": (64, 4096),
    "height": (64, 4096),
    "px_per_mm": (1.5, 40),
    "top_edge_px": (0, 4096),
    "top_edge_slack_mm": (0, 20),
    "tilt_max_deg": (0, 15),
    "exposure_ms": (0.01, 1000),
    "barcode_left_mm": (0, 90),
    "barcode_top_mm": (0, 90),
    "barcode_width_mm": (0, 90),
    "barcode_height_mm": (0, 90),
    "fps": (1, 1000),
}
_CHOICES: dict[str, tuple[object, ...]] = {"motion": MOTIONS, "rotation": (0, 90, 180, 270), "cut_card": CUT_CARDS}


def load_geometry(path: str | Path) -> Geometry:
    """Read one camera file. Raises GeometryError: file, key, value and what is allowed, every mistake at once."""
    path = Path(path)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GeometryError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GeometryError(f"{path}: not TOML: {error}") from error
    mistakes = [f"{path}: {mistake}" for mistake in _mistakes(table)]
    if mistakes:
        raise GeometryError("\n".join(mistakes))
    return Geometry(**{name: _value(name, value) for name, value in table.items()})


def _mistakes(table: dict[str, Any]) -> list[str]:
    known = {field.name: field for field in fields(Geometry)}
    found = [f"{name}: unknown key; allowed: {', '.join(known)}" for name in table if name not in known]
    found += [f"{name}: missing" for name, field in known.items() if field.default is MISSING and name not in table]
    return found + [line for name, value in table.items() if name in known for line in _value_mistakes(name, value)]


def _value_mistakes(name: str, value: object) -> list[str]:
    if name in _CHOICES:
        allowed = _CHOICES[name]
        return [] if value in allowed and not isinstance(value, bool) else [f"{name}: {value!r}; allowed: {allowed}"]
    if name not in _RANGES:
        return [] if isinstance(value, bool) else [f"{name}: {value!r}; allowed: true, false"]
    low, high = _RANGES[name]
    whole = isinstance(getattr(FREE, name), int)
    kind = "a whole number" if whole else "a number"
    right = isinstance(value, int) if whole else isinstance(value, int | float)
    if isinstance(value, bool) or not right or not low <= float(str(value)) <= high:
        return [f"{name}: {value!r}; allowed: {kind} from {low:g} to {high:g}"]
    return []


def _value(name: str, value: Any) -> Any:
    return float(value) if isinstance(getattr(FREE, name), float) else value
