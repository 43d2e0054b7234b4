"""A camera of the kernel's by its path (`/dev/v4l/by-id/…`), through OpenCV: exposure and white balance locked.

A thread of its own grabs and stamps, and keeps the newest frame only, so a slow reader never reads an old picture;
what it passed over shows in the numbers. A call that never returns leaves the thread behind; the reader sees no
frame and says so.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.geometry import Geometry
from vision.sources.base import LOST_S, QUIET_S, CameraLost, Frame, Image

_MANUAL_EXPOSURE = 1.0  # V4L2_EXPOSURE_MANUAL
_V4L2_EXPOSURE_UNIT_MS = 0.1


class V4l2Source:
    """Raises CameraLost where the device does not open. `notes` names what the camera did not accept."""

    def __init__(self, path: Path, geometry: Geometry, fps: float) -> None:
        if not path.exists():
            raise CameraLost(f"{path}: no such device")
        self._path = path
        self._capture = cv2.VideoCapture(str(path.resolve()), cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise CameraLost(f"{path}: cannot be opened as a camera")
        self.notes = tuple(self._lock(geometry, fps))
        self._newest: Frame | None = None
        self._changed = threading.Condition()
        self._ending = False
        self._thread = threading.Thread(target=self._grab, name="v4l2-grab", daemon=True)
        self._thread.start()

    def frames(self) -> Iterator[Frame | None]:
        last, quiet_since = -1, time.monotonic()
        while time.monotonic() - quiet_since < LOST_S:
            frame = self._wait_newer(last)
            if frame is not None:
                last, quiet_since = frame.number, time.monotonic()
            yield frame
        raise CameraLost(f"{self._path}: no frame for {LOST_S:g} s")

    def close(self) -> None:
        """Ends the grabbing thread; where the driver hangs, the device is left to the end of the process."""
        self._ending = True
        self._thread.join(timeout=1.0)
        if not self._thread.is_alive():
            self._capture.release()

    def _wait_newer(self, last: int) -> Frame | None:
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None and self._newest.number > last, QUIET_S)
            newest = self._newest
        return newest if newest is not None and newest.number > last else None

    def _lock(self, geometry: Geometry, fps: float) -> Iterator[str]:
        """Set size, rate, exposure and white balance, and read each back: a driver may take a value and not obey."""
        wanted = {
            cv2.CAP_PROP_FRAME_WIDTH: ("width", float(geometry.width)),
            cv2.CAP_PROP_FRAME_HEIGHT: ("height", float(geometry.height)),
            cv2.CAP_PROP_FPS: ("frames/s", fps),
            cv2.CAP_PROP_BUFFERSIZE: ("buffers", 2.0),
            cv2.CAP_PROP_AUTO_EXPOSURE: ("manual exposure", _MANUAL_EXPOSURE),
            cv2.CAP_PROP_EXPOSURE: ("exposure", max(1.0, round(geometry.exposure_ms / _V4L2_EXPOSURE_UNIT_MS))),
            cv2.CAP_PROP_AUTO_WB: ("automatic white balance", 0.0),
        }
        for key, (name, value) in wanted.items():
            self._capture.set(key, value)
            got = float(self._capture.get(key))
            if abs(got - value) > 0.01 * max(1.0, abs(value)):
                yield f"{name}: {value:g} was asked for, the camera says {got:g}"

    def _grab(self) -> None:
        number = 0
        while not self._ending:
            there, image = self._capture.read()
            if not there:
                return
            frame = Frame(self._as_image(image), number, time.monotonic())
            with self._changed:
                self._newest = frame
                self._changed.notify_all()
            number += 1

    @staticmethod
    def _as_image(image: object) -> Image:
        return np.asarray(image, np.uint8)
