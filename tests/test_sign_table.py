"""Signs beside a table: configured, fed by the running daemon, tested by `sabot panel test`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from bench_support import until
from cli_support import sabot
from sign_support import SignOnPty

from controller.edge.config import load_config
from controller.edge.problems import UsageProblem
from controller.edge.sign_parts import port_settings, protocol, sign_parts
from firmware_bridge.signs.sign import SignPicture, joined
from hw_sim import sign_faces

HEAD = '[camera]\nsource = "folder:frames"\n[page]\nport = 0\n[state]\nfolder = "state"\n'
ALPHA = """
[[signs]]
name = "upstairs"
driver = "alpha"
port = "alpha"
lines = ["N {noir.total:>2}  R {rouge.total:>2}", "{display.text}"]
urgent = "{hold.code}"
answers = true
"""
DIGITS = """
[[signs]]
name = "digits"
driver = "seven-segment"
port = "digits"
lines = ["{round:>4}"]
refresh_s = 0.5
"""


def mistakes(folder: Path, text: str) -> list[str]:
    path = folder / "table.toml"
    path.write_text(text)
    with pytest.raises(UsageProblem) as caught:
        load_config(path)
    return [line.removeprefix(f"{path}: ") for line in caught.value.lines]


def test_every_mistake_of_the_signs_at_once(tmp_path: Path) -> None:
    text = (
        '[panel]\nport = "alpha"\n'
        + ALPHA.replace("noir.total", "noir.sum")
        + ALPHA.replace('driver = "alpha"', 'driver = "noritake"')
        + '[[signs]]\nname = "strip"\ndriver = "adalight"\nport = "s"\nlamps = ["noir 3"]\n'
        + '[[signs]]\nname = "mb"\ndriver = "modbus"\nport = "m"\nlines = ["{round}"]\nregisters = [1, 2]\n'
    )
    found = mistakes(tmp_path, text)
    assert [line.split(":")[0] for line in found] == [
        "signs.0.lines.0",
        'signs.0.port = "alpha"',
        "signs.1.columns",
        "signs.1.answers",
        "signs.1.urgent",
        'signs.1.port = "alpha"',
        'signs.1.name = "upstairs"',
        'signs.2.lamps = "noir 3"',
        "signs.3.registers = [1, 2]",
    ]
    assert "this is panel.port already" in found[1]


def test_an_unknown_key_of_a_sign_is_named(tmp_path: Path) -> None:
    assert mistakes(tmp_path, ALPHA + "baut = 9600\n") == ["signs.0.baut: unknown key (did you mean signs.0.baud?)"]


ONE_OF_EACH = [
    'driver = "alpha"\nport = "p"\nlines = ["{round}"]\nframe = "7E2"\nbaud = 4800',
    'driver = "adalight"\nport = "p"\nlamps = ["noir 0-1 ffffff", "rouge 2-2 FF0000"]',
    'driver = "tpm2"\nport = "p"\nlamps = ["noir 0-1 ffffff"]\nanswers = false',
    'driver = "wled"\nport = "p"\nlines = ["{round}"]\nsegments = [3]\nlamps = ["noir 2"]',
    'driver = "seven-segment"\nport = "p"\nlines = ["{round}"]\nbrightness = 9',
    'driver = "matrix-orbital"\nport = "p"\nlines = ["{round}"]\ncolumns = 20',
    'driver = "noritake"\nport = "p"\nlines = ["{round}"]\ncolumns = 20',
    'driver = "modbus"\nport = "p"\nlines = ["{round}"]\nregisters = [12301]',
]
WIRE = [
    b"G136\x03",
    b"Ada\x00\x02\x57" + b"\xff" * 6 + b"\0\0\0",
    b"\xc9\xda\x00\x06" + b"\xff" * 6 + b"\x36",
    b'{"id":3,"fx":122,"n":"36"},{"id":2,"on":true}',
    b"\x76  36",
    b"\xfe\x4836" + b" " * 18,
    b"\x1f\x24\0\0\0\0" + b"36" + b" " * 18,
    b"\x01\x10\x30\x0d\x00\x01\x02\x00\x24",
]


@pytest.mark.parametrize(("keys", "wanted"), list(zip(ONE_OF_EACH, WIRE, strict=True)))
def test_each_driver_from_its_keys_to_its_bytes(tmp_path: Path, keys: str, wanted: bytes) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f'[[signs]]\nname = "one"\n{keys}\n')
    config = load_config(path)
    (settings,) = sign_parts(config.signs, "trente-et-quarante", 1)
    assert [len(settings.lines), settings.name] == [len(config.signs[0].lines), "one"]
    assert wanted in joined(protocol(config.signs[0]).full(SignPicture(("36",), frozenset({"noir"}))))
    assert port_settings(config.signs[0]).path == str(tmp_path / "p")


def test_frames_of_a_port(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f'[[signs]]\nname = "one"\n{ONE_OF_EACH[0]}\n')
    port = port_settings(load_config(path).signs[0])
    assert (port.baud, port.bits, port.parity, port.stop_bits, port.dtr) == (4800, 7, "E", 2, False)


def start(folder: Path) -> subprocess.Popen[str]:
    (folder / "frames").mkdir()
    command = [sys.executable, "-m", "controller.cli.main", "run", "--config", str(folder / "table.toml")]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def devices(url: str) -> dict[str, str]:
    view: dict[str, Any] = httpx.get(f"{url}/api/view", timeout=10).json()
    return {device["name"]: device["state"] for device in view["devices"]}


def test_signs_beside_a_running_table(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(HEAD + ALPHA + DIGITS + DIGITS.replace("digits", "missing"))
    alpha, digits = sign_faces.AlphaFace(), sign_faces.SevenSegmentFace()
    with SignOnPty(alpha, tmp_path / "alpha"), SignOnPty(digits, tmp_path / "digits") as port:
        process = start(tmp_path)
        try:
            page = tmp_path / "state" / "page.json"
            url = json.loads(until(lambda: page.exists() and page.read_text(encoding="utf-8")))["url"]
            until(lambda: devices(url).get("sign upstairs") == devices(url).get("sign digits") == "ok")
            assert devices(url)["sign missing"] == "lost"
            for request in ("shoe-loaded", "round-opened"):
                assert httpx.post(f"{url}/api/requests", json={"type": request}, timeout=10).status_code == 200
            until(lambda: digits.lines == ("   1",))
            for card in ("Kh", "Ts", "9d"):
                httpx.post(f"{url}/api/requests", json={"type": "card-entered", "symbol": card}, timeout=10)
            until(lambda: alpha.lines[0] == "N 29  R   ")
            before = port.heard.count(b"\x76   1")
            until(lambda: port.heard.count(b"\x76   1") > before)  # told again: this sign does not answer
        finally:
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=30)
        assert process.returncode == 0, errors
        until(lambda: alpha.lines == ("", ""))  # left blank, not with an old total
        until(lambda: digits.lines == ("",))


def test_a_pattern_on_a_sign_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(HEAD + ALPHA + DIGITS)
    shown: list[tuple[str, ...]] = []

    class Watched(sign_faces.AlphaFace):
        def feed(self, data: bytes) -> bytes:
            answer = super().feed(data)
            shown.append(self.lines)
            return answer

    with SignOnPty(Watched(), tmp_path / "alpha"):
        answer = sabot("panel", "test", "upstairs", "--seconds", "0.1", "--config", path)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("sign upstairs: the pattern is shown for 0.1 s")
    assert ("SABOT TEST 0123456789", "SABOT TEST 0123456789") in shown


def test_what_panel_test_refuses(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(HEAD + DIGITS)
    answer = sabot("panel", "test", "--config", path)
    assert (answer.status, answer.mistakes) == (2, [f"{path}: no display is named panel; configured here: digits"])
    answer = sabot("panel", "test", "digits", "--config", path)
    assert (answer.status, answer.mistakes) == (1, [f"sign digits: {tmp_path / 'digits'}: no such port"])


def test_a_pattern_on_the_panel(tmp_path: Path) -> None:
    from hw_sim.panel import PanelProcess

    path = tmp_path / "table.toml"
    path.write_text('[panel]\nport = "panel"\nlamps = ["noir", "rouge"]\n')
    panel = PanelProcess(tmp_path / "panel", ("noir", "rouge"))
    panel.start()
    try:
        command = [
            sys.executable,
            "-m",
            "controller.cli.main",
            "panel",
            "test",
            "--seconds",
            "3",
            "--config",
            str(path),
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            seen = until(lambda: (now := panel.picture()) and now.text.startswith("SABOT") and now)
            assert (seen.rows, seen.lamps) == (("8888", "8888"), frozenset({"noir", "rouge"}))
            out, _ = process.communicate(timeout=30)
        assert process.returncode == 0
        assert "panel: the pattern is shown" in out
    finally:
        panel.close()
