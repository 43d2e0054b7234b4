"""The simulator's control: commands of tests and scenarios on DIR/sim/control.sock, each answered by one JSON line.

`{"command": "slip", "symbol": "Kh"}` is answered `{"ok": true, …}` or `{"ok": false, "why": …}`. docs/design.md lists
the commands; what each does to shoe, dealer or panel is theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hw_sim.decks import SYMBOLS
from hw_sim.faces import symbol_of
from hw_sim.lines import Json

if TYPE_CHECKING:
    from hw_sim.bench import Bench


class Unusable(ValueError):
    """A command that cannot be done; the text says why."""


def answer(bench: Bench, line: Json) -> Json:
    """Do what a line asks."""
    command = line.get("command")
    act = _COMMANDS.get(command) if isinstance(command, str) else None
    if act is None:
        return {"ok": False, "why": f"{command!r} is no command: {', '.join(_COMMANDS)}"}
    try:
        return {"ok": True, **act(bench, line)}
    except (Unusable, RuntimeError) as error:
        return {"ok": False, "why": str(error)}


def _pull(bench: Bench, line: Json) -> Json:
    """Pull a card (`"back": true`: it only shows itself; `"two": true`: the next one comes along) without asking."""
    if bench.stack.empty:
        raise Unusable("the shoe is empty")
    bench.window.pull(leaves=line.get("back") is not True, two=line.get("two") is True)
    return {}


def _slip(bench: Bench, line: Json) -> Json:
    symbol = line.get("symbol")
    known = symbol_of(symbol) if isinstance(symbol, str) else None
    if known not in SYMBOLS:
        raise Unusable(f"{symbol!r} is no symbol")
    return {"symbol": known, "replaced": bench.stack.slip(known)}


def _rest(bench: Bench, line: Json) -> Json:
    """The dealer's hand rests (`"rest": true`) or goes on: a scenario that pulls by itself wants no help."""
    bench.dealer.resting = line.get("rest") is not False
    bench.dealer.poke()
    return {"rest": bench.dealer.resting}


def _lid(bench: Bench, line: Json) -> Json:
    bench.sensors.turn("lid", 1 if line.get("level") else 0)
    return {}


def _panel_kill(bench: Bench, _: Json) -> Json:
    bench.panel.kill()
    return {}


def _panel_start(bench: Bench, _: Json) -> Json:
    bench.panel.start()
    return {}


def _panel_picture(bench: Bench, _: Json) -> Json:
    seen = bench.panel.picture()
    if seen is None:
        return {"dark": True}
    return {"rows": list(seen.rows), "text": seen.text, "lamps": sorted(seen.lamps), "brightness": seen.brightness}


def _dealt(bench: Bench, _: Json) -> Json:
    stack = bench.stack
    seen = {"dealt": list(stack.dealt), "cloth": stack.cloth(), "before": list(stack.before)}
    return {"shoe": stack.shoes, **seen, "left": len(stack.inside)}


def _status(bench: Bench, _: Json) -> Json:
    window = bench.window
    return {
        **bench.about(),
        "time_s": window.time_s,
        "behind_s": window.behind_s,
        "busy": window.busy,
        "shoe": bench.stack.shoes,
        "dealt": len(bench.stack.dealt),
    }


def _set(bench: Bench, line: Json) -> Json:
    """Take over what a new daemon was started with: `speed`, `on_fault`, `confirm`."""
    speed, on_fault, confirm = line.get("speed"), line.get("on_fault"), line.get("confirm")
    if not isinstance(speed, int | float) or speed <= 0:
        raise Unusable(f"speed: {speed!r} is not a number above 0")
    if on_fault is not None and not isinstance(on_fault, str):
        raise Unusable(f"on_fault: {on_fault!r} is no text")
    bench.take_over(float(speed), on_fault, confirm is True)
    return bench.about()


def _stop(bench: Bench, _: Json) -> Json:
    bench.end.set()
    return {}


_COMMANDS: dict[str, Callable[[Bench, Json], Json]] = {
    "pull": _pull,
    "slip": _slip,
    "rest": _rest,
    "lid": _lid,
    "panel-kill": _panel_kill,
    "panel-start": _panel_start,
    "panel-picture": _panel_picture,
    "dealt": _dealt,
    "status": _status,
    "set": _set,
    "stop": _stop,
}
