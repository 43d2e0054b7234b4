"""Random and mutated bytes into both parsers: no exception, bounded memory, and the next good frame is taken."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from link_support import document

from firmware_bridge import framing, messages
from firmware_bridge.device import protocol as device
from firmware_bridge.errors import FrameError
from firmware_bridge.link import Link

GOOD = [bytes.fromhex(fields["wire"]) for fields in document()["example"].values()]
ROUNDS = 4000


def noise(seed: int) -> Iterator[bytes]:
    """Pieces of noise, of frames with a few bytes changed, and of frames with a right CRC round a wrong body."""
    chance = random.Random(seed)
    for _ in range(ROUNDS):
        kind = chance.randrange(3)
        if kind == 0:
            yield chance.randbytes(chance.randrange(120))
        elif kind == 1:
            frame = bytearray(chance.choice(GOOD))
            for _ in range(chance.randrange(1, 4)):
                frame[chance.randrange(len(frame))] = chance.randrange(256)
            yield bytes(frame)
        else:
            body = bytes([chance.choice([*messages.Kind, 0x55])]) + chance.randbytes(
                chance.randrange(framing.MAX_BODY - 1)
            )
            yield framing.encode(body)


def test_the_host_survives_noise():
    link = Link((), 1)
    link.opened(0.0)
    for number, piece in enumerate(noise(1)):
        link.receive(piece, number / 1000)
        assert len(link._decoder._buffer) <= framing.MAX_ENCODED
    link.receive(b"\x00", 10.0)
    hello = link.opened(20.0).send
    panel = device.Panel(1, lambda: 0, lambda later, before: later - before)
    for byte in hello:
        if answer := panel.receive(byte, 0):
            link.receive(bytes(answer), 20.1)
    assert link.up


def test_the_panel_survives_noise():
    panel = device.Panel(1, lambda: 0, lambda later, before: later - before)
    for number, piece in enumerate(noise(2)):
        for byte in piece:
            panel.receive(byte, number)
        panel.tick(number)
        assert len(panel._receiver._buffer) == device.MAX_ENCODED
    answers = [answer for byte in b"\x00" + GOOD[0] if (answer := panel.receive(byte, ROUNDS))]
    assert bytes(answers[-1][2:3]) == bytes([device.WELCOME])


@given(st.binary(min_size=1, max_size=framing.MAX_BODY))
def test_both_ends_frame_alike(body: bytes):
    frame = framing.encode(body)
    assert frame == device.frame(body)
    assert framing.Decoder().feed(frame) == [body]


@given(st.binary(max_size=200))
def test_cobs_is_undone(data: bytes):
    assert bytes(device.cobs_decode(device.cobs_encode(data))) == data


@given(st.binary(max_size=60))
def test_any_body_is_a_message_or_theirs(body: bytes):
    try:
        message = messages.decode(body)
    except FrameError:
        return
    assert messages.decode(messages.encode(message)) == message


@given(st.lists(st.binary(max_size=80), max_size=20), st.integers(1, 7))
def test_pieces_do_not_matter(parts: list[bytes], size: int):
    data = b"\x00".join(parts)
    whole, pieces = framing.Decoder(), framing.Decoder()
    found = [body for at in range(0, len(data), size) for body in pieces.feed(data[at : at + size])]
    assert found == whole.feed(data)
    assert pieces.refused == whole.refused
