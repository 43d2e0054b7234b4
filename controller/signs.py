"""What is said and what the signs show: the dealer's announcement, two totals, one line of text, lamps by name."""

from __future__ import annotations

import unicodedata

from controller import announcements
from controller.plays import Coup
from controller.state import State, in_round
from controller.view import Display

TEXT_LENGTH = 32  # characters of ASCII on a sign
_COMPLETE = 31


def announcement(state: State) -> str:
    """What the dealer says now (TQ-4: running totals, a complete row's points, then the call)."""
    language = state.table.language
    if state.phase == "betting":
        return announcements.BETS_OPEN[language]
    if not isinstance(state.play, Coup):
        return ""
    return _of_a_coup(state, state.play)


def _of_a_coup(state: State, coup: Coup) -> str:
    said = [_said(state, total) for total in (coup.noir_total, coup.rouge_total) if total >= _COMPLETE]
    if not in_round(state):
        result = state.results[0] if state.results else None
        if result is None or not coup.noir or len(said) < 2:
            return ""
        return f"{', '.join(said)}. {announcements.result(state.table.language, result.outcome, result.couleur)}"
    running = coup.rouge_total if coup.noir_total >= _COMPLETE else coup.noir_total
    return str(running) if running else " ".join(said)


def _said(state: State, total: int) -> str:
    return announcements.points(state.table.language, total, state.table.full_totals)


def display(state: State) -> Display:
    return Display(_totals(state), ascii_line(_text(state)), _lamps(state))


def _totals(state: State) -> tuple[str, str]:
    if not isinstance(state.play, Coup):
        return ("", "")
    return (_number(state.play.noir_total), _number(state.play.rouge_total))


def _number(total: int) -> str:
    return str(total) if total else ""


def _text(state: State) -> str:
    if state.hold is not None:
        return f"HOLD {state.hold.code} {state.hold.card or ''}".rstrip()
    if state.phase == "result" and state.results and state.results[0].outcome == "void":
        return f"{state.results[0].round} void"
    if state.phase == "ended" and not _stands(state):
        return "End of shoe"
    if not in_round(state) and not _stands(state):
        return {"closed": "Closed", "no shoe": "No shoe", "burning": "Burning"}.get(state.phase, "")
    return announcement(state) if state.phase != "dealing" else ""


def _stands(state: State) -> bool:
    """Whether the last round's result still lies on the cloth."""
    return isinstance(state.play, Coup) and bool(state.play.rouge) and not in_round(state)


def _lamps(state: State) -> tuple[str, ...]:
    lamps = ["hold"] if state.hold is not None else []
    if state.phase == "betting" and not lamps:
        lamps.append("bets")
    if isinstance(state.play, Coup) and _stands(state) and state.results:
        result = state.results[0]
        if result.couleur is None:
            lamps.append("refait")
        else:
            lamps += [result.outcome, "couleur" if result.couleur == "gagne" else "inverse"]
    return tuple(lamps)


def ascii_line(text: str) -> str:
    """The text as a sign can show it: accents dropped, what is still no ASCII left out, cut to its length."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return plain[:TEXT_LENGTH]
