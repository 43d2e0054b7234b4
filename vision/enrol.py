"""Makes a deck profile of labelled pictures, and refuses to, naming which, where reading with it would not be safe.

It checks itself: every picture is read again by a profile that was made without it. Where pictures and labels come
from (`vision.enrol_pictures`, `vision.enrol_live`) and where a profile goes (`vision.profile`) is left to others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from vision.answer import UNCLEAR, Answer, abstain
from vision.decide import FaceReader
from vision.deck import EMPTY, as_arrays
from vision.deck_measure import Left, leave_out, set_bars, too_alike
from vision.deck_model import DeckModel, Sample, prepare
from vision.deck_reader import beside_networks, judge, together
from vision.deck_views import ViewKind, cards_in, kinds
from vision.drift import measure
from vision.enrol_pictures import EnrolRefused
from vision.geometry import Geometry
from vision.profile import Profile
from vision.reads import Reads

Image = NDArray[np.uint8]

FACES = tuple(rank + suit for rank in "A23456789TJQK" for suit in "shdc")
FACES_40 = tuple(face for face in FACES if face[0] not in "89T")
MOST_ABSTAINED = 0.02  # of the pictures read again
_USUAL = 0.5  # of the faces that the networks must read right, for a deck to have usual letters
_NETWORKS_LOOK_AT = 104  # views; more say no more


@dataclass(frozen=True)
class Shown:
    """One labelled picture, already cut into the views of its card; none where no card was found in it."""

    name: str
    symbol: str
    views: list[Image]


@dataclass(frozen=True)
class Enrolled:
    """What to save, and what a person should know of it. `read_again`, `abstained` count pictures."""

    profile: Profile
    samples: list[Sample]
    cache: dict[str, NDArray[np.generic]]
    read_again: int
    notes: list[str] = field(default_factory=list)


def missing(symbols: Iterable[str]) -> list[str]:
    """The cards that are missing of the 52, or of the 40 where no 8, 9 or ten is among them."""
    there = set(symbols)
    wanted = FACES if there & (set(FACES) - set(FACES_40)) else FACES_40
    return [face for face in wanted if face not in there]


def enrol(pictures: Sequence[tuple[str, str, Image]], geometry: Geometry, name: str) -> Enrolled:
    """A profile of `pictures` (name, symbol, BGR). Raises EnrolRefused with a line for each thing that is wrong.

    The kinds of views that the camera allows are tried in turn: the index, then the face.
    """
    lacking = missing(symbol for _, symbol, _ in pictures)
    if lacking:
        raise EnrolRefused([f"no picture of: {' '.join(lacking)}"])
    refusals: list[EnrolRefused] = []
    networks = FaceReader()
    for kind in kinds(geometry):
        shown = [
            Shown(title, symbol, _views(image, geometry, kind, symbol, networks)) for title, symbol, image in pictures
        ]
        try:
            return enrol_views(shown, geometry, kind, name)
        except EnrolRefused as refused:
            refusals.append(refused)
    raise min(refusals, key=lambda refused: len(refused.lines))


def enrol_views(shown: Sequence[Shown], geometry: Geometry, kind: ViewKind, name: str) -> Enrolled:
    """A profile of views of one kind. Raises EnrolRefused."""
    samples = [Sample(one.symbol, view, k) for k, one in enumerate(shown, 1) for view in one.views]
    lacking = missing(sample.symbol for sample in samples)
    if lacking:
        raise EnrolRefused([f"no card was found in any picture of: {' '.join(lacking)}"])
    prepared = prepare(samples, kind.shape)
    lefts = leave_out(samples, prepared, kind.shape)
    model = DeckModel.fit(prepared, kind.shape)
    letters, odd = _letters(samples, kind)
    alike = too_alike(lefts, model, letters == "usual")
    if alike:
        raise EnrolRefused([f"{a} and {b}: too alike to be told apart" for a, b in alike])
    unfound = [k for k, one in enumerate(shown, 1) if not one.views and one.symbol != EMPTY]
    notes, count = _read_again(shown, unfound, lefts, model, FaceReader() if letters == "usual" else None)
    profile = Profile(
        name=name,
        view=kind.name,
        letters=letters,
        date=date.today().isoformat(),
        reader=version("sabot"),
        geometry=geometry,
        light=measure([sample.view for sample in samples if sample.symbol in FACES]),
        crops=len(samples),
    )
    return Enrolled(profile, samples, as_arrays(model, set_bars(lefts, model)), count, notes + odd)


def _views(image: Image, geometry: Geometry, kind: ViewKind, symbol: str, networks: Reads) -> list[Image]:
    """The views of the card: of several outlines that one where the networks see what the label says, else the first.

    An empty table's picture shows none, unless the camera always shows a view.
    """
    if symbol == EMPTY and geometry.motion != "fixed":
        return []
    cards = cards_in(image, geometry, kind)
    if len(cards) > 1 and kind.name == "index":
        for views in cards:
            if any(networks.read(view).symbol == symbol for view in views):
                return views
    return cards[0] if cards else []


def _read_again(
    shown: Sequence[Shown],
    unfound: Sequence[int],
    lefts: Sequence[Left],
    model: DeckModel,
    networks: Reads | None,
) -> tuple[list[str], int]:
    """What abstained (a line each) and how many were read. Raises EnrolRefused at a misread or too many abstentions.

    The bars for a picture come from the comparisons of the other folds; `networks` read beside it, as they will later.
    """
    views: dict[int, list[Left]] = defaultdict(list)
    for left in lefts:
        if not left.copy:
            views[left.picture].append(left)
    misread, silent = [], [f"{shown[k - 1].name}: no card was found in it" for k in unfound]
    bars = {fold: set_bars([o for o in lefts if o.fold != fold] or lefts, model) for fold in {o.fold for o in lefts}}
    for picture, own in views.items():
        one = shown[picture - 1]
        verdict = together([judge(left.look, model.symbols, bars[left.fold]) for left in own])
        answer = verdict.answer if networks is None else beside_networks(verdict, _by_networks(one.views, networks))
        if answer.symbol is None:
            silent.append(f"{one.name}: {one.symbol} was not read ({answer.why})")
        elif answer.symbol != one.symbol:
            misread.append(f"{one.name}: {one.symbol} was read as {answer.symbol}")
    count = len(views) + len(unfound)
    if misread or len(silent) > MOST_ABSTAINED * count:
        few = [f"{len(silent)} of {count} pictures were not read again; at most {MOST_ABSTAINED:.0%} may be"]
        raise EnrolRefused(misread + (few + silent if len(silent) > MOST_ABSTAINED * count else []))
    return silent, count


def _letters(samples: Sequence[Sample], kind: ViewKind) -> tuple[str, list[str]]:
    """Whether the networks read this deck ("usual"), and what they say against its labels."""
    if kind.name != "index":
        return "own", []
    reader = FaceReader()
    faces = [sample for sample in samples if sample.symbol in FACES]
    looked = faces[:: max(1, len(faces) // _NETWORKS_LOOK_AT)]
    answers: list[tuple[Sample, Answer]] = [(sample, reader.read(sample.view)) for sample in looked]
    outcome = Counter(a.symbol == s.symbol for s, a in answers if a.symbol is not None)
    if outcome[True] < _USUAL * len(looked) or outcome[False]:
        against = [f"{s.symbol}: the reader's own networks say {a.symbol}" for s, a in answers if _against(s, a)]
        return "own", against if outcome[True] >= _USUAL * len(looked) else []
    return "usual", []


def _by_networks(views: Sequence[Image], networks: Reads) -> Answer:
    """What the networks say of one card by its views: one symbol, none of them another."""
    answers = [networks.read(view) for view in views]
    said = {answer.symbol for answer in answers if answer.symbol is not None}
    return max(answers, key=lambda a: a.confidence if a.symbol else -1.0) if len(said) == 1 else abstain(UNCLEAR)


def _against(sample: Sample, answer: Answer) -> bool:
    return answer.symbol is not None and answer.symbol != sample.symbol
