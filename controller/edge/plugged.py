"""Which cameras are plugged in, by the path that stays the same. Reads what the kernel says; opens none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_LINKS = ("dev/v4l/by-id", "dev/v4l/by-path")  # in the order in which they are to be preferred


@dataclass(frozen=True)
class FoundCamera:
    """A V4L2 node that gives pictures: `path` the stable one, `device` the kernel's name of now."""

    path: str
    device: str
    description: str


def found_cameras(root: Path = Path("/")) -> list[FoundCamera]:
    """First nodes of the video devices, in the kernel's order; `root` is where /dev and /sys lie.

    A camera has further nodes (metadata) with an index above 0, which give no pictures.
    """
    found = []
    for node in sorted((root / "sys/class/video4linux").glob("video*"), key=lambda node: int(node.name[5:] or 0)):
        if _read(node / "index") in ("", "0"):
            device = f"/dev/{node.name}"
            found.append(FoundCamera(_stable(device, root), device, _read(node / "name") or "camera"))
    return found


def _stable(device: str, root: Path) -> str:
    target = (root / device.lstrip("/")).resolve()
    for folder in _LINKS:
        for link in sorted((root / folder).glob("*")):
            if link.resolve() == target:
                return "/" + str(link.relative_to(root))
    return device


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
