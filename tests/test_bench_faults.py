"""A fault in a bench: printed, and the end; or resolved as told, and dealing goes on. The status is 1 either way."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest
from bench_support import Bench, until

pytestmark = pytest.mark.timeout(120)


def slip_a_joker(bench: Bench) -> None:
    bench.next_line("card")
    bench.control("rest", rest=True)
    until(lambda: not bench.control("status")["busy"])
    bench.control("slip", symbol="joker")
    bench.control("rest", rest=False)


def test_without_a_resolution_the_bench_ends(tmp_path: Path) -> None:
    with Bench(tmp_path, "--seed", "9", "--speed", "20") as bench:
        slip_a_joker(bench)
        bench.rest()
        assert bench.process.returncode == 1
        assert not (tmp_path / "sim" / "sim.json").exists()
    (fault,) = bench.of("fault")
    assert (fault["code"], fault["card"]) == ("foreign", "joker")
    assert "put-back" in fault["resolutions"]
    assert bench.lines[-1]["event"] == "end"
    assert bench.lines[-1]["reason"] == "fault"
    assert "Traceback" not in bench.errors


def test_resolved_as_told_it_goes_on(tmp_path: Path) -> None:
    with Bench(tmp_path, "--seed", "9", "--speed", "20", "--on-fault", "put-back", "--rounds", "1") as bench:
        slip_a_joker(bench)
        bench.rest()
        assert bench.process.returncode == 1
    assert len(bench.of("fault")) == 1
    assert bench.lines[-1]["reason"] == "rounds"
    (coup,) = bench.of("coup")
    assert "joker" not in coup["noir"]["cards"] + coup["rouge"]["cards"]


def test_a_bench_whose_simulator_dies_ends_and_says_so(tmp_path: Path) -> None:
    with Bench(tmp_path, "--seed", "9", "--speed", "20") as bench:
        bench.next_line("card")
        os.kill(json.loads((tmp_path / "sim" / "sim.json").read_text(encoding="utf-8"))["pid"], signal.SIGKILL)
        bench.rest()
        assert bench.process.returncode == 1
        assert f"the simulator has ended by itself: {tmp_path}" in bench.errors


@pytest.mark.parametrize("game", ["red-and-black", "zecchinetta"])
def test_two_cards_in_one_pull_are_entered_in_their_order(tmp_path: Path, game: str) -> None:
    """In the slot the camera sees them; from the box the second goes unseen, and the exit beam's count tells."""
    with Bench(tmp_path, "--game", game, "--seats", "2", "--seed", "5", "--speed", "20") as bench:
        bench.next_line("banker")
        bench.wait_view(lambda view: view["shoe"]["number"] == 2 and view["shoe"]["index"] >= 2)
        bench.control("rest", rest=True)
        until(lambda: not bench.control("status")["busy"])
        first = len(bench.control("dealt")["cloth"])
        bench.wait_view(lambda view: view["shoe"]["index"] == first)
        bench.control("pull", two=True)
        view = bench.wait_view(lambda view: view["hold"] is not None)
        assert (view["hold"]["code"], view["hold"]["count"]) == ({"red-and-black": ("unread", 2)}.get(game, ("gap", 1)))
        bench.control("rest", rest=False)
        bench.wait_view(lambda view: view["hold"] is None and view["shoe"]["index"] >= first + 2)
        bench.control("rest", rest=True)
        until(lambda: not bench.control("status")["busy"])
        cloth = bench.control("dealt")["cloth"]
        view = bench.wait_view(lambda view: view["shoe"]["index"] == len(cloth))
        shown = sorted(card for row in view["rows"] for card in row["cards"])
        assert shown == sorted(cloth[: len(shown)])
        entered = {card for row in view["rows"] for place, card in enumerate(row["cards"]) if place in row["manual"]}
        assert entered == set(cloth[first : first + (2 if game == "red-and-black" else 1)])
        assert bench.end() < 6
