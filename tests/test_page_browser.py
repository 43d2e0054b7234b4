"""The page in a real Chromium: cards live, a card entered by hand, and no old total looking fresh."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest
from conftest import CHROMIUM, WAIT_MS
from page_support import ServedTable

from controller.events import BetPlaced, CardDrawn, CardUnread, DeviceChanged, RoundOpened, ShoeLoaded

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def expect(page: object, selector: str, text: str) -> None:
    playwright.expect(page.locator(selector)).to_have_text(text, timeout=WAIT_MS)  # type: ignore[attr-defined]


def test_a_coup_is_shown_live(page, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    with ServedTable(tmp_path) as table:
        page.goto(table.url)
        expect(page, "#table", "table-7")
        page.click('[data-request="shoe-loaded"]')
        page.click('[data-request="round-opened"]')
        page.wait_for_selector('body[data-phase="betting"]')
        table.post(*(CardDrawn(symbol) for symbol in ("Kd", "Ts", "9h", "7c")))
        expect(page, '[data-name="noir"] .total b', "36")
        expect(page, '[data-name="rouge"] .total b', "–")
        page.wait_for_selector('[data-name="rouge"].next')
        assert page.locator('[data-name="noir"] .card').evaluate_all("all => all.map(c => c.dataset.symbol)") == [
            "Kd",
            "Ts",
            "9h",
            "7c",
        ]
        table.post(*(CardDrawn(symbol) for symbol in ("Qh", "Jd", "As", "Kc")))
        expect(page, "#call", "Rouge gagneCouleur gagne")
        page.wait_for_selector('[data-name="rouge"].won')
        assert page.locator("#board .result").count() == 1
        table.post(DeviceChanged("panel", "lost", "waits for /dev/serial/by-id/panel"))
        playwright.expect(page.locator("#devices .bad")).to_have_text("Panel lost")
        assert not page.evaluate("document.documentElement.scrollHeight > innerHeight")


def test_a_card_that_was_not_read_is_entered(page, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    with ServedTable(tmp_path) as table:
        table.request(ShoeLoaded())
        table.request(RoundOpened())
        page.goto(table.url)
        table.post(CardDrawn("Kd"), CardUnread("unclear", 2))
        playwright.expect(page.locator("#hold-title")).to_be_visible()
        assert page.locator("#pad button[data-symbol]").count() == 52 + 3
        box = page.locator('#pad [data-symbol="Kh"]').bounding_box()
        assert box["width"] >= 44
        assert box["height"] >= 44
        assert page.locator("#enter").is_disabled()
        page.click('#pad [data-symbol="Kh"]')
        page.click("#enter")
        expect(page, '[data-name="noir"] .total b', "20")
        playwright.expect(page.locator("#hold")).to_be_hidden()
        assert page.locator(".by-hand").count() == 1


def test_a_broken_connection_is_seen_and_mends_by_itself(page, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    port = free_port()
    with ServedTable(tmp_path, port) as table:
        table.request(ShoeLoaded())
        table.request(RoundOpened())
        table.post(CardDrawn("Kd"))
        page.goto(table.url)
        expect(page, '[data-name="noir"] .total b', "10")
        playwright.expect(page.locator("#lost")).to_be_hidden()
    playwright.expect(page.locator("#lost")).to_be_visible(timeout=WAIT_MS)
    playwright.expect(page.locator('[data-name="noir"] .total')).to_be_hidden()
    with ServedTable(tmp_path, port):
        playwright.expect(page.locator("#lost")).to_be_hidden(timeout=WAIT_MS)
        playwright.expect(page.locator("#hold-title")).to_have_text("Restarted: is this right?")
        page.click('[data-request="confirmed"]')
        playwright.expect(page.locator("#hold")).to_be_hidden()
        expect(page, '[data-name="noir"] .total b', "10")


def test_half_or_prison_is_chosen_at_a_refait_of_31(page, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    with ServedTable(tmp_path) as table:
        table.request(ShoeLoaded())
        table.request(RoundOpened())
        table.request(BetPlaced({"coup": 1, "player": "Anna", "on": "rouge", "stake": "10"}))
        page.goto(table.url)
        table.post(*(CardDrawn(symbol) for symbol in ("Kd", "Ts", "As", "Qc", "Qh", "Jd", "Ah", "Kc")))
        expect(page, "#call", "Un après")
        page.click('#stakes [data-choice="prison"]')
        playwright.expect(page.locator('#stakes [data-choice="prison"]')).to_have_attribute("aria-pressed", "true")
        assert [stake.state for stake in table.table.standing()[1].stakes] == ["prison"]


def test_a_table_that_hangs_is_seen_too(page, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    with ServedTable(tmp_path) as table:
        page.goto(table.url)
        playwright.expect(page.locator("#lost")).to_be_hidden()
        hang = threading.Event()
        table.on_loop(lambda: hang.wait(60))
        playwright.expect(page.locator("#lost")).to_be_visible(timeout=WAIT_MS)
        hang.set()
        playwright.expect(page.locator("#lost")).to_be_hidden(timeout=WAIT_MS)


def test_without_a_camera_cards_are_entered_one_after_the_other(page, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    with ServedTable(tmp_path) as table:
        table.request(ShoeLoaded())
        table.request(RoundOpened())
        page.goto(table.url)
        for symbol, total in (("Kd", "10"), ("5c", "15")):
            page.click("#by-hand") if page.locator("#pad").is_hidden() else None
            page.click(f'#pad [data-symbol="{symbol}"]')
            page.click("#enter")
            expect(page, '[data-name="noir"] .total b', total)
