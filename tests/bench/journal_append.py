"""What commits cost: `python tests/bench/journal_append.py [FOLDER]` prints a table (FOLDER: on the disk to measure).

Waiting for each record is the time from an event to its display that the journal adds; handing in all at once shows the
group commit. The floor is one 4 KiB write and fsync of a plain file on the same disk, in the same run.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from controller.edge.journal import Journal
from controller.events import CardDrawn

ROUNDS = 500
AT_ONCE = 20_000


def timed(work: Callable[[], object]) -> list[float]:
    """Milliseconds of each of `ROUNDS` calls, sorted."""
    times = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work()
        times.append((time.perf_counter() - begin) * 1000)
    return sorted(times)


def floor(folder: Path) -> list[float]:
    file = os.open(folder / "floor", os.O_RDWR | os.O_CREAT)
    block = b"\x5a" * 4096

    def write() -> None:
        os.write(file, block)
        os.fsync(file)

    times = timed(write)
    os.close(file)
    return times


def main(folder: Path) -> None:
    journal = Journal(folder)
    journal.open()
    event = CardDrawn("As", passage=1, confidence=0.99)
    base = floor(folder)
    each = timed(lambda: journal.append(event).result())
    begin = time.perf_counter()
    last = [journal.append(event) for _ in range(AT_ONCE)][-1]
    last.result()
    together = (time.perf_counter() - begin) * 1000 / AT_ONCE
    journal.close()
    begin = time.perf_counter()
    journal.open()
    opening = (time.perf_counter() - begin) * 1000
    journal.close()
    median = statistics.median(base)
    print(f"{'':34}{'median ms':>11}{'p99 ms':>11}{'x floor':>9}")
    for name, times in (("4 KiB write and fsync (the floor)", base), ("append, waiting for each", each)):
        middle = statistics.median(times)
        print(f"{name:34}{middle:11.3f}{times[ROUNDS * 99 // 100]:11.3f}{middle / median:9.2f}")
    print(f"{f'append, {AT_ONCE} handed in at once':34}{together:11.4f}{'':11}{together / median:9.3f}")
    print(f"opening and checking {ROUNDS + AT_ONCE} records without a snapshot: {opening:.0f} ms")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as made:
        main(Path(made))
