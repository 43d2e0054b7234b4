"""Free photographs composed by program: cards on desks of many kinds, as a phone or a webcam gives them.

Light grounds are the hard ones: white laminate, paper and cloth may be as bright as the card, whose edges then show by
a faint shadow alone. What is drawn is seeded; the reader is left to the tests and benchmarks that use this.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hw_sim.decks import HEIGHT_MM, WIDTH_MM, corner_mask

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

FACE_PX_PER_MM = 8.0
LIGHT_DESKS = ("laminate", "paper", "beige", "wood", "marble", "cloth", "grey", "checks", "white")
DARK_DESKS = ("felt", "black", "brown", "blue")
DESKS = LIGHT_DESKS + DARK_DESKS


@dataclass(frozen=True)
class Shot:
    """How a photograph is taken. Lengths as parts of the picture's height, light as parts of full level."""

    desk: str = "laminate"
    size: tuple[int, int] = (960, 720)  # width, height
    card_height: float = 0.5  # the card's long side
    turn: float = 0.0  # degrees
    lean: float = 0.0  # degrees out of the picture's plane
    lean_to: float = 0.0  # degrees: where to
    place: tuple[float, float] = (0.5, 0.5)  # of the (first) card's middle, parts of width and height
    exposure: float = 0.85
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)  # blue, green, red
    fall: float = 0.2  # light that is lost across the picture
    fall_to: float = 0.0  # degrees
    contact: float = 0.15  # of the light, taken by the shadow right beside the card's edge
    drop: float = 0.1  # by the soft shadow to one side
    shadow: float = 0.0  # by a hard shadow across the picture
    shadow_at: tuple[float, float] = (0.0, 0.0)  # angle in degrees, distance from the middle (part of the height)
    vignette: float = 0.1
    blur: float = 0.6  # px, sigma
    noise: float = 2.0
    quality: int = 90
    seed: int = 0


@dataclass(frozen=True)
class Laid:
    """A card on the desk: its face and where it lies against the shot's place (mm of the card, degrees)."""

    face: Image
    right: float = 0.0
    down: float = 0.0
    turn: float = 0.0


def draw_shot(
    rng: np.random.Generator,
    desk: str,
    least_px_per_mm: float = 2.4,
    sizes: tuple[tuple[int, int], ...] = ((960, 720), (1280, 720), (1280, 960), (900, 1200), (1600, 1200)),
) -> Shot:
    """A shot over the ranges that people's photographs show."""
    size = sizes[int(rng.integers(len(sizes)))]
    least = max(0.15, least_px_per_mm * HEIGHT_MM / size[1])
    height = float(np.exp(rng.uniform(np.log(least), np.log(0.9))))
    turn = float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 6)) if rng.random() < 0.5 else float(rng.uniform(0, 360))
    reach = 0.5 * height * size[1] * np.hypot(1, WIDTH_MM / HEIGHT_MM)  # half a diagonal
    slack = [max(0.0, 0.5 * length - 0.92 * reach) / length for length in size]
    warm = float(rng.normal(0, 0.07))
    return Shot(
        desk=desk,
        size=size,
        card_height=height,
        turn=turn,
        lean=float(abs(rng.normal(0, 10))) if rng.random() < 0.6 else 0.0,
        lean_to=float(rng.uniform(0, 360)),
        place=(0.5 + float(rng.uniform(-1, 1)) * slack[0], 0.5 + float(rng.uniform(-1, 1)) * slack[1]),
        exposure=float(rng.uniform(0.45, 1.0)),
        cast=(1.0 - warm, 1.0, 1.0 + warm),
        fall=float(rng.uniform(0, 0.5)),
        fall_to=float(rng.uniform(0, 360)),
        contact=float(rng.uniform(0.04, 0.35)),
        drop=float(rng.uniform(0.0, 0.25)),
        shadow=float(rng.uniform(0.2, 0.5)) if rng.random() < 0.25 else 0.0,
        shadow_at=(float(rng.uniform(0, 360)), float(rng.normal(0, 0.15))),
        vignette=float(rng.uniform(0, 0.3)),
        blur=float(rng.uniform(0.4, 1.3)),
        noise=float(rng.uniform(0.5, 5.0)),
        quality=int(rng.integers(60, 97)),
        seed=int(rng.integers(1 << 30)),
    )


