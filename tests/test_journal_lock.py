"""One state folder, one daemon."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import journal_support as support
import pytest

from controller.edge.lock import FolderInUse, FolderLock, FolderUnusable, holder

CHILD = """
import sys
from pathlib import Path
from controller.edge.lock import FolderLock
FolderLock(Path(sys.argv[1])).acquire()
print("held", flush=True)
sys.stdin.read()
"""


def test_a_second_daemon_is_refused_by_name_and_a_killed_one_is_none(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CHILD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(FolderInUse) as caught:
            FolderLock(tmp_path).acquire()
        assert str(caught.value) == f"{tmp_path}: is in use by the daemon with pid {process.pid}"
        assert holder(tmp_path) == caught.value.pid == process.pid
        process.kill()
        process.wait()
    assert holder(tmp_path) is None
    with FolderLock(tmp_path):
        assert holder(tmp_path) == os.getpid()
    assert holder(tmp_path) is None


def test_within_one_process_too(tmp_path: Path) -> None:
    with FolderLock(tmp_path / "made" / "here"), pytest.raises(FolderInUse, match=str(os.getpid())):
        FolderLock(tmp_path / "made" / "here").acquire()


def test_two_tables_do_not_meet(tmp_path: Path) -> None:
    with FolderLock(tmp_path / "one"), FolderLock(tmp_path / "two"):
        assert holder(tmp_path / "one") == holder(tmp_path / "two") == os.getpid()


def test_a_read_only_mount(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    with support.read_only(folder, tmp_path / "mount") as mount:
        with pytest.raises(FolderUnusable) as caught:
            FolderLock(mount).acquire()
        assert str(caught.value) == f"{mount}: the state folder is on a read-only file system"


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    with pytest.raises(FolderUnusable, match="state: the state folder cannot be used"):
        FolderLock(tmp_path / "state").acquire()
