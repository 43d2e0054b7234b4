"""An enrolled deck as it is compared: templates of both ways of reading, and the figures they give for one view.

What the figures mean is `vision.deck_reader`'s; how sure is sure enough, `vision.deck_measure`'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck_aligned import Aligner, brought_onto, half_turned, together
from vision.gradients import Discriminant, describe, middle
from vision.likeness import Likeness, ViewShape, relief

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

_SAME_POSE = 0.6  # correlation from which on two pictures of one symbol show the same end of the card
_JITTERS = 4  # spoilt copies of each picture, for what varies between pictures of one card
_MOST_JITTERS = 240  # of the whole deck, from which on one copy of each is enough


@dataclass(frozen=True)
class Sample:
    """One labelled view; `picture`: the number of the picture that it comes from (a card shows two corners)."""

    symbol: str
    view: Image
    picture: int


@dataclass(frozen=True)
class Prepared:
    """A sample as it enters models: computed once, used by many."""

    symbol: str
    picture: int
    raised: Floats
    placed: Floats  # the same, brought onto its symbol's first picture where views are aligned
    described: Floats  # at every shift
    own: Floats  # at none
    turned: Floats  # the same of the half-turned view
    jitter: Floats
    redness: float


@dataclass(frozen=True)
class Look:
    """What one view gives: per symbol the best score of each way; the redness of its print."""

    alike: Floats
    edges: Floats
    redness: float


def prepare(samples: Sequence[Sample], shape: ViewShape) -> list[Prepared]:
    """Everything of the samples that models need. Seeded: the same each time."""
    copies = max(1, min(_JITTERS, _MOST_JITTERS // max(1, len(samples))))
    raised = [relief(sample.view, shape) for sample in samples]
    placed = together([sample.symbol for sample in samples], raised, shape) if shape.align else raised
    return [
        _prepared(sample, r, p, shape, copies, k)
        for k, (sample, r, p) in enumerate(zip(samples, raised, placed, strict=True))
    ]


class DeckModel:
    """Templates of a deck. Reads nothing by itself: it gives figures."""

    def __init__(
        self,
        symbols: tuple[str, ...],
        owner: NDArray[np.int64],
        shape: ViewShape,
        alike: Likeness,
        edges: Discriminant,
        reliefs: Floats,
    ) -> None:
        """`owner`: the symbol's number of each template, ascending; `reliefs` of all, where views are aligned."""
        self.symbols, self.shape = symbols, shape
        self._reliefs = reliefs
        self._aligner = Aligner(reliefs, owner, shape) if shape.align else None
        self._owner, self._alike, self._edges = owner, alike, edges
        self._starts = np.flatnonzero(np.diff(owner, prepend=-1))

    @classmethod
    def fit(cls, prepared: Sequence[Prepared], shape: ViewShape) -> DeckModel:
        """A model of the symbols that are there."""
        symbols = tuple(sorted({one.symbol for one in prepared}))
        reliefs, described, owner, groups = _posed(prepared, shape, symbols)
        edges = Discriminant.fit(described, groups, np.concatenate([one.jitter for one in prepared]))
        kept = reliefs if shape.align else np.zeros(0, np.float32)
        return cls(symbols, np.asarray(owner, np.int64), shape, Likeness.fit(reliefs, shape), edges, kept)

    def look(self, view: Image) -> Look:
        """Compare one view with every template."""
        raised = relief(view, self.shape)
        described = raised if self._aligner else describe(raised, self.shape)
        return self.compare(raised, described, redness(view, self.shape))

    def compare(self, raised: Floats, described: Floats, red: float) -> Look:
        """The same for a view that is prepared."""
        if self._aligner is not None:
            return self._compare_aligned(self._aligner.onto_likeliest(raised), red)
        alike, edges = self._alike.scores(raised), self._edges.scores(described)
        return Look(np.maximum.reduceat(alike, self._starts), np.maximum.reduceat(edges, self._starts), red)

    def _compare_aligned(self, moved: list[Floats], red: float) -> Look:
        alike = edges = np.full(len(self._owner), -1.0, np.float32)
        for one in moved:
            alike = np.maximum(alike, self._alike.at_rest(one))
            edges = np.maximum(edges, self._edges.scores(middle(one, self.shape)[None]))
        return Look(np.maximum.reduceat(alike, self._starts), np.maximum.reduceat(edges, self._starts), red)

    def nearness(self) -> tuple[Floats, Floats]:
        """How near any template of one symbol is to any of another, symbols x symbols, for each way."""
        if self._aligner is None:
            return self._nearest(self._alike.templates), self._nearest(self._edges.templates)
        looks = [self.compare(self._reliefs[k], self._reliefs[k], 0.0) for k in self._heads()]
        return self._reached([look.alike for look in looks]), self._reached([look.edges for look in looks])

    def _heads(self) -> list[int]:
        """The first template of each symbol, and its last: two ends of a card."""
        last = np.append(self._starts[1:], len(self._owner)) - 1
        return np.stack([self._starts, last], axis=1).ravel().tolist()

    def _reached(self, rows: list[Floats]) -> Floats:
        """From what two views of each symbol score on the others, symbols x symbols."""
        found = np.stack(rows).reshape(len(self.symbols), 2, -1).max(axis=1)
        return np.asarray(np.maximum(found, found.T), np.float32)

    def _nearest(self, templates: Floats) -> Floats:
        rows = np.maximum.reduceat(templates @ templates.T, self._starts, axis=0)
        return np.asarray(np.maximum.reduceat(rows, self._starts, axis=1), np.float32)

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """All that the model is, as plain arrays."""
        edges = self._edges
        return {
            "symbols": np.array(self.symbols),
            "owner": self._owner,
            "alike": self._alike.templates,
            "common": self._alike.common,
            "centre": edges.centre,
            "whiten": edges.whiten,
            "edges": edges.templates,
            "reliefs": self._reliefs,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]], shape: ViewShape) -> DeckModel:
        """The model that `arrays` came from."""
        names = ("centre", "whiten", "edges", "alike", "common", "reliefs")
        centre, whiten, edges, alike, common, reliefs = (np.asarray(arrays[name], np.float32) for name in names)
        symbols = tuple(str(symbol) for symbol in arrays["symbols"])
        owner = np.asarray(arrays["owner"], np.int64)
        return cls(symbols, owner, shape, Likeness(alike, common, shape), Discriminant(centre, whiten, edges), reliefs)


