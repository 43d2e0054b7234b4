"""`sabot run`: from a table's configuration to a running daemon with real parts."""

from __future__ import annotations

import asyncio
import logging
import sys

from controller.edge.config import TableConfig
from controller.edge.config_gpio import GpioSection
from controller.edge.console import ConsoleSettings
from controller.edge.daemon import Hooks, Parts, Premises, serve
from controller.edge.deck_files import deck_folder
from controller.edge.panel_link import PanelSettings
from controller.edge.problems import UsageProblem
from controller.edge.restore import Restored
from controller.edge.shoe_link import ShoeSettings
from controller.edge.sign_parts import sign_parts
from controller.events import TableOpened
from firmware_bridge.gpio import GpioUnusable, pi_factory
from firmware_bridge.lock import LockTimes
from vision.child import ReaderChild, ReaderSettings


def run_table(config: TableConfig) -> None:
    """Returns after SIGTERM or SIGINT. Raises UsageProblem, or an OSError of one line, where the table cannot begin."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    parts = parts_of(config)
    with Premises(config.state_folder(), config.page.host, config.page.port) as premises:
        asyncio.run(serve(premises, parts, Hooks(up=_say)))


def parts_of(config: TableConfig) -> Parts:
    """The parts that a configuration names; no panel where it names no port. Raises UsageProblem."""
    panel = config.panel
    return Parts(
        name=config.table.name,
        table=_opened(config),
        camera=_camera(config),
        panel=PanelSettings(panel.port, panel.baud, tuple(panel.lamps), panel.dtr) if panel.port else None,
        console=_console(config.gpio),
        shoe=ShoeSettings(config.shoe.port, config.shoe.baud, config.shoe.dtr) if config.shoe.port else None,
        signs=sign_parts(config.signs, config.table.game, config.table.seats),
    )


def _opened(config: TableConfig) -> TableOpened:
    announce = config.announce
    return TableOpened(
        game=config.table.game,
        rules=config.rules.rules(),
        seats=config.table.seats,
        language=announce.language,
        full_totals=announce.style == "full",
        portion=config.shoe.portion,
        cut_after=config.shoe.virtual_cut,
    )


def _camera(config: TableConfig) -> ReaderSettings | None:
    camera = config.camera
    if camera.source == "none":
        return None
    settings = ReaderSettings(
        source=camera.source,
        geometry=camera.geometry,
        deck=str(deck_folder(camera.deck)) if camera.deck else None,
        codes=camera.codes or None,
        keep_folder=str(config.state_folder() / "unread"),
        fps=camera.fps,
    )
    try:
        ReaderChild(settings, lambda message: None)  # looks at its settings when it is made
    except ValueError as error:
        raise UsageProblem(str(error).splitlines()) from error
    return settings


def _console(gpio: GpioSection) -> ConsoleSettings | None:
    pins = gpio.pins()
    if not pins:
        return None
    times = LockTimes(gpio.lock_pull_in_ms / 1000, gpio.lock_hold / 100, gpio.lock_max_s)
    try:
        factory = pi_factory((gpio.chip,)) if gpio.chip else pi_factory()
    except GpioUnusable as error:
        raise UsageProblem(f"gpio.{next(iter(pins))} = {next(iter(pins.values()))}: {error}") from error
    return ConsoleSettings(pins, times, gpio.lock_fault, factory)


def _say(url: str, restored: Restored) -> None:
    print(f"The dealer's page: {url}", flush=True)
    if restored.records:
        print(f"Restored from {restored.number} records; the dealer confirms what the page shows.", flush=True)
