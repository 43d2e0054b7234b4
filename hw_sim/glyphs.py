"""The project's own index letters: A 2 3 4 5 6 7 8 9 10 J Q K, built from pen strokes by the numbers of a `Font`.

A glyph is one unit high, baseline at y = 1. Nothing here is taken from a font file: each letter is a handful of stems,
bars, bowls and serifs. Where a glyph goes on a card and in which ink is decks.py's.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hw_sim.outline import Points, bounds, curve, join, moved, points
from hw_sim.pen import Font, Pen


def _ace(pen: Pen) -> None:
    if pen.font.serif:
        pen.cut(points((0.02, 1), (0.46, 0.08)), hair=True, end=False)
        pen.cut(points((0.5, 0), (0.98, 1)))
    else:
        pen.cut(points((0.02, 1), (0.5, 0), (0.98, 1)))
    pen.draw(points((0.17, 0.66), (0.83, 0.66)))
    pen.foot(0.0)
    pen.foot(1.0)


def _two(pen: Pen) -> None:
    top = pen.bowl((0.5, 0.29), (0.47, 0.29), 195 if not pen.font.ball else 188, 380)
    end = (float(top[-1][0]), float(top[-1][1]))
    sweep = curve(end, (end[0] - 0.1, end[1] + 0.2), (0.1, 0.72), (0.03, 1.0))
    pen.cut(join(top, sweep), start=False)
    pen.bar(1.0, 0.0, 1.0)
    pen.tick(True, True)
    pen.knob(0.06, 0.27)


def _three(pen: Pen) -> None:
    lower = pen.bowl((0.45, 0.7), (0.53, 0.3), -95, 165)
    if pen.font.flat_three:
        pen.draw(join(points((0.04, 0), (0.93, 0), (0.42, 0.4)), lower))
        pen.tick(False, False)
    else:
        pen.draw(pen.bowl((0.46, 0.245), (0.44, 0.245), 195, 450))
        pen.draw(join(points((0.3, 0.49), (0.44, 0.49)), pen.bowl((0.45, 0.745), (0.53, 0.255), -90, 165)))
        pen.knob(0.09, 0.22)
    pen.knob(0.0, 0.8)


def _four(pen: Pen) -> None:
    if pen.font.open_four:
        pen.cut(points((0.34, 0), (0.02, 0.68), (0.5, 0.68)), hair=True, end=False)
        pen.bar(0.68, 0.4, 1.0)
        pen.stem(0.7, 0.36)
    else:
        pen.cut(points((0.7, 0.0), (0.03, 0.71), (1.0, 0.71)), hair=True, end=False)
        pen.bar(0.71, 0.5, 1.0)
        pen.stem(0.74)
    pen.foot(0.72)


def _five(pen: Pen) -> None:
    pen.bar(0.0, 0.13, 0.94)
    pen.draw(points((0.12, 0.0), (0.08, 0.46)), hair=True)
    pen.draw(
        join(
            curve((0.06, 0.45), (0.2, 0.38), (0.3, 0.36), (0.45, 0.36)), pen.bowl((0.45, 0.68), (0.53, 0.32), -88, 162)
        )
    )
    pen.knob(0.02, 0.8)


def _six(pen: Pen) -> None:
    pen.draw(pen.bowl((0.5, 0.68), (0.5, 0.32), 0, 360), closed=True)
    if pen.font.straight_tail:
        pen.cut(join(points((0.78, 0.0)), curve((0.5, 0.22), (0.2, 0.42), (0.0, 0.5), (0.0, 0.7))), end=False)
    else:
        pen.draw(
            join(
                curve((0.93, 0.16), (0.82, 0.02), (0.7, 0.0), (0.56, 0.0)),
                curve((0.56, 0.0), (0.2, 0.0), (0.0, 0.3), (0.0, 0.7)),
            )
        )
        pen.knob(0.9, 0.18)


def _nine(pen: Pen) -> None:
    _six(pen)
    pen.polygons = moved(pen.polygons, pen.width, 1.0, turned=True)


def _seven(pen: Pen) -> None:
    pen.bar(0.0, 0.0, 1.0)
    pen.tick(False, False)
    if pen.font.curved_seven:
        pen.cut(join(points((1.0, 0.0)), curve((0.94, 0.12), (0.6, 0.45), (0.42, 0.7), (0.4, 1.0))))
    else:
        pen.cut(points((0.96, 0.0), (0.34, 1.0)))


def _eight(pen: Pen) -> None:
    pen.draw(pen.bowl((0.5, 0.24), (0.42, 0.24), 0, 360), closed=True)
    pen.draw(pen.bowl((0.5, 0.74), (0.5, 0.26), 0, 360), closed=True)


def _one(pen: Pen) -> None:
    if pen.font.serif:
        pen.stem(0.5)
        pen.foot(0.5, at_top=True, right=False)
        pen.foot(0.5)
    else:
        pen.stem(1.0)
        if pen.font.flagged_one:
            pen.cut(points((1.0, -0.02), (0.0, 0.2)), hair=True, end=False)


def _zero(pen: Pen) -> None:
    pen.draw(pen.bowl((0.5, 0.5), (0.5, 0.5), 0, 360), closed=True)


def _jack(pen: Pen) -> None:
    u = 0.8 if pen.font.barred_jack or pen.font.serif else 1.0
    hook = pen.bowl((u / 2, 0.72), (u / 2, 0.28), 0, 178 if pen.font.ball else 190)
    pen.draw(join(points((u, 0.3)), hook))
    pen.stem(u, 0.0, 0.4)
    if pen.font.barred_jack:
        pen.bar(0.0, 0.3, 1.0)
    else:
        pen.foot(u, at_top=True)
    pen.knob(0.02, 0.72)


def _queen(pen: Pen) -> None:
    low = 0.94 if pen.font.tailed_queen != "stroke" else 0.98
    pen.draw(pen.bowl((0.5, low / 2), (0.5, low / 2), 0, 360), closed=True)
    if pen.font.tailed_queen == "swash":
        pen.draw(
            join(
                curve((0.26, 0.74), (0.5, 0.6), (0.62, 0.78), (0.7, 0.9)),
                curve((0.7, 0.9), (0.78, 1.02), (0.95, 1.02), (1.06, 0.88)),
            )
        )
    elif pen.font.tailed_queen == "cross":
        pen.draw(points((0.5, 0.66), (1.04, 1.06)))
    else:
        pen.draw(points((0.58, 0.7), (1.0, 1.02)))


def _king(pen: Pen) -> None:
    pen.stem(0.0)
    pen.cut(points((0.98, 0.0), (0.0, 0.62)), hair=True, end=False)
    pen.cut(points((0.32, 0.42), (1.0, 1.0)), start=False)
    for top in (True, False):
        pen.foot(0.0, at_top=top)
        pen.foot(0.98, at_top=top)


def _e(pen: Pen) -> None:
    pen.stem(0.0)
    for v, right in ((0.0, 1.0), (0.5, 0.85), (1.0, 1.0)):
        pen.bar(v, 0.0, right)


def _r(pen: Pen) -> None:
    pen.stem(0.0)
    top = points((0.0, 0.0), (0.5, 0.0))
    pen.draw(join(top, pen.bowl((0.5, 0.26), (0.48, 0.26), -90, 90), points((0.0, 0.52))))
    pen.cut(points((0.4, 0.5), (1.0, 1.0)), start=False)
    pen.foot(0.0)


_LETTERS: dict[str, tuple[Callable[[Pen], None], float]] = {
    "A": (_ace, 1.18), "2": (_two, 0.96), "3": (_three, 0.96), "4": (_four, 1.06), "5": (_five, 0.97), "6": (_six, 1.0),
    "7": (_seven, 0.96), "8": (_eight, 1.0), "9": (_nine, 1.0), "J": (_jack, 0.86), "Q": (_queen, 1.12),
    "K": (_king, 1.12), "O": (_zero, 1.05), "E": (_e, 0.85), "R": (_r, 1.0),
}  # fmt: skip


def letter(font: Font, rank: str) -> list[Points]:
    """The polygons of a rank's index ("T" is 10) or a letter of JOKER, one unit high, its left edge at x = 0."""
    if rank == "T":
        return _ten(font)
    build, wide = _LETTERS[rank]
    return _finish(font, build, font.width * wide)


def _ten(font: Font) -> list[Points]:
    one = _finish(font, _one, max(font.thick * 1.05, font.width * (0.4 if font.flagged_one or font.serif else 0.1)))
    zero = _finish(font, _zero, max(font.width * font.ten_width, 2.6 * font.thick))
    return one + moved(zero, bounds(one)[2] + font.ten_gap, 0.0)


def _finish(font: Font, build: Callable[[Pen], None], width: float) -> list[Points]:
    pen = Pen(font, width)
    build(pen)
    leaning = [p + np.stack([font.slant * (1 - p[:, 1]), np.zeros(len(p))], axis=1) for p in pen.polygons]
    return moved(leaning, -bounds(leaning)[0], 0.0)
