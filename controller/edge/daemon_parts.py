"""From a table's configuration to the daemon's real parts."""

from __future__ import annotations

from controller.edge.config import TableConfig
from controller.edge.daemon import Parts
from controller.edge.panel_link import PanelSettings
from controller.events import TableOpened
from vision.child import ReaderSettings


def parts_of(config: TableConfig) -> Parts:
    """The parts that a configuration names; no panel where it names no port."""
    panel = config.panel
    return Parts(
        table=_opened(config),
        camera=ReaderSettings(
            source=config.camera.source,
            geometry=config.camera.geometry,
            deck=config.camera.deck or None,
            keep_folder=str(config.state_folder() / "unread"),
            fps=config.camera.fps,
        ),
        panel=PanelSettings(panel.port, panel.baud, tuple(panel.lamps), panel.dtr) if panel.port else None,
    )


def _opened(config: TableConfig) -> TableOpened:
    announce = config.announce
    return TableOpened(
        game=config.table.game,
        rules=config.rules.rules(),
        seats=config.table.seats,
        language=announce.language,
        full_totals=announce.style == "full",
    )
