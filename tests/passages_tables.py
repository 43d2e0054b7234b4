"""Tables of `tests/bench/bench_passages.py`: correct, misread and abstained by design, rank, suit and axis."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from passages_support import DESIGNS

from vision.evaluate import upper_bound

Row = dict[str, str]

HALF_A = DESIGNS[:10]  # docs/vision.md
# Where an axis' groups begin; the last number ends the last one.
STEPS: dict[str, tuple[str, tuple[float, ...]]] = {
    "speed": ("speed, m/s", (0.1, 0.3, 1.0, 2.0)),
    "tilt": ("tilt, degrees", (-6.0, -3.0, 0.0, 3.0, 6.0)),
    "edge": ("top edge, mm", (-3.0, -1.0, 1.0, 3.0)),
    "light": ("light", (0.28, 0.4, 0.6, 1.0)),
    "flicker": ("flicker", (0.0, 0.03, 0.06, 0.08)),
    "focus": ("focus, px", (0.0, 0.5, 1.0, 1.6)),
    "noise": ("noise, grey levels", (0.5, 2.5, 4.5, 7.0)),
    "specks": ("specks on the window", (0, 4, 9, 13)),
    "marks": ("finger marks, most", (0, 2, 4, 5)),
}


def read_rows(files: Sequence[Path]) -> list[Row]:
    """All rows of those that exist."""
    found: list[Row] = []
    for each in files:
        if each.exists():
            with each.open(newline="", encoding="utf-8") as file:
                found += csv.DictReader(file)
    return found


def outcome(row: Row) -> str:
    return "abstained" if not row["said"] else "correct" if row["said"] == row["truth"] else "misread"


def runs(files: Sequence[Path]) -> dict[str, list[Row]]:
    """The rows of each run; `corners0.csv` and `corners1.csv` are two parts of one."""
    parts: dict[str, list[Path]] = defaultdict(list)
    for each in files:
        parts[each.stem.rstrip("0123456789")].append(each)
    return {name: read_rows(those) for name, those in parts.items()}


def tables(found: Mapping[str, Iterable[Row]]) -> list[str]:
    """Lines of Markdown, a column for each run; with the 95 % upper bound of the misread rate over all of it."""
    groups: dict[str, dict[str, dict[str, Counter[str]]]] = defaultdict(lambda: defaultdict(dict))
    failed: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for run, rows in found.items():
        for row in rows:
            what = outcome(row)
            for table, name in _groups(row):
                groups[table][name].setdefault(run, Counter())[what] += 1
            if what != "correct":
                why = row["why"] if what == "abstained" else f"said to be {row['said']}"
                failed[row["design"], row["truth"], why][run] += 1
    lines = []
    for table, counts in groups.items():
        lines += _head([table], list(found))
        lines += [_line([name], [_cell(counts[name].get(run)) for run in found]) for name in sorted(counts, key=_order)]
    bounds = [f"misread < {100 * _bound(groups['all']['all'][run]):.2g} %" for run in found]
    lines.insert(4, _line(["95 % upper bound"], bounds))
    lines += _head(["design", "card", "why not read"], list(found))
    return lines + [_line(what, [str(count[run]) for run in found]) for what, count in sorted(failed.items())]


def _head(names: Sequence[str], columns: Sequence[str]) -> list[str]:
    return ["", _line(names, columns), "|---" * (len(names) + len(columns)) + "|"]


def _line(names: Sequence[str], cells: Sequence[str]) -> str:
    return "| " + " | ".join([*names, *cells]) + " |"


def _cell(count: Counter[str] | None) -> str:
    """Correct / misread / abstained and the share that is correct."""
    if count is None:
        return "–"
    share = 100 * count["correct"] / count.total()
    return f"{count['correct']} / {count['misread']} / {count['abstained']}, {share:.2f} %"


def _bound(count: Counter[str]) -> float:
    return upper_bound(count["misread"], count.total())


def _groups(row: Row) -> list[tuple[str, str]]:
    """Table and group of each that a passage counts in."""
    half = "A: thresholds were chosen on it" if row["design"] in HALF_A else "B: only measured"
    by_axis = [(title, _group(float(row[axis]), steps)) for axis, (title, steps) in STEPS.items()]
    named = [("design", row["design"]), ("rank", row["truth"][0]), ("suit", row["truth"][1])]
    return [("all", "all"), ("half of the designs", half), *named, *by_axis]


def _group(value: float, steps: Sequence[float]) -> str:
    k = max(k for k in range(len(steps) - 1) if k == 0 or value >= steps[k])
    return f"{steps[k]:g} to {steps[k + 1]:g}"


def _order(name: str) -> tuple[float, str]:
    first = name.split()[0]
    ranks = "A23456789TJQK"
    if len(name) == 1 and name in ranks:
        return ranks.index(name), name
    return (float(first), name) if first.lstrip("-").replace(".", "", 1).isdigit() else (0.0, name)
