"""`sabot run --config FILE`: the daemon on real hardware, or with `--check` only a look at its configuration.

What a configuration may hold is edge.config's; what the daemon does, edge.daemon's.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.cli.ending import end_at_once_on_signals
from controller.edge.config import STANDARD_FILE, load_config


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "run",
        help="the daemon on real hardware, or a check of its configuration",
        description="The daemon of one table. Without hardware: sabot bench.",
    )
    parser.add_argument(
        "--config", type=Path, default=STANDARD_FILE, metavar="FILE", help="the table's configuration (%(default)s)"
    )
    parser.add_argument("--check", action="store_true", help="only check the configuration: each mistake on a line")


def run(args: argparse.Namespace) -> int:
    config = load_config(args.config)
    if args.check:
        print(f"{args.config}: the configuration of {config.table.name} is fine")
        return 0
    end_at_once_on_signals()
    from controller.edge.daemon_run import run_table  # lazy: OpenCV, starlette, serial

    run_table(config)
    return 0
