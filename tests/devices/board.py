"""The far end of the USB gadget in the guest: the panel's own program behind /dev/ttyGS0, so that the host driver's
port is a real CDC-ACM node. SIGUSR1 makes the board stop reading and answering, SIGUSR2 makes it go on."""

from __future__ import annotations

import os
import select
import signal
import sys
import tempfile
import time
import tty
from pathlib import Path

import serial

from hw_sim.panel import PanelProcess

GADGET = "/dev/ttyGS0"
LAMPS = ("noir", "rouge", "bets")
stalled = False


def stall(number: int, frame: object) -> None:
    global stalled
    stalled = number == signal.SIGUSR1


def carry(gadget: int, panel: serial.Serial) -> None:
    """Bytes both ways until the gadget hangs up (OSError)."""
    ends = {gadget: panel.fileno(), panel.fileno(): gadget}
    while True:
        ready, _, _ = select.select([] if stalled else list(ends), [], [], 0.1)
        for end in ready:
            data = os.read(end, 4096)
            if not data:
                raise OSError("hung up")
            send(ends[end], data)


def send(end: int, data: bytes) -> None:
    """All of it; an end that does not drain within a second loses the rest, as a board's own buffer does."""
    deadline = time.monotonic() + 1.0
    while data and time.monotonic() < deadline:
        if select.select([], [end], [], 0.1)[1]:
            data = data[os.write(end, data) :]


def main() -> None:
    signal.signal(signal.SIGUSR1, stall)
    signal.signal(signal.SIGUSR2, stall)
    with (
        tempfile.TemporaryDirectory() as folder,
        PanelProcess(Path(folder) / "panel", LAMPS, start_s=120.0) as process,
        serial.Serial(str(process.link_path), timeout=0) as panel,
    ):
        print("board ready", flush=True)
        while True:
            try:
                gadget = os.open(GADGET, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            except OSError:
                time.sleep(0.05)
                continue
            try:
                tty.setraw(gadget)
                carry(gadget, panel)
            except OSError as error:
                print(f"gadget: {error}", file=sys.stderr, flush=True)
                time.sleep(0.05)
            finally:
                os.close(gadget)


if __name__ == "__main__":
    main()
