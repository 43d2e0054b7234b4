"""Files and disks that will not do: one clear line at opening, an exception through the futures later."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from concurrent.futures import wait
from pathlib import Path

import journal_support as support
import pytest

from controller.cli.main import main
from controller.edge.journal import Health, Journal, JournalError, JournalFailed, JournalUnusable


def refused(folder: Path) -> str:
    with pytest.raises(JournalUnusable) as caught:
        Journal(folder).open()
    text = str(caught.value)
    assert "\n" not in text
    assert str(folder) in text
    return text


def test_a_text_is_no_journal(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite3").write_text("not a database\n" * 500)
    assert "not a journal" in refused(tmp_path)


def test_another_database_is_no_journal_and_is_left_alone(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "journal.sqlite3")
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    before = (tmp_path / "journal.sqlite3").read_bytes()
    assert "not a journal" in refused(tmp_path)
    assert (tmp_path / "journal.sqlite3").read_bytes() == before


def test_a_newer_format_is_refused_and_left_alone(tmp_path: Path) -> None:
    support.write(tmp_path, 3)
    support.change(tmp_path, "UPDATE meta SET value = '12' WHERE key = 'format'")
    assert "format 12" in refused(tmp_path)
    assert len(support.numbers_of_any_format(tmp_path)) == 3


def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite3").mkdir()
    refused(tmp_path)


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    refused(tmp_path / "state")


@pytest.mark.parametrize("records", [None, 5], ids=["empty", "with a journal"])
def test_a_read_only_mount(tmp_path: Path, records: int | None) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    if records is not None:
        support.write(folder, records)
    with support.read_only(folder, tmp_path / "mount") as mount:
        assert "read-only" in refused(mount)


def test_a_full_disk_fails_what_waits_and_all_that_follows(tmp_path: Path) -> None:
    told: list[Health] = []
    with support.mounted("-t", "tmpfs", "-o", "size=1m", "tmpfs", at=tmp_path / "small") as folder:
        journal = Journal(folder, on_health=told.append)
        journal.open()
        good = journal.append(support.event(1)).result(10)
        done = [journal.append(support.event(index)) for index in range(20_000)]
        wait(done, 60)
        failed = [future for future in done if future.exception(0) is not None]
        assert failed, "more was acknowledged than the disk can hold"
        assert isinstance(failed[0].exception(), JournalFailed)
        assert "full" in str(failed[0].exception())
        assert failed == done[-len(failed) :], "a record was taken after one had been lost"
        with pytest.raises(JournalFailed):
            journal.append(support.event(2)).result(10)
        assert [health.state for health in told] == ["ok", "failed"]
        acknowledged = good + len(done) - len(failed)
        journal.close()
        numbers = support.numbers(folder)
    assert numbers == list(range(1, acknowledged + 1))


LIMITED = """
import resource, sys
from pathlib import Path
import journal_support
from controller.edge.journal import Journal, JournalFailed
journal = Journal(Path(sys.argv[1]))
journal.open()
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
done = []
for index in range(5000):
    done.append(journal.append(journal_support.event(index)))
good = 0
for future in done:
    try:
        good = future.result(30)
    except JournalFailed as error:
        print(good, journal.health.state, error)
        break
"""


def test_a_write_error_is_a_failure_too(tmp_path: Path) -> None:
    """A limit on the size of files makes the kernel refuse a write in the middle of the log."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, "-c", LIMITED, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=True)
    good, state, words = done.stdout.strip().split(" ", 2)
    assert state == "failed"
    assert "journal.sqlite3" in words
    assert support.numbers(tmp_path)[-1:] == ([int(good)] if int(good) else [])
    assert support.findings(tmp_path) == []


def test_errors_are_also_built_in_ones() -> None:
    assert issubclass(JournalError, OSError)
    assert issubclass(JournalUnusable, ValueError)


def test_opened_anew_once_there_is_room_again(tmp_path: Path) -> None:
    with support.mounted("-t", "tmpfs", "-o", "size=1m", "tmpfs", at=tmp_path / "small") as folder:
        journal = Journal(folder)
        journal.open()
        ballast = folder / "ballast"
        ballast.write_bytes(b"\0" * 600_000)
        done = [journal.append(support.event(index)) for index in range(5000)]
        wait(done, 60)
        acknowledged = [future.result(0) for future in done if future.exception(0) is None]
        assert len(acknowledged) < len(done)
        journal.close()
        ballast.unlink()
        assert journal.open().last == len(acknowledged)
        assert journal.health.state == "ok"
        assert journal.append(support.event(1)).result(10) == len(acknowledged) + 1
        journal.close()
        assert support.findings(folder) == []


def test_any_damage_is_a_line_or_none(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Bytes of the file changed by chance: verify, show and export end with a status and lines, and so does opening."""
    support.write(tmp_path / "whole", 40)
    whole = (tmp_path / "whole" / "journal.sqlite3").read_bytes()
    chance = random.Random(11)
    statuses = set()
    for number in range(80):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 1, 4))):
            data[chance.randrange(len(data))] = chance.randrange(256)
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "journal.sqlite3").write_bytes(bytes(data[: chance.choice((len(data), len(data), 20_000))]))
        for what in ("verify", "show", "export"):
            statuses.add(main(["journal", what, "--state", str(folder)]))
            assert "defect" not in capfd.readouterr().err
        assert opens(folder) == (main(["journal", "verify", "--state", str(folder)]) == 0)
    assert statuses == {0, 1, 2}


def opens(folder: Path) -> bool:
    """Whether a daemon would take this journal."""
    journal = Journal(folder)
    try:
        journal.open()
    except JournalError:
        return False
    journal.close()
    return True
