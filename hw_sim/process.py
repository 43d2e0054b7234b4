"""The simulator's process: `python -m hw_sim --state DIR`. Outlives the daemon and ends when it is told, or left alone.

Left alone means: for `--patience` seconds no daemon was alive on the state folder. Then, and on SIGTERM, SIGINT and
`stop`, the stack is saved to DIR/sim/stack.json, and the next simulator on that folder goes on with it.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from hw_sim.bench import Bench
from hw_sim.eyes import page_file
from hw_sim.faces import DeckUnusable
from hw_sim.options import SimOptions, parse

LOOK_S = 0.5
ENDING_S = 5.0

log = logging.getLogger(__name__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until told to end; the exit status: 0, or 2 with one line where it cannot begin."""
    options = parse(sys.argv[1:] if arguments is None else arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    try:
        options.folder.mkdir(parents=True, exist_ok=True)
        with _Alone(options.folder):
            _run(options)
    except (DeckUnusable, OSError, RuntimeError) as error:
        print(f"hw_sim: {error}", file=sys.stderr)
        return 2
    return 0


class _Alone:
    """One simulator a folder: the lock goes with the process."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "lock"

    def __enter__(self) -> None:
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        deadline = time.monotonic() + ENDING_S
        while not self._locked():
            if (self._path.parent / "sim.json").exists() or time.monotonic() > deadline:
                os.close(self._file)
                raise RuntimeError(f"{self._path.parent}: another simulator runs here")
            time.sleep(LOOK_S / 10)  # one that has taken its sim.json away is about to end

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def _locked(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def _run(options: SimOptions) -> None:
    bench = Bench(options)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: bench.end.set())
    ready = options.folder / "sim.json"
    with bench:
        _write_whole(ready, json.dumps({"pid": os.getpid()}) + "\n")
        try:
            _wait(bench, options)
        finally:
            ready.unlink(missing_ok=True)


def _wait(bench: Bench, options: SimOptions) -> None:
    """Until somebody says so, or no daemon was there for as long as the patience lasts."""
    seen = time.monotonic()
    while not bench.end.wait(min(LOOK_S, options.patience / 4)):
        if daemon_alive(options.state):
            seen = time.monotonic()
        elif time.monotonic() - seen > options.patience:
            log.info("no daemon for %g s: the stack is saved", options.patience)
            return


def daemon_alive(state: Path) -> bool:
    """Whether the daemon that page.json or the folder's lock names is a living process."""
    page = page_file(state)
    pids = [page.pid] if page is not None else []
    with contextlib.suppress(OSError, ValueError):  # a daemon that ends by itself leaves the lock empty
        pids.append(int((state / "lock").read_text(encoding="ascii")))
    return any(process_alive(pid) for pid in pids)


def process_alive(pid: int) -> bool:
    """Whether a process runs; one that has died and is not yet buried does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in ("Z", "X")


def _write_whole(path: Path, text: str) -> None:
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)
