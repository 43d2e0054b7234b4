"""`sabot replay` beyond the worked cases: resolutions, what is not usable, standard input, plain lines."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from replay_support import Line, parsed

from controller.cli.main import main

TQ_COUP = "Ks Qs 9d 2d As Kd 9c Jd 2c"


class Replay:
    """Writes a call's files and runs it."""

    def __init__(self, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capfd = folder, capfd
        self.errors = ""
        self.text = ""

    def __call__(self, cards: str, *options: str, game: str = "trente-et-quarante", status: int = 0) -> list[Line]:
        path = self.folder / "deck.txt"
        path.write_bytes(cards.encode(errors="surrogateescape"))
        call = ["replay", str(path), "--game", game, "--json"]
        for option, suffix in (("--bets", "bets.jsonl"), ("--rules", "rules.toml")):
            file = self.folder / suffix
            call += [option, str(file)] if file.exists() else []
        assert exit_status([*call, *options]) == status
        self.text, self.errors = self.capfd.readouterr()
        self.errors = self.errors.replace(f"{self.folder}/", "")
        return parsed(self.text)

    def file(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")


def exit_status(call: list[str]) -> object:
    """The process's status, also where argparse ends it."""
    try:
        return main(call)
    except SystemExit as end:
        return end.code


@pytest.fixture
def replay(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Replay:
    return Replay(tmp_path, capfd)


def kinds(lines: list[Line], *names: str) -> list[Line]:
    return [line for line in lines if line["event"] in names]


# ---- faults ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["put-back", "burn"])
def test_a_fault_put_away_changes_nothing_but_the_index(replay: Replay, how: str) -> None:
    lines = replay(f"joker {TQ_COUP}", "--on-fault", how, status=1)
    assert kinds(lines, "fault")[0]["index"] == 0
    assert kinds(lines, "coup")[0]["outcome"] == "noir"
    assert lines[-1] == {"event": "end", "cards": 10, "rounds": 1, "void": 0, "reason": "empty"}


def test_a_void_coup_keeps_its_number_and_gives_its_stakes_back(replay: Replay) -> None:
    replay.file("bets.jsonl", '{"coup": 1, "player": "a", "on": "noir", "stake": 5}\n')
    lines = replay(f"Ks joker {TQ_COUP}", "--on-fault", "void", status=1)
    assert kinds(lines, "settlement")[0]["items"][0]["result"] == "push"
    assert kinds(lines, "coup")[0]["coup"] == 2
    assert lines[-1] == {"event": "end", "cards": 11, "rounds": 1, "void": 1, "reason": "empty"}


def test_a_resolution_that_is_not_offered_ends_the_replay(replay: Replay) -> None:
    lines = replay(f"Ks joker {TQ_COUP}", "--on-fault", "next", status=1)
    assert lines[-1] == {"event": "end", "cards": 2, "rounds": 0, "void": 0, "reason": "fault"}


def test_zecchinetta_passes_to_the_next_block_after_a_void(replay: Replay) -> None:
    cards = "As 2h Kd 8s 3d\n---\n3s 4h Kd Kh\n---\n---\n"
    lines = replay(cards, "--on-fault", "void", game="zecchinetta", status=1)
    assert [line["hand"] for line in kinds(lines, "opening")] == [1, 2]
    assert lines[-1] == {"event": "end", "cards": 8, "rounds": 1, "void": 1, "reason": "empty"}
    lines = replay(cards, "--on-fault", "burn", game="zecchinetta", status=1)
    assert [line["exposed"] for line in kinds(lines, "turn")] == ["3d", "Kh"]
    assert lines[-1] == {"event": "end", "cards": 9, "rounds": 1, "void": 1, "reason": "empty"}


def test_co_6_a_block_that_ends_before_its_hand_began_leaves_the_hand_its_bets(replay: Replay) -> None:
    replay.file("bets.jsonl", '{"hand": 1, "after_turn": 0, "player": "cy", "on": "4", "stake": "0.10"}\n')
    lines = replay("9d\n---\n4h 7h 6d Ks 4c\n", "--on-fault", "void", game="zecchinetta", status=1)
    assert not kinds(lines, "refused")
    assert [item["result"] for line in kinds(lines, "settlement") for item in line["items"]] == ["lose"]


def test_a_fault_counts_the_symbols_that_were_passed_over(replay: Replay) -> None:
    lines = replay("As 2h Kd Kh 3s 3d\n---\n3s cut\n", game="zecchinetta", status=1)
    assert kinds(lines, "fault")[0]["index"] == 7
    assert lines[-1] == {"event": "end", "cards": 6, "rounds": 1, "void": 0, "reason": "fault"}


# ---- money as it was written -----------------------------------------------------------------------------


def test_a_number_is_taken_as_written_and_a_bet_is_given_back_as_it_came(replay: Replay) -> None:
    given = '{"coup":1, "player":"d\\u00e9", "on":"noir","stake":0.1000, "more":[1.50]}'
    replay.file("bets.jsonl", given + "\n\n" + given.replace("0.1000", "1.005") + "\n")
    replay(TQ_COUP)
    assert '"stake":"0.1000"' in self_settlement(replay.text)
    assert given.replace("0.1000", "1.005") in replay.text


def self_settlement(text: str) -> str:
    return next(line for line in text.splitlines() if '"settlement"' in line)


def test_a_bet_that_no_round_reached_says_so(replay: Replay) -> None:
    bets = [f'{{"coup": {coup}, "player": "a", "on": "noir", "stake": 5}}' for coup in (2, 0, -1, 9)]
    replay.file("bets.jsonl", "\n".join(bets))
    assert [line["why"] for line in kinds(replay(TQ_COUP), "refused")] == ["not reached"] * 4


def test_bets_on_a_playette_and_on_later_turns_are_refused(replay: Replay) -> None:
    bets = [(1, 0, "A"), (2, 5, "3"), (2, 1, "3"), (3, 7, "3")]
    replay.file(
        "bets.jsonl",
        "\n".join(f'{{"hand": {h}, "after_turn": {t}, "player": "a", "on": "{on}", "stake": 1}}' for h, t, on in bets),
    )
    lines = replay("As Ad 3d\n---\n3s 4h Kd Kh\n---\n3s 4h Kd\n", game="zecchinetta")
    whys = {(line["bet"]["hand"], line["bet"]["after_turn"]): line["why"] for line in kinds(lines, "refused")}
    assert whys == {(1, 0): "the hand is over", (2, 5): "the hand is over", (2, 1): "the hand is over",
                    (3, 7): "not reached"}  # fmt: skip


def test_doubles_are_taken_where_they_may(replay: Replay) -> None:
    replay.file("bets.jsonl", '{"round": 1, "seat": 2, "on": "red", "stake": "2"}')
    cards = "Ah 2h 3h 4s 5s Ah 2h 3s 4s 5h"
    lines = replay(cards, "--seats", "2", "--doubles", " 1:2, 1:1,7:9", game="red-and-black")
    assert [item["stake"] for line in kinds(lines, "settlement") for item in line["items"]] == ["4"]


# ---- what is not usable ----------------------------------------------------------------------------------


def test_every_unusable_symbol_is_named_also_behind_the_end(replay: Replay) -> None:
    replay(f"cut {TQ_COUP}\n# 1x\nAs 1x  # 2x\n\n---\n{'y' * 60}\n\udcff", status=2)
    assert replay.errors.splitlines() == [
        'deck.txt:3: "1x" is not a card',
        'deck.txt:5: "---" is a symbol of zecchinetta alone',
        f'deck.txt:6: "{"y" * 40}…" is not a card',
        'deck.txt:7: "\\udcff" is not a card',
    ]


def test_what_was_played_before_an_unusable_symbol_may_stand_and_nothing_after_it(replay: Replay) -> None:
    lines = replay(f"{TQ_COUP} Ks ?? Qs", status=2)
    assert [line["event"] for line in lines][-1] == "card"
    assert kinds(lines, "coup")
    assert lines[-1]["index"] == 9


def test_many_mistakes_are_counted(replay: Replay) -> None:
    replay("x\n" * 300, status=2)
    assert replay.errors.splitlines()[-1] == "deck.txt: 200 more mistakes"
    assert len(replay.errors.splitlines()) == 101


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("[1]", "not a JSON object"), ("{", "not a JSON object"), ('{"coup": 1}}', "not a JSON object"),
        ('{"coup": 1, "player": "a", "on": "noir"}', '"stake" is missing'),
        ('{"coup": 1, "player": "a", "on": "noir", "stake": "x"}', '"stake" must be an amount'),
        ('{"coup": 1, "player": "a", "on": "noir", "stake": true}', '"stake" must be an amount'),
        ('{"coup": 1, "player": "a", "on": "noir", "stake": null}', '"stake" must be an amount'),
        ('{"coup": 1, "player": "a", "on": "noir", "stake": NaN}', "not a JSON object"),
        ('{"coup": true, "player": "a", "on": "noir", "stake": 1}', '"coup" must be a whole number, not true'),
        ('{"coup": 1.0, "player": "a", "on": "noir", "stake": 1}', '"coup" must be a whole number'),
        ('{"coup": 1, "player": 3, "on": "noir", "stake": 1}', '"player" must be a text, not 3'),
        ('{"coup": 1, "player": "a", "on": "noir", "stake": 1, "refait": "both"}', '"refait" must be "half"'),
        ('{"coup": 1, "player": "a", "on": "noir", "stake": 1, "insured": 1}', '"insured" must be true or false'),
        ("[" * 5000, "nested too deeply"),
    ],
)  # fmt: skip
def test_an_unusable_bet_is_named(replay: Replay, line: str, what: str) -> None:
    replay.file("bets.jsonl", '\n{"coup": 9, "player": "a", "on": "x", "stake": -1, "seat": []}\n' + line)
    replay(TQ_COUP, status=2)
    assert replay.text == ""
    assert replay.errors.startswith(f"bets.jsonl:3: {what}") or what == "nested too deeply"
    assert len(replay.errors.splitlines()) == 1


def test_rules_and_bets_are_both_checked_before_anything_is_played(replay: Replay) -> None:
    replay.file("bets.jsonl", "nonsense")
    replay.file("rules.toml", 'burn = -1\nlimit.min = "1"\n[prison]\ntie = "win"\n')
    replay(TQ_COUP, status=2)
    assert replay.text == ""
    assert len(replay.errors.splitlines()) == 4
    for part in ("burn", "limit", "prison.tie", "bets.jsonl:1"):
        assert part in replay.errors


def test_a_key_of_another_game_is_ignored(replay: Replay) -> None:
    replay.file("rules.toml", 'burn = 5\ndecks = 6\ncommission = "0.5"\nbank.reserve = "10"')
    lines = replay("As 2h Kd Kh", game="zecchinetta")
    assert [line["event"] for line in lines] == ["opening", "turn", "settlement", "hand", "end"]
    assert not kinds(replay("Ah 2h 3h 4h 5h", game="red-and-black"), "bank", "burnt")


@pytest.mark.parametrize(
    "options",
    [
        ["--seats", "0"], ["--seats", "x"], ["--doubles", "1-2"], ["--doubles", "1:2,"], ["--on-fault", "pray"],
        ["--game", "baccarat"], ["--nonsense"],
    ],
)  # fmt: skip
def test_an_unusable_call_is_one_line(replay: Replay, options: list[str]) -> None:
    replay(TQ_COUP, *options, status=2)
    assert len(replay.errors.splitlines()) == 1
    assert options[-1].split("-")[-1] in replay.errors or options[0] in replay.errors


def test_files_that_are_not_there(replay: Replay, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "none.txt"), "--game", "trente-et-quarante"]) == 2
    assert "none.txt: No such file or directory" in capfd.readouterr().err
    assert main(["replay", str(tmp_path), "--game", "trente-et-quarante"]) == 2
    assert "Is a directory" in capfd.readouterr().err
    replay(TQ_COUP, "--bets", str(tmp_path / "none.jsonl"), status=2)
    assert replay.errors == "none.jsonl: No such file or directory\n"


