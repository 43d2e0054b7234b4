"""What the enrolment tests share: decks drawn by the project before a small fixed camera and before the slot's, one of
them without letters, like Italian decks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from hw_sim.decks import STYLES, draw_face
from vision.enrol import FACES_40
from vision.geometry import Geometry, load_geometry

Image = NDArray[np.uint8]

CAMERAS = Path(__file__).resolve().parent.parent / "config" / "cameras"
DEVICE = CAMERAS / "device.toml"
SLOT = CAMERAS / "reference-slot.toml"
Face = Callable[[str], Image]


def device() -> Geometry:
    return load_geometry(DEVICE)


def slot() -> Geometry:
    return load_geometry(SLOT)


def french(style: str = "classic", px_per_mm: float = 8.0) -> Face:
    """A deck of the project's with usual letters."""
    chosen = next(s for s in STYLES.values() if s.name == style)
    return lambda symbol: draw_face(chosen, symbol, px_per_mm)


def italian(symbol: str) -> Image:
    """A face without letters, 508 x 711 (8 px/mm): as many signs of its suit as its rank says, figures as people."""
    face = np.full((711, 508, 3), 250, np.uint8)
    cv2.rectangle(face, (12, 12), (495, 698), (90, 90, 90), 3)
    count = {"A": 1, "J": 8, "Q": 9, "K": 10}.get(symbol[0]) or int(symbol[0])
    if count >= 8:
        _figure(face, count - 8)
        _sign(face, symbol[1], (110, 110), 170)
        return face
    rows = [1] * count if count <= 3 else [1] * (count % 2) + [2] * (count // 2)
    for row, wide in enumerate(rows):
        y = 70 + round((row + 0.5) * 570 / len(rows))
        for x in (254,) if wide == 1 else (130, 378):
            _sign(face, symbol[1], (x, y), 220 if count == 1 else 118)
    return face


def fixed_picture(face: Image, seed: int) -> Image:
    """A face as the device's camera sees it: 128 x 128, on its side either way, dim by up to sixteen times, a glare."""
    rng = np.random.default_rng(seed)
    card = cv2.resize(face, (118, 112), interpolation=cv2.INTER_AREA)
    tray = np.full((128, 128, 3), 20, np.uint8)
    tray[6:125, 3:126] = 190
    x, y = int(rng.integers(4, 8)), int(rng.integers(7, 12))
    tray[y : y + 112, x : x + 118] = card
    upright = cv2.rotate(tray, cv2.ROTATE_90_CLOCKWISE)
    if rng.random() < 0.5:
        upright = cv2.rotate(upright, cv2.ROTATE_180)
    rows, columns = np.mgrid[0:128, 0:128]
    glare = 1.0 + 0.5 * np.exp(-((rows - 90) ** 2 + (columns - 40) ** 2) / 900.0)
    light = upright * glare[..., None] * float(np.exp(rng.uniform(np.log(0.05), np.log(0.8))))
    return np.clip(light * (0.8, 1.0, 0.7) + rng.normal(0, 1.0, upright.shape), 0, 255).astype(np.uint8)


def slot_picture(face: Image, seed: int, light: float = 0.85) -> Image:
    """A frame of the reference slot's camera with the card somewhere in it, tilted a little."""
    rng = np.random.default_rng(seed)
    angle, x, y = float(rng.uniform(-2, 2)), float(rng.uniform(40, 150)), float(rng.uniform(28, 52))
    matrix = cv2.getRotationMatrix2D((0, 0), angle, 1.0)
    matrix[:, 2] += np.array([x, y])
    floor = np.full((480, 640, 3), 24.0)
    mask = cv2.warpAffine(np.full(face.shape[:2], 1.0), matrix, (640, 480))[..., None]
    card = cv2.warpAffine(face, matrix, (640, 480), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mixed = floor * (1 - mask) + card * light * mask
    soft = cv2.GaussianBlur(mixed, (0, 0), float(rng.uniform(0.5, 1.4)))
    return np.clip(soft + rng.normal(0, 3.0, soft.shape), 0, 255).astype(np.uint8)


def photograph(face: Image, seed: int) -> Image:
    """A face as a phone sees it on a dark cloth: turned by any angle, a little in perspective, in warm uneven light."""
    rng = np.random.default_rng(seed)
    angle, half = float(rng.uniform(0, 2 * np.pi)), np.array([63.5, 88.9]) / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half @ turn.T
    corners = corners * 3.1 * (1.0 + 0.0008 * corners[:, 1:]) + (240, 220) + rng.uniform(-15, 15, 2)
    size = np.array([(0, 0), (508, 0), (508, 711), (0, 711)], np.float32)
    matrix = cv2.getPerspectiveTransform(size, corners.astype(np.float32))
    mask = cv2.warpPerspective(np.full(face.shape[:2], 1.0), matrix, (480, 440))[..., None]
    card = cv2.warpPerspective(face, matrix, (480, 440), flags=cv2.INTER_AREA)
    rows, columns = np.mgrid[0:440, 0:480]
    slope = rng.uniform(-0.3, 0.3, 2)
    light = (0.8 + slope[0] * (rows / 440 - 0.5) + slope[1] * (columns / 480 - 0.5))[..., None] * (0.85, 0.95, 1.0)
    soft = cv2.GaussianBlur((38.0 * (1 - mask) + card * mask) * light, (0, 0), float(rng.uniform(0.5, 1.1)))
    return np.clip(soft + rng.normal(0, 3.0, soft.shape), 0, 255).astype(np.uint8)


def fixed_pictures(face: Face, symbols: Sequence[str], each: int, seed: int = 0) -> list[tuple[str, str, Image]]:
    """Labelled pictures (name, symbol, picture) of a fixed camera."""
    return [
        (f"{s}_{k}.png", s, fixed_picture(face(s), seed + 97 * k + i))
        for i, s in enumerate(symbols)
        for k in range(each)
    ]


def slot_pictures(face: Face, symbols: Sequence[str], each: int, seed: int = 0) -> list[tuple[str, str, Image]]:
    """The same of the slot's camera."""
    return [
        (f"{s}_{k}.png", s, slot_picture(face(s), seed + 97 * k + i))
        for i, s in enumerate(symbols)
        for k in range(each)
    ]


def save(pictures: Sequence[tuple[str, str, Image]], folder: Path, nested: bool = False) -> Path:
    """Pictures as files for `sabot enrol`: by name, or in sub-folders by symbol."""
    for name, symbol, image in pictures:
        path = folder / symbol / name.split("_")[1] if nested else folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        assert cv2.imwrite(str(path), image)
    return folder


def forty() -> tuple[str, ...]:
    return FACES_40


def _sign(face: Image, suit: str, at: tuple[int, int], size: int) -> None:
    """Coins, cups, swords, clubs."""
    x, y = at
    half = size // 2
    if suit == "d":
        cv2.circle(face, at, half, (40, 170, 220), -1)
        cv2.circle(face, at, half // 2, (30, 60, 200), max(3, size // 12))
    elif suit == "h":
        points = np.array([(x - half, y - half), (x + half, y - half), (x + size // 8, y), (x - size // 8, y)])
        cv2.fillPoly(face, [points], (40, 40, 200))
        cv2.rectangle(face, (x - size // 3, y + size // 3), (x + size // 3, y + half), (40, 170, 220), -1)
        cv2.line(face, (x, y), (x, y + half), (40, 40, 200), max(3, size // 10))
    elif suit == "s":
        cv2.line(face, (x - half, y + half), (x + half, y - half), (170, 110, 40), max(4, size // 7))
        cv2.line(face, (x - half, y), (x, y + half), (30, 30, 30), max(4, size // 9))
    else:
        cv2.ellipse(face, at, (size // 6, half), 0, 0, 360, (60, 130, 50), -1)
        cv2.circle(face, (x, y - half), size // 5, (30, 80, 40), -1)


def _figure(face: Image, kind: int) -> None:
    """A foot soldier, a rider, a king: told apart by what they stand on and wear."""
    colour = ((170, 60, 40), (40, 120, 180), (60, 60, 190))[kind]
    cv2.circle(face, (270, 230), 60, (120, 160, 220), -1)
    cv2.rectangle(face, (190, 300), (350, 540), colour, -1)
    if kind == 1:
        cv2.ellipse(face, (250, 590), (190, 70), 0, 0, 360, (60, 90, 130), -1)
    if kind == 2:
        cv2.fillPoly(face, [np.array([(200, 190), (220, 110), (270, 160), (320, 110), (340, 190)])], (40, 190, 230))
        cv2.rectangle(face, (120, 560), (420, 660), (60, 60, 60), -1)
