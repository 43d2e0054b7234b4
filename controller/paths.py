"""Where the files that ship beside the code are: one function, for a checkout and for an installed wheel."""

from __future__ import annotations

import sysconfig
from pathlib import Path


def config_folder() -> Path:
    """The folder `config/` (table.toml, cameras/): beside the packages in a checkout, under share/sabot when installed.

    Raises FileNotFoundError where neither is there.
    """
    here = Path(__file__).resolve().parent.parent / "config"
    installed = Path(sysconfig.get_path("data")) / "share" / "sabot" / "config"
    for folder in (here, installed):
        if (folder / "table.toml").is_file():
            return folder
    raise FileNotFoundError(f"no configuration found: neither {here} nor {installed} holds table.toml")
