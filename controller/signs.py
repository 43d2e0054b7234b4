"""What is said and what the signs show: the dealer's announcement, two numbers, one line of text, lamps by name."""

from __future__ import annotations

import unicodedata

from controller import announcements
from controller.games.red_and_black import HAND, may_double, reds
from controller.games.zecchinetta import table_ranks
from controller.plays import Coup, Hand, Round
from controller.state import State, in_round
from controller.view import Display

TEXT_LENGTH = 32  # characters of ASCII on a sign
_COMPLETE = 31
_ON_SIGNS = {"ru": "fr"}  # a sign has no letters for it


def announcement(state: State, language: str | None = None) -> str:
    """What the dealer says now."""
    language = language or state.table.language
    play = state.play
    if isinstance(play, Coup):
        return _of_a_coup(state, play, language)
    return _of_a_round(state, play, language) if isinstance(play, Round) else _of_a_hand(state, play, language)


def _of_a_coup(state: State, coup: Coup, language: str) -> str:
    """TQ-4: running totals, a complete row's points; then the call (TQ-7)."""
    if state.phase == "betting":
        return announcements.BETS_OPEN[language]
    full = state.table.full_totals
    totals = (coup.noir_total, coup.rouge_total)
    said = [announcements.points(language, total, full) for total in totals if total >= _COMPLETE]
    if not in_round(state):
        if len(said) < 2 or not state.results:
            return ""
        result = state.results[0]
        return f"{', '.join(said)}. {announcements.result(language, result.outcome, result.couleur)}"
    running = coup.rouge_total if said else coup.noir_total
    return str(running) if running else " ".join(said)


def _of_a_round(state: State, play: Round, language: str) -> str:
    if state.phase == "betting":
        return announcements.BETS_OPEN[language]
    if may_double(play.hand) and not play.decided:
        return announcements.DOUBLES[language].format(seat=play.seat)
    if play.hand or not play.hands:
        return ""
    red = reds(play.hands[-1])
    return announcements.HANDS[language].format(red=red, black=HAND - red)


def _of_a_hand(state: State, hand: Hand, language: str) -> str:
    if hand.sight is None or not hand.threshold:
        return ""
    if not hand.turn:
        return announcements.BETS_OPEN[language]
    return announcements.EFFECTS[language][hand.effect].format(rank=hand.sight[0])


def display(state: State) -> Display:
    return Display(_numbers(state), ascii_line(_text(state)), _lamps(state))


def _numbers(state: State) -> tuple[str, str]:
    """The two rows: totals of noir and rouge; red and black cards of a hand; zecchinetta's turn."""
    play = state.play
    if isinstance(play, Coup):
        return (_number(play.noir_total), _number(play.rouge_total))
    if isinstance(play, Hand):
        return (_number(play.turn), "")
    hand = play.hand or (play.hands[-1] if play.hands else ())
    return (str(reds(hand)), str(len(hand) - reds(hand))) if hand else ("", "")


def _number(total: int) -> str:
    return str(total) if total else ""


def _text(state: State) -> str:
    if state.hold is not None:
        return f"HOLD {state.hold.code} {state.hold.card or ''}".rstrip()
    if state.phase == "dealing" and isinstance(state.play, Coup):
        return ""
    if not in_round(state) and not _stands(state):
        if state.phase == "result" and state.results and state.results[0].outcome == "void":
            return f"{state.results[0].round} void"
        return _IDLE.get(state.phase, "")
    if isinstance(state.play, Hand) and state.phase == "betting":
        banker = state.play.banker_card or " "
        return f"Bank {banker[0]} Table {' '.join(table_ranks(state.play))}"
    return announcement(state, _ON_SIGNS.get(state.table.language, state.table.language))


_IDLE = {
    "closed": "Closed",
    "no shoe": "No shoe",
    "checking": "Counting the pack",
    "burning": "Burning",
    "banker": "Who is banker?",
    "ended": "End of shoe",
    "reconciling": "Counting the shoe",
}


def _stands(state: State) -> bool:
    """Whether the last round still lies on the cloth with its result."""
    if state.phase not in ("result", "ended"):
        return False
    play = state.play
    if isinstance(play, Coup):
        return bool(play.rouge)
    return bool(play.hands) if isinstance(play, Round) else play.effect == "bank-loses"


def _lamps(state: State) -> tuple[str, ...]:
    lamps = _of_the_table(state)
    play = state.play
    if isinstance(play, Coup):
        return (*lamps, *(_of_the_result(state) if _stands(state) else ()))
    if isinstance(play, Round):
        return (*lamps, *_of_the_seat(state, play))
    return (*lamps, play.effect) if play.effect in ("bank-wins", "bank-loses") else lamps


def _of_the_table(state: State) -> tuple[str, ...]:
    if state.hold is not None:
        return ("hold",)
    return ("bets",) if state.phase == "betting" else ()


def _of_the_result(state: State) -> tuple[str, ...]:
    result = state.results[0]
    if result.couleur is None:
        return ("refait",)
    return (result.outcome, "couleur" if result.couleur == "gagne" else "inverse")


def _of_the_seat(state: State, play: Round) -> tuple[str, ...]:
    if may_double(play.hand) and not play.decided:
        return ("double",)
    if play.hand or not play.hands:
        return ()
    return ("red",) if reds(play.hands[-1]) > HAND // 2 else ("black",)


def ascii_line(text: str) -> str:
    """The text as a sign can show it: accents dropped, what is still no ASCII left out, cut to its length."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return plain[:TEXT_LENGTH]
