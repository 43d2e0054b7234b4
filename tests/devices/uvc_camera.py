"""A USB camera made of Python in the guest: UVC 1.0, MJPEG, bulk transfers, on the kernel's usbip port (vhci_hcd), so
that the kernel's own uvcvideo driver and udev's stable names are tested. SIGUSR1 pulls its plug, SIGUSR2 puts it in."""

from __future__ import annotations

import collections
import contextlib
import signal
import socket
import struct
import subprocess
import threading
import time
from pathlib import Path

import cv2
import numpy as np

VHCI = Path("/sys/devices/platform/vhci_hcd.0")
DEVICE_ID, HIGH_SPEED = 0x10001, 3
SUBMIT, SUBMITTED, UNLINK, UNLINKED = 1, 3, 2, 4
STALL, RESET = -32, -104
PAYLOAD = 16384
SIZES = ((1280, 720), (640, 480))
FPS = 5
INTERVAL = 10_000_000 // FPS  # of 100 ns


def text_descriptor(text: str) -> bytes:
    encoded = text.encode("utf-16le")
    return bytes([len(encoded) + 2, 3]) + encoded


def device_descriptor() -> bytes:
    return struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x200, 0xEF, 2, 1, 64, 0x1209, 0x0C0C, 0x100, 1, 2, 3, 1)


def configuration_descriptor() -> bytes:
    """A control interface (camera terminal, output terminal) and a streaming one with an MJPEG format."""
    camera = struct.pack("<BBBBHBBHHHB3B", 18, 0x24, 2, 1, 0x0201, 0, 0, 0, 0, 0, 3, 0, 0, 0)
    output = struct.pack("<BBBBHBBB", 9, 0x24, 3, 2, 0x0101, 0, 1, 0)
    header = struct.pack("<BBBHHIBB", 13, 0x24, 1, 0x100, 13 + len(camera) + len(output), 48_000_000, 1, 1)
    frames = b"".join(frame_descriptor(number, *size) for number, size in enumerate(SIZES, start=1))
    mjpeg = bytes([11, 0x24, 6, 1, len(SIZES), 1, 1, 0, 0, 0, 0])
    length = 14 + len(mjpeg) + len(frames)
    stream = struct.pack("<BBBBHBBBBBBBB", 14, 0x24, 1, 1, length, 0x81, 0, 2, 0, 0, 0, 1, 0)
    body = bytes([8, 11, 0, 2, 14, 3, 0, 0]) + bytes([9, 4, 0, 0, 0, 14, 1, 0, 0]) + header + camera + output
    body += bytes([9, 4, 1, 0, 1, 14, 2, 0, 0]) + stream + mjpeg + frames
    body += struct.pack("<BBBBHB", 7, 5, 0x81, 2, 512, 0)
    return struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), 2, 1, 0, 0x80, 250) + body


def frame_descriptor(number: int, width: int, height: int) -> bytes:
    pixels = width * height
    return struct.pack(
        "<BBBBBHHIIIIBI",
        30,
        0x24,
        7,
        number,
        0,
        width,
        height,
        pixels * 8,
        pixels * 80,
        pixels * 2,
        INTERVAL,
        1,
        INTERVAL,
    )


def probe(frame: int) -> bytes:
    """What the camera agrees to: its one format, that frame size, its one rate."""
    frame = min(max(frame, 1), len(SIZES))
    width, height = SIZES[frame - 1]
    return struct.pack("<HBBIHHHHHII", 1, 1, frame, INTERVAL, 0, 0, 0, 0, 0, width * height * 2, PAYLOAD)


def attach(descriptor: int) -> None:
    """Put the camera into the kernel's port 0, which is busy for a moment after it was pulled out."""
    deadline = time.monotonic() + 10.0
    while True:
        try:
            (VHCI / "attach").write_text(f"0 {descriptor} {DEVICE_ID} {HIGH_SPEED}")
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


