"""The games, by name; each is one module that answers `controller.game.Game`."""

from __future__ import annotations

from controller.game import Game
from controller.games import red_and_black, trente_et_quarante, zecchinetta

GAMES: dict[str, Game] = {
    "trente-et-quarante": trente_et_quarante,
    "red-and-black": red_and_black,
    "zecchinetta": zecchinetta,
}
