"""The pen that draws index letters: stems, bars, bowls, serifs and balls by the numbers of a `Font`.

Which strokes make which letter is glyphs.py's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from hw_sim.outline import Points, arc, disc, points, stroke


@dataclass(frozen=True)
class Font:
    """The numbers of an index letter, lengths in glyph heights.

    `thick` is the width of upright strokes, `thin` of level ones; `serif` how far a serif stands out.
    """

    width: float = 0.6
    thick: float = 0.14
    thin: float = 0.11
    serif: float = 0.0
    serif_thick: float = 0.05
    bracket: float = 0.0  # height of the slope between stem and serif
    ball: float = 0.0  # diameter of the ball at the end of a hook; 0: cut square
    power: float = 2.0  # 2: round bowls, 2.6: squarish ones
    slant: float = 0.0
    flat_three: bool = False
    straight_tail: bool = False  # 6 and 9
    curved_seven: bool = False
    open_four: bool = False
    barred_jack: bool = False
    tailed_queen: str = "stroke"  # "stroke", "cross", "swash"
    ten_width: float = 0.55  # width of the 0 of 10 in the width of other letters
    ten_gap: float = 0.08
    flagged_one: bool = True


@dataclass
class Pen:
    """Draws one glyph of width `width`; centre lines are given in 0..1 between the outermost centre lines."""

    font: Font
    width: float
    polygons: list[Points] = field(default_factory=list)

    def x(self, u: float) -> float:
        return self.font.thick / 2 + u * (self.width - self.font.thick)

    def y(self, v: float) -> float:
        return self.font.thin / 2 + v * (1 - self.font.thin)

    def place(self, line: Points) -> Points:
        return np.stack(
            [self.x(0) + line[:, 0] * (self.x(1) - self.x(0)), self.y(0) + line[:, 1] * (self.y(1) - self.y(0))], axis=1
        )

    def draw(self, line: Points, closed: bool = False, hair: bool = False) -> None:
        """A stroke in unit coordinates; a `hair` line is thin in every direction (the light diagonals of A and K)."""
        f = self.font
        self.polygons += stroke(self.place(line), f.thin if hair else f.thick, f.thin, closed)

    def cut(self, line: Points, hair: bool = False, start: bool = True, end: bool = True) -> None:
        """A stroke cut level with the top and the baseline; its `start` and `end` run on to there (feet of A, K, 7)."""
        line = self.place(line)
        for wanted, tip, inner in ((start, 0, 1), (end, -1, -2)):
            way = line[tip] - line[inner]
            if wanted:
                line[tip] = line[tip] + way / abs(way[1]) * 0.3
        pieces = stroke(line, self.font.thin if hair else self.font.thick, self.font.thin)
        self.polygons += [q for p in pieces if len(q := level_cut(p)) > 2]

    def stem(self, u: float, top: float = 0.0, bottom: float = 1.0) -> None:
        """An upright stroke between two heights (0 top of the glyph, 1 baseline)."""
        self.polygons += stroke(points((self.x(u), top), (self.x(u), bottom)), self.font.thick, self.font.thin)

    def bar(self, v: float, left: float, right: float) -> None:
        """A level stroke from outer edge to outer edge, `left` and `right` in 0..1 of the whole width."""
        line = points((left * self.width, self.y(v)), (right * self.width, self.y(v)))
        self.polygons += stroke(line, self.font.thick, self.font.thin)

    def foot(self, u: float, at_top: bool = False, left: bool = True, right: bool = True) -> None:
        """A serif across the end of a stem at `u`, on the baseline or at the top."""
        f = self.font
        if not f.serif:
            return
        x, half = self.x(u), f.thick / 2
        a, b = x - half - (f.serif if left else 0), x + half + (f.serif if right else 0)
        y0, y1, slope = (
            (0.0, f.serif_thick, f.serif_thick + f.bracket)
            if at_top
            else (1.0, 1 - f.serif_thick, 1 - f.serif_thick - f.bracket)
        )
        self.polygons.append(points((a, y0), (b, y0), (b, y1), (a, y1)))
        if f.bracket:
            self.polygons.append(points((a, y1), (x - half, slope), (x + half, slope), (b, y1)))

    def tick(self, right_end: bool, at_bottom: bool, length: float = 0.16) -> None:
        """The upright serif at the end of a level bar (2, 5, 7)."""
        f = self.font
        if not f.serif:
            return
        wide = max(f.serif_thick, 0.6 * f.thin)
        x0 = self.width - wide if right_end else 0.0
        y0 = 1 - f.thin - length if at_bottom else 0.0
        self.polygons.append(
            points((x0, y0), (x0 + wide, y0), (x0 + wide, y0 + f.thin + length), (x0, y0 + f.thin + length))
        )

    def knob(self, u: float, v: float) -> None:
        """A ball at the end of a hook."""
        if self.font.ball:
            self.polygons.append(disc((self.x(u), self.y(v)), self.font.ball / 2))

    def bowl(self, centre: tuple[float, float], radii: tuple[float, float], start: float, end: float) -> Points:
        return arc(centre, radii, start, end, self.font.power)


def level_cut(polygon: Points) -> Points:
    """The part of a convex polygon between y = 0 and y = 1."""
    for limit, sign in ((0.0, 1.0), (1.0, -1.0)):
        kept: list[Points] = []
        for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
            da, db = sign * (a[1] - limit), sign * (b[1] - limit)
            if da >= 0:
                kept.append(a)
            if da * db < 0:
                kept.append(a + (b - a) * da / (da - db))
        if len(kept) < 3:
            return np.empty((0, 2))
        polygon = np.array(kept)
    return polygon
