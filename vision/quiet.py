"""OpenCV made quiet and single-threaded: one place, called first by every process that reads cards."""

from __future__ import annotations

import cv2


def quiet_opencv() -> None:
    """One thread (the reader's time is one core's); nothing on standard error, our messages say what is wrong."""
    cv2.setNumThreads(1)
    logging = getattr(cv2.utils, "logging", None)  # OpenCV 5; in 4 the same stands in cv2 itself
    if logging is not None:
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    else:
        cv2.setLogLevel(0)  # type: ignore[attr-defined]
