"""A Raspberry Pi camera through picamera2 (an extra, imported only here): small size, fixed exposure, enough buffers.

Every frame is a fresh copy (capture_array); the sensor's own timestamp is its time. The capture runs on a thread so
that a camera that stops giving buffers is seen as lost instead of holding the reader for ever.
"""

from __future__ import annotations

import importlib
import queue
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from vision.geometry import Geometry
from vision.sources.base import LOST_S, QUIET_S, CameraLost, Frame, SourceError

_BUFFERS = 4  # with fewer libcamera halves the rate


class PiSource:
    """Raises SourceError where picamera2 is not installed, CameraLost where no camera answers."""

    def __init__(self, geometry: Geometry, fps: float) -> None:
        try:
            module = importlib.import_module("picamera2")
        except ImportError as error:
            raise SourceError("picamera2 is not installed (extra `pi`, Raspberry Pi only)") from error
        try:
            self._camera: Any = module.Picamera2()
            self._start(geometry, fps)
        except (RuntimeError, IndexError, OSError) as error:
            raise CameraLost(f"picamera2: {error}") from error
        self._frames: queue.Queue[Frame] = queue.Queue(maxsize=2)
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._capture, name="picamera2", daemon=True)
        self._thread.start()

    def frames(self) -> Iterator[Frame | None]:
        quiet_since = time.monotonic()
        while time.monotonic() - quiet_since < LOST_S:
            try:
                frame = self._frames.get(timeout=QUIET_S)
            except queue.Empty:
                yield None
                continue
            quiet_since = time.monotonic()
            yield frame
        raise CameraLost(f"picamera2: no frame for {LOST_S:g} s")

    def close(self) -> None:
        """Stop the camera; where libcamera hangs, it is left to the end of the process."""
        self._ending.set()
        self._thread.join(timeout=1.0)
        if not self._thread.is_alive():
            self._camera.stop()
            self._camera.close()

    def _start(self, geometry: Geometry, fps: float) -> None:
        period_us = round(1e6 / fps)
        self._camera.configure(
            self._camera.create_video_configuration(
                main={"size": (geometry.width, geometry.height), "format": "RGB888"},  # BGR in memory
                buffer_count=_BUFFERS,
                controls={
                    "FrameDurationLimits": (period_us, period_us),
                    "ExposureTime": round(geometry.exposure_ms * 1000),
                    "AeEnable": False,
                    "AwbEnable": False,
                },
            )
        )
        self._camera.start()

    def _capture(self) -> None:
        number = 0
        while not self._ending.is_set():
            request = self._camera.capture_request()
            image = np.asarray(request.make_array("main"), np.uint8)
            time_s = int(request.get_metadata()["SensorTimestamp"]) / 1e9
            request.release()
            if self._frames.full():  # the newest counts; what is passed over shows in the numbers
                self._frames.get_nowait()
            self._frames.put_nowait(Frame(image, number, time_s))
            number += 1
