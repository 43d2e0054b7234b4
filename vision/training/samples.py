"""Samples for both networks: what is drawn in which share, the glyphs `vision.glyphs` cuts out of it, their labels.

Written to a folder as plain arrays, in chunks that each have a seed of their own: any number of processes gives the
same data.
"""

from __future__ import annotations

import dataclasses
import multiprocessing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour import is_red, redness
from vision.glyphs import Box, glyph_candidates, glyph_picture, measure_ink
from vision.networks import GLYPH_CLASSES, RANK_CLASSES, RANKS, REJECT, SUIT_CLASSES, SUITS, index_planes
from vision.training.faces import Face, art_faces, corner_of_face, drawn_faces
from vision.training.fonts import FontBook
from vision.training.layout import draw_corner
from vision.training.marks import Supplies, make_pips
from vision.training.negatives import draw_negative
from vision.training.spoil import Patch, spoil
from vision.training.textures import make_courts, make_grounds

UNASKED = -100  # the label that torch's cross entropy leaves out
CHUNK = 1000
Image = NDArray[np.uint8]
Place = tuple[float, float, float, float]


@dataclass(frozen=True)
class Recipe:
    """What the samples are made of; `art` is a folder of public-domain faces, or None to do without."""

    seed: int
    art: Path | None = None
    faces: int = 2500
    pips: int = 500


class IndexSample(NamedTuple):
    planes: Image  # 2 x 144 x 64
    rank: int
    suit: int


class GlyphSample(NamedTuple):
    picture: Image  # 32 x 32
    label: int


@dataclass
class Sources:
    supplies: Supplies
    faces: list[Face]
    art: list[Face]


@lru_cache(maxsize=1)
def sources_of(recipe: Recipe) -> Sources:
    rng = np.random.default_rng([recipe.seed, 0])
    supplies = Supplies(FontBook(), make_pips(rng, recipe.pips), make_courts(rng, 60), make_grounds(rng, 80))
    art = art_faces(recipe.art) if recipe.art is not None else []
    return Sources(supplies, drawn_faces(rng, recipe.faces), art)


def draw_patch(rng: np.random.Generator, sources: Sources) -> Patch:
    """One patch: mostly indices in random designs, then the simulator's faces, art, what is to be refused."""
    kind, gentle = rng.random(), bool(rng.random() < 0.3)
    if kind < 0.61:
        return spoil(rng, draw_corner(rng, sources.supplies, str(rng.choice(RANKS)), str(rng.choice(SUITS))), gentle)
    if kind < 0.75:
        face = sources.faces[rng.integers(len(sources.faces))]
        return spoil(rng, corner_of_face(rng, sources.supplies, face), gentle)
    if kind < 0.78 and sources.art:
        return spoil(rng, corner_of_face(rng, sources.supplies, sources.art[rng.integers(len(sources.art))]), gentle)
    if kind < 0.80:
        rank, suit = str(rng.choice(RANKS)), str(rng.choice(SUITS))
        return seen_swapped(spoil(rng, draw_corner(rng, sources.supplies, rank, suit, swapped=True), gentle))
    return spoil(rng, draw_negative(rng, sources.supplies), gentle)


def seen_swapped(patch: Patch) -> Patch:
    """A suit printed in the other colour is refused where that colour can still be seen; else nothing is asked.

    Under a brown lamp a black club and a red one may look the same; to call one wrong would teach doubt of both.
    """
    if patch.suit_shape is None or patch.suit_box is None or patch.suit != REJECT:
        return patch
    x, y, w, h = (max(0, round(value)) for value in patch.suit_box)
    red = is_red(redness(patch.picture, measure_ink(patch.picture), Box(x, y, w, h)))
    clear = red is not None and red is not (patch.suit_shape in "hd")
    return patch if clear else dataclasses.replace(patch, suit=None)


def index_sample(patch: Patch) -> IndexSample:
    return IndexSample(index_planes(patch.picture), _label(patch.rank, RANK_CLASSES), _label(patch.suit, SUIT_CLASSES))


def _label(name: str | None, classes: tuple[str, ...]) -> int:
    return UNASKED if name is None else classes.index(name)


