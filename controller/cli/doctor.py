"""`sabot doctor`: says of each part whether it would work, and what to do where not. The looking is edge.doctor's."""

from __future__ import annotations

import argparse
import sys
from itertools import chain
from pathlib import Path

import msgspec

from controller.edge.config import STANDARD_FILE, TableConfig, load_config
from controller.edge.doctor import Finding, machine
from controller.edge.doctor_table import table

WOULD_NOT_WORK = 1
_MARKS = {True: "ok", False: "NO", None: "-"}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "doctor",
        help="say of each part whether it would work",
        description="Looks at camera, ports, pins, page, journal, clock and disk, and says what to do where one would "
        "not work. Status 1: one would not.",
    )
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help=f"the table's configuration (default: {STANDARD_FILE}, if there)"
    )
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    status = 0
    for finding in chain(machine(), table(_config(args.config))):
        print(msgspec.json.encode(finding).decode() if args.json else _for_a_person(finding), flush=True)
        if finding.works is False:
            status = WOULD_NOT_WORK
    return status


def _config(path: Path | None) -> TableConfig:
    if path is not None:
        return load_config(path)
    if STANDARD_FILE.exists():
        return load_config(STANDARD_FILE)
    print(f"no --config given and no {STANDARD_FILE} here: a table with all defaults is looked at", file=sys.stderr)
    return TableConfig()


def _for_a_person(finding: Finding) -> str:
    advice = f"; {finding.advice}" if finding.advice else ""
    return f"{finding.part:<12} {_MARKS[finding.works]:<3} {finding.text}{advice}"
