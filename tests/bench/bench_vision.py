"""The reader's time, each figure beside its floor in the same run: `python tests/bench/bench_vision.py [--cards N]`.

Slot: every frame of simulated passages through the daemon's own reader, on one core; mean and p99 over all frames
with a card in sight (those skipped too) and over idle ones. The floor is copy + grey + Otsu + findContours of a
320x240 region of that frame. Times are of the processor, not the clock, so that a busy machine changes them little.
The same before the box; the steps of one read; a free photograph of 1280x720; the ring; the memory of a process of
its own that has read one passage; passages a second of one core.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from vision_support import ROOT, face, passage_frames, photograph, slot_geometry, styles

from hw_sim.camera import Camera
from hw_sim.conditions import Conditions
from hw_sim.motion import Hand, Pose
from vision.box_reader import BoxReader
from vision.colour import redness
from vision.decide import FaceReader
from vision.geometry import FREE, load_geometry
from vision.glyphs import find_glyphs
from vision.locate import find_cards
from vision.messages import Reading
from vision.quiet import quiet_opencv
from vision.ring import RingReader, RingWriter
from vision.slot import SlotEye
from vision.slot_reader import SlotReader
from vision.sources.base import Frame
from vision.still import read_still

HAND = Hand(slowest=0.1, fastest=2.0)  # the whole range of the reference camera
FRESH = """
import re, sys
sys.path.insert(0, sys.argv[1])
from vision.quiet import quiet_opencv
quiet_opencv()
from vision.geometry import load_geometry
from vision.slot_reader import SlotReader
from vision.sources.base import Frame
import numpy as np
reader = SlotReader(load_geometry(sys.argv[2]))
for number, image in enumerate(np.load(sys.argv[3], mmap_mode="r")):
    reader.feed(Frame(np.array(image), number, number / 120))
