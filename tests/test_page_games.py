"""The page of the private games in a real Chromium: stakes, doubling, corrections and settlements by taps."""

from __future__ import annotations

import itertools
from pathlib import Path

import page_support
import pytest
from conftest import CHROMIUM, WAIT_MS
from page_support import ServedTable

from controller.events import (
    AnyEvent,
    CardDrawn,
    CardExposed,
    CardUnread,
    RoundOpened,
    ShoeLoaded,
    SightEmptied,
    TableOpened,
)
from controller.rules import Rules

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


def served(monkeypatch: pytest.MonkeyPatch, folder: Path, game: str, seats: int = 1) -> ServedTable:
    monkeypatch.setattr(page_support, "OPENED", TableOpened(game, Rules(), seats))
    return ServedTable(folder)


def expect(page: object, selector: str, text: str) -> None:
    playwright.expect(page.locator(selector)).to_have_text(text, timeout=WAIT_MS)  # type: ignore[attr-defined]


def in_turn(*faces: str) -> list[AnyEvent]:
    """Faces of the box, each drawn before the next is in sight."""
    events: list[AnyEvent] = [CardExposed(faces[0])]
    for before, face in itertools.pairwise(faces):
        events += [CardDrawn(before), CardExposed(face)]
    return events


def test_a_hand_of_zecchinetta(page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    with served(monkeypatch, tmp_path, "zecchinetta") as table:
        page.goto(table.url)
        table.post(SightEmptied(), CardExposed("As"))
        page.click('[data-request="shoe-loaded"]')
        expect(page, '[data-name="box"] .rank', "A")
        table.post(CardDrawn("As"), *in_turn("2h", "Kd"))
        page.click('[data-opens="bet-placed"]')
        page.fill("#bet-player", "ana")
        page.click('#sheet [data-value="A"]')
        page.click('#sheet [data-value="25"]')
        page.click("#bet-enter")
        expect(page, "#stakes span", "ana · A 25")
        table.post(CardDrawn("Kd"), CardExposed("Ac"))
        expect(page, "#settled em", "collect 25")
        expect(page, "#settled .sum", "Bank 22.50 · house 2.50")
        assert page.locator('[data-name="fan"] .card').count() == 1
        table.post(CardDrawn("Ac"), CardUnread("unclear"))
        page.click('#pad [data-symbol="5d"]')
        page.click("#enter")
        expect(page, '[data-name="box"] .card.by-hand .rank', "5")
        page.click('[data-opens="card-corrected"]')
        page.click('#sheet [data-index="4"]')
        page.click('#sheet [data-symbol="6d"]')
        expect(page, '[data-name="box"] .card.by-hand .rank', "6")


def test_a_round_of_red_and_black(page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    with served(monkeypatch, tmp_path, "red-and-black", seats=2) as table:
        table.post(ShoeLoaded(), RoundOpened())
        page.goto(table.url)
        page.click('[data-opens="bet-placed"]')
        page.click('#sheet [data-value="1"] >> nth=0')
        page.click('#sheet [data-value="red"]')
        page.fill("#bet-stake", "10")
        page.click("#bet-enter")
        expect(page, "#stakes em", "laid")
        table.post(*(CardDrawn(card) for card in ("2h", "3s", "4d", "5c")))
        page.click('[data-request="double-decided"] >> nth=0')
        expect(page, "#stakes em", "doubled")
        table.post(CardDrawn("6h"))
        expect(page, '[data-name="1"] .total', "3red")
        expect(page, "#settled em", "pay 40")
        page.wait_for_selector('[data-name="2"].next')


def test_two_cards_at_once_are_entered_in_their_order(page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    with served(monkeypatch, tmp_path, "red-and-black") as table:
        table.post(ShoeLoaded(), RoundOpened(), CardDrawn("2h"), CardUnread("two cards"))
        page.goto(table.url)
        expect(page, "#hold-title", "Card not read: 2 at once, enter the first")
        page.click('#pad [data-symbol="3s"]')
        page.click("#enter")
        expect(page, "#hold-title", "Card not read")
        page.click('#pad [data-symbol="4d"]')
        page.click("#enter")
        expect(page, '[data-name="1"] .total', "2red")
        assert page.locator('[data-name="1"] .card.by-hand').count() == 2
