"""What the dealer sees, says and is asked for; nothing that has not been dealt."""

from __future__ import annotations

import msgspec
import pytest
from games_support import NOIR_WINS, RB, REFAIT_31, TQ, ZE, Played

from controller import announcements as a
from controller import events as e
from controller.rules import Rules
from controller.signs import ascii_line
from controller.table import initial, step, supervisor, view


def said(language: str, cards: str, full: bool = False) -> str:
    state = initial(e.TableOpened(TQ, Rules(), language=language, full_totals=full))
    for event in (e.ShoeLoaded(), e.RoundOpened(), *(e.CardDrawn(card) for card in cards.split())):
        state, _ = step(state, event)
    return view(state).announcement


@pytest.mark.parametrize(
    ("cards", "announcement"),
    [
        ("", "Faites vos jeux"), ("Ks", "10"), ("Ks Qs 9d", "29"), ("Ks Qs 9d 2d", "un"), ("Ks Qs 9d 2d As", "1"),
        (NOIR_WINS, "un, deux. Rouge perd, la couleur gagne"), (REFAIT_31, "un, un. Un après"),
        ("Ks Qs Td Td", "quarante"),
    ],
)  # fmt: skip
def test_tq_4_and_7_the_tailleur_says(cards: str, announcement: str) -> None:
    assert said("fr", cards) == announcement


def test_the_older_style_calls_the_full_total() -> None:
    assert said("fr", "Ks Qs 9d 2d", full=True) == "trente et un"


@pytest.mark.parametrize(
    ("language", "announcement"),
    [
        ("it", "uno, due. Rosso perde, il colore vince"),
        ("en", "one, two. Red loses, colour wins"),
        ("ru", "один, два. Красное проигрывает, цвет выигрывает"),
    ],
)
def test_other_languages(language: str, announcement: str) -> None:
    assert said(language, NOIR_WINS) == announcement


def test_every_language_says_everything() -> None:
    for by_language in (a.UNITS, a.TOTALS, a.RESULTS, a.TIES, a.BETS_OPEN, a.HANDS, a.DOUBLES, a.EFFECTS):
        assert set(by_language) == set(a.LANGUAGES)
    assert all(len(words[language]) == 10 for words in (a.UNITS, a.TOTALS) for language in a.LANGUAGES)
    assert all(set(a.EFFECTS[language]) == set(a.EFFECTS["fr"]) for language in a.LANGUAGES)


def test_the_signs_show_running_totals_then_the_result() -> None:
    table = Played(TQ).open()
    assert (table.view.display.lamps, table.view.display.text) == (("bets",), "Faites vos jeux")
    assert table.draw("Ks Qs 9d 2d As").view.display.rows == ("31", "1")
    assert table.view.active == "rouge"
    table.draw("Kd 9c Jd 2c")
    shown = table.view.display
    assert (shown.rows, shown.lamps) == (("31", "32"), ("noir", "couleur"))
    assert shown.text == "un, deux. Rouge perd, la couleur"
    assert table.view.active is None
    table.draw("5h")
    assert table.view.display.lamps == ("hold", "noir", "couleur")
    assert table.view.display.text == "HOLD overdraw 5h"
    assert Played(TQ).open().draw(REFAIT_31).view.display.lamps == ("refait",)
    assert Played(TQ).open().draw("Kh Qs 9d 2d As Kd 9c Jd 2c").view.display.lamps == ("noir", "inverse")


def test_the_signs_say_so_where_nothing_stands() -> None:
    assert Played(TQ).view.display.text == "No shoe"
    assert Played(TQ, burn=1).post(e.ShoeLoaded()).view.display.text == "Burning"
    assert Played(TQ).open().draw("cut").view.display.text == "End of shoe"
    assert Played(TQ).post(e.TableClosed()).view.display.text == "Closed"
    void = Played(TQ).open().draw("Ks joker")
    assert void.view.display.text == "HOLD foreign joker"
    assert void.post(e.FaultResolved("void")).view.display.text == "1 void"
    assert void.view.display.rows == ("", "")


