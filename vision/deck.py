"""An enrolled deck, opened: its profile from disk as something that reads. One Deck a thread.

Where the deck has usual letters the networks read beside it (`vision.deck_reader.beside_networks`); where not, it
reads alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.answer import NO_CARD, Answer, abstain
from vision.deck_measure import Bars, leave_out, set_bars
from vision.deck_model import DeckModel, Sample, prepare
from vision.deck_reader import CUT, DeckReader, Verdict
from vision.deck_views import ViewKind
from vision.drift import DriftWatch, measure
from vision.geometry import Geometry
from vision.plain import cut_colour, is_plain
from vision.profile import Profile, ProfileError, kind_of, load_cache, load_profile, load_samples, save_cache

Image = NDArray[np.uint8]
Arrays = dict[str, NDArray[np.generic]]

EMPTY = "empty"
_FACE = 2  # letters of a face's symbol
_MODEL = ("symbols", "owner", "alike", "common", "centre", "whiten", "edges", "reliefs")
_BARS = ("bar_alike", "bar_edges", "near_alike", "near_edges", "bar_redness")


@dataclass
class Deck:
    """`usual`: the networks know its letters too."""

    profile: Profile
    kind: ViewKind
    reader: DeckReader
    drift: DriftWatch

    @property
    def usual(self) -> bool:
        return self.profile.letters == "usual"

    def seen(self, answer: Answer, view: Image) -> None:
        """A view was read: faces tell how the light is now."""
        if answer.symbol is not None and len(answer.symbol) == _FACE:
            self.drift.add(view)

    def read(self, view: Image) -> Verdict:
        """One view of a card."""
        return self.reader.read(view)


def opened(deck: Deck | Path | str | None, geometry: Geometry) -> Deck | None:
    """The deck itself, or that of a folder. Raises ProfileError."""
    return open_deck(deck, geometry) if isinstance(deck, Path | str) else deck


def said(answer: Answer) -> Answer:
    """An answer as the world gets it: what was enrolled as `empty` is no card."""
    return abstain(NO_CARD, answer.confidence) if answer.symbol == EMPTY else answer


def open_deck(folder: Path | str, geometry: Geometry) -> Deck:
    """Raises ProfileError where the folder holds no profile that this camera and this reader can use."""
    folder = Path(folder)
    profile = load_profile(folder, geometry)
    kind = kind_of(profile)
    try:
        arrays = _arrays_of(folder, profile, kind)
    except OSError as error:
        raise ProfileError(f"{error.filename or folder}: {error.strerror}") from error
    return Deck(profile, kind, reader_of(arrays, kind), DriftWatch(profile.light))


def _arrays_of(folder: Path, profile: Profile, kind: ViewKind) -> Arrays:
    """What was computed before, or is computed now."""
    arrays = load_cache(folder)
    if arrays is None or not arrays.keys() >= {*_MODEL, *_BARS, "margins", "cut"}:
        arrays = computed(load_samples(folder, profile), kind)
        save_cache(folder, arrays)
    return arrays


def reader_of(arrays: Mapping[str, NDArray[np.generic]], kind: ViewKind) -> DeckReader:
    """What `computed` made, as something that reads."""
    return DeckReader(DeckModel.from_arrays(arrays, kind.shape), _bars(arrays), np.asarray(arrays["cut"], np.float32))


def computed(samples: list[Sample], kind: ViewKind) -> Arrays:
    """Model and bars of enrolled views, as plain arrays: all that reading needs."""
    printed, cut = split(samples)
    prepared = prepare(printed, kind.shape)
    model = DeckModel.fit(prepared, kind.shape)
    return as_arrays(model, set_bars(leave_out(printed, prepared, kind.shape), model), cut)


def split(samples: Sequence[Sample]) -> tuple[list[Sample], NDArray[np.float32]]:
    """The samples with print, and the colour of the plain cut cards among them."""
    bare = [sample.symbol == CUT and is_plain(sample.view) for sample in samples]
    plain = [sample for sample, is_bare in zip(samples, bare, strict=True) if is_bare]
    printed = [sample for sample, is_bare in zip(samples, bare, strict=True) if not is_bare]
    light = measure([sample.view for sample in printed])
    paper = np.array([light.blue, light.green, light.red], np.float32)
    return printed, cut_colour([sample.view for sample in plain], paper)


def as_arrays(model: DeckModel, bars: Bars, cut: NDArray[np.float32]) -> Arrays:
    """What `open_deck` reads."""
    margins = np.array([bars.slack, bars.margin_alike, bars.margin_edges], np.float64)
    found: Arrays = {
        "bar_alike": bars.alike,
        "bar_edges": bars.edges,
        "near_alike": bars.near_alike,
        "near_edges": bars.near_edges,
        "bar_redness": bars.redness,
        "margins": margins,
        "cut": cut,
    }
    return {**found, **model.arrays()}


def _bars(arrays: Mapping[str, NDArray[np.generic]]) -> Bars:
    alike, edges, near_alike, near_edges, red = (np.asarray(arrays[name], np.float32) for name in _BARS)
    slack, margin_alike, margin_edges = np.asarray(arrays["margins"], np.float64).tolist()
    return Bars(alike, edges, near_alike, near_edges, red, slack, margin_alike, margin_edges)
