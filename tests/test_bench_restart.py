"""What a bench survives: a daemon killed in mid coup, a card that left meanwhile, a panel unplugged and plugged in."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from bench_support import END_S, Bench, added_up, until

pytestmark = pytest.mark.timeout(180)


def shown(view: dict) -> list[str]:  # type: ignore[type-arg]
    return [card for row in view["rows"] for card in row["cards"]]


def stop_in_mid_coup(bench: Bench) -> dict:  # type: ignore[type-arg]
    """Three cards or more lie there and the dealer's hand rests."""
    while len(bench.of("card")) < 3:
        bench.next_line("card")
    bench.control("rest", rest=True)
    until(lambda: not bench.control("status")["busy"])
    dealt = bench.control("dealt")["dealt"]
    return bench.wait_view(lambda view: _settled(bench, view, dealt))


def _settled(bench: Bench, view: dict, dealt: list[str]) -> bool:  # type: ignore[type-arg]
    """Every card is on the page; one that was not read is entered, as the operator would who rests now."""
    hold = view["hold"]
    if hold is not None and hold["enter"]:
        bench.ask({"type": "card-entered", "symbol": dealt[view["shoe"]["index"]]})
    return hold is None and view["shoe"]["index"] == len(dealt)


def test_killed_in_mid_coup_it_stands_at_the_same_card(tmp_path: Path) -> None:
    with Bench(tmp_path, "--seed", "3", "--speed", "20") as first:
        before = stop_in_mid_coup(first)
        first.end(signal.SIGKILL)
        assert first.control("status")["ok"], "the simulator outlives the daemon"
        with Bench(tmp_path, "--seed", "3", "--speed", "20") as second:
            after = second.wait_view(lambda view: view["hold"] is not None and view["hold"]["code"] == "restored")
            assert after["rows"] == before["rows"]
            assert after["round"] == before["round"]
            second.control("rest", rest=False)
            coup = second.next_line("coup")
            dealt = second.control("dealt")["dealt"]
            assert second.end() < END_S
    assert added_up(dealt)[0][0]["noir"] == coup["noir"]
    assert added_up(dealt)[0][0]["rouge"] == coup["rouge"]


def test_a_card_that_left_while_no_daemon_ran_is_a_gap_to_be_entered(tmp_path: Path) -> None:
    with Bench(tmp_path, "--seed", "4") as first:
        before = stop_in_mid_coup(first)
        first.end(signal.SIGKILL)
        first.control("pull")
        dealt = until(lambda: (len((stack := first.control("dealt"))["dealt"]) > len(shown(before))) and stack["dealt"])
        with Bench(tmp_path, "--seed", "4") as second:
            held = second.wait_view(lambda view: view["hold"] is not None and view["hold"]["code"] == "restored")
            assert held["rows"] == before["rows"]
            assert second.ask({"type": "round-opened"}).status_code == 409
            assert second.ask({"type": "confirmed"}).status_code == 200
            gap = second.wait_view(lambda view: view["hold"] is not None and view["hold"]["code"] == "gap")
            assert gap["hold"]["count"] == 1
            second.control("rest", rest=False)  # the operator looks and enters it
            entered = second.wait_view(lambda view: view["hold"] is None)
            assert shown(entered)[: len(dealt)] == dealt
            assert entered["manual"]
            assert second.end() < END_S


def test_a_panel_pulled_in_mid_coup_shows_the_right_totals_again(tmp_path: Path) -> None:
    with Bench(tmp_path, "--seed", "5", "--speed", "20") as bench:
        stop_in_mid_coup(bench)
        bench.control("panel-kill")
        lost = bench.wait_view(lambda view: _panel(view)["state"] == "lost")
        assert str(tmp_path / "sim" / "panel") in _panel(lost)["detail"]
        before = len(bench.control("dealt")["dealt"])
        bench.control("pull")  # play goes on meanwhile
        dealt = until(lambda: len(all_of := bench.control("dealt")["dealt"]) > before and all_of)
        view = bench.wait_view(lambda view: _settled(bench, view, dealt))
        bench.control("panel-start")
        bench.wait_view(lambda view: _panel(view)["state"] == "ok")
        totals = [str(row["total"] or "") for row in view["rows"]]
        until(lambda: bench.control("panel-picture").get("rows") == totals)
        assert bench.view()["hold"] is None
        assert bench.end() < END_S


def _panel(view: dict) -> dict:  # type: ignore[type-arg]
    return next((device for device in view["devices"] if device["name"] == "panel"), {"state": "", "detail": ""})
