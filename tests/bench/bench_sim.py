"""What the simulator's camera costs: `python tests/bench/bench_sim.py` prints a table (one core, this machine).

The floor beside it is the one of vision's figures: copy, grey, Otsu and contours of 320×240 px of the same frames.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hw_sim.camera import Camera
from hw_sim.conditions import Conditions
from hw_sim.decks import CARDS, STYLES, draw_face
from hw_sim.motion import Hand, draw_card

PASSAGES = 60


def timed(work: Callable[[], object]) -> tuple[float, object]:
    start = time.perf_counter()
    result = work()
    return (time.perf_counter() - start) * 1000, result


def floor(frame: np.ndarray) -> None:
    grey = cv2.cvtColor(frame[40:280, 160:480].copy(), cv2.COLOR_BGR2GRAY)
    _, ink = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    cv2.findContours(ink, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)


def main() -> None:
    cv2.setNumThreads(1)
    rng = np.random.default_rng(7)
    camera = Camera(Conditions(), rng)
    styles = list(STYLES.values())
    times: dict[str, list[float]] = {
        name: [] for name in ("face drawn", "card prepared", "frame", "idle frame", "floor")
    }
    for k in range(PASSAGES):
        took, face = timed(lambda k=k: draw_face(styles[k % len(styles)], CARDS[k % 52], 8.0))
        times["face drawn"].append(took)
        took, card = timed(lambda face=face: camera.prepare(face))
        times["card prepared"].append(took)
        for n, pose in enumerate(draw_card(rng, Hand()).poses):
            took, frame = timed(lambda card=card, pose=pose, n=n: camera.frame([(card, pose)], n / 120, n))
            times["frame" if frame.flags.writeable else "idle frame"].append(took)
            times["floor"].append(timed(lambda frame=frame: floor(frame))[0])
    base = np.mean(times["floor"])
    print(f"{'':15}{'mean ms':>9}{'p99 ms':>9}{'x floor':>9}")
    for name, values in times.items():
        print(f"{name:15}{np.mean(values):9.3f}{np.percentile(values, 99):9.3f}{np.mean(values) / base:9.2f}")


if __name__ == "__main__":
    main()
