"""The table's loop on a real journal: commit before step, order, restart, refusals, and a journal that fails."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import msgspec
import pytest
from page_support import OPENED, ServedTable

from controller import table as core
from controller.edge.journal import Journal
from controller.edge.page.app import Refusal
from controller.edge.restore import engine, restore
from controller.events import CardDrawn, Confirmed, DaemonStarted, DeviceChanged, RoundOpened, ShoeLoaded, TableOpened
from controller.outcomes import Outcome
from controller.rules import Rules
from controller.state import State

NOIR, ROUGE = ("Kd", "Ts", "9h", "7c"), ("Qh", "Jd", "As", "Kc")


def drawn(*symbols: str) -> list[CardDrawn]:
    return [CardDrawn(symbol) for symbol in symbols]


def begin(table: ServedTable) -> None:
    table.request(ShoeLoaded())
    table.request(RoundOpened())


def test_what_is_shown_is_in_the_journal(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table:
        seen: list[tuple[int, int]] = []

        def look(step: object) -> None:
            last = [record.number for record in table.journal.records()][-1]
            seen.append((table.table.standing()[0], last))

        table.table.add_display(look)
        begin(table)
        table.post(*drawn(*NOIR, *ROUGE))
    assert len(seen) == 10
    assert all(shown <= committed for shown, committed in seen)


def test_events_are_stepped_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table:
        begin(table)
        view = table.post(*drawn(*NOIR, "Qh", "Jd"))
    assert [row.cards for row in view.rows] == [NOIR, ("Qh", "Jd")]
    assert view.active == "rouge"


def test_many_events_share_a_commit(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table:
        begin(table)
        commits: list[str] = []
        table.journal._connection.set_trace_callback(  # type: ignore[union-attr]
            lambda sql: commits.append(sql) if sql == "COMMIT" else None
        )
        table.post(*drawn(*NOIR, *ROUGE[:3]))
    assert 1 <= len(commits) < 7


def test_a_refusal_is_an_answer_and_no_record(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table:
        before = table.table.standing()[0]
        with pytest.raises(Refusal):
            table.request(RoundOpened())
        assert table.table.standing()[0] == before
        assert len(list(table.journal.records())) == before


def test_a_restart_stands_at_the_same_card_and_asks(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table:
        begin(table)
        before = table.post(*drawn(*NOIR, *ROUGE[:2]))
    with ServedTable(tmp_path) as table:
        view = table.table.standing()[1]
        assert view.rows == before.rows
        assert view.hold is not None
        assert view.hold.code == "restored"
        with pytest.raises(Refusal):
            table.request(RoundOpened())
        table.request(Confirmed())
        view = table.table.standing()[1]
        assert view.hold is None
        assert view.active == "rouge"


def test_outcomes_of_the_past_are_not_told_again(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table:
        begin(table)
        table.post(*drawn(*NOIR, *ROUGE))
    told: list[Outcome] = []
    with ServedTable(tmp_path) as table:
        table.table.add_display(lambda step: told.extend(step.outcomes))
        table.request(Confirmed())
        assert table.table.standing()[1].rounds == 1
    assert told == []


def test_the_journal_says_that_a_daemon_started(tmp_path: Path) -> None:
    with ServedTable(tmp_path):
        pass
    with ServedTable(tmp_path) as table:
        events = [record.decoded() for record in table.journal.records()]
    assert [type(event) for event in events] == [TableOpened, DaemonStarted]


def test_new_house_rules_are_an_event(tmp_path: Path) -> None:
    with ServedTable(tmp_path):
        pass
    changed = TableOpened(OPENED.game, Rules(burn=5))
    for _ in range(2):
        journal = Journal(tmp_path, engine())
        restore(journal, journal.open(), changed)
        journal.close()
    journal = Journal(tmp_path, engine())
    journal.open()
    kinds = [type(record.decoded()) for record in journal.records()]
    journal.close()
    assert kinds == [TableOpened, TableOpened, DaemonStarted, DaemonStarted]


def test_a_journal_that_fails_stops_the_play_and_says_so(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table:
        begin(table)
        before = table.post(*drawn(*NOIR))
        connection = table.journal._connection
        assert connection is not None
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")  # the disk is full from here on
        for place in range(50):
            table.on_loop(lambda place=place: table.table.post(DeviceChanged("panel", f"lost {place}", "x" * 4000)))
        with pytest.raises(Refusal, match="full"):
            table.request(Confirmed())
        number, view = table.table.standing()
        assert view.hold is not None
        assert view.hold.code == "journal"
        assert view.phase == "hold"
        assert view.rows == before.rows
        table.on_loop(lambda: table.table.post(CardDrawn("As")))
        with pytest.raises(Refusal, match="journal"):
            table.request(Confirmed())
        assert table.table.standing() == (number, view)


def test_a_snapshot_that_contradicts_the_records_holds_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ServedTable(tmp_path) as table:
        begin(table)
        table.post(*drawn(*NOIR, *ROUGE))
        number = table.table.standing()[0]
        table.journal.snapshot(number, _another_state()).result()
    with ServedTable(tmp_path) as table:
        hold = table.table.standing()[1].hold
        assert hold is not None
        assert hold.code == "contradiction"
        with pytest.raises(Refusal):
            table.request(Confirmed())


def _another_state() -> State:
    """As if other rules had made another state of the same records."""
    return core.step(core.initial(OPENED), ShoeLoaded())[0]


def test_snapshots_are_kept_at_round_ends_and_folded_from(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table:
        begin(table)
        table.post(*drawn(*NOIR, *ROUGE))
        table.request(RoundOpened())
        before = table.post(*drawn("2h"))
    with sqlite3.connect(f"file:{tmp_path}/journal.sqlite3?mode=ro", uri=True) as connection:
        kept = connection.execute("SELECT count(*) FROM snapshots").fetchone()[0]
    connection.close()
    assert kept == 1
    journal = Journal(tmp_path, engine())
    restored = restore(journal, journal.open(), OPENED)
    journal.close()
    assert restored.trouble is None
    assert restored.records == 2
    assert core.view(restored.state).rows == before.rows


@pytest.mark.parametrize(("same", "hold"), [(True, "restored"), (False, "contradiction")])
def test_rounds_finished_under_other_rules_must_come_out_the_same(tmp_path: Path, same: bool, hold: str) -> None:
    with ServedTable(tmp_path) as table:
        begin(table)
        table.post(*drawn(*NOIR, *ROUGE))
        number, state = table.table.standing()[0], table.table._state
        table.request(RoundOpened())
    result = state.results[0] if same else msgspec.structs.replace(state.results[0], outcome="noir")
    journal = Journal(tmp_path, "another program")
    journal.open()
    journal.snapshot(number, msgspec.structs.replace(state, results=(result,), seen=())).result()
    journal.close()
    with sqlite3.connect(tmp_path / "journal.sqlite3") as connection:
        connection.execute("DELETE FROM snapshots WHERE engine != 'another program'")
    connection.close()
    with ServedTable(tmp_path) as table:
        found = table.table.standing()[1].hold
        assert found is not None
        assert found.code == hold
