"""From a source's name in the configuration to the source: `shared:PATH`, `v4l2:PATH`, `picamera2`, `folder:`,
`video:`.
"""

from __future__ import annotations

from pathlib import Path

from vision.geometry import Geometry
from vision.sources.base import Source, SourceError
from vision.sources.folder import FolderSource, VideoSource
from vision.sources.pi import PiSource
from vision.sources.shared import SharedSource
from vision.sources.v4l2 import V4l2Source

KINDS = ("shared:PATH", "v4l2:PATH", "picamera2", "folder:PATH", "video:PATH")


def check_source(name: str) -> None:
    """Raises SourceError where `name` is not of a known kind (the device itself is not touched)."""
    kind, _, path = name.partition(":")
    if name != "picamera2" and (kind not in ("shared", "v4l2", "folder", "video") or not path):
        raise SourceError(f"{name!r} is not a camera source; allowed: {', '.join(KINDS)}")


def open_source(name: str, geometry: Geometry, fps: float) -> Source:
    """Open what `name` says. Raises SourceError (unusable) or CameraLost (may come later)."""
    check_source(name)
    kind, _, rest = name.partition(":")
    path = Path(rest)
    if kind == "shared":
        return SharedSource(path)
    if kind == "v4l2":
        return V4l2Source(path, geometry, fps)
    if kind == "folder":
        return FolderSource(path, fps)
    if kind == "video":
        return VideoSource(path, fps)
    return PiSource(geometry, fps)
