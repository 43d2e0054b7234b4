"""The simulator as a process: found again, told what to do, outlives its daemon, goes on with the stack it saved."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sim_support import Page, until

from firmware_bridge.events import ExitCount
from firmware_bridge.panel import PanelDriver
from hw_sim.launch import SimFailed, SimHandle, ensure, find
from hw_sim.lines import ask
from hw_sim.options import SimOptions, parse
from hw_sim.process import daemon_alive
from vision.ring import RingReader


@pytest.fixture
def options(tmp_path: Path) -> SimOptions:
    return SimOptions(state=tmp_path, seed=7, speed=50.0, lamps=("noir", "rouge"))


@pytest.fixture
def sim(options: SimOptions) -> Iterator[SimHandle]:
    handle = ensure(options)
    yield handle
    handle.stop()


def dealt(sim: SimHandle) -> list[str]:
    cards: list[str] = sim.command("dealt")["dealt"]
    return cards


def test_is_found_again_and_takes_over_the_new_daemons_options(sim: SimHandle, options: SimOptions) -> None:
    again = ensure(SimOptions(state=options.state, speed=3.0, on_fault="void"))
    assert again.pid == sim.pid
    assert find(options.state) is not None


def test_runs_in_a_session_of_its_own(sim: SimHandle) -> None:
    assert os.getsid(sim.pid) == sim.pid != os.getsid(0)


def test_a_second_one_on_the_folder_is_refused(sim: SimHandle, options: SimOptions) -> None:
    second = subprocess.run([sys.executable, "-m", "hw_sim", *options.arguments()], capture_output=True, text=True)
    assert second.returncode == 2
    assert second.stderr.splitlines() == [f"hw_sim: {options.folder}: another simulator runs here"]


def exit_count(sim: SimHandle) -> int:
    """What the panel's counter says in its handshake."""
    counts: queue.SimpleQueue[int] = queue.SimpleQueue()
    driver = PanelDriver(
        str(sim.panel_port), 115200, (), lambda event: counts.put(event.count) if isinstance(event, ExitCount) else None
    )
    driver.start()
    try:
        return counts.get(timeout=10.0)
    finally:
        driver.stop()


def test_pull_needs_nobody_and_pulses_the_exit_beam(sim: SimHandle) -> None:
    before = exit_count(sim)
    assert sim.command("slip", symbol="10h") == {"ok": True, "symbol": "Th", "replaced": None}
    assert sim.command("pull")["ok"]
    until(lambda: dealt(sim) == ["Th"])
    assert sim.command("pull") == {"ok": False, "why": "the shoe is empty"}
    until(lambda: exit_count(sim) == before + 1)


def test_a_card_that_goes_back_does_not_pulse_the_exit_beam(sim: SimHandle) -> None:
    before = exit_count(sim)
    sim.command("slip", symbol="2c")
    sim.command("pull", back=True)
    until(lambda: not sim.command("status")["busy"])
    assert exit_count(sim) == before
    assert dealt(sim) == []


def test_frames_come_through_the_socket(sim: SimHandle) -> None:
    sim.command("slip", symbol="Ks")
    with RingReader(sim.camera_socket) as reader:
        sim.command("pull")
        lit, passed = 0, False
        while not passed:
            frame = reader.read(5.0)
            assert frame is not None
            shown = bool((frame.image > 128).any())
            lit, passed = lit + shown, lit > 0 and not shown
    assert lit > 5


def test_wrong_commands_are_answered_with_why(sim: SimHandle) -> None:
    control = sim.folder / "control.sock"
    assert "no command" in sim.command("dance")["why"]
    assert sim.command("slip", symbol="1x") == {"ok": False, "why": "'1x' is no symbol"}
    assert ask(control, {"command": ["pull"]})["ok"] is False
    assert sim.command("set", speed=-1)["ok"] is False


def test_panel_can_be_killed_and_started(sim: SimHandle) -> None:
    assert sim.panel_port.exists()
    assert sim.command("panel-kill") == {"ok": True}
    assert sim.command("panel-picture") == {"ok": True, "dark": True}
    assert not sim.panel_port.exists()
    assert sim.command("panel-start") == {"ok": True}
    assert set(sim.command("panel-picture")) >= {"rows", "text", "lamps"}
    assert sim.panel_port.exists()


def test_lid_edges_reach_the_sensors_socket(sim: SimHandle) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(5.0)
        wire.connect(str(sim.sensors_socket))
        with wire.makefile() as lines:
            standing = [json.loads(lines.readline()) for _ in range(2)]
            assert {edge["line"]: edge["level"] for edge in standing} == {"lid": 0, "empty": 1}  # no shoe is loaded yet
            sim.command("lid", level=1)
            edge = json.loads(lines.readline())
            assert (edge["line"], edge["level"]) == ("lid", 1)


@pytest.mark.parametrize("how", ["stop", "SIGTERM", "SIGINT"])
def test_ends_when_told_and_leaves_its_stack(options: SimOptions, how: str) -> None:
    sim = ensure(options)
    sim.command("slip", symbol="Qd")
    if how == "stop":
        sim.command("stop")
    else:
        os.kill(sim.pid, signal.Signals[how])
    until(lambda: not sim.alive, 5.0)
    assert sim.child is not None
    assert sim.child.returncode == 0
    assert sorted(p.name for p in sim.folder.iterdir()) == ["lock", "log", "stack.json"]
    assert json.loads((sim.folder / "stack.json").read_text())["inside"] == ["Qd"]


def test_outlives_its_daemon_then_saves_the_stack_and_the_next_goes_on(options: SimOptions) -> None:
    impatient = SimOptions(state=options.state, seed=7, speed=50.0, patience=1.0)
    with Page(options.state) as page:
        sim = ensure(impatient)
        until(lambda: page.asked)
        assert sim.alive
    sim.command("pull")
    until(lambda: dealt(sim) and not sim.command("status")["busy"])  # goes on without anybody
    cards = dealt(sim)
    until(lambda: not sim.alive, 10.0)
    second = ensure(options)
    try:
        assert dealt(second) == cards
        assert second.command("dealt")["left"] == 313 - len(cards)
    finally:
        second.stop()


def test_a_deck_with_missing_cards_is_one_line(options: SimOptions, tmp_path: Path) -> None:
    (tmp_path / "deck").mkdir()
    with pytest.raises(SimFailed, match=r"no picture of As, 2s, .*Kc") as raised:
        ensure(SimOptions(state=tmp_path, deck=tmp_path / "deck"))
    assert "\n" not in str(raised.value)


def test_daemon_is_alive_by_page_or_lock(tmp_path: Path) -> None:
    assert not daemon_alive(tmp_path)
    (tmp_path / "lock").write_text("")
    assert not daemon_alive(tmp_path)
    (tmp_path / "lock").write_text(f"{os.getpid()}\n")
    assert daemon_alive(tmp_path)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    until(lambda: Path(f"/proc/{dead.pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z")
    (tmp_path / "lock").write_text(f"{dead.pid}\n")
    assert not daemon_alive(tmp_path)
    dead.wait()


def test_options_survive_the_command_line() -> None:
    options = SimOptions(Path("/x"), seed=0, speed=2.5, deck=Path("d"), confirm=True, lamps=("a", "b"), portion=50)
    assert parse(options.arguments()) == options
    assert parse(SimOptions(Path("/x")).arguments()) == SimOptions(Path("/x"))
