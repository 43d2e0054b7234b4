"""`sabot panel test [NAME]`: a pattern on the panel or on a sign, by its name in the configuration.

Every digit, lamp and line is lit at once, for as long as `--seconds` says. What a pattern's bytes are is
`firmware_bridge`'s matter; the daemon of the table must not be running, since a port has one owner.
"""

from __future__ import annotations

import argparse
import queue
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from controller.edge.config import STANDARD_FILE, TableConfig, load_config
from controller.edge.problems import UsageProblem
from firmware_bridge.events import Event, LinkChanged, LinkState

if TYPE_CHECKING:
    from controller.edge.sign_link import SignSettings

FAILED = 1
TEXT = "SABOT TEST 0123456789"
PATIENCE_S, SHOW_S, BLANK_S = 5.0, 10.0, 0.5


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("panel", help="show a pattern on the panel or a sign")
    actions = parser.add_subparsers(dest="action", required=True, metavar="test")
    test = actions.add_parser("test", help="a pattern on the panel or a sign")
    test.add_argument("name", nargs="?", default="panel", metavar="NAME", help="panel (the default), or a sign's name")
    test.add_argument(
        "--config", type=Path, default=STANDARD_FILE, metavar="FILE", help="the table's configuration (%(default)s)"
    )
    test.add_argument(
        "--seconds", type=_seconds, default=SHOW_S, metavar="S", help="how long it is shown (%(default)g)"
    )


def run(args: argparse.Namespace) -> int:
    config = load_config(args.config)
    if args.name == "panel" and config.panel.port:
        return _panel(config, args.seconds)
    for sign in _signs(config):
        if sign.name == args.name:
            return _sign(sign, args.seconds)
    known = [*(["panel"] if config.panel.port else []), *(sign.name for sign in config.signs)]
    named = ", ".join(known) or "none"
    raise UsageProblem([f"{args.config}: no display is named {args.name}; configured here: {named}"])


def _signs(config: TableConfig) -> Sequence[SignSettings]:
    from controller.edge.sign_parts import sign_parts  # lazy: the drivers of every sign

    return sign_parts(config.signs, config.table.game, config.table.seats)


def _panel(config: TableConfig, seconds: float) -> int:
    from firmware_bridge.events import PictureAcked
    from firmware_bridge.panel import PanelDriver
    from firmware_bridge.picture import Picture

    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    panel = config.panel
    driver = PanelDriver(panel.port, panel.baud, panel.lamps, events.put, dtr=panel.dtr)
    driver.show(Picture(("8888", "8888"), TEXT, frozenset(panel.lamps)))
    driver.start()
    try:
        shown, detail = _wait(events, lambda event: isinstance(event, PictureAcked))
        return _told("panel", shown, detail, seconds)
    finally:
        driver.stop()


def _sign(sign: SignSettings, seconds: float) -> int:
    from firmware_bridge.signs.sign import SignPicture

    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    driver = sign.make(events.put)
    # A register of a Modbus display takes digits alone.
    driver.show(SignPicture(tuple("8888" if sign.numbers else TEXT for _ in sign.lines), sign.lamps))
    driver.start()
    try:
        shown, detail = _wait(events, lambda event: _up(event) and driver.wait_shown(PATIENCE_S))
        return _told(f"sign {sign.name}", shown, detail, seconds)
    finally:
        driver.show(SignPicture(("",) * len(sign.lines)))
        driver.wait_shown(BLANK_S)
        driver.stop()


def _up(event: Event) -> bool:
    return isinstance(event, LinkChanged) and event.state is LinkState.UP


def _wait(events: queue.SimpleQueue[Event], done: Callable[[Event], bool]) -> tuple[bool, str]:
    """Whether an event that says so came in time, and the last thing that was said of the link."""
    end, detail = time.monotonic() + PATIENCE_S, "nothing was heard"
    while (left := end - time.monotonic()) > 0:
        try:
            event = events.get(timeout=left)
        except queue.Empty:
            break
        if isinstance(event, LinkChanged):
            detail = event.detail
        if done(event):
            return True, detail
    return False, detail


def _told(name: str, shown: bool, detail: str, seconds: float) -> int:
    if not shown:
        print(f"{name}: {detail}", file=sys.stderr)
        return FAILED
    print(f"{name}: the pattern is shown for {seconds:g} s ({detail})", flush=True)
    threading.Event().wait(seconds)
    return 0


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r}: a number from 0 to 3600")
    return seconds
