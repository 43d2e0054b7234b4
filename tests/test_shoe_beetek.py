"""The commercial shoe's lines: what was seen is a fact, repeats are no cards, second cards are, all else is told."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.events import Event, LinkChanged, ShoeAlarm, ShoeCard, ShoeUnknown, ShoeUnread, ShoeWarning
from firmware_bridge.shoe_beetek import CARD_S, LINE_MAX, REPEAT_S, TICK_S, BeeTekShoe

VECTORS = json.loads((Path(__file__).parent / "vectors" / "beetek_lines.json").read_text())["lines"]
FOUR = b" [Game]<Card:4S> \r\n"
FIVE = b" [Game]<Card:5H> \r\n"


class Wire:
    """The conversation on a simulated clock, polled as its owner does."""

    def __init__(self) -> None:
        self.shoe = BeeTekShoe()
        self.now = 0.0
        self.events: list[Event] = list(self.shoe.opened(0.0).events)
        self.events.clear()

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now + TICK_S < end:
            self.now += TICK_S
            self.events += self.shoe.poll(self.now).events
        self.now = end

    def hear(self, data: bytes, after: float = 0.0) -> None:
        self.wait(after)
        self.events += self.shoe.receive(data, self.now).events


def means(event: Event) -> list[str]:
    match event:
        case ShoeCard(symbol, burn):
            return ["burn" if burn else "card", symbol]
        case ShoeUnread():
            return ["unread"]
        case ShoeAlarm(text):
            return ["alarm", text]
        case ShoeWarning(code):
            return ["warning", code]
    assert isinstance(event, ShoeUnknown)
    return ["unknown"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["line"])
def test_the_lines_that_were_seen_and_no_others(vector: dict[str, object]) -> None:
    wire = Wire()
    wire.hear(f"{vector['line']}\r\n".encode())
    assert [means(event) for event in wire.events] == [vector["means"]]


def test_pieces_do_not_matter() -> None:
    wire = Wire()
    for byte in FOUR + FIVE:
        wire.hear(bytes([byte]), after=0.001)
    assert wire.events == [ShoeCard("4s"), ShoeCard("5h")]


@pytest.mark.parametrize("repeats", [1, 2, 5])
def test_a_repeated_frame_is_no_second_card(repeats: int) -> None:
    wire = Wire()
    wire.hear(FOUR)
    for _ in range(repeats):
        wire.hear(FOUR, after=0.03)
    assert wire.events == [ShoeCard("4s")]


def test_a_repeat_in_one_piece() -> None:
    wire = Wire()
    wire.hear(FOUR + FOUR)
    assert wire.events == [ShoeCard("4s")]


@pytest.mark.parametrize("after", [CARD_S + 0.01, 0.5, 3.0])
def test_a_second_card_of_the_same_face_is_a_card(after: float) -> None:
    wire = Wire()
    wire.hear(FOUR)
    wire.hear(FOUR, after=0.03)
    wire.hear(FOUR, after=after)
    wire.hear(FOUR, after=0.03)
    assert wire.events == [ShoeCard("4s"), ShoeCard("4s")]


def test_between_the_two_a_person_decides() -> None:
    wire = Wire()
    wire.hear(FOUR)
    wire.hear(FOUR, after=(REPEAT_S + CARD_S) / 2)
    assert [type(event) for event in wire.events] == [ShoeCard, ShoeUnread]


def test_a_program_that_was_late_does_not_call_it_a_repeat() -> None:
    wire = Wire()
    wire.hear(b"")
    wire.now += 2.0  # nobody polled: two cards of one face may be in one piece
    wire.events += wire.shoe.receive(FOUR + FOUR, wire.now).events
    assert [type(event) for event in wire.events] == [ShoeCard, ShoeUnread]


def test_the_characters_of_a_card_are_dropped_before_the_next_frame() -> None:
    wire = Wire()
    wire.hear(FOUR)
    wire.hear(b"4S" + FIVE, after=1.0)
    wire.hear(b"5H\r\n", after=0.01)
    assert wire.events == [ShoeCard("4s"), ShoeCard("5h")]


def test_other_characters_before_a_frame_are_not_dropped() -> None:
    wire = Wire()
    wire.hear(FOUR)
    wire.hear(b"6S" + FIVE, after=1.0)
    assert wire.events == [ShoeCard("4s"), ShoeUnknown("6S [Game]<Card:5H>")]


def test_one_card_that_is_told_as_not_read_in_two_ways_is_one() -> None:
    wire = Wire()
    wire.hear(b" [Game]<Game> \r\n")
    wire.hear(b" [Game]<Alarm:E3 Card Not Read> \r\n", after=0.05)
    wire.hear(b" [Game]<Alarm:E3 Card Not Read> \r\n", after=1.0)
    assert [type(event) for event in wire.events] == [ShoeUnread, ShoeUnread]


def test_noise_is_told_once_and_a_broken_frame_each_time() -> None:
    wire = Wire()
    for _ in range(100):
        wire.hear(b"\x80\xf8\x00\n")
    wire.hear(b" [Game]<Ca4S> \r\n [Game]<Ca5S> \r\n" + FOUR + b"xx\r\n")
    assert [type(event) for event in wire.events] == [ShoeUnknown, ShoeUnknown, ShoeUnknown, ShoeCard, ShoeUnknown]


def test_an_endless_line_is_bounded_and_the_next_is_read() -> None:
    wire = Wire()
    for _ in range(1000):
        wire.hear(b"[" * 1000)
        assert len(wire.shoe._held) <= LINE_MAX
    wire.hear(b"\r\n" + FOUR)
    assert [type(event) for event in wire.events] == [ShoeUnknown, ShoeCard]


def test_half_a_line_at_an_unplugged_cable_is_told() -> None:
    shoe = BeeTekShoe()
    shoe.opened(0.0)
    shoe.receive(b" [Game]<Card:4", 0.0)
    told = shoe.closed(0.1, "unplugged").events
    assert [type(event) for event in told] == [ShoeUnknown, LinkChanged]


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=5))
def test_whatever_comes_the_next_card_is_read(data: bytes, cuts: list[int]) -> None:
    wire = Wire()
    edges = sorted({0, *(cut for cut in cuts if cut < len(data)), len(data)})
    for start, end in itertools.pairwise(edges):
        wire.hear(data[start:end])
    wire.hear(b"\r\n", after=1.0)
    wire.hear(FIVE, after=1.0)
    assert wire.events[-1] == ShoeCard("5h")


def test_a_shoe_with_repeats_of_every_kind_is_its_cards() -> None:
    chance = random.Random(4)
    cards = [rank + suit for rank in "23456789TJQKA" for suit in "shdc"] * 6
    chance.shuffle(cards)
    wire = Wire()
    for card in cards:
        frame = f" [Game]<Card:{card.upper()}> \r\n".encode()
        wire.hear(frame, after=chance.uniform(0.3, 0.8))
        for _ in range(chance.randrange(3)):
            wire.hear(frame, after=0.02)
        if chance.random() < 0.5:
            wire.hear(card.upper().encode())
    assert wire.events == [ShoeCard(card) for card in cards]
