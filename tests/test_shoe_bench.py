"""A pack with one card missing and one too many, through the real reader: the deck check and the end of the shoe name
both, on a real daemon with a simulated shoe. And what the simulated dealer does around the rounds."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from bench_support import PATIENCE_S, Bench, until
from sim_support import rng

from controller import table
from controller.cards import DECK
from controller.edge.journal_reader import reading
from controller.events import (
    AnyEvent,
    CardDrawn,
    CountClosed,
    CountOpened,
    DeviceChanged,
    ShoeEnded,
    ShoeLoaded,
    TableOpened,
)
from controller.rules import Rules
from hw_sim.decisions import NAME, Act, Habits, decide
from hw_sim.launch import ensure
from hw_sim.mechanism import Stack
from hw_sim.options import SimOptions, parse

Json = dict[str, Any]
CONFIG = """
table.name = "test"
rules.decks = 1
page.port = 0
camera.source = "shared:{camera}"
panel.port = "{panel}"
state.folder = "{state}"
"""


@contextlib.contextmanager
def table_with(folder: Path, **options: Any) -> Iterator[str]:
    """A simulated shoe of one deck and the daemon before it; the page's address."""
    sim = ensure(SimOptions(state=folder, seed=5, speed=100, decks=1, **options))
    try:
        config = folder / "table.toml"
        config.write_text(CONFIG.format(camera=sim.camera_socket, panel=sim.panel_port, state=folder))
        command = [sys.executable, "-m", "controller.cli.main", "run", "--config", str(config)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as daemon:
            try:
                told = folder / "page.json"
                yield json.loads(until(lambda: told.exists() and told.read_text()))["url"]
            finally:
                daemon.send_signal(signal.SIGTERM)
                assert daemon.wait(30) == 0
    finally:
        sim.stop()


def receipts(url: str) -> list[Json]:
    return [each["receipt"] for each in httpx.get(f"{url}/api/receipts", timeout=10).json()]


@pytest.mark.timeout(300)
def test_a_missing_and_an_extra_card_are_found_through_the_reader(tmp_path: Path) -> None:
    with table_with(tmp_path, missing=("7d",), extra=("9s",), check=True) as url:
        until(lambda: receipts(url), 240)
        found = receipts(url)[-1]
        alarms = httpx.get(f"{url}/api/view", timeout=10).json()["alarms"]
    assert (found["kind"], found["shoe"], found["by"]) == ("deck-check", 1, NAME)
    assert (found["missing"], found["extra"]) == ({"7d": 1}, {"9s": 1})
    assert (found["right"], found["counted"], found["unseen"]) == (False, 52, 0)
    assert (found["table"], bool(found["machine"])) == ("test", True)
    assert alarms[0]["kind"] == "deck-check"


# ---- the simulated dealer ----------------------------------------------------------------------------------


def view_after(*events: AnyEvent) -> Json:
    state = table.initial(TableOpened("trente-et-quarante", Rules(decks=1)))
    for event in (DeviceChanged("camera", "ok"), *events):
        state, _ = table.step(state, event)
    view: Json = msgspec.to_builtins(table.view(state))
    return view


def test_the_pack_is_as_the_maker_and_the_options_say() -> None:
    stack = Stack("trente-et-quarante", rng(), 1, missing=["7d"], extra=["9s"])
    assert Counter(stack.pack()) == Counter(DECK) - Counter(["7d"]) + Counter(["9s"])
    stack.load()
    assert Counter(stack.inside) == Counter(stack.pack()) + Counter(["cut"])


def test_the_dealer_counts_the_pack_then_loads_the_shoe() -> None:
    stack, habits = Stack("trente-et-quarante", rng(), 1), Habits(check=True)
    assert decide(view_after(), stack, habits) == Act({"type": "count-opened"}, pack=True)
    stack.load_pack()
    cards = list(stack.inside)
    assert decide(view_after(CountOpened()), stack, habits) == Act(pull=True)
    stack.inside, stack.dealt = [], cards
    drawn = [CardDrawn(card) for card in cards]
    signed = {"type": "count-closed", "by": NAME}
    assert decide(view_after(CountOpened(), *drawn), stack, habits) == Act(signed)
    assert decide(view_after(CountOpened(), *drawn[:-1]), stack, habits) == Act(
        {"type": "card-entered", "symbol": cards[-1]}, pause="late"
    )
    done = view_after(CountOpened(), *drawn, CountClosed())
    assert decide(done, stack, habits) == Act({"type": "shoe-loaded"}, load=True)
    assert decide(view_after(), stack, Habits()) == Act({"type": "shoe-loaded"}, load=True)


def test_the_dealer_feeds_out_what_is_left_portions_too() -> None:
    stack, habits = Stack("trente-et-quarante", rng(), 1, portion=10), Habits(remainder=True)
    stack.load()
    over = (ShoeLoaded(), ShoeEnded())
    assert decide(view_after(*over), stack, habits) == Act(portion=True, pull=True)
    stack.waiting = []
    assert decide(view_after(*over), stack, habits) == Act(pull=True)
    assert decide(view_after(*over), stack, Habits()) == Act({"type": "shoe-loaded"}, load=True, pause="round")


def test_a_wrong_pack_is_found_before_play_and_again_at_the_end_of_its_shoe() -> None:
    """The dealer's decisions played out before the core itself, the reader left out."""
    state = table.initial(TableOpened("trente-et-quarante", Rules(decks=2)))
    state, _ = table.step(state, DeviceChanged("camera", "ok"))
    stack = Stack("trente-et-quarante", rng(), 2, portion=40, missing=["7d"], extra=["9s", "joker"])
    habits = Habits("burn", check=True, remainder=True)
    while len(state.receipts) < 2:
        act = decide(msgspec.to_builtins(table.view(state)), stack, habits)
        assert act is not None
        for wanted, work in ((act.pack, stack.load_pack), (act.load, stack.load), (act.portion, stack.load_portion)):
            if wanted:
                work()
        event = msgspec.json.decode(msgspec.json.encode(act.request), type=AnyEvent) if act.request else None
        if act.pull:
            event = CardDrawn(stack.pull() or "")
            stack.leave()
        state, _ = table.step(state, event)
    for receipt, kind in zip(state.receipts, ("remainder", "deck-check"), strict=True):
        assert (receipt.kind, receipt.shoe, receipt.by) == (kind, 1, NAME)
        assert (receipt.missing, receipt.extra) == ({"7d": 1}, {"9s": 1, "joker": 1})


def test_options_name_cards(capsys: pytest.CaptureFixture[str]) -> None:
    options = SimOptions(Path("x"), check=True, remainder=True, missing=("7d", "Th"), extra=("9s",))
    assert parse(options.arguments()) == options
    assert parse(["--state", "x", "--missing", "10H,qs"]).missing == ("Th", "Qs")
    with pytest.raises(SystemExit):
        parse(["--state", "x", "--extra", "9x"])
    assert "9x is no card" in capsys.readouterr().err


# ---- live odds ---------------------------------------------------------------------------------------------


@pytest.mark.timeout(180)
def test_the_live_advantage_is_the_supervisors_alone(tmp_path: Path) -> None:
    with Bench(tmp_path, "--speed", "50", "--seed", "4") as bench:
        view = bench.wait_view(lambda view: view["shoe"]["loaded"])
        odds = until(lambda: httpx.get(f"{bench.url}/api/supervisor", timeout=10).json()["odds"])
        assert odds["shoe"] == 1
        assert odds["index"] + odds["cards"] == 312
        assert 0.009 < odds["figures"]["edge"] < 0.013
        assert odds["seconds"] < PATIENCE_S
        assert "odds" not in view
        assert bench.end() < 20
    with reading(tmp_path) as journal:
        texts = [record.event for record in journal.records()] + [kept.state for kept in journal.snapshots()]
    assert not [text for text in texts if "refait_31" in text or '"odds"' in text]
