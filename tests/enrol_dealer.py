"""A dealer who enrols a design's pack for the benchmarks: draws each card that `sabot enrol --live` asks for past the
simulated slot camera in good light, once, and again where it is told to.
"""

from __future__ import annotations

import queue
import re
import threading
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from passages_support import EMPTY, PACK, art_face
from vision_support import slot_geometry

from hw_sim.camera import Camera
from hw_sim.conditions import Conditions
from hw_sim.motion import FPS, Hand, draw_card
from vision.enrol_live import deal
from vision.profile import PROFILE_FILE, save_profile
from vision.ring import RingWriter

SEED = 23  # no passage that is judged has it
CALM = Hand(slowest=0.6, fastest=1.2, stop_chance=0.0, pull_back_chance=0.0)
_PATIENCE_S = 60.0
_ASKED = re.compile(r": draw .*\((\w+)\)$")


def profile_of(design: str, art: Path, profiles: Path) -> Path:
    """The design's profile in `profiles`, enrolled now where it is not there. Raises EnrolRefused."""
    folder = profiles / design
    if not (folder / PROFILE_FILE).exists():
        with TemporaryDirectory() as home:
            dealer = Dealer(art / design, Path(home) / "ring")
            dealer.start()
            try:
                done = deal(f"shared:{dealer.socket}", slot_geometry(), design, PACK, dealer.hear)
            finally:
                dealer.stop()
        save_profile(folder, done.profile, done.samples, done.cache)
    return folder


class Dealer:
    """`hear` what is asked for; the card then passes the camera on a thread of the dealer's own."""

    def __init__(self, faces: Path, socket: Path) -> None:
        self.socket = socket
        self._faces = faces
        self._asked: queue.Queue[str | None] = queue.Queue()
        self._card = ""
        self._writer = RingWriter(socket, 4)
        self._thread = threading.Thread(target=self._run, name="dealer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._asked.put(None)
        self._thread.join(20)

    def hear(self, line: str) -> None:
        """Told to draw a card, or that the last one must be drawn again."""
        asked = _ASKED.search(line)
        if asked:
            self._card = asked[1]
        if asked or line.endswith(("draw it again, please", "draw it once more")):
            self._asked.put(self._card)

    def _run(self) -> None:
        rng = np.random.default_rng((SEED, zlib.crc32(self._faces.name.encode())))
        camera = Camera(Conditions(), rng)
        number = 0
        with self._writer as writer:
            while (symbol := self._asked.get()) is not None:
                if not writer.wait_reader(_PATIENCE_S):
                    return
                card = camera.prepare(art_face(self._faces, symbol))
                poses = draw_card(rng, CALM).poses
                for shown in [*[[]] * EMPTY, *[[(card, pose)] for pose in poses], *[[]] * EMPTY]:
                    writer.write(camera.frame(shown, number / FPS), number / FPS)
                    number += 1