print(int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) // 1024)
"""  # not ru_maxrss: that has in it what the parent had when it forked


def floor_us(image: np.ndarray) -> float:
    """Copy + grey + Otsu + findContours of the 320x240 region that holds most of the card."""
    start = time.thread_time()
    region = image[60:300, 160:480].copy()
    grey = cv2.cvtColor(region, cv2.COLOR_BGR2GRAY)
    mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1]
    cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return 1e6 * (time.thread_time() - start)


def row(name: str, times: list[float], floor: float | None = None) -> None:
    beside = f"   {np.mean(times) / floor:6.2f} x floor" if floor else ""
    mean, p99 = float(np.mean(times)), float(np.percentile(times, 99))
    print(f"{name:34} {len(times):7}  mean {mean:8.1f} us   p99 {p99:8.1f} us{beside}")


def slot(cards: int) -> None:
    rng = np.random.default_rng(1)
    names = styles()
    sight: list[float] = []
    idle: list[float] = []
    floors: list[float] = []
    outcomes = {"correct": 0, "misread": 0, "abstained": 0}
    for k in range(cards):
        truth = "A23456789TJQK"[int(rng.integers(13))] + "shdc"[int(rng.integers(4))]
        reader = SlotReader(slot_geometry(), reads=READS)
        for frame in passage_frames([truth], k, names[k % len(names)], hand=HAND):
            start = time.thread_time()
            said = reader.feed(frame)
            took = 1e6 * (time.thread_time() - start)
            (sight if reader.busy or said else idle).append(took)
            floors.append(floor_us(frame.image))
            for reading in said:
                if isinstance(reading, Reading):
                    outcomes[outcome(reading, truth)] += 1
    floor = float(np.mean(floors))
    row("floor", floors)
    row("slot frame, a card in sight", sight, floor)
    row("idle frame", idle, floor)
    print(f"of {cards} passages: {outcomes}")
    seconds = 1e-6 * (sum(sight) + sum(idle))
    print(
        f"passages a second on one core: {cards / seconds:.1f}, of {(len(sight) + len(idle)) / cards:.0f} frames each"
    )


def box(cards: int) -> None:
    """A card lies for a second, slides off in half of one, the floor is seen for a quarter."""
    reader = BoxReader(load_geometry(ROOT / "config" / "cameras" / "reference-box.toml"), reads=READS)
    rng = np.random.default_rng(2)
    names = styles()
    sight: list[float] = []
    idle: list[float] = []
    floors: list[float] = []
    number = exposed = 0
    for k in range(cards):
        truth = "A23456789TJQK"[int(rng.integers(13))] + "shdc"[int(rng.integers(4))]
        camera = Camera(Conditions(), rng)
        card = camera.prepare(face(truth, names[k % len(names)]))
        poses = [Pose(7.5, 5.0, 0.5, 0.0)] * 120 + [Pose(7.5 - 1.3 * s, 5.0, 0.5, 0.15) for s in range(60)]
        for cards_in_sight in [[(card, pose)] for pose in poses] + [[]] * 30:
            frame = Frame(camera.frame(cards_in_sight, number / 120), number, number / 120)
            number += 1
            start = time.thread_time()
            said = reader.feed(frame)
            (sight if cards_in_sight else idle).append(1e6 * (time.thread_time() - start))
            floors.append(floor_us(frame.image))
            exposed += sum(
                isinstance(each, Reading) and each.symbol == truth for each in said if each.kind == "exposed"
            )
    floor = float(np.mean(floors))
    row("box: floor", floors)
    row("box frame, a card in sight", sight, floor)
    row("box: idle frame", idle, floor)
    print(f"of {cards} cards in the box: {exposed} exposed as what they are")


def memory() -> None:
    """Of a process that starts, loads the networks and reads one passage."""
    with tempfile.TemporaryDirectory() as folder:
        frames = Path(folder) / "frames.npy"
        np.save(frames, np.array([frame.image for frame in passage_frames(["Qs"], 3)]))
        geometry = ROOT / "config" / "cameras" / "reference-slot.toml"
        command = [sys.executable, "-c", FRESH, str(ROOT), str(geometry), str(frames)]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    print(f"memory of a reading process: {said.strip()} MB at most")


def outcome(reading: Reading, truth: str) -> str:
    if reading.symbol is None:
        return "abstained"
    return "correct" if reading.symbol == truth else "misread"


def timed(call: Callable[[], object], count: int = 300) -> list[float]:
    times = []
    for _ in range(count):
        start = time.thread_time()
        call()
        times.append(1e6 * (time.thread_time() - start))
    return times


def steps() -> None:
    """What one read frame spends its time on."""
    frames = list(passage_frames(["Qs"], 3))
    eye = SlotEye(slot_geometry())
    shown = None
    for frame in frames:
        sight = eye.look(frame, frame.image)
        if sight.index and shown is None:
            shown = frame, sight
    assert shown is not None
    image, sight = shown[0].image, shown[1]
    corner = eye.corner(image, sight)
    assert corner is not None
    patch = eye.patch(image, corner)
    glyphs = find_glyphs(patch)
    assert glyphs is not None
    row("  look", timed(lambda: eye.look(Frame(image, 0, 0.0), image)))
    row("  corner", timed(lambda: eye.corner(image, sight)))
    row("  patch", timed(lambda: eye.patch(image, corner)))
    row("  glyphs", timed(lambda: find_glyphs(patch)))
    row("  glyph network, two glyphs", timed(lambda: READS.by_glyphs(glyphs)))
    row("  index network", timed(lambda: READS.by_index([patch])))
    row("  colour", timed(lambda: redness(patch, glyphs.ink, glyphs.suit)))


def ring() -> None:
    """Frames of 640x480 BGR from one thread to another through the ring."""
    image = np.zeros((480, 640, 3), np.uint8)
    count = 2000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ring.sock"
        with RingWriter(path, 4) as writer, RingReader(path) as reader:
            sender = threading.Thread(target=lambda: [writer.write(image, 0.0) for _ in range(count)])
            start = time.perf_counter()
            sender.start()
            for _ in range(count):
                assert reader.read(5) is not None
            took = time.perf_counter() - start
            sender.join()
    print(f"ring: {count / took:.0f} frames a second")


def stills() -> None:
    pictures = [
        photograph("A23456789TJQK"[k] + "shdc"[k % 4], k, styles()[k % len(styles())], size=(720, 1280))
        for k in range(13)
    ]
    floors = [floor_us(np.ascontiguousarray(p[120:600, 320:960])) for p in pictures]
    row("photograph: floor", floors)
    row(
        "photograph 1280x720",
        [timed(lambda p=p: read_still(p, FREE, reads=READS), 1)[0] for p in pictures],
        float(np.mean(floors)),
    )
    row("  find the card", [timed(lambda p=p: find_cards(p), 1)[0] for p in pictures])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cards", type=int, default=60)
    asked = parser.parse_args()
    quiet_opencv()
    READS = FaceReader()
    slot(asked.cards)
    box(max(4, asked.cards // 10))
    steps()
    stills()
    ring()
    memory()
    print(f"memory of this one, simulator and all: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
