"""A bad wire between the real driver and the real device program: two ptys and a thread that spoils what it
carries."""

from __future__ import annotations

import heapq
import itertools
import os
import random
import select
import threading
import time
import tty
from pathlib import Path

import serial
from link_support import Faults, Wire


class BadRelay:
    """`link` becomes the port to use instead of `panel_port`. A context manager."""

    def __init__(self, link: Path, panel_port: Path, faults: Faults, seed: int) -> None:
        chance = random.Random(seed)
        self._wires = (Wire(faults, chance, 0.0), Wire(faults, chance, 0.0))
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        link.symlink_to(os.ttyname(self._slave))
        self._panel = serial.Serial(str(panel_port), timeout=0, exclusive=True)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> BadRelay:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._panel.close()
        os.close(self._master)
        os.close(self._slave)

    def _run(self) -> None:
        ends = (self._master, self._panel.fileno())
        due: list[tuple[float, int, int, bytes]] = []
        order = itertools.count()
        poll = select.poll()
        for end in ends:
            poll.register(end, select.POLLIN)
        while not self._stop.is_set():
            wait = max(0.0, due[0][0] - time.monotonic()) * 1000 if due else 20
            for end, _ in poll.poll(min(wait, 20)):
                now, data = time.monotonic(), os.read(end, 4096)
                for when, spoilt in self._wires[ends.index(end)].carry(data, now):
                    heapq.heappush(due, (when, next(order), ends[1 - ends.index(end)], spoilt))
            while due and due[0][0] <= time.monotonic():
                _, _, end, data = heapq.heappop(due)
                os.write(end, data)
