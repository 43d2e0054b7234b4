"""Would this machine do? Each part looked at by itself, with what to do where it would not work.

Nothing is started or changed: devices are looked at, not opened (opening a port can reset the board behind it, and a
running daemon has its own open), and the disk is tried with a small file that is taken away again. The parts of a
table are doctor_table's.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import subprocess
import sys
from collections.abc import Collection, Iterator

import msgspec

from controller.edge import stamp


class Finding(msgspec.Struct, frozen=True):
    """`works` None: not used here, or only to be known. `advice`: what to do where it would not work."""

    part: str
    works: bool | None
    text: str
    advice: str = ""


def machine() -> Iterator[Finding]:
    """The parts that every table of this machine shares."""
    yield _opencv()
    yield _zbar()
    yield _clock()


def _opencv() -> Finding:
    """libGL and the like are OpenCV's: whether it loads is asked in a process of its own."""
    code = "import cv2; print(cv2.__version__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return Finding("libGL", True, f"OpenCV {done.stdout.strip()} loads")
    why = (done.stderr.strip().splitlines() or ["OpenCV ended without a word"])[-1]
    return Finding("libGL", False, f"OpenCV does not load: {why}", "apt install libgl1 libglib2.0-0")


def _zbar() -> Finding:
    try:
        ctypes.CDLL("libzbar.so.0")
    except OSError:
        return Finding("libzbar", False, "not found: cards with barcodes cannot be read", "apt install libzbar0")
    return Finding("libzbar", True, "loads")


def _clock() -> Finding:
    now = stamp.now()
    if now.utc_trusted:
        return Finding("clock", True, f"{now.utc}, set by a time source")
    text = f"{now.utc}, but the kernel knows no time source: records are marked as untrusted"
    return Finding("clock", False, text, "timedatectl set-ntp true, and a network, or a clock module")


def gpio(pins: Collection[int]) -> Finding:
    """The pins of a Raspberry Pi (BCM numbers)."""
    pin = ", ".join(map(str, sorted(pins)))
    if not pins:
        return Finding("GPIO", None, "not used: no sensor is configured")
    chips = sorted(name for name in os.listdir("/dev") if name.startswith("gpiochip"))
    if not chips:
        return Finding("GPIO", False, f"pins {pin}: this machine has no GPIO", "leave [gpio] out")
    if importlib.util.find_spec("lgpio") is None:
        return Finding("GPIO", False, f"pins {pin}: the library lgpio is missing", "pip install 'sabot[pi]'")
    shut = [f"/dev/{chip}" for chip in chips if not os.access(f"/dev/{chip}", os.R_OK | os.W_OK)]
    if shut:
        return Finding("GPIO", False, f"pins {pin}: no access to {', '.join(shut)}", "add the user to the group gpio")
    return Finding("GPIO", True, f"pins {pin}: {', '.join(chips)}")
