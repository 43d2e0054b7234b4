"""Two folders change places in one step, so that a process killed at any moment leaves one of them whole at its place.

Linux's renameat2, which Python's `os` does not have. What is exchanged, and what is done where a file system cannot,
is left to the caller.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

_HERE = -100  # AT_FDCWD: relative paths are the working directory's
_EXCHANGE = 2  # RENAME_EXCHANGE


def exchange(first: Path, second: Path) -> bool:
    """Whether the two were exchanged; where not, both are as they were."""
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)  # glibc from 2.28 on
    if renameat2 is None:
        return False
    return int(renameat2(_HERE, os.fsencode(first), _HERE, os.fsencode(second), _EXCHANGE)) == 0
