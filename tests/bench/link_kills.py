"""The far ends of a panel, a sign and a shoe are killed and plugged in again at random moments under load.

`python tests/bench/link_kills.py [KILLS]` (default 100) prints how long the loss was unnoticed, how long the recovery
took and the longest call of ours, and ends with 1 where anything hung for 3 s or a thread or descriptor was left."""

from __future__ import annotations

import random
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType

sys.path.insert(0, str(Path(__file__).parents[1]))

from link_support import Collector, open_descriptors
from sign_support import SignOnPty

from firmware_bridge.events import LinkState
from firmware_bridge.panel import PanelDriver
from firmware_bridge.picture import Picture
from firmware_bridge.port import PortOwner, PortSettings
from firmware_bridge.shoe_beetek import BeeTekShoe
from firmware_bridge.signs.alpha import AlphaSign
from firmware_bridge.signs.driver import SignDriver
from firmware_bridge.signs.sign import SignPicture
from hw_sim.panel import PanelProcess
from hw_sim.shoe import SimulatedShoe
from hw_sim.sign_faces import AlphaFace

HANG_S = 3.0
LOAD_S = 0.01  # between pictures


class Ends:
    """The three far ends, each killed and started by name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._panel = PanelProcess(folder / "panel", ("noir",))
        self._shoe = SimulatedShoe(folder / "shoe")
        self._sign: SignOnPty | None = None
        for name in ("panel", "shoe", "sign"):
            self.start(name)

    def start(self, name: str) -> None:
        if name == "panel":
            self._panel.start()
        elif name == "shoe":
            self._shoe.plug()
        else:
            self._sign = SignOnPty(AlphaFace(), self._folder / "sign")
            self._sign.__enter__()

    def kill(self, name: str) -> None:
        if name == "panel":
            self._panel.kill()
        elif name == "shoe":
            self._shoe.unplug()
        elif self._sign is not None:
            self._sign.__exit__(None, None, None)

    def close(self) -> None:
        for name in ("shoe", "sign"):
            self.kill(name)
        self._panel.close()


class Load:
    """Pictures to panel and sign, as fast as `LOAD_S`; `worst` is the longest call."""

    def __init__(self, panel: PanelDriver, sign: SignDriver) -> None:
        self._panel, self._sign = panel, sign
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.worst = 0.0

    def __enter__(self) -> Load:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        number = 0
        while not self._stop.wait(LOAD_S):
            number += 1
            began = time.monotonic()
            self._panel.show(Picture((str(number % 10_000), ""), f"coup {number}"))
            self._sign.show(SignPicture((f"coup {number}",)))
            self.worst = max(self.worst, time.monotonic() - began)


def run(kills: int, folder: Path, seed: int = 7) -> dict[str, float]:
    """Figures of the whole run, in seconds and counts."""
    chance = random.Random(seed)
    before = threading.active_count(), open_descriptors()
    ends = Ends(folder)
    heard = {name: Collector() for name in ("panel", "sign", "shoe")}
    panel = PanelDriver(str(folder / "panel"), 115200, ("noir",), heard["panel"])
    sign = SignDriver(PortSettings(str(folder / "sign"), 115200), AlphaSign(1, answers=True), heard["sign"])
    shoe = PortOwner(PortSettings(str(folder / "shoe"), 9600), BeeTekShoe(), heard["shoe"])
    for each in (panel, sign, shoe):
        each.start()
    for collector in heard.values():
        collector.wait_state(LinkState.UP)
    lost, found = [0.0], [0.0]
    with Load(panel, sign) as load:
        for _ in range(kills):
            name = chance.choice(("panel", "panel", "sign", "shoe"))
            time.sleep(chance.uniform(0.0, 0.3))  # the moment is the point
            count = len(heard[name].events)
            began = time.monotonic()
            ends.kill(name)
            heard[name].wait_state(LinkState.NO_PORT, 30.0, count)
            lost.append(time.monotonic() - began)
            time.sleep(chance.uniform(0.0, 0.2))
            began = time.monotonic()
            ends.start(name)
            heard[name].wait_state(LinkState.UP, 30.0, count)
            found.append(time.monotonic() - began)
    began = time.monotonic()
    for driver in (panel, sign, shoe):
        driver.stop()
    stopped = time.monotonic() - began
    ends.close()
    return {
        "longest loss unnoticed": max(lost),
        "longest recovery": max(found),
        "longest call of ours": load.worst,
        "end of all three": stopped,
        "threads left": threading.active_count() - before[0],
        "descriptors left": open_descriptors() - before[1],
    }


def good(figures: dict[str, float]) -> bool:
    seconds = [value for name, value in figures.items() if "left" not in name]
    return max(seconds) < HANG_S and figures["threads left"] == figures["descriptors left"] == 0


def main() -> int:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as folder:
        figures = run(kills, Path(folder))
    print(f"{kills} kills and replugs")
    for name, value in figures.items():
        print(f"  {name:24} {value:8.3f}" if isinstance(value, float) else f"  {name:24} {value:8d}")
    return 0 if good(figures) else 1


if __name__ == "__main__":
    sys.exit(main())
