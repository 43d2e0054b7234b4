"""`sabot odds`: its object, its input files and its mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from oracle_support import run_sabot

from controller.cli.main import main


def test_one_object_with_the_fields_of_the_page() -> None:
    status, lines, errors = run_sabot(["odds", "trente-et-quarante", "--json"])
    assert (status, errors, len(lines)) == (0, "", 1)
    fields = ["row", "joint", "noir", "rouge", "refait", "refait_31", "void", "edge", "edge_insured"]
    assert list(lines[0]) == fields
    assert list(lines[0]["row"]) == [str(total) for total in range(31, 41)]
    assert len(lines[0]["joint"]) == 100
    assert list(run_sabot(["odds", "red-and-black", "--json"])[1][0]) == ["split", "expectation"]
    assert list(run_sabot(["odds", "zecchinetta", "--json"])[1][0]) == ["playette", "mean_turns"]


def test_rules_and_removed_cards_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules, gone = tmp_path / "rules.toml", tmp_path / "gone.cards"
    rules.write_text('decks = 1\ninsurance.rate = "0.03"\n')
    gone.write_text("as  # the ace\ncut\n")
    assert main(["odds", "trente-et-quarante", "--rules", str(rules), "--removed", str(gone), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["edge"] == pytest.approx(0.0103, abs=5e-5)
    assert answer["edge_insured"] == pytest.approx(0.03)


def test_for_a_person_it_prints_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "zecchinetta"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "40 cards left",
        "playette         0.2226720648",
        "mean_turns       9.5000000000",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("As 1x\nback", ['{file}:1: "1x" is not a card', '{file}:2: "back" is not a card']),
        ("As As As", ["{file}: As cannot have gone 3 times: the shoe holds it 2 times"]),
    ],
)
def test_a_mistake_is_named_where_it_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: list[str]
) -> None:
    gone = tmp_path / "gone.cards"
    gone.write_text(text)
    assert main(["odds", "red-and-black", "--removed", str(gone), "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [line.format(file=gone) for line in message]


def test_a_missing_file_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "red-and-black", "--removed", "/nowhere/gone.cards"]) == 2
    assert capsys.readouterr().err == "/nowhere/gone.cards: No such file or directory\n"
