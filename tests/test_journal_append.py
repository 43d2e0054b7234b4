"""The journal's thread: numbers, order, durability as far as one process can see it, snapshots."""

from __future__ import annotations

import threading
from pathlib import Path

import journal_support as support
import msgspec
import pytest

from controller.edge.journal import Health, Journal, JournalFailed
from controller.edge.journal_reader import reading
from controller.edge.stamp import now
from controller.events import CardDrawn, TableOpened
from controller.rules import Money, Rules


class Standing(msgspec.Struct, frozen=True):
    """A state, as far as the journal cares."""

    cards: tuple[str, ...] = ()


def test_what_is_appended_comes_back_as_it_was(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    assert journal.open().created
    events = [TableOpened("trente-et-quarante", Rules(money=Money("0.5"))), CardDrawn("Th", source="hand")]
    stamps = [now(), now()]
    done = [journal.append(event, stamp) for event, stamp in zip(events, stamps, strict=True)]
    assert [future.result(10) for future in done] == [1, 2]
    records = list(journal.records())
    journal.close()
    assert [record.stamp for record in records] == stamps
    assert records[1].decoded() == events[1]
    assert str(records[0].decoded().rules.money.unit) == "0.5"


def test_a_number_is_told_only_once_another_connection_sees_the_record(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.open()
    for index in range(50):
        number = journal.append(support.event(index)).result(10)
        assert support.numbers(tmp_path)[-1] == number
    journal.close()


def test_a_reopened_journal_goes_on_with_its_chain(tmp_path: Path) -> None:
    support.write(tmp_path, 5)
    support.write(tmp_path, 5)
    assert support.numbers(tmp_path) == list(range(1, 11))
    assert support.findings(tmp_path) == []
    assert not (tmp_path / "journal.sqlite3-wal").exists() or not (tmp_path / "journal.sqlite3-wal").stat().st_size
    journal = Journal(tmp_path)
    opened = journal.open()
    journal.close()
    assert (opened.created, opened.last) == (False, 10)


def test_many_threads_share_one_chain(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.open()
    got: list[list[int]] = [[] for _ in range(4)]

    def work(mine: list[int]) -> None:
        done = [journal.append(support.event(index)) for index in range(500)]
        mine.extend(future.result(30) for future in done)

    threads = [threading.Thread(target=work, args=(mine,)) for mine in got]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    journal.close()
    assert all(mine == sorted(mine) for mine in got)
    assert sorted(number for mine in got for number in mine) == support.numbers(tmp_path) == list(range(1, 2001))
    assert support.findings(tmp_path) == []


def test_what_is_handed_in_before_closing_is_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.open()
    done = [journal.append(support.event(index)) for index in range(300)]
    journal.close()
    assert [future.result(0) for future in done] == list(range(1, 301))
    with pytest.raises(JournalFailed, match="not open"):
        journal.append(support.event(0))


def test_an_append_cannot_be_cancelled(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.open()
    future = journal.append(support.event(1))
    assert not future.cancel()
    assert future.result(10) == 1
    journal.close()


def test_health_is_told(tmp_path: Path) -> None:
    told: list[Health] = []
    journal = Journal(tmp_path, on_health=told.append)
    assert journal.health.state == "closed"
    journal.open()
    assert journal.health.state == "ok"
    journal.close()
    assert [health.state for health in told] == ["ok", "closed"]


def test_the_newest_sixteen_snapshots_are_kept(tmp_path: Path) -> None:
    journal = Journal(tmp_path, engine="7")
    journal.open()
    for index in range(20):
        number = journal.append(support.event(index)).result(10)
        assert journal.snapshot(number, Standing(("As",) * index)).result(10) == number
    kept = journal.latest_snapshot()
    assert kept is not None
    assert (kept.number, msgspec.json.decode(kept.state, type=Standing)) == (20, Standing(("As",) * 19))
    with reading(tmp_path) as reader:
        assert [snapshot.number for snapshot in reader.snapshots()] == list(range(20, 4, -1))
    journal.close()


def test_a_snapshot_of_other_rules_is_not_used(tmp_path: Path) -> None:
    for engine, expected in (("1", None), ("2", None)):
        journal = Journal(tmp_path, engine=engine)
        journal.open()
        assert journal.latest_snapshot() is expected
        journal.snapshot(journal.append(support.event(1)).result(10), Standing()).result(10)
        journal.close()
    journal = Journal(tmp_path, engine="1")
    journal.open()
    kept = journal.latest_snapshot()
    journal.close()
    assert kept is not None
    assert (kept.engine, kept.number) == ("1", 1)


def test_a_changed_snapshot_is_passed_over_for_the_one_before(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.open()
    for index in (1, 2):
        journal.snapshot(journal.append(support.event(index)).result(10), Standing(("As",) * index)).result(10)
    journal.close()
    support.change(tmp_path, """UPDATE snapshots SET state = replace(state, 'As', 'Ah') WHERE number = 2""")
    journal.open()
    kept = journal.latest_snapshot()
    journal.close()
    assert kept is not None
    assert kept.number == 1
    assert support.findings(tmp_path) == [(2, "snapshot")]


def test_a_snapshot_needs_its_record(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.open()
    bad = journal.snapshot(5, Standing())
    good = journal.append(support.event(1))
    with pytest.raises(ValueError, match="no record 5"):
        bad.result(10)
    assert good.result(10) == 1
    journal.close()
