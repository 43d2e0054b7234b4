"""When something happened: boot, monotonic clock, UTC, and whether UTC could be trusted then.

A Raspberry Pi 4 has no clock of its own: until the network has set it, UTC may be days off and may jump. Order and
intervals are therefore taken from the monotonic clock of one boot; UTC is for people, with a flag. The flag is the
kernel's own: `adjtimex(2)` without changes, whose STA_UNSYNC bit time daemons (systemd-timesyncd, chrony, ntpd) clear
once they have set the clock; that is also what `timedatectl` shows as "System clock synchronized".
"""

from __future__ import annotations

import ctypes
import functools
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import msgspec

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_STA_UNSYNC = 0x0040  # linux/timex.h
_TIME_ERROR = 5


class Stamp(msgspec.Struct, frozen=True):
    """`boot` names the machine's boot, `monotonic_ns` counts within it; `utc` is ISO 8601 with microseconds and Z."""

    boot: str
    monotonic_ns: int
    utc: str
    utc_trusted: bool


class _Timex(ctypes.Structure):
    """struct timex as far as the status; the rest is room for the kernel to write to."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_byte * 256),
    )


def now() -> Stamp:
    """The stamp of this moment."""
    utc = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    return Stamp(boot_id(), time.monotonic_ns(), utc, utc_trusted())


@functools.cache
def boot_id() -> str:
    """The kernel's random name of this boot; where there is none (not Linux), one of this process."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return f"process-{os.getpid()}"


def utc_trusted() -> bool:
    """Whether the kernel says that its clock has been set by a time source; False where that cannot be asked."""
    adjtimex = _adjtimex()
    if adjtimex is None:
        return False
    timex = _Timex(modes=0)
    state = int(adjtimex(ctypes.byref(timex)))
    return state not in (-1, _TIME_ERROR) and not timex.status & _STA_UNSYNC


@functools.cache
def _adjtimex() -> ctypes._NamedFuncPointer | None:
    try:
        return ctypes.CDLL(None).adjtimex
    except (OSError, AttributeError):
        return None
