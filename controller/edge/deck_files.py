"""Where enrolled decks lie: a path, or a name under the user's deck folder or the machine's. Reads none of them."""

from __future__ import annotations

import os
import re
from pathlib import Path

from controller.edge.problems import UsageProblem

MACHINE_FOLDER = Path("/var/lib/sabot/decks")
_PROFILE = "profile.toml"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def user_folder() -> Path:
    """The user's deck folder; it need not be there."""
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "sabot" / "decks"


def new_deck(name: str) -> Path:
    """Where a deck of that name is made. Raises UsageProblem where the name cannot be a folder's."""
    if not _NAME.fullmatch(name):
        raise UsageProblem(f'--name "{name}": allowed: letters, digits, ".", "-" and "_", at most 64')
    return user_folder() / name


def deck_folder(name: str, base: Path | None = None) -> Path:
    """The folder of a deck: a path (with a slash; with `base` also a folder that is there), else a deck's name.

    A folder of that name beside an enrolled deck counts only where it holds a profile itself: the pictures that a deck
    was enrolled from often have its name. Raises UsageProblem where there is none; says which names there are.
    """
    beside = None if base is None else base / name
    if "/" in name or (beside is not None and (beside / _PROFILE).is_file()):
        return (base or Path()) / name
    for folder in (user_folder(), MACHINE_FOLDER):
        if (folder / name).is_dir():
            return folder / name
    if beside is not None and beside.is_dir():
        return beside
    known = sorted({path.name for folder in (user_folder(), MACHINE_FOLDER) for path in _decks(folder)})
    raise UsageProblem(f'deck "{name}": no enrolled deck of that name; enrolled: {", ".join(known) or "none"}')


def _decks(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")]
    except OSError:
        return []
