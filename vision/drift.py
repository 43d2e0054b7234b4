"""Paper, ink and light of an enrolled deck, and how far they have drifted since.

Measured on views of cards, never on single pixels: the level and colour of the paper, how dark its print is against
it, how evenly it is lit. What drifted is said in plain words; nothing is corrected and no reading is changed by it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

_RECENT = 40  # cards that are taken together: a shoe's mix of faces
_LEAST = 12  # before that nothing is said
_LIGHT = 0.25  # of the enrolled light, beyond what it varied by at enrolment
_COLOUR = 0.06  # of the paper's colour (parts of blue, green and red)
_CONTRAST = 0.20  # of the print's contrast
_SATURATED = 254.0


@dataclass(frozen=True)
class Light:
    """`light`: the paper's level 0..255; `low`, `high`: its range; `blue` … `red`: the paper's colour, of 1;
    `contrast`: how much less light the darkest print gives than the paper, 0..1."""

    light: float
    low: float
    high: float
    blue: float
    green: float
    red: float
    contrast: float


@dataclass(frozen=True)
class _One:
    level: float
    colour: tuple[float, float, float]
    contrast: float


def measure(views: Sequence[Image]) -> Light:
    """The light of several views of cards, their medians. Raises ValueError without any."""
    return _joined([_measured(view) for view in views])


class DriftWatch:
    """Feed it the views of cards that were read; `notes` says what has drifted, in the order of gravity."""

    def __init__(self, enrolled: Light) -> None:
        self._enrolled = enrolled
        self._recent: deque[_One] = deque(maxlen=_RECENT)

    def add(self, view: Image) -> None:
        """One more view of a card."""
        self._recent.append(_measured(view))

    def notes(self) -> tuple[str, ...]:
        """Lines such as `the light is 40 % lower than at enrolment`; none while too few cards were seen."""
        if len(self._recent) < _LEAST:
            return ()
        return drifted(self._enrolled, _joined(list(self._recent)))


def drifted(enrolled: Light, now: Light) -> tuple[str, ...]:
    """What differs between two lights by more than pictures of one evening do."""
    notes = []
    if now.light < (1.0 - _LIGHT) * enrolled.low or now.light > (1.0 + _LIGHT) * enrolled.high:
        percent = round(100 * abs(now.light / max(enrolled.light, 1.0) - 1.0))
        way = "lower" if now.light < enrolled.light else "higher"
        notes.append(f"the light is {percent} % {way} than at enrolment")
    if now.contrast < (1.0 - _CONTRAST) * enrolled.contrast:
        percent = round(100 * (1.0 - now.contrast / enrolled.contrast))
        notes.append(f"the window is dirty or out of focus: print has {percent} % less contrast than at enrolment")
    colours = np.array(astuple(enrolled)[3:6]), np.array(astuple(now)[3:6])
    if float(np.abs(colours[0] - colours[1]).max()) > _COLOUR:
        notes.append("the light or the paper has another colour than at enrolment")
    if now.light >= _SATURATED > enrolled.light:
        notes.append("the paper is over-exposed")
    return tuple(notes)


def _measured(view: Image) -> _One:
    samples = view[1::3, 1::3].reshape(-1, 3).astype(np.float64)
    level = samples.mean(axis=1)
    low, high, dark = np.percentile(level, (60, 90, 3))
    paper = samples[(level >= low) & (level <= high)].mean(axis=0)
    total = max(float(paper.sum()), 1.0)
    colour = (float(paper[0]) / total, float(paper[1]) / total, float(paper[2]) / total)
    return _One(total / 3, colour, max(0.0, 1.0 - float(dark) / max(total / 3, 1.0)))


def _joined(ones: list[_One]) -> Light:
    if not ones:
        raise ValueError("no view of a card to measure the light on")
    levels = np.array([one.level for one in ones])
    blue, green, red = (float(value) for value in np.median([one.colour for one in ones], axis=0))
    low, high = (float(value) for value in np.percentile(levels, (5, 95)))
    contrast = float(np.median([one.contrast for one in ones]))
    return Light(float(np.median(levels)), low, high, blue, green, red, contrast)