def test_a_sign_gets_ascii_alone() -> None:
    assert ascii_line("Un après") == "Un apres"
    assert len(ascii_line("x" * 50)) == 32
    state = initial(e.TableOpened(TQ, Rules(), language="ru"))
    for event in (e.ShoeLoaded(), e.RoundOpened()):
        state, _ = step(state, event)
    assert view(state).announcement == "Делайте ставки"
    assert view(state).display.text == "Faites vos jeux"


def test_red_and_black_on_the_signs() -> None:
    table = Played(RB, seats=2).open().bet(round=1, seat=1, on="red", stake=5).draw("Ah 2h 3s 4s")
    assert (table.view.display.rows, table.view.display.lamps) == (("2", "2"), ("double",))
    assert table.view.announcement == "Place 1 : doublez-vous ?"
    table.draw("5h")
    assert (table.view.display.rows, table.view.display.lamps) == (("3", "2"), ("red",))
    assert (table.view.announcement, table.view.active) == ("3 rouges, 2 noires", "2")
    assert table.draw("Ac 2c 3c 4c 5c").view.display.lamps == ("black",)


def test_zecchinetta_on_the_signs() -> None:
    table = Played(ZE).open().show("As 2h")
    assert table.view.announcement == ""
    table.show("Kd")
    assert (table.view.announcement, table.view.display.text) == ("Faites vos jeux", "Bank K Table A 2")
    table.show("Ad")
    assert (table.view.announcement, table.view.display.rows) == ("A : le banquier gagne", ("1", ""))
    assert table.view.display.lamps == ("bets", "bank-wins")
    table.show("Kh")
    assert table.view.display.text == "K : le banquier perd"
    assert table.view.display.lamps == ("bank-loses",)


def test_the_view_shows_the_last_results_newest_first_and_no_more_than_twenty() -> None:
    table = Played(TQ, decks=30).open()
    for number in range(25):
        table.draw(NOIR_WINS).post(e.RoundOpened())
        assert table.view.results[0].round == number + 1
    assert len(table.view.results) == 20
    assert table.view.results[0].totals == (31, 32)


def test_only_the_supervisor_sees_what_is_left() -> None:
    table = Played(TQ, decks=1).open().draw("Ks")
    assert supervisor(table.state).remaining["Ks"] == 0
    assert supervisor(table.state).total == 51
    text = msgspec.json.encode(table.view).decode()
    assert '"Ks"' in text
    assert '"Qs"' not in text


def test_stakes_in_prison_are_shown() -> None:
    table = Played(TQ).open().bet(coup=1, player="a", on="noir", stake=5, refait="prison").draw(REFAIT_31)
    table.post(e.RoundOpened()).bet(coup=2, player="b", on="rouge", stake=1, insured=True)
    assert [(s.player, s.state) for s in table.view.stakes] == [("a", "prison"), ("b", "insured")]


def test_a_double_or_a_passed_bank_belongs_to_its_own_game() -> None:
    assert Played(TQ).open().post(e.DoubleDecided(True)).why == "nothing is doubled in this game"
    assert Played(TQ).open().post(e.BankPassed()).why == "the bank is not passed in this game"
    assert Played(TQ).post(e.BankerSought()).why == "the house is the banker"
    assert Played(RB).open().post(e.RefaitChosen("a", "noir", "half")).why == "there is no refait in this game"
    assert Played(ZE).open().post(e.RoundOpened()).why == "a hand opens when the box is loaded"


def test_facts_without_a_meaning_change_nothing() -> None:
    table = Played(TQ).open().draw("Ks")
    state = table.state
    for event in (e.CardExposed("Qs"), e.CardPulledBack(), e.DeadlineReached("x"), e.CardsMissed(0),
                  e.TableOpened("baccarat", Rules())):  # fmt: skip
        assert table.post(event).state is state
