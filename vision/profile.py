"""A deck profile on disk: a folder with `profile.toml` and the enrolled views as PNG. What is computed from them is a
cache beside them, made again whenever it does not fit.

Nothing in a profile can run code: TOML, PNG, and plain arrays (never pickled). Another geometry, a newer format,
missing or foreign pictures are refused with a line that says so. How a profile is made is `vision.enrol`'s.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck_model import Sample
from vision.deck_views import ViewKind, kind_named
from vision.drift import Light
from vision.exchange import exchange
from vision.geometry import Geometry

Image = NDArray[np.uint8]
Arrays = dict[str, NDArray[np.generic]]

FORMAT = 1
PROFILE_FILE, CROPS, CACHE_FILE = "profile.toml", "crops", "cache.npz"
LETTERS = ("usual", "own")
CACHE_VERSION = 7  # of the computing: another number makes every cache old
SYMBOLS = frozenset([r + s for r in "A23456789TJQK" for s in "shdc"] + ["back", "cut", "joker", "empty"])
_CROP = re.compile(r"(?P<symbol>[A-Za-z0-9]+)_(?P<picture>\d{1,5})_(?P<view>\d{1,2})\.png")
_MOST_CROPS = 20_000


class ProfileError(ValueError):
    """A deck profile is unusable; one line that names the file and what is wrong."""


@dataclass(frozen=True)
class Profile:
    """What profile.toml says. `letters`: "usual" where the networks read this deck too; `view`: a ViewKind's name."""

    name: str
    view: str
    letters: str
    date: str
    reader: str
    geometry: Geometry
    light: Light
    crops: int
    format: int = FORMAT
    crops_hash: str = ""  # of the crops as they were written; empty: not known


def geometry_hash(geometry: Geometry) -> str:
    """A digest of what a camera file says about its picture; what does not change it leaves a profile as it is."""
    table = asdict(geometry)
    said = {field.name: table[field.name] for field in fields(Geometry) if table[field.name] != field.default}
    aside = ("fps", "cut_card")
    kept = {name: value for name, value in said.items() if not name.startswith("barcode") and name not in aside}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


def save_profile(folder: Path, profile: Profile, samples: Sequence[Sample], cache: Arrays) -> None:
    """Write a profile whole: an older one of that name is replaced only when the new one is complete.

    Raises ProfileError where `folder` holds something else, OSError where it cannot be written.
    """
    folder = folder.absolute()
    if not folder.name:
        raise ProfileError(f"{folder}: a profile wants a folder of its own")
    if folder.exists() and not (folder / PROFILE_FILE).is_file() and any(folder.iterdir()):
        raise ProfileError(f"{folder}: a folder with something else in it; a profile wants its own")
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        _write(part, profile, samples, cache)
        if not folder.exists():
            os.replace(part, folder)
        elif not exchange(part, folder):
            old = folder.with_name(f".{folder.name}.old")
            shutil.rmtree(old, ignore_errors=True)
            os.replace(folder, old)
            os.replace(part, folder)
            shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(part, ignore_errors=True)  # what was there before, or what could not be finished


def _write(part: Path, profile: Profile, samples: Sequence[Sample], cache: Arrays) -> None:
    """All of a profile, on the disk when it returns."""
    (part / CROPS).mkdir(parents=True)
    count: dict[int, int] = {}
    for sample in samples:
        count[sample.picture] = count.get(sample.picture, 0) + 1
        name = f"{sample.symbol}_{sample.picture}_{count[sample.picture]}.png"
        _on_disk(part / CROPS / name, cv2.imencode(".png", sample.view)[1].tobytes())
    text = _toml(replace(profile, crops_hash=_hash_of(_crops(part)) if samples else ""))
    _on_disk(part / PROFILE_FILE, text.encode())
    save_cache(part, cache)


