"""For developers: how well are labelled photographs read? `python -m vision.evaluate ROOT [SET …] [--variants]
[--list]`.

ROOT holds `manifest.csv` (columns file, rank, suit, x) and the pictures. One line a set: correct, misread,
abstained, and the 95 % upper bound of the misread rate; then by rank and by suit. It judges; it chooses and tunes
nothing.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import comb
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import FREE
from vision.quiet import quiet_opencv
from vision.sources.folder import read_picture
from vision.still import StillReading, read_still

Image = NDArray[np.uint8]

# What a photograph is spoilt by: scale, turn in degrees, gain, JPEG quality.
VARIANTS = (
    (1.0, 0.0, 1.0, 0),
    (0.85, 0.0, 1.0, 0),
    (1.15, 0.0, 1.0, 0),
    (1.0, 10.0, 1.0, 0),
    (1.0, -10.0, 1.0, 0),
    (1.0, 0.0, 0.6, 0),
    (1.0, 0.0, 1.4, 0),
    (1.0, 0.0, 1.0, 60),
    (0.85, 10.0, 0.6, 60),
    (1.15, -10.0, 1.4, 60),
)


@dataclass(frozen=True)
class Judged:
    """One picture read: `truth` and the reading."""

    file: str
    truth: str
    reading: StillReading

    @property
    def outcome(self) -> str:
        if self.reading.symbol is None:
            return "abstained"
        return "correct" if self.reading.symbol == self.truth else "misread"


def labelled(root: Path, sets: Iterable[str]) -> Iterator[tuple[Path, str]]:
    """Pictures with one whole card and its symbol, of the named sets (none named: all)."""
    wanted = set(sets)
    with (root / "manifest.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            known = row["suit"] in ("S", "H", "D", "C") and not row["x"]
            if known and (not wanted or row["file"].split("/")[0] in wanted):
                yield root / row["file"], ("T" if row["rank"] == "10" else row["rank"]) + row["suit"].lower()


def spoil(image: Image, scale: float, turn: float, gain: float, quality: int) -> Image:
    """A photograph scaled, turned about its middle, brightened or darkened, and compressed (quality 0: not)."""
    if scale != 1.0:
        smaller = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=smaller), np.uint8)
    if turn:
        height, width = image.shape[:2]
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
        image = np.asarray(cv2.warpAffine(image, matrix, (width, height), borderMode=cv2.BORDER_REFLECT), np.uint8)
    if gain != 1.0:
        image = np.asarray(cv2.convertScaleAbs(image, alpha=gain), np.uint8)
    if quality:
        data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return image


def judge(path: Path, truth: str, variants: Iterable[tuple[float, float, float, int]]) -> Iterator[Judged]:
    """Read one picture in each variant; one that is no picture abstains."""
    image = read_picture(path)
    for variant in variants:
        if image is None:
            yield Judged(str(path), truth, StillReading(None, 0.0, "unreadable file", 0.0))
        else:
            yield Judged(f"{path} {variant}", truth, read_still(spoil(image, *variant), FREE))


def upper_bound(misread: int, of: int) -> float:
    """The misread rate that 95 % of such runs would exceed no less than this one (exact, one-sided)."""
    if of == 0 or misread >= of:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        rate = (low + high) / 2
        chance = sum(comb(of, k) * rate**k * (1 - rate) ** (of - k) for k in range(misread + 1))
        low, high = (rate, high) if chance > 0.05 else (low, rate)
    return high


def line(name: str, judged: list[Judged]) -> str:
    """One line of the table."""
    count = Counter(j.outcome for j in judged)
    bound = upper_bound(count["misread"], len(judged))
    return (
        f"{name:24} {len(judged):5}  correct {count['correct']:5} ({100 * count['correct'] / len(judged):5.1f} %)"
        f"  misread {count['misread']:3} (< {100 * bound:.2f} %)  abstained {count['abstained']:4}"
    )


def main(arguments: list[str]) -> int:
    """Print the table; status 1 where anything was misread."""
    parser = argparse.ArgumentParser(prog="python -m vision.evaluate", description=__doc__.splitlines()[0])
    parser.add_argument("root", type=Path)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--variants", action="store_true", help="scaled, turned, dimmed and compressed, too")
    parser.add_argument("--list", action="store_true", help="name every picture that was not read right")
    asked = parser.parse_args(arguments)
    quiet_opencv()
    variants = VARIANTS if asked.variants else VARIANTS[:1]
    judged = [j for path, truth in labelled(asked.root, asked.sets) for j in judge(path, truth, variants)]
    if not judged:
        print(f"{asked.root}: no labelled pictures of {', '.join(asked.sets) or 'any set'}", file=sys.stderr)
        return 2
    _report(asked.root, judged)
    if asked.list:
        for j in judged:
            if j.outcome != "correct":
                print(
                    f"{j.outcome:10} {j.truth} {j.reading.symbol} {j.reading.why} {j.reading.confidence:.2f} {j.file}"
                )
    return 1 if any(j.outcome == "misread" for j in judged) else 0


def _report(root: Path, judged: list[Judged]) -> None:
    groups: dict[str, list[Judged]] = defaultdict(list)
    for j in judged:
        groups[Path(j.file).relative_to(root).parts[0]].append(j)
    for j in judged:
        groups[f"rank {j.truth[0]}"].append(j)
    for j in judged:
        groups[f"suit {j.truth[1]}"].append(j)
    for name, members in {**groups, "all": judged}.items():
        print(line(name, members))
    times = [j.reading.ms for j in judged]
    print(f"ms a picture: mean {np.mean(times):.1f}, p99 {np.percentile(times, 99):.1f}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
