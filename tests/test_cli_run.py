"""`sabot run`: two tables on one machine, and each call that cannot work refused by one line and 2."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import journal_support as support
import photo_support as photos
import pytest
from bench_support import until
from cli_support import sabot

from controller.edge.lock import holder

TABLE = """
table.name = "{name}"
camera.source = "folder:frames"
page.port = {port}
state.folder = "{state}"
"""


@pytest.fixture
def frames(tmp_path: Path) -> Path:
    """A camera's folder, with one picture."""
    return photos.save(tmp_path / "frames" / "1.png", None).parent


def configure(folder: Path, name: str, state: str | None = None, port: int = 0) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(TABLE.format(name=name, port=port, state=state or name))
    return path


@contextmanager
def running(config: Path, state: Path) -> Iterator[tuple[int, str]]:
    """A daemon until the end of the block: its pid, and where its page is."""
    command = [str(Path(sys.executable).parent / "sabot"), "run", "--config", str(config)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            told = state / "page.json"
            yield process.pid, json.loads(until(lambda: told.exists() and told.read_text()))["url"]
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0


def refused(config: Path) -> str:
    answer = sabot("run", "--config", config)
    assert (answer.status, answer.out, len(answer.mistakes)) == (2, "", 1)
    return answer.mistakes[0]


@pytest.mark.usefixtures("frames")
def test_two_tables_run_side_by_side_and_a_second_daemon_on_one_is_refused(tmp_path: Path) -> None:
    one, two = configure(tmp_path, "salle-1"), configure(tmp_path, "salle-2")
    with (
        running(one, tmp_path / "salle-1") as (pid, url),
        running(two, tmp_path / "salle-2") as (other, other_url),
    ):
        assert (holder(tmp_path / "salle-1"), holder(tmp_path / "salle-2")) == (pid, other)
        assert url != other_url
        for page in (url, other_url):
            assert httpx.get(f"{page}/api/view", timeout=10).json()["game"] == "trente-et-quarante"
        assert refused(one) == f"{tmp_path / 'salle-1'}: is in use by the daemon with pid {pid}"
        third = configure(tmp_path, "salle-3", port=int(url.rsplit(":", 1)[1]))
        assert "page.port" in refused(third)
        assert "in use" in refused(third)
    for name in ("salle-1", "salle-2"):
        assert sabot("journal", "verify", "--state", tmp_path / name).status == 0


@pytest.mark.usefixtures("frames")
def test_a_state_folder_on_a_read_only_mount(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    with support.read_only(tmp_path / "disk", tmp_path / "mount") as mount:
        line = refused(configure(tmp_path, "salle-1", state="mount/state"))
    assert line == f"{mount}/state: the state folder is on a read-only file system"


@pytest.mark.usefixtures("frames")
def test_a_damaged_journal_is_named_and_left_alone(tmp_path: Path) -> None:
    support.write(tmp_path / "salle-1", 9)
    support.change(tmp_path / "salle-1", "UPDATE records SET event = '{}' WHERE number = 4")
    before = (tmp_path / "salle-1" / "journal.sqlite3").read_bytes()
    assert "record 4: changed" in refused(configure(tmp_path, "salle-1"))
    assert (tmp_path / "salle-1" / "journal.sqlite3").read_bytes() == before
    assert holder(tmp_path / "salle-1") is None


@pytest.mark.usefixtures("frames")
def test_a_state_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "salle-1").write_text("")
    assert str(tmp_path / "salle-1") in refused(configure(tmp_path, "salle-1"))


def test_a_configuration_with_three_mistakes(tmp_path: Path) -> None:
    config = configure(tmp_path, "salle-1")
    config.write_text(config.read_text() + "table.gam = 1\nrules.burn = -1\npanel.baud = 'fast'\n")
    answer = sabot("run", "--config", config)
    assert (answer.status, answer.out, len(answer.mistakes)) == (2, "", 3)
    assert answer.mistakes == sabot("run", "--config", config, "--check").mistakes
    assert os.listdir(tmp_path) == ["salle-1.toml"], "nothing was begun"