def _on_disk(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def load_profile(folder: Path, geometry: Geometry) -> Profile:
    """What a profile's file says. Raises ProfileError: no profile, a newer format, another camera geometry."""
    path = folder / PROFILE_FILE
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProfileError(f"{folder}: no enrolled deck ({PROFILE_FILE}: {error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProfileError(f"{path}: not TOML: {error}") from error
    number = table.get("format")
    if not isinstance(number, int) or number != FORMAT:
        newer = isinstance(number, int) and number > FORMAT
        why = f"format {number} is newer than this reader's ({FORMAT})" if newer else f"format: {number!r}"
        raise ProfileError(f"{path}: {why}")
    hashed = table.get("geometry_hash")
    if hashed != geometry_hash(geometry):
        raise ProfileError(f"{path}: enrolled with another camera geometry; enrol the deck again with this one")
    try:
        profile = _profile(table, geometry)
    except (KeyError, TypeError, ValueError) as error:
        raise ProfileError(f"{path}: {error}") from error
    return profile


def load_samples(folder: Path, profile: Profile) -> list[Sample]:
    """The enrolled views. Raises ProfileError where one is missing, foreign, or no picture of the view's size."""
    kind = kind_of(profile)
    samples = []
    for path in _crops(folder):
        match = _CROP.fullmatch(path.name)
        if match is None or match["symbol"] not in SYMBOLS:
            raise ProfileError(f"{path}: no crop of a profile by its name")
        view = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
        if view is None or view.shape[1::-1] != kind.size:
            raise ProfileError(f"{path}: no picture of {kind.size[0]}x{kind.size[1]}")
        samples.append(Sample(match["symbol"], np.asarray(view, np.uint8), int(match["picture"])))
    if len(samples) != profile.crops:
        raise ProfileError(f"{folder / CROPS}: {len(samples)} pictures, {profile.crops} were enrolled")
    if profile.crops_hash not in ("", _hash_of(_crops(folder))):
        raise ProfileError(f"{folder / CROPS}: not the pictures that were enrolled; enrol the deck again")
    return samples


def kind_of(profile: Profile) -> ViewKind:
    """How the profile's views are cut and compared."""
    kind = kind_named(profile.geometry, profile.view)
    if kind is None:
        raise ProfileError(f"view: {profile.view!r}: this camera has no such view")
    return kind


def save_cache(folder: Path, cache: Arrays) -> None:
    """Keep what was computed from a profile; a folder that cannot be written keeps none."""
    part = folder / f".{CACHE_FILE}.part"
    key = np.array(_digest(folder))
    try:
        with part.open("wb") as file:
            np.savez(file, key=key, **cache)  # type: ignore[arg-type]
        os.replace(part, folder / CACHE_FILE)
    except OSError:
        part.unlink(missing_ok=True)


def load_cache(folder: Path) -> Arrays | None:
    """What was computed from exactly these files before, or None. Plain arrays only: pickled ones are not opened."""
    try:
        with np.load(folder / CACHE_FILE, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile):
        return None
    return arrays if str(arrays.pop("key", "")) == _digest(folder) else None


def _crops(folder: Path) -> list[Path]:
    """The crops in the order of pictures and views."""
    try:
        found = [path for path in (folder / CROPS).iterdir() if path.suffix == ".png"]
    except OSError as error:
        raise ProfileError(f"{folder / CROPS}: {error.strerror}") from error
    if not 0 < len(found) <= _MOST_CROPS:
        raise ProfileError(f"{folder / CROPS}: {len(found)} pictures")
    return sorted(found, key=lambda path: [int(part) for part in re.findall(r"_(\d+)", path.stem)])


def _digest(folder: Path) -> str:
    """Of the profile's file, every crop, and the version of what computes."""
    return _hash_of([folder / PROFILE_FILE, *_crops(folder)], str(CACHE_VERSION))


def _hash_of(paths: Sequence[Path], also: str = "") -> str:
    digest = hashlib.sha256(also.encode())
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _toml(profile: Profile) -> str:
    """profile.toml: flat keys, then two tables. JSON's strings, numbers and booleans are TOML's too."""
    head = {
        "format": profile.format,
        "name": profile.name,
        "date": profile.date,
        "reader": profile.reader,
        "view": profile.view,
        "letters": profile.letters,
        "crops": profile.crops,
        "crops_hash": profile.crops_hash,
        "px_per_mm": kind_of(profile).px_per_mm,
        "geometry_hash": geometry_hash(profile.geometry),
    }
    light = {name: round(value, 4) for name, value in asdict(profile.light).items()}
    tables: dict[str, Mapping[str, Any]] = {"light": light, "geometry": asdict(profile.geometry)}
    lines = ["# Written by sabot enrol. To change a deck's profile, enrol the deck again.", *_keys(head)]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *_keys(table)]
    return "\n".join(lines) + "\n"


def _keys(table: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {json.dumps(value)}" for key, value in table.items()]


def _profile(table: Mapping[str, Any], geometry: Geometry) -> Profile:
    texts = {key: table[key] for key in ("name", "view", "letters", "date", "reader")}
    wrong = [key for key, value in texts.items() if not isinstance(value, str)]
    crops = table["crops"]
    light = Light(**{field.name: float(table["light"][field.name]) for field in fields(Light)})
    if wrong or not isinstance(crops, int) or texts["letters"] not in LETTERS or not all(np.isfinite(astuple(light))):
        raise ValueError(f"not usable: {', '.join(wrong) or 'letters, crops or light'}")
    profile = Profile(**texts, geometry=geometry, light=light, crops=crops, crops_hash=str(table.get("crops_hash", "")))
    kind_of(profile)
    return profile
