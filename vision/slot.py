"""The slot camera's eye: is a card in the window, where are its edges, and the patch of its index cut out upright.

Columns of a few rows say where the card is (cheap, every frame); its own left and top edges give its corner and tilt
(only for frames that are read). The floor's and the paper's levels are measured, never assumed. What the patch says
is left to `vision.decide`, what a row of frames means to `vision.passage`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CARD_WIDTH_MM, Geometry
from vision.glyphs import PATCH_HEIGHT, PATCH_WIDTH, PX_PER_MM
from vision.passage import Sight
from vision.sources.base import Frame

Image = NDArray[np.uint8]

_SAMPLE_MM = 0.5  # columns are averaged to this
_SAMPLE_ROWS = 8
_CONTRAST = 12.0  # grey levels over the floor, its own unrest apart, from which on something is in the window
_UNREST = 4.0  # so often the floor's mean deviation is still floor
_UNREST_MOST = 4.0  # more is a card's edge just below what is exceeded: it must not raise what it has to exceed
_HOT = 6  # the sixth brightest sample counts: hot pixels and glints are brighter
_PLAIN_RATIO, _PLAIN_OVER = 1.35, 10.0  # lightest to darkest column of a floor, uneven in light and grain as it may be
_BARE_FRAMES = 60  # that show bare ground from side to side: the floor in another light
_OUT = 0.6  # of the floor's level
_GLINT = 12.0  # over the floor: what is brighter is looked at every time, so that it hides no card as bright
_LEARN_EVERY = 16  # idle frames, of which one is looked at more closely to know the floor
_GAP_MM = 1.5  # floor seen between two cards
_BESIDE_GAP_MM = 2.0  # so much of a card on either side of it: paper outside a dark printed edge is no second card
_WIDTH_SLACK_MM = 2.5  # tilt and blur widen a row of a card by less
_MEASURED_SLACK_MM = 1.6  # between edges found to parts of a pixel: tilt, the card itself, a lens not quite to scale
_NARROW_MM = 50.0  # less of a card than that, and the other edge so near the window's side: print, no edge
_SIDE_MM = 4.0
_SPLIT = 0.3  # of the way from floor to paper: a column that holds card
_GAP_SPLIT = 0.15
_CELL_PX = 8  # rows averaged where a gap is looked at again
_CORNER_RADIUS_MM = 4.0  # the edges are straight from here on
_STRAIGHT_MM = 0.5  # an edge point farther than that from its line does not lie on it
_SHORTEST_EDGE = 8  # points, 1.5 mm apart, that must be looked for to make an edge
_SQUARE_DEG = 2.5  # left and top edge stand square to each other, or it is no card


@dataclass(frozen=True)
class Corner:
    """The card's top left corner in the upright frame, px; unit directions (x, y) of its top and of its left edge."""

    x: float
    y: float
    along: tuple[float, float]
    down: tuple[float, float]

    @property
    def tilt_deg(self) -> float:
        return math.degrees(math.atan2(self.along[1], self.along[0]))


class _Level:
    """A level of the empty window that drifts slowly, and how much it wavers."""

    def __init__(self) -> None:
        self.value, self._unrest, self.known = 0.0, 2.0, False

    @property
    def _play(self) -> float:
        return _CONTRAST + _UNREST * self._unrest

    def begin(self, value: float) -> None:
        self.value, self.known = value, True

    def exceeded(self, value: float) -> bool:
        return not self.known or value - self.value > self._play

    def left(self, value: float) -> bool:
        """Whether a value is another level altogether, above or below."""
        return not self.known or abs(value - self.value) > self._play

    def learn(self, value: float) -> None:
        """Slowly upwards: a card's dim edge must not become floor."""
        if not self.known or value < self.value - self._play:
            self.begin(value)
            return
        self._unrest = min(_UNREST_MOST, self._unrest + 0.1 * (abs(value - self.value) - self._unrest))
        self.value += 0.1 * (value - self.value)


