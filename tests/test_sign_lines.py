"""Templates of signs: what they render, and that nothing but the named fields can be reached."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.sign_lines import TemplateError, fields_of, parse
from controller.view import Display, Hold, Prompt, Result, Row, View

FIELDS = fields_of("trente-et-quarante")
VIEW = View(
    game="trente-et-quarante",
    phase="dealing",
    round=7,
    rows=(Row("noir", ("Kh", "Ts", "9d", "3c"), 32, True), Row("rouge", ("2h",), 2), Row("1", ("As",), 1)),
    announcement="deux",
    prompt=Prompt("Deal"),
    hold=Hold("unread", "Card 5 was not read."),
    results=(Result(6, "noir", (31, 36)),),
    call=("Rouge gagne", "Couleur perd"),
    display=Display(("32", "2"), "deux", ("hold",)),
)


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("N {noir.total:>2}  R {rouge.total:>2}", "N 32  R  2"),
        ("{rouge.total:<3}|{rouge.total:^3}|{rouge.total:3}|{rouge.total}", "2  | 2 |2  |2"),
        ("{noir.cards} {noir.last}", "Kh Ts 9d 3c 3c"),
        ("{noir.cards:<5}", "Kh Ts"),
        ("{noir.total:>1}", "#"),  # a number is never cut
        ("{{{round}}}", "{7}"),
        ("{phase} {rounds} {result} {call}", "dealing 0 noir Rouge gagne, Couleur perd"),
        ("{hold.code} {display.text} {shoe}", "unread deux "),
        ("", ""),
    ],
)
def test_what_is_rendered(template: str, text: str) -> None:
    assert parse(template, FIELDS).render(VIEW) == text


def test_a_row_without_cards_is_blank() -> None:
    view = View("trente-et-quarante", "betting", 1, (Row("noir", (), 0), Row("rouge", (), 0)))
    assert parse("N {noir.total:>2}", FIELDS).render(view) == "N   "


def test_seats_and_boxes() -> None:
    assert parse("{seat1.cards}", fields_of("red-and-black", 2)).render(VIEW) == "As"
    assert parse("{banker.last}", fields_of("zecchinetta")).render(VIEW) == ""


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("{noir.totl}", '"noir.totl" is no field of this table; there are noir.total'),
        ("{seat1.total}", "is no field of this table"),
        ("{noir.__class__}", '"{noir.__class__}" is no field; written'),
        ("{__class__}", "is no field"),
        ("{noir.total!r}", "is no field"),
        ("{noir[0]}", "is no field"),
        ("{noir.total.real}", "is no field"),
        ("{noir.total:{round}}", 'a single "{"'),
        ("{noir.total:>100}", "is no field"),
        ("{noir.total:>0}", "is no field"),
        ("{}", "is no field"),
        ("{0}", "is no field of this table"),
        ("a } b", 'a single "}"; a brace is written "}}"'),
        ("a { b", 'a single "{"'),
        ("x" * 201, "at most 200 characters"),
    ],
)
def test_what_is_refused(template: str, why: str) -> None:
    with pytest.raises(TemplateError) as caught:
        parse(template, FIELDS)
    assert why in str(caught.value)


@given(st.text("{}:<>^.! _anoirtl0129", max_size=40))
def test_whatever_stands_there_it_renders_or_is_refused(text: str) -> None:
    try:
        template = parse(text, FIELDS)
    except TemplateError:
        return
    assert "__" not in template.render(VIEW).replace(text, "") or "__" in text


@pytest.mark.parametrize("game", ["trente-et-quarante", "red-and-black", "zecchinetta"])
def test_every_field_renders(game: str) -> None:
    for field in fields_of(game, 9):
        assert isinstance(parse(f"{{{field}:>8}}", fields_of(game, 9)).render(VIEW), str)
