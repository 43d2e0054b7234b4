"""The wire in figures: what a card costs, how long a picture takes to the real device program, how fast a bad wire
is got over.

`python tests/bench/bench_link.py [CHANGES]` prints tables; CHANGES (default 20000) is the number of pictures for
each kind of bad wire, on the pure protocol with a simulated clock."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from link_support import LAMPS, Bench, Collector, Faults, picture_number
from test_link_bad_wire import EACH

from firmware_bridge.events import LinkState
from firmware_bridge.panel import PanelDriver
from firmware_bridge.picture import Picture
from firmware_bridge.signs.adalight import Adalight
from firmware_bridge.signs.alpha import AlphaSign
from firmware_bridge.signs.matrix_orbital import MatrixOrbital
from firmware_bridge.signs.modbus import ModbusNumbers
from firmware_bridge.signs.noritake import Noritake
from firmware_bridge.signs.pixels import LampPixels, Strip
from firmware_bridge.signs.seven_segment import SevenSegment
from firmware_bridge.signs.sign import Sign, SignPicture, joined
from firmware_bridge.signs.tpm2 import Tpm2
from firmware_bridge.signs.wled import WledJson
from hw_sim.panel import PanelProcess

FRAME_OVERHEAD = 14  # delimiters 2, COBS 1, header 7, CRC 4
CARD = Picture(("24", ""), "", frozenset())
RESULT = Picture(("36", "32"), "Rouge gagne, Couleur perd", frozenset({"lamp1"}))


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def cost() -> None:
    """Bytes for one card on a clean wire."""
    print("bytes on the wire          host to panel   panel to host   at 115200 baud")
    for name, picture in (("a card (totals alone)", CARD), ("a result with its call", RESULT)):
        bench = Bench(Faults(), seed=1)
        bench.open()
        bench.run(0.1)
        before = bench.sent_bytes
        bench.show(picture)
        took = bench.run_until(lambda bench=bench: bench.link.settled, 1.0)
        print(f"  {name:24} {bench.sent_bytes - before:8}        {FRAME_OVERHEAD:8}        {took * 1000:8.2f} ms")
    print(f"  least of this protocol   {FRAME_OVERHEAD + 12:8}        {FRAME_OVERHEAD:8}")


def sign_cost() -> None:
    """Bytes for one card (a total changes by one card's points) by each sign, beside all of its picture."""
    strip = Strip(50, {"noir": LampPixels(0, 25, (255, 255, 255)), "rouge": LampPixels(25, 25, (255, 0, 0))})
    signs: dict[str, Sign] = {
        "Alpha": AlphaSign(2),
        "Adalight, 50 LEDs": Adalight(strip),
        "TPM2, 50 LEDs": Tpm2(strip),
        "WLED, JSON": WledJson([0, 1], {"noir": 2, "rouge": 3}),
        "Serial 7-segment": SevenSegment(),
        "Matrix Orbital 20x2": MatrixOrbital(20, 2),
        "Noritake 20x2": Noritake(20, 2),
        "Modbus numbers": ModbusNumbers({0: 100, 1: 101}),
    }
    before = SignPicture(("24", "10"), frozenset({"noir"}))
    after = SignPicture(("34", "10"), frozenset({"noir"}))
    print("\nbytes of a sign          a card   a lamp   all of it")
    for name, sign in signs.items():
        lamp = SignPicture(after.lines, frozenset({"rouge"}))
        sizes = [
            len(joined(steps)) for steps in (sign.change(before, after), sign.change(after, lamp), sign.full(after))
        ]
        print(f"  {name:20} {sizes[0]:8} {sizes[1]:8} {sizes[2]:8}")


def recovery(changes: int) -> None:
    """Simulated seconds from a picture to its acknowledgement, on each kind of bad wire."""
    print(f"\nbad wire, {changes} pictures each    median      p99      max     overtaken    wrong at the end")
    for name, faults in EACH.items():
        bench = Bench(faults, seed=23)
        bench.open()
        times, wrong = [], 0
        for number in range(changes):
            picture = picture_number(number)
            bench.show(picture)
            if number % 4 == 3:
                times.append(bench.run_until(lambda link=bench.link: link.settled, 60.0))
                wrong += not bench.shows(picture)
            else:
                bench.run(bench.chance.uniform(0.0, 0.5))
        skipped = changes - len(set(bench.acked))
        row = f"{statistics.median(times):8.3f} {percentile(times, 0.99):8.3f} {max(times):8.3f}"
        print(f"  {name:24}       {row} s {skipped:12} {wrong:20}")


def latency(pictures: int = 500) -> None:
    """Milliseconds of `show` to the frame with the kernel, and to the acknowledgement of the real program over a
    pty."""
    with tempfile.TemporaryDirectory() as folder, PanelProcess(Path(folder) / "panel", LAMPS) as panel:
        events = Collector()
        driver = PanelDriver(str(panel.link_path), 115200, LAMPS, events)
        driver.start()
        events.wait_state(LinkState.UP)
        written, acked = [], []
        for number in range(pictures):
            began = time.monotonic()
            found = events.wait_acked(driver.show(picture_number(number)))
            acked.append((time.monotonic() - began) * 1000)
            written.append((found.written - began) * 1000)
        driver.stop()
    print(f"\nreal program over a pty, {pictures} pictures     median      p99")
    for name, values in (("to the wire", written), ("shown and acknowledged", acked)):
        print(f"  {name:36} {statistics.median(values):8.2f} {percentile(values, 0.99):8.2f} ms")


if __name__ == "__main__":
    cost()
    sign_cost()
    recovery(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
    latency()
