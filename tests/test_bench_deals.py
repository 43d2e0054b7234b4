"""`sabot bench`: each card as it was dealt, each coup as an adder of the test's own finds it, the panel at the end."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from bench_support import END_S, Bench, added_up, until

pytestmark = pytest.mark.timeout(180)


class Watcher:
    """Looks at the panel's lights all the time; keeps the last picture that showed two totals."""

    def __init__(self, bench: Bench) -> None:
        self.last: dict[str, object] = {}
        self._bench = bench
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._ended.wait(0.01):
            try:
                picture = self._bench.control("panel-picture")
            except (OSError, ValueError):
                continue
            if all(picture.get("rows", [""])):
                self.last = picture

    def end(self) -> dict[str, object]:
        self._ended.set()
        self._thread.join()
        return self.last


def test_two_rounds_as_dealt(tmp_path: Path) -> None:
    with Bench(tmp_path, "--rounds", "2", "--seed", "7", "--speed", "20") as bench:
        watcher = Watcher(bench)
        bench.rest()
        picture = watcher.end()
    assert bench.process.returncode == 0, bench.errors
    dealt = json.loads((tmp_path / "sim" / "stack.json").read_text(encoding="utf-8"))["dealt"]
    cards = bench.of("card")
    assert [line["card"] for line in cards] == dealt
    assert [line["index"] for line in cards] == list(range(len(dealt)))
    coups, left = added_up(dealt)
    assert left == []
    told = bench.of("coup")
    assert len(told) == 2
    for line, coup in zip(told, coups, strict=True):
        assert {key: line[key] for key in coup} == coup
    last = bench.lines[-1]
    assert (last["event"], last["reason"], last["rounds"], last["cards"]) == ("end", "rounds", 2, len(dealt))
    assert picture["rows"] == [str(coups[-1][row]["total"]) for row in ("noir", "rouge")]
    times = [line["time"] for line in cards]
    assert times == sorted(times)
    assert times[0] > 0
    assert len(bench.of("unread")) == len([line for line in cards if line.get("manual")])


def test_a_wrong_face_slipped_into_the_shoe_is_what_the_daemon_says(tmp_path: Path) -> None:
    with Bench(tmp_path, "--seed", "8", "--speed", "20") as bench:
        bench.next_line("card")
        bench.control("rest", rest=True)
        until(lambda: not bench.control("status")["busy"])
        slipped = bench.control("slip", symbol="Kh")
        if slipped["replaced"] == "Kh":
            slipped = bench.control("slip", symbol="2s")
        place = len(bench.control("dealt")["dealt"])
        bench.control("rest", rest=False)
        bench.next_line("coup")
        dealt = bench.control("dealt")["dealt"]
        assert bench.end() < END_S
    assert bench.process.returncode == 0
    told = [line["card"] for line in bench.of("card")]
    assert told[place] == slipped["symbol"]
    assert told == dealt[: len(told)]
