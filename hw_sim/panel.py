"""The panel at the far end of a real pty: the very device program under the MicroPython unix port (elsewhere under
CPython), its board modules shimmed by `panel_shim/`. Leaves what the lights mean to `panel_eyes`, and when to pull
the plug to its caller."""

from __future__ import annotations

import functools
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Sequence
from pathlib import Path

import firmware_bridge
from hw_sim.panel_eyes import Seen, read_lights

DEVICE = Path(firmware_bridge.__file__).parent / "device"
SHIM = Path(__file__).parent / "panel_shim"
HEAP = "192K"  # a Pico has 264 KB of memory in all
EDGE_S = 0.006  # longer than the panel's debouncing
START_S = 10.0


class PanelProcess:
    """One panel. `link_path`: the symbolic link that names its port; `lamps`: names of its lamps in order; `log`:
    keep every picture shown (`history`); `start_s`: how long its start may take. Usable as a context manager (started
    on entry, closed on exit)."""

    def __init__(
        self, link_path: Path | str, lamps: Sequence[str] = (), *, log: bool = False, start_s: float = START_S
    ) -> None:
        self.link_path = Path(link_path)
        self.lamps = tuple(lamps)
        self._folder = Path(tempfile.mkdtemp(prefix="sabot-panel-"))
        self._log = log
        self._start_s = start_s
        self._process: subprocess.Popen[bytes] | None = None
        self._slave = -1
        self._pins = self._fifo("pins")
        self._edges = self._fifo("edges")
        self._pulsing = threading.Lock()

    def __enter__(self) -> PanelProcess:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def running(self) -> bool:
        """Whether the program runs."""
        return _alive(self._process)

    @property
    def pid(self) -> int | None:
        """The program's process."""
        process = self._process
        return process.pid if process is not None else None

    def start(self) -> None:
        """Plug in: a fresh pty behind the link, the program at its far end; returns once its self-test is lit.
        RuntimeError where the program does not come up."""
        self.kill()
        self._forget()
        master, self._slave = os.openpty()
        tty.setraw(self._slave)
        try:
            self._process = self._spawn(master)
        finally:
            os.close(master)  # the program alone holds it: its end is a real unplug
        self._wait_for_light()
        self._link(os.ttyname(self._slave))

    def kill(self) -> None:
        """Pull the plug: the program dies at once, its memory with it, and the port hangs up."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self.link_path.unlink(missing_ok=True)  # as udev does; a stale one might come to name another's pty
        if self._slave >= 0:
            os.close(self._slave)
            self._slave = -1

    def close(self) -> None:
        """Pull the plug and remove everything, the link too."""
        self.kill()
        os.close(self._pins)
        os.close(self._edges)
        shutil.rmtree(self._folder, ignore_errors=True)

    def pulse_exit(self) -> bool:
        """A card interrupts the exit beam, as short as the panel is bound to notice. False where the panel has no
        power. Any thread."""
        pin = _exit_pin()
        with self._pulsing:
            return self._edge(pin, 0) and self._edge(pin, 1)

    def picture(self) -> Seen | None:
        """What a person sees on the lights right now; None: they are dark."""
        return read_lights(self._folder / "lights", self.lamps) if self.running else None

    def history(self) -> list[str]:
        """Every report of the lights since the start (`panel_eyes.see` reads one), where `log` was asked for."""
        path = self._folder / "lights.log"
        return path.read_text().splitlines() if path.exists() else []

    @property
    def boot_id(self) -> int:
        """The boot number that the self-test showed at this start."""
        return self._boot

    def _fifo(self, name: str) -> int:
        os.mkfifo(self._folder / name)
        return os.open(self._folder / name, os.O_RDWR | os.O_NONBLOCK)

    def _forget(self) -> None:
        for name in ("lights", "lights.log"):
            (self._folder / name).unlink(missing_ok=True)
        for fifo in (self._pins, self._edges):
            while select.select([fifo], [], [], 0)[0]:
                os.read(fifo, 4096)

    def _spawn(self, master: int) -> subprocess.Popen[bytes]:
        environment = {"SABOT_PANEL_FOLDER": str(self._folder), "SABOT_PANEL_LOG": "1" if self._log else ""}
        command = _command()
        if command[0] != sys.executable:
            environment["MICROPYPATH"] = f"{SHIM}:.frozen"  # nothing of CPython's
        with (self._folder / "stderr").open("wb") as errors:
            return subprocess.Popen(
                command, stdin=master, stdout=master, stderr=errors, env=environment, cwd=self._folder
            )

    def _wait_for_light(self) -> None:
        deadline = time.monotonic() + self._start_s
        while (seen := self.picture()) is None:
            if not self.running or time.monotonic() > deadline:
                errors = (self._folder / "stderr").read_text(errors="replace").strip()
                raise RuntimeError(f"the panel's program did not start: {errors or 'no light'}")
            time.sleep(0.002)  # a file tells, and none can be waited for
        found = re.search(r"boot ([0-9a-f]{8})", seen.text)
        self._boot = int(found[1], 16) if found else 0

    def _link(self, target: str) -> None:
        self.link_path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.link_path.with_name(f".{self.link_path.name}.new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(target)
        fresh.replace(self.link_path)

    def _edge(self, pin: int, level: int) -> bool:
        """Drive a pin, wait until the program took the edge, then for as long as it takes the level to count."""
        process = self._process
        if not _alive(process):
            return False
        os.write(self._pins, b"%d %d\n" % (pin, level))
        while not select.select([self._edges], [], [], 0.05)[0]:
            if process is not self._process or not _alive(process):
                return False  # it died, and another may have taken its place
        try:
            os.read(self._edges, 1)
        except BlockingIOError:  # a start in another thread swept it away
            return False
        time.sleep(EDGE_S)  # the pulse's own length
        return True


def _alive(process: subprocess.Popen[bytes] | None) -> bool:
    return process is not None and process.poll() is None


@functools.cache
def _exit_pin() -> int:
    """Where the board has the exit beam."""
    found = re.search(r"^EXIT_BEAM = (\d+)", (DEVICE / "board.py").read_text(), re.MULTILINE)
    if found is None:
        raise RuntimeError("device/board.py names no EXIT_BEAM")
    return int(found[1])


def _command() -> list[str]:
    """How to run the program here."""
    beside = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    micropython = shutil.which("micropython", path=beside)
    if micropython is not None:
        return [micropython, "-X", f"heapsize={HEAP}", str(DEVICE / "main.py")]
    print("panel: no micropython here, its program runs under CPython", file=sys.stderr)
    return [sys.executable, "-I", str(SHIM / "cpython" / "run.py"), str(DEVICE)]
