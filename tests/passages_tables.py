"""Tables of `tests/bench/bench_passages.py`: correct, misread and abstained by design, rank, suit and axis."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from vision.evaluate import upper_bound

Row = dict[str, str]

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


def tables(found: Iterable[Row]) -> list[str]:
    """Lines of Markdown; in each table's last column the 95 % upper bound of the misread rate."""
    groups: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    whys: Counter[tuple[str, str, str]] = Counter()
    for row in found:
        what = outcome(row)
        for table, name in _groups(row):
            groups[table][name][what] += 1
        if what != "correct":
            whys[row["design"], row["truth"], row["why"] or f"said to be {row['said']}"] += 1
    lines = []
    for table, counts in groups.items():
        lines += ["", f"| {table} | correct / misread / abstained | correct | misread |", "|---|---|---|---|"]
        lines += [_line(name, counts[name]) for name in sorted(counts, key=_order)]
    lines += ["", "| not read | card | why | passages |", "|---|---|---|---|"]
    return lines + [f"| {a} | {b} | {c} | {n} |" for (a, b, c), n in sorted(whys.items())]


def _groups(row: Row) -> list[tuple[str, str]]:
    """Table and group of each that a passage counts in."""
    by_axis = [(title, _group(float(row[axis]), steps)) for axis, (title, steps) in STEPS.items()]
    return [("all", "all"), ("design", row["design"]), ("rank", row["truth"][0]), ("suit", row["truth"][1]), *by_axis]


def _group(value: float, steps: Sequence[float]) -> str:
    k = max(k for k in range(len(steps) - 1) if k == 0 or value >= steps[k])
    return f"{steps[k]:g} to {steps[k + 1]:g}"


def _order(name: str) -> tuple[float, str]:
    first = name.split()[0]
    ranks = "A23456789TJQK"
    if len(name) == 1 and name in ranks:
        return ranks.index(name), name
    return (float(first), name) if first.lstrip("-").replace(".", "", 1).isdigit() else (0.0, name)


def _line(name: str, count: Counter[str]) -> str:
    of = count.total()
    bound = upper_bound(count["misread"], of)
    counts = f"{count['correct']} / {count['misread']} / {count['abstained']}"
    return f"| {name} | {counts} | {100 * count['correct'] / of:.2f} % | < {100 * bound:.2g} % |"
