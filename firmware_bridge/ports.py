"""Which serial ports are plugged in, by the path that stays the same, and which of our drivers fits. Opens none.

A kernel's name (`ttyACM0`) changes when a device is plugged in again; the links under /dev/serial do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from serial.tools import list_ports

_LINKS = ("dev/serial/by-id", "dev/serial/by-path")  # in the order in which they are to be preferred
_DRIVERS = {
    (0x2E8A, 0x0005): "panel (Raspberry Pi Pico with MicroPython)",
    (0x2E8A, 0x000A): "panel (Raspberry Pi Pico)",
}
_ADAPTERS = {0x0403: "FTDI", 0x10C4: "CP210x", 0x1A86: "CH340", 0x067B: "PL2303"}


@dataclass(frozen=True)
class FoundPort:
    """`path`: the stable path, `device` where there is none; `fits`: what it can be used as, in words."""

    path: str
    device: str
    description: str
    fits: str


def found_ports(root: Path = Path("/")) -> list[FoundPort]:
    """The USB ports, and the built-in ones that exist; `root` is where /dev lies."""
    ports = sorted(list_ports.comports(), key=lambda port: port.device)
    return [
        FoundPort(stable_path(port.device, root), port.device, port.description, _fits(port.vid, port.pid))
        for port in ports
    ]


def stable_path(device: str, root: Path = Path("/")) -> str:
    """The link under /dev/serial that leads to `device` now; `device` itself where none does."""
    target = (root / device.lstrip("/")).resolve()
    for folder in _LINKS:
        for link in sorted((root / folder).glob("*")):
            if link.resolve() == target:
                return "/" + str(link.relative_to(root))
    return device


def _fits(vendor: int | None, product: int | None) -> str:
    if vendor is None or product is None:
        return "built-in or virtual port: a panel by cable"
    adapter = _ADAPTERS.get(vendor)
    if adapter is not None:
        return f"{adapter} adapter: a panel or sign by cable"
    return _DRIVERS.get((vendor, product), "unknown device")