def glyph_samples(rng: np.random.Generator, patch: Patch) -> list[GlyphSample]:
    """The glyphs of the likeliest cut and of some others, as at a table; now and then one cut by its known place."""
    samples = []
    for number, found in enumerate(glyph_candidates(patch.picture)):
        if number and rng.random() < 0.7:
            continue
        for box, picture in ((found.rank, found.rank_picture), (found.suit, found.suit_picture)):
            label = _glyph_label(patch, box)
            if label is not None:
                samples.append(GlyphSample(picture, GLYPH_CLASSES.index(label)))
    for place, label in ((patch.rank_box, patch.rank_shape), (patch.suit_box, patch.suit_shape)):
        if label is not None and place is not None and rng.random() < 0.25:
            cut = _cut(rng, patch.picture, place)
            if cut is not None:
                samples.append(GlyphSample(cut, GLYPH_CLASSES.index(label)))
    return samples


def _glyph_label(patch: Patch, box: Box) -> str | None:
    """What the box holds: the glyph it agrees with; a refusal: half of one, or two run together; None: in doubt."""
    if patch.shapeless:
        return REJECT
    wrong = False
    for place, label in ((patch.rank_box, patch.rank_shape), (patch.suit_box, patch.suit_shape)):
        if place is None:
            continue
        shared = _shared_height(box, place)
        if shared > 0.75 and abs(box.x + box.w / 2 - place[0] - place[2] / 2) <= 0.3 * max(box.w, place[2]):
            return label
        if shared > 0.5:
            return None
        wrong = wrong or (shared > 0.1 and _overlaps(box, place))
    return REJECT if wrong else None


def _overlaps(box: Box, place: Place) -> bool:
    return min(box.x + box.w, place[0] + place[2]) - max(box.x, place[0]) > 2


def _shared_height(box: Box, place: Place) -> float:
    """Rows in common by rows in either: the width of a rank is not known well enough to ask for it."""
    low, high = max(box.y, place[1]), min(box.y + box.h, place[1] + place[3])
    whole = max(box.y + box.h, place[1] + place[3]) - min(box.y, place[1])
    return max(0.0, high - low) / whole


def _cut(rng: np.random.Generator, picture: Image, place: Place) -> Image | None:
    shaken = np.asarray(place) + rng.normal(0, 0.5, 4)
    x, y = max(0, int(shaken[0])), max(0, int(shaken[1]))
    right, bottom = (
        min(picture.shape[1], round(shaken[0] + shaken[2])),
        min(picture.shape[0], round(shaken[1] + shaken[3])),
    )
    if right - x < 4 or bottom - y < 4:
        return None
    ink = measure_ink(picture)
    part = ink[y:bottom, x:right]
    level, _ = cv2.threshold(part, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    mask = np.asarray((ink > level).astype(np.uint8) * 255, np.uint8)
    return glyph_picture(ink, mask, Box(x, y, right - x, bottom - y))


def make_chunk(task: tuple[Recipe, int, Path]) -> None:
    """CHUNK patches and the glyphs in them, as two .npz files."""
    recipe, number, folder = task
    cv2.setNumThreads(1)
    sources = sources_of(recipe)
    rng = np.random.default_rng([recipe.seed, 1, number])
    indices, glyphs = [], []
    for _ in range(CHUNK):
        patch = draw_patch(rng, sources)
        indices.append(index_sample(patch))
        glyphs += glyph_samples(rng, patch)
    labels = np.array([(sample.rank, sample.suit) for sample in indices], np.int16)
    np.save(folder / f"index-{number:04}.npy", np.stack([sample.planes for sample in indices]))
    np.save(folder / f"index-labels-{number:04}.npy", labels)
    np.save(folder / f"glyph-{number:04}.npy", np.stack([sample.picture for sample in glyphs]))
    np.save(folder / f"glyph-labels-{number:04}.npy", np.array([sample.label for sample in glyphs], np.int16))


def make_samples(recipe: Recipe, chunks: range, folder: Path, processes: int) -> None:
    """Draws the chunks that the folder lacks."""
    folder.mkdir(parents=True, exist_ok=True)
    tasks = [(recipe, number, folder) for number in chunks if not (folder / f"glyph-labels-{number:04}.npy").exists()]
    with multiprocessing.Pool(processes) as pool:
        for _ in pool.imap_unordered(make_chunk, tasks):
            pass
