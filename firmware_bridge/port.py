"""A serial port and the one thread that owns it; the only importer of pyserial. Leaves every meaning to a
`Conversation`.

The thread sleeps until bytes come, somebody wakes it or the conversation's deadline; it alone opens, reads, writes
and closes. Whatever goes wrong with a port (unplugged, taken, never drained) is a closed port and another try, never
an exception to others."""

from __future__ import annotations

import contextlib
import errno
import glob
import logging
import os
import select
import termios
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import serial

from firmware_bridge.events import Event, LinkChanged, LinkState, Turn

log = logging.getLogger(__name__)

# What pyserial raises for one and the same unplugged cable, by call: termios.error is no OSError, TypeError is its
# closed descriptor.
PORT_ERRORS = (serial.SerialException, OSError, termios.error, TypeError)
READ_BYTES = 4096
WRITE_TIMEOUT_S = 0.5
BACK_OFF_S = (0.1, 1.0)  # first and longest pause before the next try
STOP_S = 1.0


class Conversation(Protocol):
    """What a port's owner asks of a device's protocol; called on the owner thread only. `now`: monotonic seconds."""

    def opened(self, now: float) -> Turn: ...
    def closed(self, now: float, why: str) -> Turn: ...
    def receive(self, data: bytes, now: float) -> Turn: ...
    def poll(self, now: float) -> Turn: ...
    def deadline(self) -> float | None: ...
    def wrote(self, now: float) -> None: ...


@dataclass(frozen=True)
class PortSettings:
    """`path` is kept as configured and resolved at each opening (a stable link such as /dev/serial/by-id/…). `dtr`: a
    Pico's USB port talks only where it is True; boards that reset on it want False."""

    path: str
    baud: int = 115200
    dtr: bool = True
    bits: int = 8
    parity: str = "N"
    stop_bits: float = 1


class PortOwner:
    """Keeps a port open and a conversation going. ValueError at once for settings that no port can have."""

    def __init__(self, settings: PortSettings, conversation: Conversation, on_event: Callable[[Event], None]) -> None:
        _unopened(settings)
        self._settings = settings
        self._conversation = conversation
        self._on_event = on_event
        self._stopping = threading.Event()
        self._back_off = BACK_OFF_S[0]
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._thread = threading.Thread(target=self._run, name=f"port {settings.path}", daemon=True)

    def start(self) -> None:
        """Begin; a port that is not there yet is waited for."""
        self._thread.start()

    def wake(self) -> None:
        """Let the conversation be polled now. Any thread."""
        with contextlib.suppress(BlockingIOError):  # full: it is being woken already
            os.write(self._wake_write, b"w")

    def stop(self) -> None:
        """Close the port and end the thread, within a second. Once, started or not; not from the owner thread."""
        self._stopping.set()
        self.wake()
        if self._thread.ident is not None:
            self._thread.join(STOP_S)
        if self._thread.is_alive():
            log.error("%s: its thread hangs in the kernel and is left behind", self._settings.path)
            return
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._serve()
            except Exception as error:  # the top of this thread: a fault of ours must not cost the table its display
                log.exception("%s: the port's thread failed and starts again", self._settings.path)
                self._on_event(LinkChanged(LinkState.NO_PORT, f"internal error: {error}"))
                self._pause(BACK_OFF_S[1])

    def _serve(self) -> None:
        """One port, from opening to loss."""
        try:
            port = _opened(self._settings)
        except (*PORT_ERRORS, ValueError) as error:
            self._do(self._conversation.closed(time.monotonic(), explain(error, self._settings.path)), None)
        else:
            try:
                self._converse(port)
            except PORT_ERRORS as error:
                self._do(self._conversation.closed(time.monotonic(), explain(error, self._settings.path)), None)
            finally:
                _close(port)
        self._pause(self._back_off)
        self._back_off = min(2 * self._back_off, BACK_OFF_S[1])

    def _converse(self, port: serial.Serial) -> None:
        """Until it is stopped, or the conversation wants the port opened anew."""
        ready = select.poll()
        ready.register(port.fileno(), select.POLLIN)
        ready.register(self._wake_read, select.POLLIN)
        again = self._do(self._conversation.opened(time.monotonic()), port)
        while not again and not self._stopping.is_set():
            awake = [descriptor for descriptor, _ in ready.poll(self._patience_ms())]
            self._drain()
            data = port.read(READ_BYTES) if port.fileno() in awake else b""
            if data:
                self._back_off = BACK_OFF_S[0]
                again = self._do(self._conversation.receive(data, time.monotonic()), port)
            again = self._do(self._conversation.poll(time.monotonic()), port) or again
        if again:
            log.info("%s: opened anew: %s", self._settings.path, again)

    def _do(self, turn: Turn, port: serial.Serial | None) -> str:
        """Write before telling: what a turn sends is what the device waits for."""
        if turn.send and port is not None:
            port.write(turn.send)
            self._conversation.wrote(time.monotonic())
        for event in turn.events:
            self._on_event(event)
        return turn.reopen

    def _patience_ms(self) -> float | None:
        deadline = self._conversation.deadline()
        # Rounded up: woken a fraction early, poll would find nothing due and come back at once.
        return None if deadline is None else max(0.0, (deadline - time.monotonic()) * 1000 + 1)

    def _pause(self, seconds: float) -> None:
        """Wait out the back-off; only `stop` cuts it short."""
        self._stopping.wait(seconds)
        self._drain()

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._wake_read, 65536)


