"""Rank glyphs as masks, drawn from the fonts installed on the training machine. No font is shipped.

Which Debian packages the shipped weights saw is listed in `vision/models/CARD.md`. A font counts when it has Latin
capitals and digits of its own; fonts that draw the same glyphs under two names count once.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections import defaultdict
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks import RANKS

Mask = NDArray[np.uint8]

GLYPH_PX = 96  # height of a glyph's mask
# Not letters as on cards; the last three for their licences, which are not as plain as the others'.
UNWANTED = (
    *("emoji", "3270", "slashed", "barcode", "ocr", "music", "math", "symbols", "awesome", "terminus", "_kb.", "_k."),
    *("urw-base35", "beteckna", "sawarabi"),
)
_MISSING = "\U000f1234"  # no font has it: what is drawn for it stands for every glyph that is missing
SUIT_CHARACTERS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


def font_files() -> dict[str, list[Path]]:
    """Families and the font files of each, both in a fixed order."""
    listing = subprocess.run(["fc-list", "-f", "%{file}\t%{family[0]}\n"], capture_output=True, text=True, check=True)
    families: dict[str, set[Path]] = defaultdict(set)
    for line in listing.stdout.splitlines():
        file, _, family = line.partition("\t")
        if file.lower().endswith((".ttf", ".otf")) and not any(word in file.lower() for word in UNWANTED):
            families[family].add(Path(file))
    return {family: sorted(families[family]) for family in sorted(families)}


@cache
def glyph_mask(file: Path, text: str) -> Mask | None:
    """The text as a tight mask GLYPH_PX high, or None where the font has no ink for it."""
    from PIL import Image as PILImage  # of the extra `train`: only fonts need it
    from PIL import ImageDraw, ImageFont

    try:
        font = ImageFont.truetype(str(file), 140)
        picture = PILImage.new("L", (140 * (len(text) + 1), 300))
        ImageDraw.Draw(picture).text((60, 60), text, font=font, fill=255)
    except OSError:
        return None
    return tight(np.asarray(picture, np.uint8))


def tight(mask: Mask, height: int = GLYPH_PX) -> Mask | None:
    """The mask cut to its ink and scaled to `height` rows."""
    points = cv2.findNonZero((mask > 96).astype(np.uint8))
    if points is None:
        return None
    x, y, w, h = cv2.boundingRect(points)
    if h < 8 or w < 4:
        return None
    width = max(4, round(w * height / h))
    return np.asarray(cv2.resize(mask[y : y + h, x : x + w], (width, height), interpolation=cv2.INTER_AREA), np.uint8)


class FontBook:
    """All usable fonts, by family, so that a family with many weights weighs no more than one with few."""

    def __init__(self) -> None:
        self.families: list[list[Path]] = []
        seen: set[str] = set()
        for files in font_files().values():
            fresh = [file for file in files if _is_new(file, seen)]
            if fresh:
                self.families.append(fresh)
        if not self.families:
            raise RuntimeError("no usable font is installed (Debian: apt-get install fonts-dejavu fonts-liberation …)")
        self.suit_fonts = [
            file
            for file in _symbol_files()
            if not any(word in str(file).lower() for word in UNWANTED[-3:])
            and all(glyph_mask(file, c) is not None for c in SUIT_CHARACTERS.values())
        ]

    def pick(self, rng: np.random.Generator) -> Path:
        family = self.families[rng.integers(len(self.families))]
        return family[rng.integers(len(family))]


def _is_new(file: Path, seen: set[str]) -> bool:
    """Whether a font draws every rank, each differently, and not as a font did that was seen before."""
    characters = (*(rank for rank in RANKS if rank != "10"), "1", "0", _MISSING)
    masks = [glyph_mask(file, character) for character in characters]
    if masks[-1] is None:
        masks.pop()
    prints = [
        hashlib.sha256(mask.tobytes() + bytes(str(mask.shape), "ascii")).hexdigest()
        for mask in masks
        if mask is not None
    ]
    if len(prints) < len(masks) or len(set(prints)) < len(prints):
        return False
    whole = "".join(prints)
    if whole in seen:
        return False
    seen.add(whole)
    return True


def _symbol_files() -> list[Path]:
    """Fonts that fontconfig says hold the four suit characters."""
    listing = subprocess.run(
        ["fc-list", "-f", "%{file}\n", ":charset=2660 2663 2665 2666"], capture_output=True, text=True, check=True
    )
    return sorted({Path(line) for line in listing.stdout.splitlines() if line.lower().endswith((".ttf", ".otf"))})