class SlotEye:
    """Looks at the frames of one slot camera. It remembers the floor's level and the newest columns, nothing else."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        scale = geometry.px_per_mm
        self._top_mm = geometry.top_edge_px / scale
        first = round((self._top_mm + geometry.top_edge_slack_mm + _CORNER_RADIUS_MM) * scale)
        self._width, self._height = geometry.upright_size
        step = max(1, (self._height - first) // _SAMPLE_ROWS)
        self._rows = slice(first, first + step * _SAMPLE_ROWS, step)
        self._columns = max(8, round(self._width / scale / _SAMPLE_MM))
        self._mm = self._width / scale / self._columns
        self._glance = (self._rows, slice(0, self._width, max(1, round(scale))))
        self._wider_than_card = self._width / scale > CARD_WIDTH_MM + 8.0
        self._bright, self._floor = _Level(), _Level()  # of the empty window: brightest sample, column
        self._idle = self._bare = self._unlit = 0
        self._newest: Image | None = None
        self.level = 0.0  # half way between floor and paper, of the newest frame that showed a card

    def look(self, frame: Frame, image: Image) -> Sight:
        """Where the card is in an upright frame."""
        samples = image[self._glance].reshape(-1)
        brightest = int(np.partition(samples, -_HOT)[-_HOT])
        if not self._bright.left(brightest):
            self._idle += 1
            if self._idle % _LEARN_EVERY:
                return Sight(frame.number, frame.time_s, False)
        strip = cv2.resize(image[self._rows], (self._columns, _SAMPLE_ROWS), interpolation=cv2.INTER_AREA)
        repeated = self._newest is not None and strip.tobytes() == self._newest.tobytes()
        self._newest = np.asarray(strip, np.uint8)
        columns = _second(self._newest)
        peak = float(np.partition(columns, -3)[-3])
        if self._lamp_is_out(peak):
            return Sight(frame.number, frame.time_s, False, repeated=repeated, blind=True)
        self._judge_floor(self._newest, float(np.percentile(columns, 10)), peak)
        if not self._floor.exceeded(peak):
            self._floor.learn(peak)
            self._bright.learn(min(brightest, self._floor.value + _GLINT))
            return Sight(frame.number, frame.time_s, False, repeated=repeated)
        floor = self._floor.value
        self.level = floor + 0.5 * (peak - floor)
        return self._sight(frame, image, columns, floor, peak, repeated)

    def _lamp_is_out(self, peak: float) -> bool:
        """Whether all is far darker than the floor: no light, no knowledge; for long it is the floor in less light."""
        out = self._floor.known and peak < _OUT * self._floor.value - 2.0
        self._unlit = self._unlit + 1 if out else 0
        return 0 < self._unlit < _BARE_FRAMES

    def _judge_floor(self, strip: Image, dark: float, peak: float) -> None:
        """Learn the floor anew where the frames themselves show that its level is another: one card never fills the
        window, so what lies bare from side to side, for long, is floor; and where the darkest tenth is darker, that is.
        """
        even = peak <= _PLAIN_RATIO * dark + _PLAIN_OVER
        bare = even and self._wider_than_card and float(np.percentile(strip.max(axis=2), 3)) > 0.5 * dark
        self._bare = self._bare + 1 if bare and self._floor.exceeded(dark) else 0
        if bare and (not self._floor.known or self._bare >= _BARE_FRAMES):
            self._floor.begin(peak)
        elif not self._floor.known:
            self._floor.learn(min(60.0, dark))
        elif not even and self._floor.value > _PLAIN_RATIO * dark + _PLAIN_OVER:
            self._floor.learn(dark)

    def corner(self, image: Image, sight: Sight) -> Corner | None:
        """The card's top left corner by its own two edges; None where they are not straight and square."""
        if sight.lead_mm is None:
            return None
        left = self._left_edge(image, sight.lead_mm)
        if left is None:
            return None
        top = self._top_edge(image, left)
        if top is None or abs(math.degrees(left[1] + top[1])) > _SQUARE_DEG:
            return None
        slope = 0.5 * (top[1] - left[1])
        y = (top[0] + top[1] * left[0]) / (1 - left[1] * top[1])
        length = math.hypot(1.0, slope)
        along, down = (1 / length, slope / length), (-slope / length, 1 / length)
        return Corner(left[0] + left[1] * y, y, along, down)

    def patch(self, image: Image, corner: Corner) -> Image:
        """The corner's patch as `vision.glyphs` wants it (4 px/mm, upright, the card's corner at 0, 0)."""
        return cut(image, corner, self.geometry.px_per_mm, PX_PER_MM, (PATCH_WIDTH, PATCH_HEIGHT))

    def _sight(self, frame: Frame, image: Image, columns: Image, floor: float, peak: float, repeated: bool) -> Sight:
        held = np.flatnonzero(columns > floor + _SPLIT * (peak - floor))
        first, last = int(held[0]), int(held[-1])
        lead = None if first == 0 else first * self._mm
        trail = None if last == len(columns) - 1 else (last + 1) * self._mm
        two = self._gap(image, columns[first : last + 1], first, floor + _GAP_SPLIT * (peak - floor))
        if not two and (last + 1 - first) * self._mm > CARD_WIDTH_MM + _MEASURED_SLACK_MM:
            two = self._too_wide(image, lead is not None and trail is not None, floor + _SPLIT * (peak - floor))
        window_mm = len(columns) * self._mm
        if lead is not None and trail is not None and trail - lead < _NARROW_MM:  # dark print at the window's side
            lead = None if lead < _SIDE_MM else lead
            trail = None if trail > window_mm - _SIDE_MM else trail
        index = lead is not None and lead + PATCH_WIDTH / PX_PER_MM <= window_mm
        return Sight(frame.number, frame.time_s, True, lead, trail, two, index, repeated, window_mm)

    def _gap(self, image: Image, columns: Image, first: int, level: float) -> bool:
        """Floor seen between card and card; `first`: which column of the window `columns` begins with."""
        if not self._wide_dark(columns <= level):
            return False
        # print may be dark in every row of the sample; floor is so from the window's upper edge to its lower
        x0, x1 = (round(at * self._mm * self.geometry.px_per_mm) for at in (first, first + len(columns)))
        cells = cv2.resize(image[:, x0:x1], (len(columns), self._height // _CELL_PX), interpolation=cv2.INTER_AREA)
        return self._wide_dark(_second(np.asarray(cells, np.uint8)) <= level)

    def _wide_dark(self, dark: NDArray[np.bool_]) -> bool:
        """Whether dark columns are as wide as a gap, with card on both sides."""
        edges = np.diff(np.concatenate(([False], dark, [False])).astype(np.int8))
        starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
        beside = np.minimum(starts, len(dark) - ends) * self._mm >= _BESIDE_GAP_MM
        return bool(np.any(beside & ((ends - starts) * self._mm >= _GAP_MM)))

    def _too_wide(self, image: Image, whole: bool, level: float) -> bool:
        """Whether most rows hold more than one card's width (row by row: a tilt widens none)."""
        if whole:  # both edges in view
            rows = _brightest(image[self._rows])
            left, right = _first_bright(rows, self.level), _first_bright(rows[:, ::-1], self.level)
            found = (left > 0) & (right > 0)
            width = float(np.median((self._width - left - right)[found])) if found.any() else 0.0
            return width / self.geometry.px_per_mm > CARD_WIDTH_MM + _MEASURED_SLACK_MM
        assert self._newest is not None
        held = self._newest.reshape(_SAMPLE_ROWS, self._columns, -1).max(axis=2) > level
        widths = self._columns - held.argmax(axis=1) - held[:, ::-1].argmax(axis=1)
        return float(np.median(widths)) * self._mm > CARD_WIDTH_MM + _WIDTH_SLACK_MM

    def _left_edge(self, image: Image, lead_mm: float) -> tuple[float, float] | None:
        """x = a + b·y of the left edge, frame px."""
        scale = self.geometry.px_per_mm
        first = (self._top_mm + self.geometry.top_edge_slack_mm + _CORNER_RADIUS_MM) * scale
        where = slice(round(first), min(self._height, round(first + 36 * scale)), max(1, round(1.5 * scale)))
        lean = math.tan(math.radians(self.geometry.tilt_max_deg)) * 45 * scale
        x0 = max(0, round(lead_mm * scale - 1.5 * scale))
        x1 = min(self._width, round(lead_mm * scale + lean + 2 * scale))
        found = _first_bright(_brightest(image[where, x0:x1]), self.level)
        rows = np.arange(float(where.start), where.stop, where.step)
        return _line(rows[found > 0], found[found > 0] + float(x0), _STRAIGHT_MM * scale, len(rows))

    def _top_edge(self, image: Image, left: tuple[float, float]) -> tuple[float, float] | None:
        """y = c + d·x of the top edge near the corner, frame px."""
        geometry, scale = self.geometry, self.geometry.px_per_mm
        start = left[0] + left[1] * geometry.top_edge_px + _CORNER_RADIUS_MM * scale
        where = slice(round(start), min(self._width, round(start + 36 * scale)), max(1, round(1.5 * scale)))
        columns = np.arange(float(where.start), where.stop, where.step)
        lean = math.tan(math.radians(geometry.tilt_max_deg)) * 40 * scale
        y1 = min(self._height, round(geometry.top_edge_px + geometry.top_edge_slack_mm * scale + lean + scale))
        if columns.size < 4:
            return None
        lines = _brightest(image[:y1, where].swapaxes(0, 1))
        found = _first_bright(lines, self.level)
        inside = int((lines[:, 0] <= self.level).sum())  # of the others the edge lies above the picture
        return _line(columns[found > 0], found[found > 0], _STRAIGHT_MM * scale, max(inside, _SHORTEST_EDGE))


def cut(image: Image, corner: Corner, from_scale: float, to_scale: float, size: tuple[int, int]) -> Image:
    """A piece of the card, upright, `size` (width, height) px at `to_scale` px/mm, from its corner on."""
    step = from_scale / to_scale
    across, down = (corner.along[0] * step, corner.along[1] * step), (corner.down[0] * step, corner.down[1] * step)
    x = corner.x + 0.5 * (across[0] + down[0]) - 0.5  # a pixel's middle lies half a pixel inside it, in both pictures
    y = corner.y + 0.5 * (across[1] + down[1]) - 0.5
    matrix = np.array([[across[0], down[0], x], [across[1], down[1], y]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(image, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _second(rows: Image) -> Image:
    """Of each column the second brightest row, in its brightest channel: a hot pixel is in one."""
    light = np.maximum(np.maximum(rows[..., 0], rows[..., 1]), rows[..., 2])
    return np.asarray(np.partition(light, -2, axis=0)[-2], np.uint8)


def _brightest(lines: Image) -> Image:
    """Channels joined to the brightest, noise smoothed along the second axis."""
    grey = np.maximum(np.maximum(lines[..., 0], lines[..., 1]), lines[..., 2])
    return np.asarray(cv2.blur(np.ascontiguousarray(grey), (3, 1)), np.uint8)


def _first_bright(lines: Image, level: float) -> NDArray[np.float64]:
    """For each line the place between two pixels where it first gets brighter than `level`; 0 where there is none."""
    above = lines > level
    first = above.argmax(axis=1)
    found = above.any(axis=1) & (first > 0)
    at = np.where(found, first, 1)
    index = np.arange(len(lines))
    low, high = lines[index, at - 1].astype(np.float64), lines[index, at].astype(np.float64)
    part = (level - low) / np.maximum(high - low, 1.0)
    return np.where(found, at - 1 + part + 0.5, 0.0)


def _line(at: NDArray[np.float64], value: NDArray[np.float64], straight: float, of: int) -> tuple[float, float] | None:
    """value = a + b·at through most of the points, outliers left out; None where they do not lie on a line."""
    if at.size < max(4, of // 2):
        return None
    kept = np.ones(at.size, np.bool_)
    for _ in range(3):
        slope, offset = _fit(at[kept], value[kept])
        off = np.abs(value - (offset + slope * at))
        kept = off <= max(straight * 0.5, 2.0 * float(np.median(off)))
        if kept.sum() < 4:
            return None
    on_line = int((off <= straight).sum())
    return (offset, slope) if on_line >= max(4, 0.6 * at.size) else None


def _fit(at: NDArray[np.float64], value: NDArray[np.float64]) -> tuple[float, float]:
    """Slope and offset by least squares; a slope of 0 where all points lie at one place."""
    centred = at - at.mean()
    spread = float(centred @ centred)
    slope = float(centred @ value) / spread if spread > 0 else 0.0
    return slope, float(value.mean()) - slope * float(at.mean())
