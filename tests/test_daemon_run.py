"""`sabot run` as a process: devices that are not there are said and waited for; signals end it with 0 in time."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from bench_support import END_S, until

CONFIG = """
[camera]
source = "folder:{folder}/frames"
[panel]
port = "{folder}/dev/panel"
[page]
port = {port}
[state]
folder = "{folder}/state"
"""


def start(folder: Path, port: int = 0) -> subprocess.Popen[str]:
    config = folder / "table.toml"
    config.write_text(CONFIG.format(folder=folder, port=port), encoding="utf-8")
    command = [sys.executable, "-m", "controller.cli.main", "run", "--config", str(config)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_port_that_does_not_exist_is_said_and_waited_for(tmp_path: Path, number: signal.Signals) -> None:
    process = start(tmp_path)
    try:
        page = tmp_path / "state" / "page.json"
        until(lambda: page.exists() or process.poll() is not None)
        assert process.poll() is None, process.communicate()[1]
        url = json.loads(page.read_text(encoding="utf-8"))["url"]
        found = until(lambda: _lost(url))
        assert f"{tmp_path}/dev/panel" in found["detail"]
        began = time.monotonic()
    finally:
        process.send_signal(number)
        out, errors = process.communicate(timeout=30)
    assert time.monotonic() - began < END_S
    assert process.returncode == 0, errors
    assert url in out
    assert len([line for line in errors.splitlines() if line.startswith("panel lost: ")]) == 1
    assert not page.exists()


def _lost(url: str) -> dict[str, str] | None:
    devices = httpx.get(f"{url}/api/view", timeout=10).json()["devices"]
    return next((device for device in devices if (device["name"], device["state"]) == ("panel", "lost")), None)


def test_an_unusable_camera_file_is_one_line(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text('[camera]\ngeometry = "no-such-camera"\n', encoding="utf-8")
    command = [sys.executable, "-m", "controller.cli.main", "run", "--config", str(config)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "no-such-camera" in done.stderr
