"""`sabot ports`: the serial ports and cameras that are plugged in, by stable path, and what each can be used as."""

from __future__ import annotations

import argparse
import sys

import msgspec

from controller.edge.plugged import found_cameras
from firmware_bridge.ports import found_ports


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("ports", help="list what is plugged in, by stable path")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    lines = [
        *[_line("serial", port.path, port.device, port.description, port.fits) for port in found_ports()],
        *[_line("camera", each.path, each.device, each.description, f"v4l2:{each.path}") for each in found_cameras()],
    ]
    for line in lines:
        print(msgspec.json.encode(line).decode() if args.json else _for_a_person(line))
    if not lines:
        print("no serial port and no camera is plugged in", file=sys.stderr)
    return 0


def _line(kind: str, path: str, device: str, description: str, fits: str) -> dict[str, str]:
    return {"kind": kind, "path": path, "device": device, "description": description, "fits": fits}


def _for_a_person(line: dict[str, str]) -> str:
    now = "" if line["path"] == line["device"] else f" (now {line['device']})"
    return f"{line['kind']}  {line['path']}{now}  {line['description']}: {line['fits']}"
