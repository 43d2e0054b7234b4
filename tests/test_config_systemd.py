"""The shipped systemd unit calls the command as the command is, and lets systemd take its word."""

from __future__ import annotations

import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest
from cli_support import sabot

from controller.paths import config_folder

UNIT = config_folder() / "systemd" / "sabot@.service"


@pytest.fixture
def service() -> dict[str, str]:
    unit = ConfigParser(interpolation=None, strict=True)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(UNIT)
    return dict(unit["Service"])


def test_its_check_is_accepted(service: dict[str, str], tmp_path: Path) -> None:
    program, *arguments = service["ExecStartPre"].split()
    shutil.copy(config_folder() / "table.toml", tmp_path / "table.toml")
    here = [word.replace("/etc/sabot/%i.toml", str(tmp_path / "table.toml")) for word in arguments]
    assert Path(program).name == "sabot"
    assert sabot(*here).status == 0
    assert service["ExecStartPre"] == service["ExecStart"] + " --check"


def test_it_speaks_to_systemd_and_does_not_try_again_what_is_refused(service: dict[str, str]) -> None:
    assert (service["Type"], service["RestartPreventExitStatus"]) == ("notify", "2")
    assert float(service["WatchdogSec"]) >= 3 * 2.0
    assert float(service["TimeoutStopSec"]) > 2.0, "the daemon ends within 2 s"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_knows_every_line(tmp_path: Path) -> None:
    copy = tmp_path / "sabot@.service"
    copy.write_text(UNIT.read_text().replace("/opt/sabot/bin/sabot", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, check=False)
    assert "sabot@" not in done.stderr, done.stderr
