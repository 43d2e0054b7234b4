"""The host's end by itself: what it says when, and what it makes of answers, right and wrong."""

from __future__ import annotations

import pytest
from link_support import Bench, Faults, picture_number

from firmware_bridge import framing, messages
from firmware_bridge.errors import BridgeError, PictureError
from firmware_bridge.events import ExitCount, LinkChanged, LinkState, PictureAcked
from firmware_bridge.link import Link
from firmware_bridge.messages import Ack, Header, Hello, Nak, PictureFrame, Refusal, Status, Welcome
from firmware_bridge.picture import Picture

BOOT = 0xB007


def said(data: bytes) -> list[messages.Message]:
    return [messages.decode(body) for body in framing.Decoder().feed(data)]


def wire(message: messages.Message) -> bytes:
    return framing.encode(messages.encode(message))


def welcome(session: int, exits: int = 0, boot: int = BOOT, version: int = 1) -> bytes:
    return wire(Welcome(Header(session, 0), version, version or 2, version or 3, boot, exits, 1, 32, 16))


def link_up(session: int = 1) -> Link:
    link = Link(("amber", "red"), session - 1)
    link.opened(0.0)
    assert link.receive(welcome(session), 0.01).events[0] == LinkChanged(LinkState.UP, "panel program 1, boot 0000b007")
    return link


def test_hello_is_repeated_until_it_is_answered():
    link = Link((), 0)
    assert said(link.opened(10.0).send) == [Hello(Header(1, 0))]
    assert link.poll(10.2).send == b""
    assert said(link.poll(10.25).send) == [Hello(Header(1, 0))]


def test_silence_is_told_once_and_then_the_port_opened_anew():
    link = Link((), 0)
    link.opened(0.0)
    times = [step / 20 for step in range(1, 130)]
    turns = [link.poll(now) for now in times]
    assert [event for turn in turns for event in turn.events] == [LinkChanged(LinkState.SILENT, "no answer for 1.6 s")]
    assert next(now for now, turn in zip(times, turns, strict=True) if turn.reopen) == 5.0


def test_the_welcome_gives_the_exit_count_and_lets_the_picture_out():
    link = Link(("amber", "red"), 0)
    link.opened(0.0)
    assert link.show(Picture(("12", ""), "", frozenset({"red"})), 4, 0.0).send == b""
    turn = link.receive(welcome(1, exits=9), 0.1)
    assert turn.events[1] == ExitCount(BOOT, 9)
    assert said(turn.send) == [PictureFrame(Header(1, 4), ("  12", "    "), "", 2, 8)]


def test_a_picture_is_repeated_until_it_is_acknowledged():
    link = link_up()
    assert len(said(link.show(Picture(), 1, 1.0).send)) == 2  # and the heartbeat that was due
    assert link.poll(1.05).send == b""
    repeated = said(link.poll(1.2).send)
    assert PictureFrame(Header(1, 1), ("    ", "    "), "", 0, 8) in repeated
    turn = link.receive(wire(Ack(Header(1, 1))), 1.25)
    assert turn.events == (PictureAcked(1, 1.0),)
    assert link.settled


def test_the_acknowledgement_names_when_the_frame_was_written():
    link = link_up()
    link.show(Picture(), 1, 1.0)
    link.wrote(1.004)
    link.poll(1.3)
    link.wrote(1.304)
    assert link.receive(wire(Ack(Header(1, 1))), 1.4).events == (PictureAcked(1, 1.004),)


def test_an_answer_to_another_session_counts_for_nothing():
    link = link_up()
    link.show(Picture(), 1, 1.0)
    for message in (Ack(Header(9, 1)), Nak(Header(9, 1), Refusal.NO_SESSION), Status(Header(9, 1), 1, 5, True, 0)):
        assert link.receive(wire(message), 1.01).events == ()
    assert not link.settled
    assert link.up


def test_the_exit_count_goes_forward_only():
    link = link_up()
    counts = [3, 2, 3, 5]
    events = [
        event
        for count in counts
        for event in link.receive(wire(Status(Header(1, 0), BOOT, count, False, 0)), 0.1).events
    ]
    assert events == [ExitCount(BOOT, 3), ExitCount(BOOT, 5)]


