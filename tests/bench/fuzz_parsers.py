"""Random and mutated bytes into every parser, both ends: no exception, bounded memory, the next good frame is decoded.

`python tests/bench/fuzz_parsers.py [BYTES]` (default 10,000,000 into each) prints a table; it ends with 1 on a
failure, a traceback on an exception."""

from __future__ import annotations

import random
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from link_support import document

from firmware_bridge import framing, messages
from firmware_bridge.device import protocol as device
from firmware_bridge.events import ShoeCard
from firmware_bridge.link import Link
from firmware_bridge.shoe_beetek import BeeTekShoe
from firmware_bridge.signs.alpha import AlphaSign
from firmware_bridge.signs.modbus import ModbusNumbers
from firmware_bridge.signs.pixels import LampPixels, Strip
from firmware_bridge.signs.sign import Answer, Sign
from firmware_bridge.signs.tpm2 import Tpm2
from firmware_bridge.signs.wled import WledJson

PIECE = 4096
MOST_MEMORY = 2 * 1024 * 1024  # of a parser and all it made, whatever came
FRAMES = [bytes.fromhex(fields["wire"]) for fields in document()["example"].values()]
LINES = [b" [Game]<Card:4S> \r\n", b" [Manual Burn Cards]<Card:TH> \r\n", b" [Game]<Alarm:E3 Card Not Read> \r\n"]
ANSWERS = [
    b"\x06",
    b"\x15",
    bytes.fromhex("01 10 30 0D 00 01 9F 0A"),
    b'{"state":{"on":true}}\n',
    b'{"error":3}\n',
    b"\xac",
]


def pieces(total: int, good: list[bytes], seed: int) -> Iterator[bytes]:
    """`total` bytes: half of them noise, half good frames of which a few bytes are changed, dropped or doubled."""
    chance = random.Random(seed)
    sent = 0
    while sent < total:
        piece = chance.randbytes(PIECE) if chance.random() < 0.5 else mutated(good, chance)
        sent += len(piece)
        yield piece


def mutated(good: list[bytes], chance: random.Random) -> bytes:
    data = bytearray(b"".join(chance.choice(good) for _ in range(PIECE // max(map(len, good)))))
    for _ in range(chance.randrange(len(data) // 8 + 2)):
        at = chance.randrange(len(data))
        kind = chance.randrange(3)
        if kind == 0:
            data[at] = chance.randrange(256)
        elif kind == 1:
            del data[at]
        else:
            data[at:at] = data[at : at + 4]
    return bytes(data)


def host_link(total: int) -> bool:
    link = Link((), 1)
    link.opened(0.0)
    for number, piece in enumerate(pieces(total, FRAMES, 1)):
        link.receive(piece, number / 100)
    panel = device.Panel(1, lambda: 0, lambda later, before: later - before)
    hello = link.opened(1e9).send
    answers = [bytes(answer) for byte in hello if (answer := panel.receive(byte, 0))]
    link.receive(b"".join(answers), 1e9 + 0.1)
    return link.up


def host_decoder(total: int) -> bool:
    decoder = framing.Decoder()
    for piece in pieces(total, FRAMES, 2):
        for body in decoder.feed(piece):
            assert len(body) <= framing.MAX_BODY
    return decoder.feed(b"\x00" + framing.encode(b"\x01good"))[-1:] == [b"\x01good"]


def panel_program(total: int) -> bool:
    panel = device.Panel(1, lambda: 0, lambda later, before: later - before)
    number = 0
    for piece in pieces(total, FRAMES, 3):
        for byte in piece:
            panel.receive(byte, number)
        number += 1
        panel.tick(number)
    answers = [answer for byte in b"\x00" + FRAMES[0] if (answer := panel.receive(byte, number))]
    return bytes(answers[-1][2:3]) == bytes([device.WELCOME]) and messages.VERSION == 1


def shoe(total: int) -> bool:
    parser, now = BeeTekShoe(), 0.0
    parser.opened(now)
    for piece in pieces(total, LINES, 4):
        now += 0.05
        parser.receive(piece, now)
    parser.receive(b"\r\n", now + 1.0)
    parser.poll(now + 9.95)
    return parser.receive(b" [Game]<Card:5H> \r\n", now + 10.0).events == (ShoeCard("5h"),)


def sign(make: Callable[[], Sign], good: bytes) -> Callable[[int], bool]:
    def run(total: int) -> bool:
        parser = make()
        parser.begin()
        for piece in pieces(total, ANSWERS, 5):
            for at in range(0, len(piece), 64):
                parser.receive(piece[at : at + 64])
        parser.begin()
        return parser.receive(good) is Answer.TAKEN

    return run


STRIP = Strip(10, {"noir": LampPixels(0, 2, (1, 2, 3))})
PARSERS: dict[str, Callable[[int], bool]] = {
    "host: frames": host_decoder,
    "host: link": host_link,
    "panel's program": panel_program,
    "commercial shoe": shoe,
    "Alpha's answers": sign(lambda: AlphaSign(1, answers=True), ANSWERS[0]),
    "Modbus answers": sign(lambda: ModbusNumbers({0: 0x300D}), ANSWERS[2]),
    "WLED's answers": sign(lambda: WledJson([0]), ANSWERS[3]),
    "TPM2's answers": sign(lambda: Tpm2(STRIP), ANSWERS[5]),
}


def fuzz(total: int) -> dict[str, tuple[bool, float, int]]:
    """By parser: whether the next good frame was decoded, seconds, and the most memory (bytes) of a tenth as much."""
    found = {}
    for name, run in PARSERS.items():
        run(PIECE)  # what it imports is not what it holds
        tracemalloc.start()
        run(total // 10)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        began = time.perf_counter()
        found[name] = (run(total), time.perf_counter() - began, peak)
    return found


def main() -> int:
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    print(f"{total:,} bytes into each    next frame      seconds    memory at most")
    fine = True
    for name, (decoded, seconds, peak) in fuzz(total).items():
        fine = fine and decoded and peak < MOST_MEMORY
        print(f"  {name:24} {'decoded' if decoded else 'LOST':>8} {seconds:12.1f} {peak / 1024:12.0f} KiB", flush=True)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