def compose(cards: list[Laid], shot: Shot) -> Image:
    """The photograph, BGR; later cards lie on earlier ones."""
    rng = np.random.default_rng(shot.seed)
    scene = ground(shot.desk, shot.size, rng)
    for card in cards:
        _lay(scene, card, shot, rng)
    return _photograph(scene, shot, rng)


def outline(card: Laid, shot: Shot) -> NDArray[np.float64]:
    """The corners of a laid card in the picture, px."""
    box = np.array([[0, 0], [WIDTH_MM, 0], [WIDTH_MM, HEIGHT_MM], [0, HEIGHT_MM]]) * FACE_PX_PER_MM
    return np.asarray(cv2.perspectiveTransform(box[None].astype(np.float64), _pose(card, shot))[0])


def squared_art(image: Image, trim: float = 0.014) -> Image:
    """A BGR picture of a card's art as a face: the outline that screens need, which no printed card has, is trimmed
    away."""
    edge = max(1, round(trim * image.shape[0]))
    size = round(WIDTH_MM * FACE_PX_PER_MM), round(HEIGHT_MM * FACE_PX_PER_MM)
    smaller = image.shape[1] > size[0]
    face = cv2.resize(image, size, interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC)
    rim = round(edge * size[1] / image.shape[0])
    inner = face[rim:-rim, rim:-rim]
    paper = np.percentile(inner.reshape(-1, 3), 90, axis=0)
    framed = np.empty_like(face)
    framed[:] = paper
    framed[rim:-rim, rim:-rim] = inner
    corner = round(2.6 * FACE_PX_PER_MM)
    for rows in (slice(0, corner), slice(-corner, None)):  # the arcs of the drawn outline
        for columns in (slice(0, corner), slice(-corner, None)):
            framed[rows, columns] = paper
    return np.asarray(framed, np.uint8)


def ground(desk: str, size: tuple[int, int], rng: np.random.Generator) -> Floats:
    """A desk's reflectance, 0..1, BGR, (height, width, 3)."""
    width, height = size
    base = {
        "laminate": (0.88, 0.90, 0.90), "paper": (0.90, 0.91, 0.91), "white": (0.95, 0.95, 0.95),
        "beige": (0.62, 0.74, 0.82), "wood": (0.45, 0.62, 0.78), "marble": (0.84, 0.85, 0.86),
        "cloth": (0.88, 0.88, 0.88), "grey": (0.68, 0.68, 0.67), "checks": (0.86, 0.88, 0.88),
        "felt": (0.18, 0.33, 0.12), "black": (0.06, 0.06, 0.06), "brown": (0.14, 0.22, 0.34),
        "blue": (0.45, 0.25, 0.12),
    }[desk]  # fmt: skip
    scene = np.empty((height, width, 3), np.float32)
    scene[:] = np.array(base, np.float32) * float(rng.uniform(0.93, 1.04))
    scene *= 1 + 0.03 * _clouds(size, rng, 0.4)[..., None]
    drawn = {"wood": _wood, "brown": _wood, "marble": _marble, "cloth": _cloth, "felt": _felt, "checks": _checks}
    if desk in drawn:
        scene *= drawn[desk](size, rng)
    scene *= 1 + np.float32(0.012) * rng.standard_normal((height, width, 1)).astype(np.float32)
    return np.asarray(np.clip(scene, 0.01, 1.0), np.float32)


