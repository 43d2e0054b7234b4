"""What SIGTERM and SIGINT mean to a daemon that still begins: nothing was done yet, so it ends at once, with 0.

Once its loop runs, they are edge.daemon's.
"""

from __future__ import annotations

import signal
from typing import NoReturn


def end_at_once_on_signals() -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)


def _end(*_: object) -> NoReturn:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)  # told once is enough: what was begun is taken back undisturbed
    raise SystemExit(0)