def test_the_exit_count_wraps():
    link = Link((), 0)
    link.opened(0.0)
    link.receive(welcome(1, exits=0xFFFFFFFF), 0.0)
    assert link.receive(wire(Status(Header(1, 0), BOOT, 1, False, 0)), 0.1).events == (ExitCount(BOOT, 1),)


def test_another_boot_number_is_another_panel():
    link = link_up()
    turn = link.receive(wire(Status(Header(1, 0), BOOT + 1, 0, False, 0)), 0.1)
    assert Hello(Header(2, 0)) in said(turn.send)
    assert ExitCount(BOOT + 1, 0) in link.receive(welcome(2, boot=BOOT + 1), 0.2).events


def test_a_status_that_shows_another_picture_gets_the_newest():
    link = link_up()
    link.show(Picture(text="new"), 2, 1.0)
    link.receive(wire(Ack(Header(1, 2))), 1.01)
    assert link.receive(wire(Status(Header(1, 2), BOOT, 0, True, 0)), 1.02).send == b""
    turn = link.receive(wire(Status(Header(1, 1), BOOT, 0, True, 0)), 1.03)
    assert [message.kind for message in said(turn.send)] == [messages.Kind.PICTURE]


def test_an_incompatible_panel_is_named_and_left_in_peace():
    link = Link((), 0)
    link.opened(0.0)
    turn = link.receive(welcome(1, version=0), 0.1)
    assert turn.events == (LinkChanged(LinkState.INCOMPATIBLE, "the panel speaks protocol 2..3, this program 1"),)
    turns = [link.poll(step / 10) for step in range(2, 50)]
    assert all(turn.send == b"" and not turn.reopen for turn in turns)
    assert said(link.poll(5.2).send) == [Hello(Header(1, 0))]


def test_the_welcome_of_a_later_version_is_understood_as_far_as_it_must():
    body = messages.encode(Ack(Header(1, 0)))
    later = framing.encode(bytes([messages.Kind.WELCOME]) + body[1:] + bytes([0, 4, 7]) + b"whatever else")
    link = Link((), 0)
    link.opened(0.0)
    assert link.receive(later, 0.1).events[0] == LinkChanged(
        LinkState.INCOMPATIBLE, "the panel speaks protocol 4..7, this program 1"
    )


@pytest.mark.parametrize("why", [Refusal.UNKNOWN, Refusal.MALFORMED])
def test_a_panel_that_refuses_our_frames_is_not_argued_with(why: Refusal):
    link = link_up()
    link.show(Picture(), 1, 1.0)
    turn = link.receive(wire(Nak(Header(1, 1), why)), 1.01)
    assert turn.events == (LinkChanged(LinkState.INCOMPATIBLE, f"the panel refuses a frame: {why.name.lower()}"),)
    assert all(link.poll(1.1 + step / 10).send == b"" for step in range(40))


def test_unreadable_brings_the_repeat_forward_and_no_storm():
    link = link_up()
    link.show(Picture(), 1, 1.0)
    nak = wire(Nak(Header(0, 0), Refusal.UNREADABLE))
    sent = [said(link.receive(nak, 1.0 + step / 1000).send) for step in range(1, 61)]
    assert 1 <= len([messages for messages in sent if messages]) <= 3


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        (Picture(("12345", "")), "row '12345': at most 4 characters"),
        (Picture(text="x" * 33), "at most 32 characters"),
        (Picture(text="Après"), "text 'Après': printable ASCII only"),
        (Picture(brightness=16), "brightness 16: 0..15"),
        (Picture(lamps=frozenset({"blue"})), "lamp 'blue': this panel has amber, red"),
    ],
)
def test_a_picture_that_cannot_be_carried_is_our_error(picture: Picture, why: str):
    with pytest.raises(PictureError, match=why) as raised:
        Link(("amber", "red")).show(picture, 1, 0.0)
    assert isinstance(raised.value, BridgeError)
    assert isinstance(raised.value, ValueError)


def test_deadlines_never_ask_for_a_poll_that_does_nothing():
    bench = Bench(Faults(), seed=2)
    bench.open()
    bench.show(picture_number(1))
    bench.run(1.0)
    for _ in range(50):
        deadline = bench.link.deadline()
        assert deadline is not None
        turn = bench.link.poll(deadline)
        assert turn.send or turn.events, "woken for nothing"
        bench.now = deadline
