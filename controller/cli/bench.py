"""`sabot bench`: the daemon handed a simulated table (camera, sensors and panel of `hw_sim`), for a laptop.

This process is the daemon; the simulator is another one, found again through the state folder. What is printed is
edge.bench_log's, what a daemon does edge.daemon's, what is simulated hw_sim's, which is imported here alone.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import secrets
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from controller.cli.ending import end_at_once_on_signals
from controller.edge.problems import UsageProblem

if TYPE_CHECKING:
    from controller.edge.bench_log import BenchLog
    from controller.edge.daemon import Hooks, Parts, Premises
    from controller.rules import Rules

HOST, PORT = "127.0.0.1", 8031
LOOK_S = 0.5
GAMES = ("trente-et-quarante", "red-and-black", "zecchinetta")
SEATS_MOST = 9
RESOLUTIONS = ("put-back", "burn", "void", "next")
LAMPS = {
    "trente-et-quarante": ("noir", "rouge", "couleur", "inverse", "refait", "bets", "hold"),
    "red-and-black": ("red", "black", "double", "bets", "hold"),
    "zecchinetta": ("bank-wins", "bank-loses", "bets", "hold"),
}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "bench",
        help="the daemon with a simulated table",
        description="Deals from a simulated shoe, through camera, rules, panel and page, until Ctrl-C. "
        "Status 1: a fault that nobody was told to resolve.",
    )
    parser.add_argument("--game", choices=GAMES, default=GAMES[0], help="the game dealt (%(default)s)")
    parser.add_argument("--rounds", type=_at_least_one, metavar="N", help="end after N rounds (default: deal on)")
    parser.add_argument(
        "--seed", type=_at_least_zero, metavar="N", help="fixes shuffle and noise (default: a new one each time)"
    )
    parser.add_argument("--deck", type=Path, metavar="FOLDER", help="card faces from pictures As.png, 10H.png, ...")
    parser.add_argument(
        "--speed",
        type=_speed,
        default=1.0,
        metavar="X",
        help="times two cards a second, where the machine can (default 1)",
    )
    parser.add_argument("--state", type=Path, metavar="DIR", help="keeps the journal (default: a temporary folder)")
    parser.add_argument("--port", type=_port, metavar="N", help=f"the page's (default {PORT}; with --json: any free)")
    parser.add_argument("--rules", type=Path, metavar="FILE.toml", help="house rules")
    parser.add_argument("--seats", type=_seats, default=1, metavar="N", help="players beside the banker (%(default)s)")
    parser.add_argument(
        "--on-fault",
        choices=RESOLUTIONS,
        help="how the simulated operator resolves each fault (default: the bench ends)",
    )
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output (docs/replay.md)")


def run(args: argparse.Namespace) -> int:
    end_at_once_on_signals()  # until the daemon's loop takes them
    if args.deck is not None and not args.deck.is_dir():
        raise UsageProblem(f"--deck {args.deck}: is not a folder")
    args.rules = _rules(args.rules)
    args.seed = secrets.randbelow(2**31) if args.seed is None else args.seed
    from controller.edge.daemon import Premises  # heavy, and not needed for --help

    port = args.port if args.port is not None else 0 if args.json else PORT
    level = logging.ERROR if args.json else logging.WARNING
    logging.basicConfig(level=level, format="%(message)s", stream=sys.stderr)
    with _state_folder(args.state) as folder, Premises(folder, HOST, port) as premises:
        return asyncio.run(_bench(args, premises))


async def _bench(args: argparse.Namespace, premises: Premises) -> int:
    from controller.edge.bench_log import BenchLog, Task
    from controller.edge.daemon import Hooks, end_on_signals, serve

    hooks = Hooks()
    end_on_signals(hooks.stop)
    log = BenchLog(Task(args.rounds or 0, args.on_fault, args.json), sys.stdout, sys.stderr, hooks.stop.set)
    sim = await asyncio.to_thread(_simulator, args, premises.folder)
    try:
        if not hooks.stop.is_set():
            _watch(hooks, log, args)
            watching = asyncio.create_task(_until_it_ends(sim, premises.folder, log))
            await serve(premises, _parts(args, sim, premises.folder), hooks)
            watching.cancel()
            log.end(_behind_s(sim))
    finally:
        await asyncio.to_thread(sim.stop)
    return log.status


async def _until_it_ends(sim: Simulator, folder: Path, log: BenchLog) -> None:
    """A bench without its simulator has no table: that ends it with 1."""
    while sim.alive:
        await asyncio.sleep(LOOK_S)  # another process' end can only be looked at
    log.give_up(f"the simulator has ended by itself: {folder / 'sim' / 'log'}")


def _watch(hooks: Hooks, log: BenchLog, args: argparse.Namespace) -> None:
    hooks.camera, hooks.step = log.camera, log.step
    speed = f" at {args.speed:g} times the speed" if args.speed != 1 else ""
    hooks.up = lambda url, restored: log.begin(f"{args.game}{speed}, seed {args.seed}", url, restored)


class Simulator(Protocol):
    """What the bench needs of `hw_sim.launch.SimHandle`."""

    @property
    def camera_socket(self) -> Path: ...

    @property
    def sensors_socket(self) -> Path: ...

    @property
    def panel_port(self) -> Path: ...

    @property
    def alive(self) -> bool: ...

    def command(self, command: str, timeout_s: float = ...) -> dict[str, Any]: ...

    def stop(self) -> None: ...


def _simulator(args: argparse.Namespace, folder: Path) -> Simulator:
    """The simulator of this state folder: the one that runs there, or a new one. Raises UsageProblem."""
    from hw_sim.launch import SimFailed, ensure
    from hw_sim.options import SimOptions

    options = SimOptions(
        state=folder,
        game=args.game,
        seed=args.seed,
        speed=args.speed,
        deck=args.deck,
        on_fault=args.on_fault,
        confirm=args.speed > 1,
        decks=args.rules.decks if args.game != "zecchinetta" else None,
        seats=args.seats,
        lamps=LAMPS[args.game],
    )
    try:
        return ensure(options)
    except SimFailed as error:
        raise UsageProblem(str(error)) from error


def _parts(args: argparse.Namespace, sim: Simulator, folder: Path) -> Parts:
    from controller.edge.daemon import Parts
    from controller.edge.panel_link import PanelSettings
    from controller.edge.sensors import SocketSource
    from controller.events import TableOpened
    from controller.paths import config_folder
    from vision.child import ReaderSettings

    way_out = "box" if args.game == "zecchinetta" else "slot"
    return Parts(
        name="bench",
        table=TableOpened(args.game, args.rules, args.seats),
        camera=ReaderSettings(
            source=f"shared:{sim.camera_socket}",
            geometry=str(config_folder() / "cameras" / f"reference-{way_out}.toml"),
            keep_folder=str(folder / "unread"),
        ),
        panel=PanelSettings(str(sim.panel_port), lamps=LAMPS[args.game]),
        sensors=SocketSource(str(sim.sensors_socket)),
    )


def _behind_s(sim: Simulator) -> float:
    """How much real time the simulated camera lost because its frames were not taken in time."""
    try:
        return float(sim.command("status", LOOK_S)["behind_s"])
    except (OSError, ValueError, KeyError):
        return 0.0


@contextlib.contextmanager
def _state_folder(named: Path | None) -> Iterator[Path]:
    if named is not None:
        yield named
        return
    with tempfile.TemporaryDirectory(prefix="sabot-bench-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _at_least_one(text: str) -> int:
    return _whole(text, 1)


def _at_least_zero(text: str) -> int:
    return _whole(text, 0)


def _rules(path: Path | None) -> Rules:
    from controller.edge.house_rules import load_rules
    from controller.rules import Rules

    return Rules() if path is None else load_rules(path)


def _seats(text: str) -> int:
    return _whole(text, 1, SEATS_MOST)


def _port(text: str) -> int:
    return _whole(text, 0, 65535)


def _whole(text: str, least: int, most: int = 2**62) -> int:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if not least <= value <= most:
        limit = f"at least {least}" if most == 2**62 else f"from {least} to {most}"
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number {limit}")
    return value


def _speed(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0 and at most 1000")
    return value
