"""Any sign as a `port.Conversation`: begin on every opening, differences after that, all of it again where the sign
refused, fell silent, or cannot answer at all. Pure: every call takes `now`; leaves the bytes' meaning to the sign."""

from __future__ import annotations

from collections import deque

from firmware_bridge.events import Event, LinkChanged, LinkState, Turn
from firmware_bridge.signs.sign import Answer, Sign, SignPicture, Step

ANSWER_S = 1.0
RETRY_S = 0.5  # after a refusal, so that a sign that refuses always is not flooded
REOPEN_S = 5.0


class SignConversation:
    """`baud` tells how long bytes are on the line: a newer picture waits for the line, not behind older ones."""

    def __init__(self, sign: Sign, baud: int) -> None:
        self._sign = sign
        self._byte_s = 10 / baud
        self.wanted: SignPicture | None = None
        """The newest picture; any thread may put one here."""
        self._shown: SignPicture | None = None
        self._steps: deque[Step] = deque()
        self._open = False
        self._clear_at = 0.0
        self._refresh_at = 0.0
        self._answer_due: float | None = None
        self._unanswered: float | None = None  # since when
        self._state: tuple[LinkState, str] | None = None
        self._events: list[Event] = []

    @property
    def settled_at(self) -> float | None:
        """When the newest picture has left the line, and been taken where the sign answers; None: not known yet."""
        told = self._open and not self._steps and self._answer_due is None and self.wanted == self._shown
        return self._clear_at if told else None

    def opened(self, now: float) -> Turn:
        self._open = True
        self._clear_at, self._unanswered = now, None
        self._anew()
        if not self._sign.answers:
            self._report(LinkState.UP, "open (this sign does not answer)")
        return self.poll(now)

    def closed(self, now: float, why: str) -> Turn:
        self._open = False
        self._report(LinkState.NO_PORT, why)
        return self._turn(b"")

    def receive(self, data: bytes, now: float) -> Turn:
        answer = self._sign.receive(data)
        if answer is not None:
            self._answer_due = self._unanswered = None
        if answer is Answer.TAKEN:
            self._report(LinkState.UP, "answers")
        elif answer is Answer.REFUSED:
            self._report(LinkState.INCOMPATIBLE, "refuses what it is sent")
            self._anew()
            self._clear_at = now + RETRY_S
        return self.poll(now)

    def poll(self, now: float) -> Turn:
        if not self._open:
            return self._turn(b"")
        reopen = self._watch(now)
        sent = bytearray()
        while now >= self._clear_at and self._answer_due is None and (self._steps or self._plan(now)):
            step = self._steps.popleft()
            sent += step.data
            self._clear_at = now + len(step.data) * self._byte_s + step.pause_s
            if self._sign.answers:
                self._answer_due = self._clear_at + ANSWER_S
                self._unanswered = now if self._unanswered is None else self._unanswered
        return self._turn(bytes(sent), reopen)

    def deadline(self) -> float | None:
        if not self._open:
            return None
        if self._answer_due is not None:
            return self._answer_due
        if self._steps or self.wanted != self._shown:
            return self._clear_at
        return None if self._sign.answers or self.wanted is None else max(self._refresh_at, self._clear_at)

    def wrote(self, now: float) -> None:
        """When the kernel had the bytes does not matter here."""

    def _watch(self, now: float) -> str:
        if self._answer_due is None or now < self._answer_due:
            return ""
        self._report(LinkState.SILENT, "does not answer")
        self._anew()
        return "does not answer" if self._unanswered is not None and now - self._unanswered >= REOPEN_S else ""

    def _anew(self) -> None:
        self._shown, self._answer_due = None, None
        self._steps = deque(self._sign.begin())

    def _plan(self, now: float) -> bool:
        """Whether there is something to send, now that the line is clear and nothing is waited for."""
        wanted = self.wanted
        if wanted is None:
            return False
        if self._shown is None or (not self._sign.answers and now >= self._refresh_at):
            self._steps.extend(self._sign.full(wanted))
            self._refresh_at = now + self._sign.refresh_s
        elif wanted != self._shown:
            self._steps.extend(self._sign.change(self._shown, wanted))
        self._shown = wanted
        return bool(self._steps)

    def _report(self, state: LinkState, detail: str) -> None:
        if (state, detail) != self._state:
            self._state = (state, detail)
            self._events.append(LinkChanged(state, detail))

    def _turn(self, send: bytes, reopen: str = "") -> Turn:
        turn = Turn(send, tuple(self._events), reopen)
        self._events.clear()
        return turn
