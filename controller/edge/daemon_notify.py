"""systemd's notification socket (sd_notify(3)): ready, alive, stopping. Does nothing where systemd did not start us."""

from __future__ import annotations

import asyncio
import os
import socket


def notify(*lines: str) -> None:
    """Send lines such as `READY=1` to the socket that NOTIFY_SOCKET names."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    target = "\0" + address[1:] if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as notifier:
        notifier.setblocking(False)
        try:
            notifier.sendto("\n".join(lines).encode(), target)
        except OSError:  # a manager that does not listen now is asked again with the next beat
            return


def watchdog_interval() -> float | None:
    """Seconds between two beats: a third of the watchdog's patience (more hangs PID 1, systemd#37288), or None."""
    micros, pid = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID", str(os.getpid()))
    if not micros.isdigit() or int(micros) == 0 or pid != str(os.getpid()):
        return None
    return int(micros) / 3e6


async def beat() -> None:
    """Tell the watchdog that the loop turns, as long as this task runs."""
    interval = watchdog_interval()
    while interval is not None:
        notify("WATCHDOG=1")
        await asyncio.sleep(interval)
