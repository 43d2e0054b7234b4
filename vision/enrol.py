"""Makes a deck profile of labelled pictures, and refuses to, naming which, where reading with it would not be safe.

It checks itself: every picture is read again by a profile that was made without it. Where pictures and labels come
from (`vision.enrol_pictures`, `vision.enrol_live`) and where a profile goes (`vision.profile`) is left to others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from vision.decide import FaceReader
from vision.deck import EMPTY, as_arrays, split
from vision.deck_measure import leave_out, set_bars, too_alike
from vision.deck_model import DeckModel, Sample, prepare
from vision.deck_views import ViewKind, cards_in, indices, kinds
from vision.drift import measure
from vision.enrol_check import ReadAgain, Shown, read_again
from vision.enrol_labels import judge_labels
from vision.enrol_pictures import EnrolRefused
from vision.geometry import Geometry
from vision.profile import Profile
from vision.reads import Reads

Image = NDArray[np.uint8]

FACES = tuple(rank + suit for rank in "A23456789TJQK" for suit in "shdc")
FACES_40 = tuple(face for face in FACES if face[0] not in "89T")
MOST_ABSTAINED = 0.02  # of the pictures read again


class WrongLabels(EnrolRefused):
    """Pictures lie under other cards' names."""


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

    The kinds of views that the camera allows are tried in turn.
    """
    lacking = missing(symbol for _, symbol, _ in pictures)
    if lacking:
        raise EnrolRefused([f"no picture of: {' '.join(lacking)}"])
    networks = FaceReader()

    def shown(kind: ViewKind) -> list[Shown]:
        return [
            Shown(title, symbol, _views(image, geometry, kind, symbol, networks)) for title, symbol, image in pictures
        ]

    return enrol_any(shown, geometry, name)


def enrol_any(shown: Callable[[ViewKind], Sequence[Shown]], geometry: Geometry, name: str) -> Enrolled:
    """A profile of the first kind of views of which one can be made. Raises EnrolRefused.

    A wrong label is wrong whatever part of the card is looked at: no other kind is tried then.
    """
    refusals: list[EnrolRefused] = []
    for kind in kinds(geometry):
        try:
            return enrol_views(shown(kind), geometry, kind, name)
        except WrongLabels:
            raise
        except EnrolRefused as refused:
            refusals.append(refused)
    raise min(refusals, key=lambda refused: len(refused.lines))


def enrol_views(shown: Sequence[Shown], geometry: Geometry, kind: ViewKind, name: str) -> Enrolled:
    """A profile of views of one kind. Raises EnrolRefused."""
    samples = [Sample(one.symbol, view, k) for k, one in enumerate(shown, 1) for view in one.views]
    lacking = missing(sample.symbol for sample in samples)
    if lacking:
        raise EnrolRefused([f"no card was found in any picture of: {' '.join(lacking)}"])
    printed, cut = split(samples)
    prepared = prepare(printed, kind.shape)
    lefts = leave_out(printed, prepared, kind.shape)
    model = DeckModel.fit(prepared, kind.shape)
    faces = [sample for sample in samples if sample.symbol in FACES]
    networks = FaceReader()
    labels = judge_labels(faces, kind, networks)
    usual = labels.letters == "usual"
    again = read_again(shown, lefts, model, kind, networks if usual else None)
    silent = [f"{one.name}: no card was found in it" for one in shown if not one.views and one.symbol != EMPTY]
    _refuse(labels.wrong, too_alike(lefts, model, usual), again, again.silent + silent, again.count + len(silent))
    profile = Profile(
        name=name,
        view=kind.name,
        letters=labels.letters,
        date=date.today().isoformat(),
        reader=version("sabot"),
        geometry=geometry,
        light=measure([sample.view for sample in faces]),
        crops=len(samples),
    )
    return Enrolled(
        profile, samples, as_arrays(model, set_bars(lefts, model), cut), again.count, again.silent + silent + labels.odd
    )


def _views(image: Image, geometry: Geometry, kind: ViewKind, symbol: str, networks: Reads) -> list[Image]:
    """The views of the card: of several outlines that one where the networks see what the label says, else the first.

    An empty table's picture shows none, unless the camera always shows a view.
    """
    if symbol == EMPTY and geometry.motion != "fixed":
        return []
    cards = cards_in(image, geometry, kind)
    if len(cards) > 1:
        for views in cards:
            if any(networks.read(patch).symbol == symbol for view in views for patch in indices(view, kind)):
                return views
    return cards[0] if cards else []


def _refuse(wrong: list[str], alike: list[tuple[str, str]], again: ReadAgain, silent: list[str], count: int) -> None:
    """Raises EnrolRefused where labels are wrong, two symbols are too alike, anything was misread, or too much was not
    read."""
    lines = wrong + [f"{a} and {b}: too alike to be told apart" for a, b in alike] + again.misread
    if len(silent) > MOST_ABSTAINED * count:
        lines += [
            f"{len(silent)} of {count} pictures were not read again; at most {MOST_ABSTAINED:.0%} may be",
            *silent,
        ]
    elif lines:
        lines += silent
    if lines:
        raise (WrongLabels if wrong else EnrolRefused)(lines)