class Camera:
    """One camera; `plug` and `unplug` are what a hand does."""

    def __init__(self) -> None:
        self._descriptors = {1: device_descriptor(), 2: configuration_descriptor()}
        self._texts = {0: bytes([4, 3, 9, 4]), 1: text_descriptor("Bench"), 2: text_descriptor("Bench Camera")}
        self._texts[3] = text_descriptor("CAM0001")
        self._agreed = probe(1)
        self._wanted: collections.OrderedDict[int, int] = collections.OrderedDict()
        self._changed = threading.Condition()
        self._writing = threading.Lock()
        self._plugged = False
        self._threads: list[threading.Thread] = []

    def plug(self) -> None:
        ours, kernels = socket.socketpair()
        self._socket, self._plugged = ours, True
        self._wanted.clear()
        attach(kernels.fileno())
        kernels.close()
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._listen, self._stream)]
        for thread in self._threads:
            thread.start()

    def unplug(self) -> None:
        self._plugged = False
        (VHCI / "detach").write_text("0")
        with self._changed:
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(5.0)
        self._socket.close()

    def _take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = self._socket.recv(count - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data

    def _answer(self, number: int, status: int, data: bytes = b"", length: int | None = None) -> None:
        size = len(data) if length is None else length
        with self._writing:
            self._socket.sendall(struct.pack(">5I iIIII 8x", SUBMITTED, number, 0, 0, 0, status, size, 0, 0, 0) + data)

    def _listen(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            while self._plugged:
                self._request(self._take(48))

    def _request(self, header: bytes) -> None:
        command, number, _, inward, endpoint = struct.unpack(">5I", header[:20])
        if command == UNLINK:
            self._unlink(number, struct.unpack(">I", header[20:24])[0])
            return
        length = struct.unpack(">II", header[20:28])[1]
        data = self._take(length) if not inward and length else b""
        if endpoint == 0:
            self._control(number, header[40:48], data)
            return
        with self._changed:
            self._wanted[number] = length
            self._changed.notify_all()

    def _unlink(self, number: int, target: int) -> None:
        with self._changed:
            status = RESET if self._wanted.pop(target, None) else 0
        with self._writing:
            self._socket.sendall(struct.pack(">5I i 24x", UNLINKED, number, 0, 0, 0, status))

    def _control(self, number: int, setup: bytes, data: bytes) -> None:
        kind, request, value, index, length = struct.unpack("<BBHHH", setup)
        answer: bytes | None = None
        if kind & 0x60 == 0:
            if request in (1, 3, 5, 9, 11):  # features, address, configuration, interface: taken
                self._answer(number, 0, length=0)
                return
            answer = self._standard(request, value)
        elif index & 0xFF == 1 and value >> 8 in (1, 2):  # probe and commit
            if request == 1:
                self._agreed = probe(data[3])
                self._answer(number, 0, length=len(data))
                return
            answer = {0x85: b"\x1a\x00", 0x86: b"\x03"}.get(request, self._agreed)
        if answer is None:
            self._answer(number, STALL)
        else:
            self._answer(number, 0, answer[:length])

    def _standard(self, request: int, value: int) -> bytes | None:
        if request == 6:
            return self._texts.get(value & 0xFF) if value >> 8 == 3 else self._descriptors.get(value >> 8)
        return {0: b"\x00\x00", 8: b"\x01", 10: b"\x00"}.get(request)

    def _stream(self) -> None:
        toggle, number = 0, 0
        with contextlib.suppress(OSError):
            while self._plugged:
                width, height = SIZES[self._agreed[3] - 1]
                self._send(picture(width, height, number), toggle)
                toggle, number = toggle ^ 1, number + 1
                time.sleep(1 / FPS)  # the camera's own rate

    def _send(self, jpeg: bytes, toggle: int) -> None:
        """One picture in as many payloads as it needs, each in a transfer that the host asked for."""
        parts = [jpeg[at : at + PAYLOAD - 2] for at in range(0, len(jpeg), PAYLOAD - 2)]
        for place, part in enumerate(parts):
            with self._changed:
                if not self._changed.wait_for(lambda: self._wanted or not self._plugged, 0.5) or not self._plugged:
                    return
                number, _ = self._wanted.popitem(last=False)
            end = 2 if place == len(parts) - 1 else 0
            self._answer(number, 0, bytes([2, 0x80 | toggle | end]) + part)


def picture(width: int, height: int, number: int) -> bytes:
    """Red on the left, blue on the right, and its number."""
    image = np.zeros((height, width, 3), np.uint8)
    image[:, : width // 2], image[:, width // 2 :] = (0, 0, 255), (255, 0, 0)
    cv2.putText(image, str(number), (50, 200), 0, 4, (255, 255, 255), 8)
    return cv2.imencode(".jpg", image)[1].tobytes()


def main() -> None:
    subprocess.run(["modprobe", "-a", "vhci_hcd", "uvcvideo"], check=True)
    signals = {signal.SIGUSR1, signal.SIGUSR2}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    camera = Camera()
    camera.plug()
    print("camera ready", flush=True)
    while True:
        if signal.sigwait(signals) == signal.SIGUSR1:
            camera.unplug()
        else:
            camera.plug()


if __name__ == "__main__":
    main()