def _unopened(settings: PortSettings) -> serial.Serial:
    port = serial.Serial(
        port=None,
        baudrate=settings.baud,
        bytesize=settings.bits,
        parity=settings.parity,
        stopbits=settings.stop_bits,
        timeout=0,
        write_timeout=WRITE_TIMEOUT_S,
        exclusive=True,
    )
    port.dtr = settings.dtr
    return port


def _opened(settings: PortSettings) -> serial.Serial:
    port = _unopened(settings)
    port.port = os.path.realpath(settings.path)
    port.open()
    return port


def _close(port: serial.Serial) -> None:
    # A device that stopped reading: without this, closing a real port waits for what is still to be sent.
    with contextlib.suppress(*PORT_ERRORS):
        port.reset_output_buffer()
    with contextlib.suppress(*PORT_ERRORS):
        port.close()


def why_unusable(settings: PortSettings) -> str | None:
    """Opens and closes the port once: what a person must know where that fails, None where the port is usable."""
    try:
        _close(_opened(settings))
    except (*PORT_ERRORS, ValueError) as error:
        return explain(error, settings.path)
    return None


def explain(error: BaseException, path: str) -> str:
    """One line for a person: which port, what is wrong, what to do."""
    code = _code(error)
    match code:
        case errno.ENOENT | errno.ENXIO | errno.ENODEV:
            return f"{path}: no such port"
        case errno.EACCES | errno.EPERM:
            return f"{path}: permission denied (add the user to the group dialout)"
        case errno.EAGAIN | errno.EBUSY:
            return f"{path}: in use by another program{_named(holders(path))}"
        case errno.ENOTTY | errno.EINVAL:
            return f"{path}: not a serial port"
    if isinstance(error, serial.SerialTimeoutException):
        return f"{path}: the device has stopped reading (write timed out)"
    if "returned no data" in str(error) or code == errno.EIO:
        return f"{path}: unplugged"
    return f"{path}: {error}"


def _code(error: BaseException | None) -> int | None:
    """The error number, wherever pyserial left it: in the error, in its first argument (termios), in what it came
    from."""
    if error is None:
        return None
    number = getattr(error, "errno", None) or next(iter(error.args), None)
    return number if isinstance(number, int) else _code(error.__context__)


def holders(path: str) -> list[int]:
    """The processes (other than this one) that have the port open, as far as this user may see."""
    real, found = os.path.realpath(path), set()
    for link in glob.glob("/proc/[0-9]*/fd/*"):
        with contextlib.suppress(OSError):
            if os.readlink(link) == real:
                found.add(int(link.split("/")[2]))
    return sorted(found - {os.getpid()})


def _named(pids: list[int]) -> str:
    return f" (process {', '.join(map(str, pids))})" if pids else ""
