"""What the vision tests share: the reference geometry, drawn cards before the simulator's camera, scripted sights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from hw_sim.camera import Camera
from hw_sim.conditions import Conditions
from hw_sim.decks import STYLES, draw_face
from hw_sim.motion import Hand, Passage, draw_card
from vision.geometry import Geometry, load_geometry
from vision.sources.base import Frame

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
SLOT_FILE = ROOT / "config" / "cameras" / "reference-slot.toml"


def slot_geometry() -> Geometry:
    return load_geometry(SLOT_FILE)


def styles() -> list[str]:
    return [style.name for style in _styles()]


def face(symbol: str, style: str = "classic", px_per_mm: float = 8.0) -> np.ndarray:
    chosen = next(s for s in _styles() if s.name == style)
    return draw_face(chosen, symbol, px_per_mm)


def passage_frames(
    symbols: Sequence[str],
    seed: int,
    style: str = "classic",
    conditions: Conditions | None = None,
    hand: Hand | None = None,
    empty: int = 5,
) -> Iterator[Frame]:
    """Frames of cards drawn one after another, floor before, between and after."""
    rng = np.random.default_rng(seed)
    camera = Camera(conditions or Conditions(), rng)
    number = 0
    for symbol in [*symbols, None]:
        shown: list[list] = [[] for _ in range(empty)]
        if symbol is not None:
            card = camera.prepare(face(symbol, style))
            shown += [[(card, pose)] for pose in drawn(rng, hand).poses]
        for cards in shown:
            yield Frame(camera.frame(cards, number / 120), number, number / 120)
            number += 1


def drawn(rng: np.random.Generator, hand: Hand | None) -> Passage:
    return draw_card(rng, hand or Hand())


def photograph(
    symbol: str, seed: int, style: str = "classic", ground: int = 60, size: tuple[int, int] = (900, 1200)
) -> np.ndarray:
    """A drawn card on a plain, noisy ground, turned and shifted."""
    rng = np.random.default_rng(seed)
    card = face(symbol, style, 6.0)
    height, width = size
    angle = float(rng.uniform(-40, 40))
    matrix = cv2.getRotationMatrix2D((card.shape[1] / 2, card.shape[0] / 2), angle, 1.0)
    matrix[:, 2] += (width / 2 - card.shape[1] / 2, height / 2 - card.shape[0] / 2)
    picture = np.full((height, width, 3), ground, np.uint8)
    mask = cv2.warpAffine(np.full(card.shape[:2], 255, np.uint8), matrix, (width, height))
    placed = cv2.warpAffine(card, matrix, (width, height), flags=cv2.INTER_AREA)
    picture[mask > 127] = placed[mask > 127]
    noise = rng.normal(0, 3, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def _styles() -> list:
    return list(STYLES.values()) if isinstance(STYLES, dict) else list(STYLES)
