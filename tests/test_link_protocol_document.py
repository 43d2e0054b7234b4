"""PROTOCOL.md and both ends say the same: constants, examples byte for byte, what is no frame; version 1 stays as
it was frozen."""

from __future__ import annotations

import binascii
import json
from typing import Any

import pytest
from link_support import LAMPS, VECTORS, constants, document, screen_of

from firmware_bridge import framing, link, messages
from firmware_bridge.device import protocol as device
from firmware_bridge.messages import Header
from firmware_bridge.picture import Picture

EXAMPLES: dict[str, dict[str, Any]] = document()["example"]
NOT_FRAMES: dict[str, dict[str, Any]] = document()["not-a-frame"]
PICTURES = [name for name in EXAMPLES if name.startswith("picture")]


def wire(name: str) -> bytes:
    return bytes.fromhex(EXAMPLES[name]["wire"])


def message_of(fields: dict[str, Any]) -> messages.Message:
    """The host's message for an example's fields."""
    rest = {
        key: value
        for key, value in fields.items()
        if key not in ("message", "session", "sequence", "body", "crc32", "wire")
    }
    if "rows" in rest:
        rest["rows"] = tuple(rest["rows"])
    if "why" in rest:
        rest["why"] = messages.Refusal(rest["why"])
    kinds = {
        "HELLO": messages.Hello,
        "PICTURE": messages.PictureFrame,
        "HEARTBEAT": messages.Heartbeat,
        "WELCOME": messages.Welcome,
        "ACK": messages.Ack,
        "STATUS": messages.Status,
        "NAK": messages.Nak,
    }
    made: messages.Message = kinds[fields["message"]](Header(fields["session"], fields["sequence"]), **rest)
    return made


def to_panel(panel: device.Panel, data: bytes, now: int = 0) -> bytes:
    return b"".join(bytes(answer) for byte in data if (answer := panel.receive(byte, now)))


def panel_in_session(exits: int = 17) -> device.Panel:
    panel = device.Panel(0xC0FFEE01, lambda: exits, lambda later, before: later - before)
    to_panel(panel, wire("hello"))
    return panel


def test_the_crc_is_the_one_named():
    assert binascii.crc32(b"123456789") == 0xCBF43926


def test_constants_are_those_of_the_programs():
    for name, value in constants().items():
        holders = [module for module in (framing, messages, link, device) if hasattr(module, name)]
        assert holders, f"{name} is in no program"
        assert all(getattr(module, name) == value for module in holders), name
    assert {"MAX_BODY", "RETRY_S", "SILENCE_MS", "UNASKED_MS", "TEXT_MAX"} <= set(constants())


@pytest.mark.parametrize("name", EXAMPLES)
def test_host_encodes_the_example(name: str):
    fields = EXAMPLES[name]
    body = messages.encode(message_of(fields))
    assert body.hex(" ") == fields["body"]
    assert binascii.crc32(body) == fields["crc32"]
    assert framing.encode(body).hex(" ") == fields["wire"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_host_decodes_the_example_byte_by_byte(name: str):
    decoder = framing.Decoder()
    bodies = [body for byte in wire(name) for body in decoder.feed(bytes((byte,)))]
    assert [messages.decode(body) for body in bodies] == [message_of(EXAMPLES[name])]
    assert decoder.refused == 0


@pytest.mark.parametrize("name", EXAMPLES)
def test_panel_frames_and_unframes_the_example(name: str):
    body = bytes.fromhex(EXAMPLES[name]["body"])
    receiver = device.Receiver()
    assert device.frame(body) == wire(name)
    assert [found for byte in wire(name) if (found := receiver.byte(byte)) is not None] == [body]


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_frame_is_shorter_than_a_usb_packet(name: str):
    assert len(wire(name)) < 64


def test_the_longest_body_makes_a_frame_shorter_than_a_usb_packet():
    frame = framing.encode(bytes([0xFF]) * framing.MAX_BODY)
    assert len(frame) == framing.MAX_ENCODED + 2 == 63
    assert framing.Decoder().feed(frame) == [bytes([0xFF]) * framing.MAX_BODY]


@pytest.mark.parametrize("name", NOT_FRAMES)
def test_neither_end_takes_what_is_no_frame_and_both_take_the_next(name: str):
    bad = bytes.fromhex(NOT_FRAMES[name]["wire"])
    decoder, receiver = framing.Decoder(), device.Receiver()
    body = bytes.fromhex(EXAMPLES["ack"]["body"])
    assert decoder.feed(bad) == []
    assert decoder.feed(wire("ack")) == [body]
    taken = [found for byte in bad + wire("ack") if (found := receiver.byte(byte))]
    assert taken == [body]
    assert decoder.refused == receiver.refused == 1


def test_the_host_greets_as_written():
    assert link.Link((), EXAMPLES["hello"]["session"] - 1).opened(0.0).send == wire("hello")


def test_the_panel_answers_as_written():
    panel = device.Panel(0xC0FFEE01, lambda: 17, lambda later, before: later - before)
    assert to_panel(panel, wire("hello")) == wire("welcome")
    assert to_panel(panel, wire("picture-running"))
    assert to_panel(panel, wire("picture-result")) == wire("ack")
    assert to_panel(panel, wire("heartbeat")) == device.message(
        device.STATUS, 0x5AB07001, 256, bytes.fromhex("01 ee ff c0 11 00 00 00 01 00 00")
    )


def test_the_panel_refuses_as_written():
    fresh = device.Panel(1, lambda: 0, lambda later, before: later - before)
    assert to_panel(fresh, wire("picture-running")) == wire("nak-no-session")
    assert to_panel(panel_in_session(), bytes.fromhex(NOT_FRAMES["crc-differs"]["wire"])) == wire("nak-unreadable")


def test_the_panel_reports_as_written():
    panel = panel_in_session(18)
    bad = bytes.fromhex(NOT_FRAMES["text"]["wire"])
    to_panel(panel, bad + bad)
    to_panel(panel, wire("picture-result"))
    assert to_panel(panel, wire("heartbeat")) == wire("status")


@pytest.mark.parametrize("name", PICTURES)
def test_the_panel_shows_the_picture_of_the_example(name: str):
    fields = EXAMPLES[name]
    panel = device.Panel(1, lambda: 0, lambda later, before: later - before)
    hello = messages.Hello(Header(fields["session"], 0))
    to_panel(panel, framing.encode(messages.encode(hello)) + wire(name))
    lit = frozenset(lamp for bit, lamp in enumerate(LAMPS) if fields["lamps"] >> bit & 1)
    rows = (fields["rows"][0], fields["rows"][1])
    assert panel.screen == screen_of(Picture(rows, fields["text"], lit, fields["brightness"]))


def test_version_1_is_frozen():
    frozen = json.loads((VECTORS / "panel_v1.json").read_text())
    now = {name: fields["wire"] for name, fields in (EXAMPLES | NOT_FRAMES).items()}
    assert {name: now.get(name) for name in frozen} == frozen, (
        "an example of version 1 was changed: that is another version"
    )