def _clouds(size: tuple[int, int], rng: np.random.Generator, coarse: float) -> Floats:
    """Smooth noise of deviation 1; `coarse`: its grain as a part of the height."""
    width, height = size
    cells = max(2, round(1 / coarse)), max(2, round(width / height / coarse))
    small = rng.standard_normal((cells[0] + 2, cells[1] + 2)).astype(np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def _wood(size: tuple[int, int], rng: np.random.Generator) -> Floats:
    width, height = size
    span = int(np.hypot(width, height)) + 2
    along, across = np.meshgrid(np.arange(span, dtype=np.float32), np.arange(span, dtype=np.float32))
    bend = 14 * _clouds((span, span), rng, 0.5) + 3 * _clouds((span, span), rng, 0.1)
    period = float(rng.uniform(9, 30))
    rings = np.sin((across + bend + 0.02 * along) / period * 2 * np.pi) + 0.6 * np.sin((across + bend) / 4.1)
    grain = cv2.blur(rng.standard_normal((span, span)).astype(np.float32), (41, 1)) * 5
    texture = 1 + float(rng.uniform(0.02, 0.10)) * rings + 0.03 * grain
    if rng.random() < 0.5:
        texture[:: int(rng.uniform(150, 320))] *= 0.5  # joints between boards
    turn = cv2.getRotationMatrix2D((span / 2, span / 2), float(rng.uniform(0, 180)), 1.0)
    turned = cv2.warpAffine(texture.astype(np.float32), turn, (span, span), borderMode=cv2.BORDER_REFLECT)
    y, x = (span - height) // 2, (span - width) // 2
    return np.asarray(turned[y : y + height, x : x + width, None] * np.array([1, 1, 1], np.float32), np.float32)


def _marble(size: tuple[int, int], rng: np.random.Generator) -> Floats:
    veins = np.abs(_clouds(size, rng, 0.5) + 0.5 * _clouds(size, rng, 0.2) + 0.25 * _clouds(size, rng, 0.07))
    fine = np.abs(_clouds(size, rng, 0.3) + 0.4 * _clouds(size, rng, 0.05))
    shade = 1 - 0.30 * np.exp(-((veins / 0.08) ** 2)) - 0.12 * np.exp(-((fine / 0.05) ** 2))
    return np.asarray((shade + 0.02 * _clouds(size, rng, 0.15))[..., None], np.float32)


def _cloth(size: tuple[int, int], rng: np.random.Generator) -> Floats:
    width, height = size
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    weave = np.sin(x * 2.1 + 0.3 * np.sin(y / 9)) * np.sin(y * 2.3)
    folds = np.abs(_clouds(size, rng, 0.6))
    return np.asarray((1 + 0.05 * weave - 0.08 * np.exp(-((folds / 0.2) ** 2)))[..., None], np.float32)


def _felt(size: tuple[int, int], rng: np.random.Generator) -> Floats:
    grain = cv2.GaussianBlur(rng.standard_normal((size[1], size[0])).astype(np.float32), (0, 0), 1.2)
    return np.asarray((1 + 0.35 * grain)[..., None], np.float32)


def _checks(size: tuple[int, int], rng: np.random.Generator) -> Floats:
    """A patterned tablecloth."""
    width, height = size
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    angle, period = float(rng.uniform(0, np.pi)), float(rng.uniform(0.04, 0.16)) * height
    u, v = (x * np.cos(angle) + y * np.sin(angle)) / period, (y * np.cos(angle) - x * np.sin(angle)) / period
    bands = ((u % 1) < 0.4).astype(np.float32) + ((v % 1) < 0.4).astype(np.float32)
    colour = np.array([[0.55, 0.55, 0.95], [0.95, 0.75, 0.55], [0.6, 0.85, 0.6]][int(rng.integers(3))], np.float32)
    return np.asarray(1 - (bands * 0.5)[..., None] * (1 - colour), np.float32)


def _pose(card: Laid, shot: Shot) -> NDArray[np.float64]:
    """Homography from the face's pixels to the picture's."""
    width, height = shot.size
    scale = shot.card_height * height / HEIGHT_MM
    to_mm = np.diag([1 / FACE_PX_PER_MM, 1 / FACE_PX_PER_MM, 1.0])
    to_middle = np.array([[1, 0, -WIDTH_MM / 2], [0, 1, -HEIGHT_MM / 2], [0, 0, 1.0]])
    own = _turned(card.turn)
    own[:2, 2] = card.right, card.down
    lean, to = np.radians(shot.lean), np.radians(shot.lean_to)
    far = 300.0  # mm: the camera's distance
    tip = np.array([[np.cos(lean), 0, 0], [0, 1, 0], [np.sin(lean) / far, 0, 1.0]])
    leaning = _turned(np.degrees(to)) @ tip @ _turned(-np.degrees(to))
    onto = np.array([[scale, 0, shot.place[0] * width], [0, scale, shot.place[1] * height], [0, 0, 1.0]])
    return np.asarray(onto @ leaning @ _turned(shot.turn) @ own @ to_middle @ to_mm)


def _turned(degrees: float) -> NDArray[np.float64]:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def _lay(scene: Floats, card: Laid, shot: Shot, rng: np.random.Generator) -> None:
    """Its shadows first, then the card: paper reflects 0.9 of the light."""
    height, width = scene.shape[:2]
    pose = _pose(card, shot)
    scale = shot.card_height * height / HEIGHT_MM
    face, mask = np.asarray(card.face), np.asarray(corner_mask(FACE_PX_PER_MM))
    ratio = FACE_PX_PER_MM / scale
    if ratio > 1.5:  # sampling alone would leave out pixels
        sigma = 0.35 * ratio
        face = np.asarray(cv2.GaussianBlur(face, (0, 0), sigma), np.uint8)
    cover = cv2.warpPerspective(mask, pose, (width, height), flags=cv2.INTER_LINEAR).astype(np.float32) / 255
    placed = cv2.warpPerspective(
        face, pose, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)
    close = cv2.GaussianBlur(cover, (0, 0), max(0.5, 0.5 * scale))
    side = float(rng.uniform(0, 2 * np.pi))
    away = np.array([np.cos(side), np.sin(side)]) * 0.4 * scale
    close = cv2.warpAffine(close, np.array([[1, 0, away[0]], [0, 1, away[1]]]), (width, height))
    soft = cv2.GaussianBlur(cover, (0, 0), max(1.0, 3.5 * scale))
    soft = cv2.warpAffine(soft, np.array([[1, 0, 5 * away[0]], [0, 1, 5 * away[1]]]), (width, height))
    scene *= (1 - shot.contact * np.minimum(1, 1.6 * close) - shot.drop * soft)[..., None]
    reflected = (0.03 + 0.87 * (placed / 255) ** 2.0) * float(rng.uniform(0.96, 1.04))
    scene[:] = scene * (1 - cover[..., None]) + reflected * cover[..., None]


def _photograph(scene: Floats, shot: Shot, rng: np.random.Generator) -> Image:
    height, width = scene.shape[:2]
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, width), np.linspace(-0.5, 0.5, height))
    to = np.radians(shot.fall_to)
    light = 1 - shot.fall * (0.5 + (x * np.cos(to) + y * np.sin(to)) / 1.4)
    light *= 1 - shot.vignette * (x**2 + y**2) * 2
    if shot.shadow:
        angle, distance = np.radians(shot.shadow_at[0]), shot.shadow_at[1]
        edge = (x * width / height * np.cos(angle) + y * np.sin(angle) - distance) * height
        light *= 1 - shot.shadow / (1 + np.exp(-np.clip(edge / 4.0, -30, 30)))
    lit = scene * light[..., None].astype(np.float32) * np.array(shot.cast, np.float32) * shot.exposure
    lit = cv2.GaussianBlur(lit, (0, 0), shot.blur)
    level = 255 * np.clip(lit, 0, 1) ** (1 / 2.0)
    level += rng.normal(0, shot.noise, level.shape)
    image = np.clip(np.rint(level), 0, 255).astype(np.uint8)
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, shot.quality])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
