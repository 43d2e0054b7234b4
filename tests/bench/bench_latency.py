"""Latency of the whole chain, measured on a running bench: `python tests/bench/bench_latency.py [--cards N]`.

The daemon runs with its real parts: the vision child on the simulated camera's frames, the journal on disk, the panel's
program at the far end of a pty, and one client of the page's event stream in a process of its own. All clocks are
CLOCK_MONOTONIC of this machine. First table: from the moment at which the reader received the frame that ends a
passage. Second table: frames and computing time from the first frame that holds the whole index to *seen*.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from controller.cli.bench import LAMPS
from controller.edge.daemon import Hooks, Parts, Premises, serve
from controller.edge.loop import Step
from controller.edge.panel_link import PanelSettings, picture_of
from controller.events import CardDrawn, TableOpened
from controller.paths import config_folder
from controller.rules import Rules
from controller.view import Display
from firmware_bridge.events import PictureAcked
from hw_sim.camera import PX_PER_MM, Camera
from hw_sim.conditions import Conditions
from hw_sim.decks import STYLES
from hw_sim.faces import DrawnFaces
from hw_sim.launch import SimHandle, ensure
from hw_sim.motion import FPS, PICTURE_WIDTH_MM, Hand, draw_card
from hw_sim.options import SimOptions
from vision.child import ReaderSettings
from vision.geometry import load_geometry
from vision.messages import Message, Reading, Seen
from vision.slot_reader import SlotReader
from vision.sources.base import Frame

GEOMETRY = "reference-slot"
INDEX_MM = 12.0  # from the card's leading edge: the index is whole in the picture once so much of the card is

CLIENT = """
import http.client, sys, time
host, port = sys.argv[1].removeprefix("http://").split(":")
connection = http.client.HTTPConnection(host, int(port))
connection.request("GET", "/api/events")
for line in connection.getresponse():
    if line.startswith(b"id: "):
        print(int(line[4:]), time.monotonic(), flush=True)
"""


@dataclass
class Times:
    """Monotonic seconds of one card's stations."""

    ended: float
    told: float
    stepped: float = 0.0
    number: int = 0
    picture: int = 0


@dataclass
class Ear:
    """Hears everything that the daemon's hooks tell."""

    wanted: int
    stop: asyncio.Event
    cards: dict[int, Times] = field(default_factory=dict)
    written: dict[int, float] = field(default_factory=dict)
    pictures: int = 1
    last: object = None

    def camera(self, message: Message) -> None:
        if isinstance(message, Reading) and message.kind == "drawn":
            self.cards[message.passage] = Times(message.end_monotonic, time.monotonic())

    def step(self, step: Step) -> None:
        picture = picture_of(step.view.display, LAMPS)
        changed = picture != self.last
        self.pictures += changed and self.last is not None
        self.last = picture
        if isinstance(step.event, CardDrawn) and step.event.passage in self.cards and step.view.hold is None:
            card = self.cards[step.event.passage]
            card.stepped, card.number = time.monotonic(), step.number
            card.picture = self.pictures if changed else 0
        if sum(1 for card in self.cards.values() if card.number) >= self.wanted:
            self.stop.set()

    def panel(self, event: object) -> None:
        if isinstance(event, PictureAcked):
            self.written[event.sequence] = event.written


async def run(folder: Path, cards: int) -> tuple[Ear, dict[int, float]]:
    sim = ensure(SimOptions(folder, seed=1, speed=2.0, lamps=LAMPS, confirm=True))
    hooks = Hooks()
    ear = Ear(cards, hooks.stop)
    ear.last = picture_of(Display(("", ""), "No shoe"), LAMPS)
    client: list[subprocess.Popen[str]] = []
    hooks.camera, hooks.step, hooks.panel = ear.camera, ear.step, ear.panel
    hooks.up = lambda url, _: client.append(
        subprocess.Popen([sys.executable, "-c", CLIENT, url], stdout=subprocess.PIPE, text=True)
    )
    try:
        with Premises(folder, "127.0.0.1", 0) as premises:
            await serve(premises, parts(sim), hooks)
    finally:
        sim.stop()
    out, _ = client[0].communicate(timeout=10)
    return ear, {int(number): float(at) for number, at in (line.split() for line in out.splitlines())}


def parts(sim: SimHandle) -> Parts:
    return Parts(
        "latency",
        TableOpened("trente-et-quarante", Rules()),
        ReaderSettings(f"shared:{sim.camera_socket}", str(config_folder() / "cameras" / f"{GEOMETRY}.toml")),
        PanelSettings(str(sim.panel_port), lamps=LAMPS),
    )


def first_whole(poses: tuple[object, ...]) -> int:
    """The first frame in which the whole index is in the picture."""
    return next(k for k, pose in enumerate(poses) if pose.x + INDEX_MM <= PICTURE_WIDTH_MM)  # type: ignore[attr-defined]


def seen_delays(cards: int) -> tuple[list[float], list[float]]:
    """(milliseconds of the camera's time, of computing) from the first frame with the whole index to *seen*."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(5)
    faces = DrawnFaces(STYLES[next(iter(STYLES))])
    camera, hand = Camera(Conditions(), rng), Hand()
    reader = SlotReader(load_geometry(config_folder() / "cameras" / f"{GEOMETRY}.toml"))
    symbols = [rank + suit for suit in "shdc" for rank in "A23456789TJQK"]
    number, camera_ms, computing_ms = 0, [], []
    for symbol in rng.choice(symbols, cards):
        card = camera.prepare(faces.face(str(symbol), PX_PER_MM))
        poses = draw_card(rng, hand).poses
        whole, spent = first_whole(poses), 0.0
        for k in range(len(poses) + 6):
            shown = [(card, poses[k])] if k < len(poses) else []
            frame = Frame(camera.frame(shown, k / FPS, number), number, number / FPS)
            began = time.perf_counter()
            said = reader.feed(frame)
            spent += (time.perf_counter() - began) * 1000 if k >= whole else 0.0
            if any(isinstance(message, Seen) for message in said):
                camera_ms.append((k - whole) * 1000 / FPS)
                computing_ms.append(spent)
            number += 1
    return camera_ms, computing_ms


def line(name: str, values: list[float]) -> str:
    median, p99, most = np.percentile(values, [50, 99, 100])
    return f"| {name} | {len(values)} | {median:.1f} | {p99:.1f} | {most:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cards", type=int, default=300)
    cards = parser.parse_args().cards
    with tempfile.TemporaryDirectory(prefix="sabot-latency-") as folder:
        ear, page = asyncio.run(run(Path(folder), cards))
    done = [card for card in ear.cards.values() if card.number]
    print("| from the frame that ends the passage, ms | n | median | p99 | max |\n|---|---|---|---|---|")
    print(line("reading in the daemon", [1000 * (card.told - card.ended) for card in done]))
    print(line("committed and stepped", [1000 * (card.stepped - card.ended) for card in done]))
    wire = [1000 * (ear.written[card.picture] - card.ended) for card in done if card.picture in ear.written]
    print(line("panel's frame on the wire", wire))
    print(line("page's event at its client", [1000 * (page[c.number] - c.ended) for c in done if c.number in page]))
    camera_ms, computing_ms = seen_delays(min(cards, 150))
    print("\n| from the first frame with the whole index to *seen*, ms | n | median | p99 | max |")
    print("|---|---|---|---|---|")
    print(line("of the camera's time (8.3 ms a frame)", camera_ms))
    print(line("of computing", computing_ms))


if __name__ == "__main__":
    main()
