"""`sabot bench` of the private games, end to end: every symbol as dealt, every hand and turn as an adder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench_support import Bench, Json, until

SETTINGS = ["--seed", "5", "--speed", "40"]


def colours(cards: list[str]) -> int:
    return sum(card[1] in "hd" for card in cards)


def test_two_rounds_of_red_and_black(tmp_path: Path) -> None:
    with Bench(tmp_path, "--game", "red-and-black", "--seats", "2", "--rounds", "2", *SETTINGS) as bench:
        for _ in range(4):
            bench.next_line("hand")
        answer = bench.control("dealt")
        bench.rest()
    really = [card for card in answer["dealt"] if card != "cut"]
    cards = [line["card"] for line in bench.of("card")]
    assert cards == really[:20]
    hands = bench.of("hand")
    assert [(line["round"], line["seat"]) for line in hands] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    for number, hand in enumerate(hands):
        mine = cards[5 * number : 5 * number + 5]
        assert (hand["cards"], hand["red"], hand["black"]) == (mine, colours(mine), 5 - colours(mine))
    for line in bench.of("card"):
        hand = hands[2 * line["round"] - 2 + line["seat"] - 1]["cards"]
        assert hand[line["place"] - 1] == line["card"]
        assert line["may_double"] == (line["place"] == 4 and colours(hand[:4]) == 2)
    assert [line["place"] for line in bench.of("banker")] == [banker(bench)]
    assert (bench.lines[-1]["event"], bench.lines[-1]["rounds"]) == ("end", 2)
    assert bench.process.returncode == 0


def banker(bench: Bench) -> int:
    """The place of the one highest card, ace high, where nobody had to cut again."""
    cuts = [line["card"] for line in bench.of("banker-card")]
    heights = ["23456789TJQKA".index(card[0]) for card in cuts]
    assert heights.count(max(heights)) == 1, "choose a seed without a tie"
    return heights.index(max(heights))


@pytest.mark.parametrize("doubling", [False, True])
def test_two_hands_of_zecchinetta(tmp_path: Path, doubling: bool) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text(f"doubling = {str(doubling).lower()}\n", encoding="utf-8")
    options = ["--game", "zecchinetta", "--rules", str(rules), "--seed", "146", "--speed", "40"]
    with Bench(tmp_path / "state", *options) as bench:
        for _ in range(2):
            bench.next_line("hand")
        answer = bench.control("dealt")
        bench.end()
        bench.rest()
    assert bench.process.returncode == 0
    packs = [*answer["before"], answer["cloth"]]  # the first of them found the banker
    for number in range(1, bench.of("hand")[1]["hand"] + 1):
        lines = [line for line in bench.lines if line.get("hand") == number]
        assert [normal(line) for line in lines] == played(number, packs[number], doubling)
    assert bench.of("banker-card")[-1]["card"][0] == "A"
    assert sum(line["card"][0] == "A" for line in bench.of("banker-card")) == 1


def normal(line: Json) -> Json:
    return {key: value for key, value in line.items() if key != "time"}


def played(number: int, pack: list[str], doubling: bool) -> list[Json]:
    """An engine of its own, from ZE-3 to ZE-11 alone: the lines of the hand that this pack makes."""
    left, piles = pack[::-1], [[pack[0]], [pack[1]]]
    del left[-2:]
    sight = left.pop()
    if len({piles[0][0][0], piles[1][0][0], sight[0]}) < 3:
        if not doubling:
            return [{"event": "opening", "hand": number, "playette": True}]
        while True:
            if len(piles) == 2 and piles[0][0][0] == piles[1][0][0]:
                piles = [[*piles[0], *piles[1]]]
            mine = [pile for pile in piles if pile[0][0] == sight[0]]
            if mine:
                mine[0].append(sight)
            elif len(piles) < 2:
                piles.append([sight])
            else:
                break
            sight = left.pop()
    threshold = {1: 2, 2: 3, 3: 4, 4: 4}[max(map(len, piles))]
    lines: list[Json] = [{"event": "opening", "hand": number, "table": piles, "banker": sight, "threshold": threshold}]
    shown = [card[0] for pile in piles for card in pile] + [sight[0]]
    live = [pile[0][0] for pile in piles if len(pile) < 4]
    dead, won, turn = [pile[0][0] for pile in piles if len(pile) == 4], list[str](), 0
    bank, drawn = sight[0], ""
    while True:
        turn, face = turn + 1, left.pop()
        if drawn and drawn not in (*live, *dead, bank):
            live.append(drawn)
        rank = face[0]
        shown.append(rank)
        settles = shown.count(rank) >= threshold
        effect = "new"
        if rank in dead:
            effect = "dead"
        elif rank == bank:
            effect = "bank-loses" if settles else "joins"
        elif rank in live:
            effect = "bank-wins" if settles else "joins"
        if effect == "bank-wins":
            live.remove(rank)
            dead.append(rank)
            won.append(rank)
        line = {"hand": number, "turn": turn, "exposed": face, "effect": effect, "table": [*live], "dead": [*dead]}
        lines.append({"event": "turn", **line})
        if effect == "bank-loses":
            return [*lines, {"event": "hand", "hand": number, "turns": turn, "banker_rank": bank, "won": won}]
        drawn = rank


def test_the_players_double_by_the_page(tmp_path: Path) -> None:
    """RB-4 with stakes: the page asks at two and two, and the answer doubles the stake; drawing on is no."""
    with Bench(tmp_path, "--game", "red-and-black", "--seed", "3", "--speed", "0.2") as bench:
        bench.wait_view(lambda view: view["phase"] == "betting")
        bet = {"round": 1, "seat": 1, "on": "red", "stake": "5"}
        assert bench.ask({"type": "bet-placed", "bet": bet}).status_code == 200
        bench.control("set", speed=1, on_fault=None, confirm=False)
        view = bench.wait_view(lambda view: "double-decided" in view["prompt"]["requests"])
        assert view["announcement"] == "Place 1 : doublez-vous ?"
        assert bench.ask({"type": "double-decided", "double": True}).status_code == 200
        assert bench.wait_view(lambda view: view["stakes"])["stakes"][0]["state"] == "doubled"
        picture = until(lambda: (seen := bench.control("panel-picture")) and seen.get("rows") and seen)
        assert picture["rows"]
        bench.next_line("hand")
        bench.end()
