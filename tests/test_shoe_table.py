"""A commercial shoe at a table: alone, and beside a camera with which it must agree."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
import pytest
from bench_support import until
from vision_support import passage_frames

from controller.edge.config import load_config
from controller.edge.eye import Eye
from controller.edge.problems import UsageProblem
from controller.edge.witnesses import Witnesses
from controller.events import AnyEvent, CardDrawn, CardPulledBack, CardUnread
from hw_sim.shoe import BURN, SimulatedShoe
from vision.ring import RingWriter

PATIENCE_S = 0.1
CONFIG = '[camera]\nsource = "none"\n[shoe]\nport = "shoe"\n[page]\nport = 0\n[state]\nfolder = "state"\n'
BOTH = {"camera": "ok", "shoe": "ok"}
Script = Callable[[Witnesses], Coroutine[Any, Any, None]]


def posted(script: Script) -> list[AnyEvent]:
    async def run() -> list[AnyEvent]:
        facts: list[AnyEvent] = []
        witnesses = Witnesses(facts.append, Eye(), PATIENCE_S)
        await script(witnesses)
        await asyncio.sleep(2 * PATIENCE_S)
        witnesses.close()
        return facts

    return asyncio.run(run())


def camera(symbol: str, passage: int = 1) -> CardDrawn:
    return CardDrawn(symbol, passage=passage, confidence=0.9)


def shoe(symbol: str) -> CardDrawn:
    return CardDrawn(symbol, source="shoe")


def test_what_both_say_is_a_fact_in_either_order() -> None:
    async def script(both: Witnesses) -> None:
        both.camera(camera("Kh", 1))
        both.shoe(shoe("Kh"))
        both.shoe(shoe("2c"))
        both.shoe(shoe("2c"))
        both.camera(camera("2c", 2))
        both.camera(camera("2c", 3))

    assert posted(script) == [camera("Kh", 1), camera("2c", 2), camera("2c", 3)]


def test_a_disagreement_is_a_card_that_a_person_names() -> None:
    async def script(both: Witnesses) -> None:
        both.camera(camera("Kh"))
        both.shoe(shoe("Qh"))
        both.camera(camera("3s", 2))
        both.shoe(shoe("3s"))

    assert posted(script) == [CardUnread("the camera saw Kh, the shoe Qh", 1), camera("3s", 2)]


def test_an_abstention_of_one_is_no_contradiction() -> None:
    async def script(both: Witnesses) -> None:
        both.camera(CardUnread("unclear", 1))
        both.shoe(shoe("Kh"))
        both.camera(camera("2c", 2))
        both.shoe(CardUnread("the shoe did not read it"))
        both.camera(CardUnread("unclear", 3))
        both.shoe(CardUnread("the shoe did not read it"))

    assert posted(script) == [shoe("Kh"), camera("2c", 2), CardUnread("unclear", 3)]


def test_two_cards_in_one_pull_are_two_of_the_shoes() -> None:
    async def script(both: Witnesses) -> None:
        both.camera(CardUnread("two cards", 1))
        both.shoe(shoe("Kh"))
        both.shoe(shoe("2c"))

    assert posted(script) == [shoe("Kh"), shoe("2c")]


@pytest.mark.parametrize("who", ["camera", "shoe"])
def test_what_only_one_saw_is_held(who: str) -> None:
    async def script(both: Witnesses) -> None:
        getattr(both, who)(CardDrawn("Kh"))

    assert posted(script) == [CardUnread(f"only the {who} saw a card: Kh")]


def test_a_card_that_one_missed_costs_no_other_card() -> None:
    async def script(both: Witnesses) -> None:
        both.shoe(shoe("9d"))  # the camera saw nothing
        await asyncio.sleep(2 * PATIENCE_S)
        both.camera(camera("Kh", 1))
        both.shoe(shoe("Kh"))

    assert posted(script) == [CardUnread("only the shoe saw a card: 9d"), camera("Kh", 1)]


def test_what_only_a_camera_can_tell_keeps_its_place() -> None:
    async def script(both: Witnesses) -> None:
        both.camera(camera("Kh", 1))
        both.camera(camera("cut", 2))
        both.camera(CardPulledBack(3))
        both.shoe(shoe("Kh"))

    assert posted(script) == [CardPulledBack(3), camera("Kh", 1), camera("cut", 2)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[camera]\nsource = "none"\n', 'camera.source = "none": allowed: only where shoe.port names a shoe'),
        ('[table]\ngame = "zecchinetta"\n[shoe]\nport = "s"\n', "zecchinetta is dealt from a box"),
        ('[panel]\nport = "s"\n[shoe]\nport = "s"\n', "this is panel.port already"),
    ],
)
def test_what_a_configuration_with_a_shoe_must_have(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "t.toml"
    path.write_text(text)
    with pytest.raises(UsageProblem) as caught:
        load_config(path)
    assert len(caught.value.lines) == 1
    assert said in caught.value.lines[0]


class Running:
    """`sabot run` with a simulated shoe."""

    def __init__(self, folder: Path, config: str = CONFIG) -> None:
        (folder / "t.toml").write_text(config)
        command = [sys.executable, "-m", "controller.cli.main", "run", "--config", str(folder / "t.toml")]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        page = folder / "state" / "page.json"
        self.url = json.loads(until(lambda: page.exists() and page.read_text(encoding="utf-8")))["url"]

    def view(self) -> dict[str, Any]:
        return dict(httpx.get(f"{self.url}/api/view", timeout=10).json())

    def ask(self, kind: str, **fields: Any) -> int:
        return httpx.post(f"{self.url}/api/requests", json={"type": kind, **fields}, timeout=10).status_code

    def device(self) -> dict[str, str]:
        return next((dict(each) for each in self.view()["devices"] if each["name"] == "shoe"), {})

    def cards(self) -> list[str]:
        return list(self.view()["rows"][0]["cards"])

    def end(self) -> str:
        self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate(timeout=30)
        assert self.process.returncode == 0, errors
        return errors


def test_a_table_that_is_dealt_from_the_shoe_alone(tmp_path: Path) -> None:
    sim = SimulatedShoe(tmp_path / "shoe")
    sim.plug()
    table = Running(tmp_path)
    try:
        until(lambda: table.device().get("state") == "ok")
        assert [table.ask("shoe-loaded"), table.ask("round-opened")] == [200, 200]
        sim.card("4s", repeats=2, stray=True)
        until(lambda: table.cards() == ["4s"])
        sim.card("Th", BURN)
        until(lambda: table.cards() == ["4s", "Th"])
        assert table.device()["detail"] == "burn mode"
        sim.not_read()
        hold = until(lambda: table.view()["hold"])
        assert hold["text"] == "Card 2 was not read (the shoe did not read it): look at it and enter it."
        assert table.ask("card-entered", symbol="2d") == 200
        sim.line(" [Game]<H3> ")
        hold = until(lambda: table.view()["hold"])
        assert 'the shoe sent "[Game]<H3>"' in hold["text"]
        assert table.ask("card-entered", symbol="3h") == 200
        sim.line(" [GameAlarm]<Alarm:E5 Lid Open> ")
        until(lambda: table.device()["state"] == "alarm")
        assert "E5 Lid Open" in table.device()["detail"]
        sim.unplug()
        until(lambda: table.device()["state"] == "lost")
        sim.plug()
        until(lambda: table.device()["state"] == "ok")
        sim.card("5c")
        until(lambda: table.cards() == ["4s", "Th", "2d", "3h", "5c"])
    finally:
        errors = table.end()
        sim.unplug()
    assert "a line that it is not known to send: '[Game]<H3>'" in errors


class Window:
    """What the camera sees: cards drawn one after another, on one clock."""

    def __init__(self, ring: RingWriter) -> None:
        self._ring = ring
        self._time_s = 0.0

    def draw(self, *symbols: str) -> None:
        for frame in passage_frames(symbols, 3):
            assert self._ring.write(frame.image, self._time_s, timeout_s=20)
            self._time_s += 1 / 120


def test_a_camera_and_a_shoe_at_one_table(tmp_path: Path) -> None:
    sim = SimulatedShoe(tmp_path / "shoe")
    sim.plug()
    with RingWriter(tmp_path / "camera.sock") as ring:
        table = Running(tmp_path, CONFIG.replace('"none"', '"shared:camera.sock"'))
        window = Window(ring)
        try:
            assert ring.wait_reader(60)
            window.draw()
            until(lambda: {each["name"]: each["state"] for each in table.view()["devices"]} == BOTH)
            assert [table.ask("shoe-loaded"), table.ask("round-opened")] == [200, 200]
            sim.card("Jh")
            window.draw("Jh")
            until(lambda: table.cards() == ["Jh"])
            sim.card("Qd")
            window.draw("Kd")
            hold = until(lambda: table.view()["hold"])
            assert "the camera saw Kd, the shoe Qd" in hold["text"]
            assert table.ask("card-entered", symbol="Kd") == 200
            sim.card("3c")
            hold = until(lambda: table.view()["hold"])
            assert "only the shoe saw a card: 3c" in hold["text"]
        finally:
            table.end()
            sim.unplug()
