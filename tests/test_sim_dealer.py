"""The simulated dealer before a real page: pulls when a card is due, answers holds by the cloth, loads new shoes."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from sim_support import Page, rng, until

from controller import table
from controller.events import (
    AnyEvent,
    CardDrawn,
    CardUnread,
    DaemonStarted,
    DeviceChanged,
    RoundOpened,
    ShoeLoaded,
    TableOpened,
    Undone,
)
from controller.rules import Rules
from hw_sim.dealer import CARD_S, Dealer
from hw_sim.decisions import Act, Habits, Json, decide
from hw_sim.eyes import events
from hw_sim.mechanism import Stack


class Shoe:
    """A window without a camera: a pulled card lies on the cloth at once, and `read` tells the table."""

    def __init__(self, stack: Stack, page: Page) -> None:
        self.stack, self.page = stack, page
        self.pulls: list[float] = []
        self.unread: set[int] = set()
        self.poke = lambda: None
        self._cards: queue.SimpleQueue[bool] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    @property
    def busy(self) -> bool:
        return False

    def pull(self) -> None:
        self.pulls.append(time.monotonic())
        self._cards.put(True)

    def _run(self) -> None:
        while self._cards.get():
            index = len(self.stack.dealt)
            symbol = self.stack.pull()
            self.stack.leave()
            assert symbol is not None
            self.page.post(CardUnread("unclear") if index in self.unread else CardDrawn(symbol))
            self.poke()


@contextmanager
def dealing(
    folder: Path, habits: Habits | None = None, speed: float = 1000.0, rules: Rules | None = None, portion: int = 0
) -> Iterator[tuple[Page, Shoe, Dealer]]:
    stack = Stack("trente-et-quarante", rng(8), portion=portion)
    with Page(folder, rules) as page:
        shoe = Shoe(stack, page)
        dealer = Dealer(folder, stack, shoe, habits or Habits(), speed, late_s=0.3)  # type: ignore[arg-type]
        shoe.poke = dealer.poke
        dealer.start()
        try:
            yield page, shoe, dealer
        finally:
            dealer.stop()


def test_deals_coups_and_nothing_more_than_is_due(tmp_path: Path) -> None:
    with dealing(tmp_path) as (page, _shoe, _):
        until(lambda: page.state.rounds >= 5)
        asked = [each["type"] for each in page.asked]
        assert asked[:2] == ["shoe-loaded", "round-opened"]
        assert set(asked) == {"shoe-loaded", "round-opened"}
        assert page.refused == []
        assert page.state.hold is None


def test_a_new_shoe_follows_one_that_ended(tmp_path: Path) -> None:
    with dealing(tmp_path) as (page, shoe, _):
        until(lambda: page.state.shoe.number >= 2 and page.state.index > 0, 60)
        assert shoe.stack.shoes == 2
        assert page.state.hold is None
        assert page.state.void == 0


def test_keeps_two_cards_a_second_times_speed(tmp_path: Path) -> None:
    with dealing(tmp_path, speed=10.0) as (_page, shoe, _):
        until(lambda: len(shoe.pulls) >= 6)
    gaps = [b - a for a, b in zip(shoe.pulls, shoe.pulls[1:], strict=False)]
    assert min(gaps) >= CARD_S / 10.0 - 0.001


def test_enters_an_unread_card_by_the_cloth(tmp_path: Path) -> None:
    with dealing(tmp_path) as (page, shoe, _):
        shoe.unread = {3, 4}
        until(lambda: page.state.rounds >= 2)
        entered = [each["symbol"] for each in page.asked if each["type"] == "card-entered"]
        assert entered == shoe.stack.dealt[3:5]


def test_enters_a_card_that_was_taken_back_on_the_page(tmp_path: Path) -> None:
    with dealing(tmp_path, speed=10.0) as (page, shoe, _):
        until(lambda: page.state.index >= 2)
        page.post(Undone())
        until(lambda: page.state.rounds >= 1)
        entered = [each["symbol"] for each in page.asked if each["type"] == "card-entered"]
        assert len(entered) == 1
        assert entered[0] in shoe.stack.dealt[:4]
        assert page.state.index == len(shoe.stack.dealt)


def test_goes_on_after_the_confirmation_of_a_restart(tmp_path: Path) -> None:
    with dealing(tmp_path) as (page, _shoe, dealer):
        until(lambda: page.state.index >= 3)
        page.post(DaemonStarted())
        until(lambda: page.state.hold is not None)
        assert not any(each["type"] == "confirmed" for each in page.asked)
        dealer.habits = Habits(confirm=True)
        dealer.poke()
        until(lambda: page.state.rounds >= 1)


@pytest.mark.parametrize("resolution", ["put-back", "burn", "void"])
def test_resolves_a_fault_as_told(tmp_path: Path, resolution: str) -> None:
    with dealing(tmp_path, Habits(on_fault=resolution)) as (page, shoe, _):
        until(lambda: page.state.index >= 2)
        shoe.stack.slip("joker")
        until(lambda: "joker" in shoe.stack.dealt and page.state.hold is None and page.state.rounds >= 2)
        resolved = [each["resolution"] for each in page.asked if each["type"] == "fault-resolved"]
        assert resolved == [resolution]


def test_leaves_a_fault_to_others_without_orders(tmp_path: Path) -> None:
    with dealing(tmp_path) as (page, shoe, _):
        until(lambda: page.state.index >= 2)
        shoe.stack.slip("joker")
        until(lambda: page.state.hold is not None)
        assert page.state.hold.code == "foreign"
        assert all(each["type"] != "fault-resolved" for each in page.asked)


def test_puts_in_the_next_portion(tmp_path: Path) -> None:
    with dealing(tmp_path, portion=20) as (page, _shoe, _):
        until(lambda: page.state.index >= 45)
        assert sum(each["type"] == "portion-loaded" for each in page.asked) == 2
        assert page.state.shoe.number == 1


def test_burns_first_where_the_house_does(tmp_path: Path) -> None:
    with dealing(tmp_path, rules=Rules(burn=5)) as (page, _, _dealer):
        until(lambda: page.state.rounds >= 1)
        assert page.state.ledger.burnt == 5


def test_finds_the_next_daemon_after_the_first(tmp_path: Path) -> None:
    with dealing(tmp_path) as (page, shoe, _):
        until(lambda: page.state.index >= 5)
        with Page(tmp_path) as second:
            page.end_streams()
            until(lambda: second.asked)
            assert second.asked[0]["type"] == "shoe-loaded"
            assert shoe.stack.shoes == 2


def standing(*events: AnyEvent) -> Json:
    """The view of a table where a shoe was loaded, a coup opened, and then `events` happened."""
    state = table.initial(TableOpened("trente-et-quarante", Rules()))
    for event in (DeviceChanged("camera", "ok"), ShoeLoaded(), RoundOpened(), *events):
        state, _ = table.step(state, event)
    view: Json = msgspec.to_builtins(table.view(state))
    return view


@pytest.fixture
def stack() -> Stack:
    made = Stack("trente-et-quarante", rng())
    made.load()
    return made


def test_pulls_when_a_card_is_due_and_only_then(stack: Stack) -> None:
    assert decide(standing(), stack, Habits()) == Act(pull=True)
    assert decide(standing(DeviceChanged("camera", "lost")), stack, Habits()) is None
    assert decide(standing(DaemonStarted()), stack, Habits()) is None
    assert decide(standing(CardUnread("unclear")), stack, Habits()) is None
    assert decide(standing(CardDrawn("joker")), stack, Habits()) is None
    assert decide(standing(CardDrawn("As")), stack, Habits()) is None  # the page shows more than lies there
    stack.inside.clear()
    assert decide(standing(), stack, Habits()) is None


def test_a_card_that_the_page_does_not_show_is_entered_late(stack: Stack) -> None:
    stack.pull()
    stack.leave()
    wanted = Act({"type": "card-entered", "symbol": stack.dealt[0]}, pause="late")
    assert decide(standing(), stack, Habits()) == wanted
    assert decide(standing(DeviceChanged("camera", "lost")), stack, Habits()) is None


def test_a_card_that_lies_nowhere_is_not_entered() -> None:
    stack = Stack("trente-et-quarante", rng())
    stack.load()
    hold = {"code": "gap", "resolutions": [], "enter": True, "count": 1, "index": 0}
    view = {"phase": "hold", "hold": hold, "shoe": {"index": 0}}
    assert decide(view, stack, Habits()) is None


def test_event_stream_is_parsed_as_the_standard_says() -> None:
    text = b'id: 3\nevent: view\r\ndata: {"a":\ndata: 1}\n\n: comment\n\ndata:x\n\n'
    assert list(events(iter(text.splitlines(keepends=True)))) == [("view", '{"a":\n1}'), ("message", "x")]