def redness(view: Image, shape: ViewShape) -> float:
    """How much less red than green a view's print takes from the light around it: 0 black or green ink, to 1 red."""
    size = (shape.width, shape.height)
    light = cv2.resize(view, size, interpolation=cv2.INTER_AREA).astype(np.float32) + 1.0
    lost = np.clip(1.0 - light / cv2.GaussianBlur(light, (0, 0), shape.around), 0.0, 1.0)
    if shape.align:  # along the outline lies now paper, now ground
        lost = lost[shape.reach : -shape.reach, shape.reach : -shape.reach]
    green, red = lost[..., 1], lost[..., 2]
    print_there = np.maximum(green, red) > 0.15
    total = float(green[print_there].sum())
    return (total - float(red[print_there].sum())) / total if total > 1.0 else 0.0


def spoil(view: Image, rng: np.random.Generator) -> Image:
    """A view as another picture of the same card might show it: turned, shifted and scaled a little, softer, noisy."""
    height, width = view.shape[:2]
    turn, scale = float(rng.uniform(-1.5, 1.5)), float(rng.uniform(0.98, 1.02))
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn, scale)
    matrix[:, 2] += rng.uniform(-0.01, 0.01, 2) * np.array([width, height])
    moved = cv2.warpAffine(view, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(moved, (0, 0), float(rng.uniform(0.3, 0.012 * width)))
    dimmed = soft.astype(np.float32) * float(rng.uniform(0.5, 1.1)) + rng.normal(0, 2.0, view.shape)
    return np.clip(dimmed, 0, 255).astype(np.uint8)


def _prepared(sample: Sample, raised: Floats, placed: Floats, shape: ViewShape, copies: int, seed: int) -> Prepared:
    own = middle(placed, shape)
    small = np.asarray(cv2.resize(sample.view, (shape.width, shape.height), interpolation=cv2.INTER_AREA), np.uint8)
    rng = np.random.default_rng(seed)
    spoilt = [relief(spoil(small, rng), shape) for _ in range(copies)]
    if shape.align:
        raised_again = [brought_onto(one, placed) for one in spoilt]
        spoilt = [one for one in raised_again if one is not None]
    jitter = [middle(one, shape) - own for one in spoilt] or [np.zeros_like(own)]
    return Prepared(
        symbol=sample.symbol,
        picture=sample.picture,
        raised=raised,
        placed=placed,
        described=raised if shape.align else describe(raised, shape),
        own=own,
        turned=middle(half_turned(placed), shape) if shape.turned else own,
        jitter=np.stack(jitter),
        redness=redness(sample.view, shape),
    )


def _posed(
    prepared: Sequence[Prepared], shape: ViewShape, symbols: tuple[str, ...]
) -> tuple[Floats, Floats, list[int], list[int]]:
    """Reliefs and descriptions, whose they are, and which show the same end of a card: ordered by symbol."""
    reliefs: list[Floats] = []
    described: list[Floats] = []
    owner: list[int] = []
    groups: list[int] = []
    for k, symbol in enumerate(symbols):
        mine = [one for one in prepared if one.symbol == symbol]
        own = [one.placed for one in mine]
        described += [one.own for one in mine]
        first = 1 + max(groups, default=-1)
        if shape.turned:
            turned = [half_turned(raised) for raised in own]
            side = _sides(own, turned[0], shape)
            own, found = own + turned, [*side, *(1 - s for s in side)]
            described += [one.turned for one in mine]
        else:
            found = _alike_ones(own, shape)
        groups += [first + group for group in found]
        reliefs += own
        owner += [k] * len(own)
    return np.stack(reliefs), np.stack(described), owner, groups


def _sides(own: list[Floats], turned: Floats, shape: ViewShape) -> list[int]:
    """0 for a picture that stands as the first one does, 1 for one that is half turned against it."""
    first = Likeness.plain(np.stack([own[0], turned]), shape)
    return [int(first.scores(raised).argmax()) for raised in own]


def _alike_ones(own: list[Floats], shape: ViewShape) -> list[int]:
    """Which pictures show the same end of a card: each joins the first picture of a group that it is like."""
    heads: list[Floats] = []
    groups: list[int] = []
    for raised in own:
        scores = Likeness.plain(np.stack(heads), shape).scores(raised) if heads else np.zeros(1, np.float32)
        if heads and float(scores.max()) >= _SAME_POSE:
            groups.append(int(scores.argmax()))
        else:
            groups.append(len(heads))
            heads.append(raised)
    return groups
