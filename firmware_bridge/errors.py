"""The one error tree of this package. What is ours (a picture that no panel can show, a port that cannot be had) is
raised to the caller; what is theirs (noise, a frame that does not check) is counted and answered, never raised out of
the pure protocol."""

from __future__ import annotations


class BridgeError(Exception):
    """Any error of this package."""


class PictureError(BridgeError, ValueError):
    """Ours: a picture that the protocol cannot carry; says which field and what is allowed."""


class FrameError(BridgeError, ValueError):
    """Theirs: bytes that are no frame, or a frame whose fields break the protocol."""


class PortError(BridgeError, OSError):
    """A serial port that cannot be opened or was lost; says which one and why."""
