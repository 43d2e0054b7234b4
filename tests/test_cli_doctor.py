"""`sabot doctor` and `sabot ports`: what would work, what would not and what to do about it."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from types import SimpleNamespace

import journal_support as support
import pytest
from cli_support import Answer, sabot
from pytest_mock import MockerFixture

from controller.edge.doctor import gpio
from controller.edge.doctor_table import camera, disk, journal, page, panel
from controller.edge.lock import FolderLock
from controller.edge.plugged import FoundCamera, found_cameras
from firmware_bridge.ports import found_ports

PARTS = ["libGL", "libzbar", "clock", "camera", "serial port", "GPIO", "page", "journal", "disk"]


def doctor(folder: Path, text: str) -> Answer:
    (folder / "t.toml").write_text(text + '\nstate.folder = "state"\npage.port = 0\n')
    return sabot("doctor", "--config", folder / "t.toml", "--json")


def test_every_part_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "frames").mkdir()
    answer = doctor(tmp_path, 'camera.source = "folder:frames"')
    found = {line["part"]: line for line in answer.json()}
    assert list(found) == PARTS
    for part in ("libGL", "camera", "page", "journal", "disk"):
        assert found[part]["works"] is True, found[part]
    assert answer.err == ""
    assert answer.status == int(any(line["works"] is False for line in found.values()))


def test_what_would_not_work_has_its_advice(tmp_path: Path) -> None:
    answer = doctor(tmp_path, 'camera.source = "v4l2:/dev/none"\npanel.port = "/dev/none"\n')
    found = {line["part"]: line for line in answer.json()}
    assert answer.status == 1
    for part in ("camera", "serial port"):
        assert found[part]["works"] is False
        assert "/dev/none" in found[part]["text"]
        assert found[part]["advice"]
    assert "camera       NO  /dev/none" in sabot("doctor", "--config", tmp_path / "t.toml").out


def test_a_bad_configuration_is_the_calls_mistake(tmp_path: Path) -> None:
    answer = doctor(tmp_path, "camera.fps = 0")
    assert (answer.status, answer.out, len(answer.mistakes)) == (2, "", 1)


def test_the_panels_port_is_looked_at_not_opened(tmp_path: Path) -> None:
    """A real pty behind a stable link; nothing may reach its far end."""
    far, near = os.openpty()
    link = tmp_path / "panel"
    link.symlink_to(os.ttyname(near))
    assert panel(str(link)).works is True
    os.set_blocking(far, False)
    with pytest.raises(BlockingIOError):
        os.read(far, 1)
    os.close(near)
    os.close(far)
    assert panel("").works is None


def test_the_page_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert page("127.0.0.1", port, None).works is False
        assert page("127.0.0.1", port, os.getpid()).works is True, "this table's own daemon has it"
    assert page("203.0.113.7", 8031, None).works is False


def test_the_journal(tmp_path: Path) -> None:
    assert journal(tmp_path, None).works is True
    support.write(tmp_path, 5)
    with FolderLock(tmp_path):
        found = journal(tmp_path, os.getpid())
    assert found.works is True
    assert f"pid {os.getpid()}" in found.text
    support.change(tmp_path, "DELETE FROM records WHERE number = 3")
    assert "record 3 is missing" in journal(tmp_path, None).text
    assert journal(tmp_path, None).works is False


def test_the_disk(tmp_path: Path) -> None:
    assert disk(tmp_path / "not" / "yet").text.startswith(str(tmp_path))
    assert list(tmp_path.iterdir()) == []
    folder = tmp_path / "state"
    folder.mkdir()
    with support.read_only(folder, tmp_path / "mount") as mount:
        found = disk(mount)
    assert found.works is False
    assert "Read-only" in found.text
    with support.mounted("-t", "tmpfs", "-o", "size=1m", "tmpfs", at=tmp_path / "small") as small:
        assert "make room" in disk(small).advice


def test_gpio_only_where_a_sensor_is_configured() -> None:
    assert gpio(()).works is None
    assert camera("picamera2").part == "camera"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """/dev and /sys of a machine with a camera (two nodes) and a Pico, as the kernel and udev lay them out."""
    for number, index, name in ((0, 0, "Arducam OV9782"), (1, 1, "Arducam OV9782"), (10, 0, "Other")):
        node = tmp_path / "sys/class/video4linux" / f"video{number}"
        node.mkdir(parents=True)
        (node / "index").write_text(f"{index}\n")
        (node / "name").write_text(f"{name}\n")
    for folder in ("dev/v4l/by-id", "dev/v4l/by-path", "dev/serial/by-id"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("video0", "video1", "video10", "ttyACM0"):
        (tmp_path / "dev" / name).touch()
    (tmp_path / "dev/v4l/by-id/usb-Arducam-video-index0").symlink_to("../../video0")
    (tmp_path / "dev/v4l/by-path/pci-0-video-index0").symlink_to("../../video0")
    (tmp_path / "dev/v4l/by-path/pci-1-video-index0").symlink_to("../../video10")
    (tmp_path / "dev/serial/by-id/usb-MicroPython_Board-if00").symlink_to("../../ttyACM0")
    return tmp_path


def test_cameras_by_their_stable_path(machine: Path) -> None:
    assert found_cameras(machine) == [
        FoundCamera("/dev/v4l/by-id/usb-Arducam-video-index0", "/dev/video0", "Arducam OV9782"),
        FoundCamera("/dev/v4l/by-path/pci-1-video-index0", "/dev/video10", "Other"),
    ]


def test_ports_by_their_stable_path(machine: Path, mocker: MockerFixture) -> None:
    """USB devices cannot be plugged in by a test: what pyserial finds is given."""
    ports = [("/dev/ttyUSB1", 0x1A86, 0x7523), ("/dev/ttyACM0", 0x2E8A, 0x0005), ("/dev/ttyAMA0", None, None)]
    listed = [SimpleNamespace(device=device, description="d", vid=vid, pid=pid) for device, vid, pid in ports]
    mocker.patch("firmware_bridge.ports.list_ports.comports", return_value=listed)
    found = {port.device: port for port in found_ports(machine)}
    assert list(found) == sorted(found)
    assert found["/dev/ttyACM0"].path == "/dev/serial/by-id/usb-MicroPython_Board-if00"
    assert "panel" in found["/dev/ttyACM0"].fits
    assert found["/dev/ttyUSB1"].path == "/dev/ttyUSB1"
    assert "CH340" in found["/dev/ttyUSB1"].fits
    assert "built-in" in found["/dev/ttyAMA0"].fits


def test_the_command_lists_what_there_is() -> None:
    answer = sabot("ports", "--json")
    assert answer.status == 0
    assert all({"kind", "path", "device", "description", "fits"} == set(line) for line in answer.json())
    assert len(answer.lines) == len(found_ports()) + len(found_cameras())
