"""What systemd hears: ready, alive at a third of its patience, stopping; nothing where it did not start us."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.edge import daemon_notify


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """systemd's end of the notification socket."""
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind(str(path))
        end.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", str(path))
        yield end


def test_lines_are_sent(manager: socket.socket) -> None:
    daemon_notify.notify("READY=1", "STATUS=dealing")
    assert manager.recv(100) == b"READY=1\nSTATUS=dealing"


def test_without_systemd_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    daemon_notify.notify("READY=1")
    assert daemon_notify.watchdog_interval() is None


def test_a_manager_that_is_gone_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    daemon_notify.notify("READY=1")


def test_the_watchdog_is_fed_at_a_third_of_its_patience(
    manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "60000")
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))
    assert daemon_notify.watchdog_interval() == pytest.approx(0.02)

    async def feed() -> None:
        beating = asyncio.create_task(daemon_notify.beat())
        for _ in range(3):
            assert await asyncio.to_thread(manager.recv, 100) == b"WATCHDOG=1"
        beating.cancel()

    asyncio.run(feed())


def test_another_process_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "60000")
    monkeypatch.setenv("WATCHDOG_PID", "1")
    assert daemon_notify.watchdog_interval() is None
