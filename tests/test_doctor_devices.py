"""`sabot doctor` on a table's signs, shoe and pins: what is there, what is not, and who has a port."""

from __future__ import annotations

import os
import subprocess
import sys
import tty
from pathlib import Path

import pytest

from controller.edge.config import load_config
from controller.edge.doctor_table import table

CONFIG = """
[camera]
source = "none"
[shoe]
port = "shoe"
[state]
folder = "state"
[page]
port = 0
[[signs]]
name = "digits"
driver = "seven-segment"
port = "digits"
lines = ["{round}"]
"""
HOLDER = "import os, sys; os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY); print('held', flush=True); sys.stdin.read()"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root sees other users' processes everywhere")
def test_ports_of_shoe_and_signs_and_who_has_one(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text(CONFIG)
    master, slave = os.openpty()
    tty.setraw(slave)
    (tmp_path / "shoe").symlink_to(os.ttyname(slave))
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "shoe")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        holder.stdout.readline()
        found = [each for each in table(load_config(tmp_path / "t.toml")) if each.part in ("serial port", "camera")]
        holder.stdin.close()
    os.close(master)
    os.close(slave)
    assert [(each.works, each.text.removeprefix(f"{tmp_path}/").partition(";")[0]) for each in found] == [
        (None, "no camera: the shoe reads its cards"),
        (None, "no panel is configured"),
        (False, f"shoe: in use by process {holder.pid}"),
        (False, "digits: is not there"),
    ]
