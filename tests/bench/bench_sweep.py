"""Where the slot's reader begins to abstain: `python tests/bench/bench_sweep.py RESULTS.csv --art ART [--only AXIS …]
[--each N] [--part K/N]`, and `… RESULTS.csv … --plot OUT.svg` (needs matplotlib, extra `docs`).

One axis after the other goes through and past the reference camera's range while all others stand in their middle; at
each step N passages of each design of `passages_support.DESIGNS`. Rows hold their seeds' names, and steps that RESULTS
holds are not run again. The axes are in `tests/sweep_axes.py`.
"""

from __future__ import annotations

import argparse
import csv
import sys
import zlib
from collections import Counter, defaultdict
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from passages_plan import card
from passages_support import DESIGNS, Shoe, art_face
from passages_tables import Row, outcome, read_rows
from sweep_axes import AXES, Axis, Setting

from hw_sim.camera import Camera
from hw_sim.motion import TOP_EDGE_MM, Hand, draw_card
from vision.decide import FaceReader
from vision.evaluate import upper_bound
from vision.quiet import quiet_opencv

FIELDS = ("axis", "value", "design", "nth", "truth", "said", "why")
SEED = 31


def passages(art: Path, axis: Axis, value: float, design: str, each: int, reads: FaceReader) -> list[list[str]]:
    """`each` passages of a design at one step of an axis, each before a camera of its own floor and dirt."""
    found = []
    place = DESIGNS.index(design)
    for nth in range(each):
        step = axis.steps.index(value)
        rng = np.random.default_rng((SEED, zlib.crc32(axis.name.encode()), step, place, nth))
        at: Setting = axis.setting(value, nth)
        shoe = Shoe(Camera(at.conditions, rng), reads, spoil=at.spoil)
        truth = card(place, step * each + nth)
        hand = Hand(at.speed, at.speed, 0.1, stop_chance=0.0, pull_back_chance=0.0)
        poses = draw_card(rng, hand, (at.tilt_deg, TOP_EDGE_MM + at.edge_mm)).poses
        said, why = shoe.passage(shoe.camera.prepare(art_face(art / design, truth)), poses)
        found.append([axis.name, f"{value:g}", design, str(nth), truth, said, why])
    return found


def run(results: Path, asked: argparse.Namespace) -> None:
    done = {(row["axis"], row["value"], row["design"]) for row in read_rows([results])}
    k, of = (int(number) for number in asked.part.split("/"))
    reads = FaceReader()
    for axis in [axis for axis in AXES if axis.name in asked.only]:
        for value in axis.steps:
            for design in DESIGNS[k::of]:
                if (axis.name, f"{value:g}", design) in done:
                    continue
                found = passages(asked.art, axis, value, design, asked.each, reads)
                new = not results.exists()
                with results.open("a", newline="", encoding="utf-8") as file:
                    csv.writer(file).writerows([list(FIELDS)] * new + found)


def counted(rows: list[Row]) -> dict[str, dict[float, Counter[str]]]:
    """Outcomes of each axis' steps."""
    found: dict[str, dict[float, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for row in rows:
        found[row["axis"]][float(row["value"])][outcome(row)] += 1
    return found


def table(rows: list[Row]) -> list[str]:
    """Markdown: of each axis the steps with the share that was read; misreads in all."""
    found = counted(rows)
    lines = ["| axis | share read at each step | misread |", "|---|---|---|"]
    for axis in [axis for axis in AXES if axis.name in found]:
        steps = sorted(found[axis.name].items())
        shares = ", ".join(f"{value:g}: {100 * n['correct'] / n.total():.0f} %" for value, n in steps)
        lines.append(f"| {axis.label} | {shares} | {sum(n['misread'] for _, n in steps)} |")
    wrong = sum(outcome(row) == "misread" for row in rows)
    return [*lines, "", f"{wrong} of {len(rows)} misread (< {100 * upper_bound(wrong, len(rows)):.2g} %)"]


def plot(rows: list[Row], out: Path) -> None:
    """Small plots in one figure, an axis each: read and misread shares, the reference camera's range shaded."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "sabot", "font.size": 8, "font.family": "sans-serif"})
    from matplotlib import pyplot as plt

    found = counted(rows)
    shown = [axis for axis in AXES if axis.name in found]
    figure, plots = plt.subplots(-(-len(shown) // 3), 3, figsize=(10, 2.3 * -(-len(shown) // 3)), squeeze=False)
    for axis, ax in zip(shown, plots.flat, strict=False):
        values = sorted(found[axis.name])
        low, high = axis.range
        ax.axvspan(low, high, color="#dfeaf6", lw=0, label="reference camera's range")
        for what, colour, style in (("correct", "#1b7f3b", "o-"), ("misread", "#c4161c", "x--")):
            counts = [found[axis.name][value] for value in values]
            shares = [100 * count[what] / count.total() for count in counts]
            ax.plot(values, shares, style, color=colour, ms=3, lw=1.2, label=what)
        if axis.logarithmic:
            ax.set_xscale("log")
            ax.set_xticks(values, [f"{value:g}" for value in values])
            ax.minorticks_off()
        ax.set(xlabel=axis.label, ylim=(-4, 104), yticks=(0, 50, 100))
        ax.grid(alpha=0.3, lw=0.5)
    for ax in plots[:, 0]:
        ax.set_ylabel("% of passages")
    for ax in list(plots.flat)[len(shown) :]:
        ax.set_visible(False)
    handles, labels = plots.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncols=3, frameon=False, title="what is neither was abstained")
    figure.tight_layout(rect=(0, 0, 1, 0.96))
    figure.savefig(out, metadata={"Date": None})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, nargs="+")
    parser.add_argument("--art", type=Path)
    parser.add_argument("--each", type=int, default=4, help="passages of each design at each step")
    parser.add_argument("--only", nargs="*", default=[axis.name for axis in AXES])
    parser.add_argument("--part", default="0/1", help="designs K, K+N, … only: several processes, each its RESULTS")
    parser.add_argument("--plot", type=Path)
    chosen = parser.parse_args()
    quiet_opencv()
    cv2.setNumThreads(1)
    if chosen.art is not None:
        run(chosen.results[0], chosen)
    else:
        print("\n".join(table(read_rows(chosen.results))))
    if chosen.plot is not None:
        plot(read_rows(chosen.results), chosen.plot)
