"""Runs the panel's program under CPython, where no MicroPython is at hand: `run.py DEVICE_FOLDER`. Supplies what
MicroPython has and CPython has not; the board's modules are the same shims as there."""

import io
import runpy
import select
import sys
import time
import types
from pathlib import Path


class _Stream:
    """Standard input or output as MicroPython has it: unbuffered bytes below `buffer`."""

    def __init__(self, descriptor: int, mode: str) -> None:
        self.buffer = io.FileIO(descriptor, mode)

    def fileno(self) -> int:
        return self.buffer.fileno()


def _supply() -> None:
    sys.modules["uselect"] = select
    del sys.modules["select"]
    micropython = types.ModuleType("micropython")
    micropython.kbd_intr = lambda character: None  # type: ignore[attr-defined]
    sys.modules["micropython"] = micropython
    time.ticks_ms = lambda: time.monotonic_ns() // 1_000_000  # type: ignore[attr-defined]
    time.ticks_diff = lambda later, earlier: later - earlier  # type: ignore[attr-defined]
    time.ticks_add = lambda ticks, delta: ticks + delta  # type: ignore[attr-defined]
    sys.stdin, sys.stdout = _Stream(0, "rb"), _Stream(1, "wb")  # type: ignore[assignment]


if __name__ == "__main__":
    device = sys.argv[1]
    _supply()
    sys.path[:0] = [device, str(Path(__file__).parents[1])]
    runpy.run_path(f"{device}/main.py", run_name="__main__")
