"""The page around the rounds, in a real Chromium: a deck check with its receipt, a remainder, alarms and who signs; and
the receipts over HTTP and from the journal."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import page_support
import pytest
from cli_support import sabot
from conftest import CHROMIUM, WAIT_MS
from page_support import ServedTable

from controller.cards import DECK
from controller.edge.journal_reader import reading
from controller.edge.machine import machine_name
from controller.edge.receipts import as_text, issued
from controller.events import (
    AlarmAcknowledged,
    CardDrawn,
    CountClosed,
    CountOpened,
    RoundOpened,
    ShoeEnded,
    ShoeLoaded,
    TableOpened,
)
from controller.rules import Rules

OPENED = TableOpened("trente-et-quarante", Rules(decks=1), name="salle-2", machine="a computer")
WITHOUT = [card for card in DECK if card not in ("7d", "8h")]
MIXED = [DECK[place * 7 % 52] for place in range(52)]


@pytest.fixture(autouse=True)
def one_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_support, "OPENED", OPENED)


def draw(table: ServedTable, cards: list[str]) -> None:
    table.post(*(CardDrawn(card) for card in cards))


def check_and_reconcile(table: ServedTable) -> None:
    """A deck check with two cards missing and one extra; then a shoe that is whole."""
    table.request(CountOpened())
    draw(table, [*WITHOUT, "9s"])
    table.request(CountClosed("Anna"))
    table.request(ShoeLoaded())
    table.request(ShoeEnded())
    draw(table, MIXED)
    table.request(CountClosed("Bo"))


def test_receipts_carry_the_time_of_the_journal(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table:
        check_and_reconcile(table)
        got = httpx.get(f"{table.url}/api/receipts").json()
        with reading(tmp_path) as journal:
            records = {record.number: record for record in journal.records()}
    assert [each["receipt"]["number"] for each in got] == [2, 1]
    assert [each["receipt"]["by"] for each in got] == ["Bo", "Anna"]
    assert got[1]["receipt"]["missing"] == {"8h": 1, "7d": 1}
    assert got[1]["receipt"]["extra"] == {"9s": 1}
    assert (got[0]["receipt"]["right"], got[0]["receipt"]["kind"]) == (True, "remainder")
    for each in got:
        record = records[each["record"]]
        assert json.loads(record.event)["type"] == "count-closed"
        assert (each["utc"], each["utc_trusted"]) == (record.stamp.utc, record.stamp.utc_trusted)
        assert (each["receipt"]["table"], each["receipt"]["machine"]) == ("salle-2", "a computer")


def test_the_journal_gives_the_same_receipts(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table:
        check_and_reconcile(table)
        got = httpx.get(f"{table.url}/api/receipts").json()
    assert sabot("journal", "receipts", "--state", tmp_path, "--json").json() == got[::-1]
    printed = sabot("journal", "receipts", "--state", tmp_path)
    assert printed.status == 0
    for line in ("DECK CHECK, receipt 1: NOT RIGHT", "  table    salle-2", "  missing  7d x 1", "  extra    9s x 1"):
        assert line in printed.lines
    with reading(tmp_path) as journal:
        assert printed.out == "".join(as_text(each) + "\n" for each in issued(journal.records()))


def test_a_restart_keeps_receipts_and_alarms_until_they_are_acknowledged(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table:
        check_and_reconcile(table)
        before = httpx.get(f"{table.url}/api/receipts").json()
    with ServedTable(tmp_path) as table:
        assert httpx.get(f"{table.url}/api/receipts").json() == before
        assert [alarm.kind for alarm in table.table.standing()[1].alarms] == ["deck-check"]
        table.request(AlarmAcknowledged(1, "Anna"))
    with ServedTable(tmp_path) as table:
        assert table.table.standing()[1].alarms == ()


def test_the_machine_is_named_without_giving_its_secret_away(tmp_path: Path) -> None:
    secret = tmp_path / "machine-id"
    secret.write_text("0123456789abcdef0123456789abcdef\n")
    name = machine_name(tmp_path, secret)
    assert len(name) == 16
    assert name not in secret.read_text()
    assert name == machine_name(tmp_path, secret)
    (tmp_path / "model").write_bytes(b"Raspberry Pi 4 Model B Rev 1.5\0")
    (tmp_path / "serial-number").write_bytes(b"10000000a1b2c3d4\0")
    assert machine_name(tmp_path, secret) == "Raspberry Pi 4 Model B Rev 1.5 10000000a1b2c3d4"
    assert machine_name(tmp_path / "none", tmp_path / "none") == ""


# ---- in the browser ----------------------------------------------------------------------------------------

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


def shows(page: object, selector: str, text: str) -> None:
    playwright.expect(page.locator(selector)).to_contain_text(text, timeout=WAIT_MS)  # type: ignore[attr-defined]


@needs_chromium
def test_a_deck_check_on_the_page(page, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    with ServedTable(tmp_path) as table:
        page.goto(table.url)
        page.click('[data-request="count-opened"]')
        page.wait_for_selector('body[data-count="feeding"]')
        draw(table, [*WITHOUT, "9s"])
        shows(page, "#count .counted", "51 of 52 cards")
        shows(page, "#count .named", "Extra9")
        page.click('[data-request="count-closed"]')
        page.fill("#name-input", "Anna Bo")
        page.click("#name .main")
        shows(page, "#count .verdict", "Not right")
        shows(page, "#count dl", "Anna Bo")
        shows(page, "#count dl", " · record ")
        assert page.locator("#count .found .named").all_inner_texts()[1].startswith("Extra")
        assert table.table.standing()[1].receipt.by == "Anna Bo"


@needs_chromium
@pytest.mark.parametrize("size", [(1024, 600), (800, 480)])
def test_an_alarm_stays_until_somebody_signs(page, tmp_path: Path, size: tuple[int, int]) -> None:  # type: ignore[no-untyped-def]
    page.set_viewport_size({"width": size[0], "height": size[1]})
    with ServedTable(tmp_path) as table:
        table.request(ShoeLoaded())
        table.request(RoundOpened())
        page.goto(table.url)
        draw(table, [rank + "s" for rank in "A7K29T4J58"])
        shows(page, ".alarm", "10 cards of one suit in a row.")
        assert not page.evaluate("document.documentElement.scrollHeight > innerHeight")
        assert page.locator(".alarm button").bounding_box()["x"] < size[0] - 40
        page.click(".alarm button")
        page.click("#name .quiet")
        assert page.locator(".alarm").count() == 1
        page.click(".alarm button")
        page.fill("#name-input", "dealer")
        page.keyboard.press("Enter")
        shows(page, "#toast", "by a person with a name")
        page.click(".alarm button")
        page.fill("#name-input", "Anna")
        page.keyboard.press("Enter")
        playwright.expect(page.locator("#alarms")).to_be_hidden()
        assert table.table.standing()[1].alarms == ()


@needs_chromium
def test_the_remainder_is_reconciled_on_the_page(page, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    with ServedTable(tmp_path) as table:
        table.request(ShoeLoaded())
        held = []  # the receipts' answer comes when the next shoe is loaded already
        page.route("**/api/receipts", lambda route: held.append(route))
        page.goto(table.url)
        page.click('[data-request="shoe-ended"]')
        page.wait_for_selector('body[data-phase="ended"]')
        draw(table, MIXED)
        shows(page, "#count h2", "End of shoe")
        shows(page, "#count .counted", "52 of 52 cards")
        page.click('[data-request="count-closed"]')
        page.fill("#name-input", "Bo")
        page.keyboard.press("Enter")
        shows(page, "#count .verdict", "Complete")
        page.click('[data-request="shoe-loaded"]')
        playwright.expect(page.locator("#count")).to_be_hidden()
        with page.expect_response("**/api/receipts") as answered:
            held[0].continue_()
        answered.value.finished()
        page.evaluate("() => new Promise(requestAnimationFrame)")
        playwright.expect(page.locator("#count")).to_be_hidden()