# ---- reading ---------------------------------------------------------------------------------------------


def test_a_very_long_line_is_read_in_pieces(replay: Replay) -> None:
    rest = " ".join(["# As"] + ["1x"] * 60_000)
    cards = (TQ_COUP + "  ") * 9 + " " * 70_000 + (TQ_COUP + " ") * 3000 + rest + "\n" + TQ_COUP
    replay.file("rules.toml", "decks = 20000")
    assert replay(cards)[-1]["rounds"] == 3010


def test_a_byte_order_mark_is_no_part_of_the_first_line(replay: Replay) -> None:
    replay.file("bets.jsonl", '\ufeff{"coup": 9, "player": "a", "on": "noir", "stake": 5}')
    replay.file("rules.toml", "\ufeffdecks = 6")
    assert replay("\ufeff" + TQ_COUP)[-1]["rounds"] == 1


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(TQ_COUP.replace("Ks", "KS").encode())))
    assert main(["replay", "-", "--game", "trente-et-quarante", "--json"]) == 0
    assert parsed(capfd.readouterr().out)[-1]["rounds"] == 1


def test_plain_lines_are_for_a_person(replay: Replay, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    replay.file("bets.jsonl", '{"coup": 1, "player": "ana", "on": "noir", "stake": "5", "insured": true}\n')
    path = tmp_path / "deck.txt"
    path.write_text(TQ_COUP)
    call = ["replay", str(path), "--game", "trente-et-quarante", "--bets", str(tmp_path / "bets.jsonl")]
    assert main(call) == 0
    assert capfd.readouterr().out.splitlines() == [
        "coup 1: noir Ks Qs 9d 2d = 31  rouge As Kd 9c Jd 2c = 32  Rouge perd, Couleur gagne",
        "round 1: bank -4.75",
        "    ana 5 on noir: win, returned 10, premium 0.25, net +4.75",
        "end (empty): 9 symbols read, 1 rounds, 0 void",
    ]


def test_the_other_games_have_plain_lines_too(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deck.txt"
    path.write_text("As 2h Kd 2d Kh\n---\nAs Ad 3s\n---\n8s\n")
    assert main(["replay", str(path), "--game", "zecchinetta"]) == 1
    assert capfd.readouterr().out.splitlines() == [
        "hand 1: table As | 2h, banker Kd, threshold 2",
        "hand 1 turn 1: 2d bank-wins; table A, dead 2",
        "round 1 turn 1: bank +0",
        "hand 1 turn 2: Kh bank-loses; table A, dead 2",
        "round 1 turn 2: bank +0",
        "hand 1: over after 2 turns, banker's rank K, won 2",
        "hand 2: playette, the deal is void",
        "fault foreign: symbol 8, 8s (resolutions: put-back, burn, void)",
        "end (fault): 9 symbols read, 1 rounds, 1 void",
    ]
    path.write_text("Ah 2h 3s 4s 5h")
    assert main(["replay", str(path), "--game", "red-and-black"]) == 0
    assert capfd.readouterr().out.splitlines() == [
        "round 1 seat 1: Ah 2h 3s 4s 5h  red 3 black 2",
        "round 1 seat 1: bank +0",
        "end (empty): 5 symbols read, 1 rounds, 0 void",
    ]
