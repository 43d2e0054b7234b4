"""Would this table do? Camera, panel, page, state folder, journal and disk of one configuration (see doctor)."""

from __future__ import annotations

import importlib.util
import os
import socket
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from controller.edge.config import TableConfig
from controller.edge.doctor import Finding, gpio
from controller.edge.journal_format import JournalError, JournalMissing
from controller.edge.journal_reader import reading
from controller.edge.lock import holder
from controller.edge.plugged import found_cameras
from controller.edge.problems import os_line
from firmware_bridge.port import holders
from firmware_bridge.ports import found_ports

LEAST_FREE = 500 * 10**6  # bytes: months of a journal, and the frames of what was not read
SLOW_SYNC_MS = 50.0
_SYNCS = 9


def table(config: TableConfig) -> Iterator[Finding]:
    """The parts of one table."""
    folder = config.state_folder()
    daemon = holder(folder)
    yield camera(config.camera.source)
    yield panel(config.panel.port, daemon)
    for port in (config.shoe.port, *(sign.port for sign in config.signs)):
        if port:
            yield panel(port, daemon)
    yield gpio(config.gpio.pins().values())
    yield page(config.page.host, config.page.port, daemon)
    yield journal(folder, daemon)
    yield disk(folder)


def camera(source: str) -> Finding:
    """Whether what the source names is there."""
    if source == "none":
        return Finding("camera", None, "no camera: the shoe reads its cards")
    if source == "picamera2":
        there = importlib.util.find_spec("picamera2") is not None
        advice = "apt install python3-picamera2, or name another camera.source; plugged in: " + _cameras()
        text = "picamera2 is installed" if there else "picamera2 is not installed"
        return Finding("camera", there, text, "" if there else advice)
    kind, _, name = source.partition(":")
    if not os.path.exists(name):
        return Finding("camera", False, f"{name}: is not there", f"plugged in: {_cameras()}")
    wanted = os.R_OK | os.W_OK if kind == "v4l2" else os.R_OK
    if not os.access(name, wanted):
        return Finding("camera", False, f"{name}: no access", "add the user to the group video")
    return Finding("camera", True, f"{name}: is there")


def panel(port: str, daemon: int | None = None) -> Finding:
    """Whether the port is there, may be opened and is nobody else's than this table's daemon's."""
    if not port:
        return Finding("serial port", None, f"no panel is configured; plugged in: {_ports()}")
    if not os.path.exists(port):
        return Finding("serial port", False, f"{port}: is not there", f"plugged in: {_ports()}")
    if not os.access(port, os.R_OK | os.W_OK):
        return Finding("serial port", False, f"{port}: no access", "add the user to the group dialout")
    others = [pid for pid in holders(port) if pid != daemon]
    if others:
        pids = ", ".join(map(str, others))
        return Finding("serial port", False, f"{port}: in use by process {pids}", "end it: a port has one owner")
    return Finding("serial port", True, f"{port}: is there")


def page(host: str, port: int, daemon: int | None) -> Finding:
    """Whether the page's address is free (or this table's own daemon has it)."""
    if daemon is not None:
        return Finding("page", True, f"{host}:{port}: the daemon with pid {daemon} runs")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        return Finding("page", False, f"{host}:{port}: {error.strerror or error}", "free it, or change [page]")
    return Finding("page", True, f"{host}:{port}: is free")


def journal(folder: Path, daemon: int | None) -> Finding:
    """Whether there is a journal that is whole, or room for one."""
    runs = "" if daemon is None else f"; in use by the daemon with pid {daemon}"
    try:
        with reading(folder) as found:
            broken = next(iter(found.verify()), None)
            count = found.count()
    except JournalMissing:
        return Finding("journal", True, f"{folder}: none yet")
    except JournalError as error:
        return Finding("journal", False, str(error), "keep the file, and restore a backup or begin another folder")
    if broken is not None:
        return Finding("journal", False, f"{folder}: {broken.text}", "sabot journal verify names all; keep the file")
    return Finding("journal", True, f"{folder}: {count} records, the chain is whole{runs}")


def disk(folder: Path) -> Finding:
    """Whether the state folder can be written to, has room, and syncs in good time."""
    place = folder
    while not place.exists():
        place = place.parent
    try:
        state = os.statvfs(place)
        free, median = state.f_bavail * state.f_frsize, _sync_ms(place)
    except OSError as error:
        return Finding("disk", False, os_line(error, place), f"make {folder} a folder that this user may write to")
    text = f"{place}: {free / 1e9:.1f} GB free, a write is safe after {median:.1f} ms"
    if free < LEAST_FREE:
        return Finding("disk", False, text, "make room: a full disk stops the table")
    if median > SLOW_SYNC_MS:
        return Finding("disk", False, text, "use an SSD: every card waits for this")
    return Finding("disk", True, text)


def _sync_ms(folder: Path) -> float:
    """Median time of a small write with fsync, ms."""
    times = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(_SYNCS):
            begin = time.perf_counter()
            file.write(b"\x5a" * 4096)
            file.flush()
            os.fsync(file.fileno())
            times.append((time.perf_counter() - begin) * 1000)
    return statistics.median(times)


def _ports() -> str:
    return ", ".join(port.path for port in found_ports()) or "none"


def _cameras() -> str:
    return ", ".join(each.path for each in found_cameras()) or "none"
