"""Barcodes: the code table, the check, and what face and barcode say together."""

from __future__ import annotations

from pathlib import Path

import pytest
from barcode_support import code128, qr

from vision.answer import Answer, abstain
from vision.barcode_child import decode
from vision.barcode_table import Codes, CodesError, Label, check_character, label_of, load_codes
from vision.card_codes import DIFFER, agree

TABLE = Codes("code128", "SB-", "mod43", {"01": "As", "02": "Kh"})


def test_a_code_of_the_table_is_a_card() -> None:
    text = "SB-01" + check_character("mod43", "SB-01")
    assert TABLE.symbol("code128", text) == "As"
    assert decode(code128(text), ("code128",)) == [("code128", text)]


@pytest.mark.parametrize("text", ["SB-01", "SB-01A", "XX-01", "SB-", "SB-99" + check_character("mod43", "SB-99"), ""])
def test_prefix_check_and_table_must_fit(text: str) -> None:
    assert TABLE.symbol("code128", text) is None


def test_every_single_changed_character_is_noticed() -> None:
    for check, alphabet in (("mod43", "0123456789ABCDEF-"), ("mod10", "0123456789")):
        table = Codes("code128", "7", check, {f"{k:02d}": "As" for k in range(100)})
        right = "742" + check_character(check, "742")
        for place in range(len(right)):
            for other in alphabet:
                wrong = right[:place] + other + right[place + 1 :]
                assert (table.symbol("code128", wrong) is None) == (wrong != right), (check, wrong)


def test_other_symbologies_are_not_looked_for() -> None:
    assert decode(qr("SB-01"), ("code128",)) == []
    assert TABLE.symbol("qr", "SB-01" + check_character("mod43", "SB-01")) is None
    assert decode(qr("hello"), ("code128", "qr")) == [("qr", "hello")]


def test_a_label_names_shoe_and_deck() -> None:
    assert label_of("qr", "SABOT:shoe=3;deck=house-7") == Label("3", "house-7")
    assert label_of("code128", "SABOT:shoe=3;deck=house-7") is None
    assert label_of("qr", "https://example.org") is None


def test_barcode_and_face_must_agree() -> None:
    face = Answer("As", 0.9)
    assert agree(face, set()) is face
    assert agree(face, {"As"}) is face
    assert agree(face, {"Kh"}).why == DIFFER
    assert agree(face, {"As", "Kh"}).why == DIFFER
    assert (agree(abstain("unclear"), {"Kh"}).symbol, agree(abstain("unclear"), {"Kh"}).why) == (
        None,
        "unclear; the barcode says Kh",
    )


def test_a_table_is_strict(tmp_path: Path) -> None:
    path = tmp_path / "codes.toml"
    path.write_text('symbology = "code128"\nprefix = "SB-"\ncheck = "mod43"\n[cards]\nAs = "01"\nKh = "02"\n')
    assert load_codes(path) == TABLE
    path.write_text('symbology = "qr"\n[cards]\n')
    assert load_codes(path) == Codes("qr", "", "none", {}), "labels alone"
    path.write_text('symbology = "ean"\nspeed = 3\n[cards]\nAs = "01"\nKh = "01"\nZz = ""\n')
    with pytest.raises(CodesError) as caught:
        load_codes(path)
    lines = str(caught.value).splitlines()
    assert len(lines) == 5
    assert all(line.startswith(str(path)) for line in lines)
    with pytest.raises(CodesError, match=r"none\.toml"):
        load_codes(tmp_path / "none.toml")
