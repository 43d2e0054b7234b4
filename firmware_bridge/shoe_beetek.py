"""The lines of a USPC Bee-Tek electronic shoe (RS-232, 9600 8N1, CR LF; it talks only) as a `port.Conversation`. Pure.

Accepted is what was seen, and nothing else: ` [Game]<Card:4S> `, ` [Manual Burn Cards]<Card:TH> `, ` [Game]<Game> ` and
` [Game]<Alarm:E3 Card Not Read> ` (a card that was not read), other alarms, ` <W0x01> `. Every other line is told as it
came, never guessed; a run of them without a bracket is told once (a wrong speed must not be a hundred cards).

In game mode the shoe repeats a card's characters, or its whole frame, straight after the first. What tells a repeat
from a second card of the same face is time: a card cannot slide out in `REPEAT_S`, a repeat does not take `CARD_S`.
Between the two, or where this program itself was late and cannot know, it is told as a card that was not read.
"""

from __future__ import annotations

import re

from firmware_bridge.events import (
    Event,
    LinkChanged,
    LinkState,
    ShoeAlarm,
    ShoeCard,
    ShoeUnknown,
    ShoeUnread,
    ShoeWarning,
    Turn,
)

REPEAT_S, CARD_S = 0.15, 0.25
TICK_S, LATE_S = 0.05, 0.15  # how often it looks at the clock, and from when on it was late
LINE_MAX = 120

_CARD_TEXT = r"(?:10|[2-9TJQKA])[CDHS]"
_MODE = r"\[(Game|Manual Burn Cards)\]"
_STRAY = re.compile(rf"({_CARD_TEXT})(?: *(\[.*))?")
_CARD = re.compile(rf"{_MODE}<Card:({_CARD_TEXT})>")
_NOT_READ = re.compile(r"\[Game\]<Game>|\[(?:Game|GameAlarm)\]<Alarm:E3(?: [ -=?-~]*)?>")
_ALARM = re.compile(r"\[(?:Game|GameAlarm|Manual Burn Cards)\]<Alarm:([ -;=?-~]+)>")
_WARNING = re.compile(rf"(?:{_MODE})?<(W0x[0-9A-Fa-f]{{2}})>")


class BeeTekShoe:
    """Events: `ShoeCard`, `ShoeUnread`, `ShoeAlarm`, `ShoeWarning`, `ShoeUnknown`, `LinkChanged`."""

    def __init__(self) -> None:
        self._held = b""
        self._skipping = False  # the rest of a line that is too long
        self._noise = False  # the last line had no bracket and was told
        self._last = ""  # the last card or failure, as it was written
        self._last_at = 0.0
        self._looked = 0.0
        self._events: list[Event] = []

    def opened(self, now: float) -> Turn:
        self._held, self._skipping, self._last, self._looked = b"", False, "", now
        self._events.append(LinkChanged(LinkState.UP, "open (a shoe speaks only when a card leaves)"))
        return self._turn()

    def closed(self, now: float, why: str) -> Turn:
        if self._held:
            self._unknown(self._held)  # half a line may have been a card
            self._held = b""
        self._events.append(LinkChanged(LinkState.NO_PORT, why))
        return self._turn()

    def receive(self, data: bytes, now: float) -> Turn:
        late = now - self._looked > LATE_S
        self._looked = now
        *lines, self._held = (self._held + data).split(b"\n")
        for line in lines:
            if not self._skipping:
                self._line(line, now, late)
            self._skipping = False
        if len(self._held) > LINE_MAX:
            if not self._skipping:
                self._unknown(self._held)
            self._held, self._skipping = b"", True
        return self._turn()

    def poll(self, now: float) -> Turn:
        self._looked = now
        return self._turn()

    def deadline(self) -> float | None:
        return self._looked + TICK_S

    def wrote(self, now: float) -> None:
        """Nothing is ever written to this shoe."""

    def _line(self, line: bytes, now: float, late: bool) -> None:
        text = line.decode("ascii", "replace").strip(" \r")
        text = self._without_repeat(text)
        if not text:
            return
        if not self._frame(text, now, late):
            self._unknown(line)
            return
        self._noise = False

    def _without_repeat(self, text: str) -> str:
        """The characters of the last card before the next frame, or alone on a line, are its repeat."""
        stray = _STRAY.fullmatch(text)
        if stray is not None and stray[1] == self._last:
            return stray[2] or ""
        return text

    def _frame(self, text: str, now: float, late: bool) -> bool:
        """Whether it is one of the frames that were seen."""
        if (card := _CARD.fullmatch(text)) is not None:
            self._card(card[2], card[1] != "Game", now, late)
        elif _NOT_READ.fullmatch(text):
            if self._last != "not read" or now - self._last_at >= CARD_S:
                self._events.append(ShoeUnread("the shoe did not read it"))
            self._last, self._last_at = "not read", now
        elif (alarm := _ALARM.fullmatch(text)) is not None:
            self._events.append(ShoeAlarm(alarm[1]))
        elif (warning := _WARNING.fullmatch(text)) is not None:
            self._events.append(ShoeWarning(warning[2]))
        else:
            return False
        return True

    def _card(self, written: str, burn: bool, now: float, late: bool) -> None:
        since = now - self._last_at if written == self._last else None
        self._last, self._last_at = written, now
        if since is None or (since >= CARD_S and not late):
            symbol = written.replace("10", "T")
            self._events.append(ShoeCard(symbol[0] + symbol[1].lower(), burn))
        elif since > REPEAT_S or late:
            self._events.append(ShoeUnread(f"the shoe sent {written} twice: a repeat, or a second card"))

    def _unknown(self, line: bytes) -> None:
        framed = b"<" in line or b"[" in line
        if framed or not self._noise:
            self._events.append(ShoeUnknown(line.decode("ascii", "backslashreplace").strip(" \r")[:LINE_MAX]))
        self._noise = not framed

    def _turn(self) -> Turn:
        turn = Turn(events=tuple(self._events))
        self._events.clear()
        return turn
