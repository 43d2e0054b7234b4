"""The host's end of PROTOCOL.md: handshake, the newest picture until it is acknowledged, heartbeat. Pure: no port, no
clock, no thread.

Every call takes `now` (monotonic seconds) and returns a `Turn`. `port` owns the bytes, `panel` the threads. There is
one picture, the newest; it is sent whole, so a repeat can do no harm and a lost older one is no loss.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from firmware_bridge import framing, messages
from firmware_bridge.errors import FrameError
from firmware_bridge.events import Event, ExitCount, LinkChanged, LinkState, PictureAcked, Turn
from firmware_bridge.messages import Ack, Header, Heartbeat, Hello, Message, Nak, Refusal, Status, Welcome
from firmware_bridge.picture import Picture

HELLO_RETRY_S = 0.25
HELLO_PAUSE_S = 5.0  # between questions to a panel that speaks no version of ours
RETRY_S = 0.1  # without the answer's and the question's own time on the wire
HURRY_S = 0.02  # an "unreadable" brings a repeat forward, not more often than this
HEARTBEAT_S = 0.5
SILENCE_S = 1.6
REOPEN_S = 5.0
SESSIONS = 1 << 32
SEQUENCES = 1 << 16
COUNTS = 1 << 32


@dataclass
class _Wanted:
    """The newest picture and how far it got in this session."""

    number: int
    picture: Picture
    due: float = 0.0
    written: float | None = None
    acked: bool = False

    @property
    def sequence(self) -> int:
        return self.number % SEQUENCES


class Link:
    """One panel's conversation. `session`: any number to count handshakes from, drawn anew by each process."""

    def __init__(self, lamps: Iterable[str] = (), session: int = 1, baud: int = 115200) -> None:
        self._lamps = tuple(lamps)
        self._session = session % SESSIONS
        self._byte_s = 10 / baud
        self._decoder = framing.Decoder()
        self._wanted: _Wanted | None = None
        self._state: LinkState | None = None
        self._detail = ""
        self._open = False
        self._up = False
        self._heard = 0.0
        self._hello_due = 0.0
        self._beat_due = 0.0
        self._clear_at = 0.0
        self._exits: ExitCount | None = None
        self._unstamped = False
        self._events: list[Event] = []
        self._send = bytearray()
        self.malformed = 0
        """How many good frames had fields that break the protocol."""

    @property
    def up(self) -> bool:
        """Whether the handshake stands."""
        return self._up

    @property
    def settled(self) -> bool:
        """Whether the panel is known to show the newest picture."""
        return self._up and (self._wanted is None or self._wanted.acked)

    # What the owner calls.

    def opened(self, now: float) -> Turn:
        """The port was opened: greet."""
        self._open = True
        self._decoder.reset()
        self._clear_at = now
        self._greet(now)
        return self.poll(now)

    def closed(self, now: float, why: str) -> Turn:
        """The port is not there: say so; nothing is sent until `opened`."""
        self._open = self._up = False
        self._report(LinkState.NO_PORT, why)
        return self._turn()

    def show(self, picture: Picture, number: int, now: float) -> Turn:
        """Show `picture` from now on; `number` counts upwards. PictureError where the protocol cannot carry it."""
        messages.picture_frame(picture, Header(0, 0), self._lamps)
        self._wanted = _Wanted(number, picture, due=now)
        return self.poll(now)

    def receive(self, data: bytes, now: float) -> Turn:
        """Bytes came, in pieces of any size."""
        for body in self._decoder.feed(data):
            try:
                self._take(messages.decode(body), now)
            except FrameError:
                self.malformed += 1
        return self.poll(now)

    def poll(self, now: float) -> Turn:
        """Do what is due."""
        reopen = ""
        if self._open:
            reopen = self._watch(now)
            self._speak(now)
        return self._turn(reopen)

    def deadline(self) -> float | None:
        """When `poll` has something to do, at the latest; None: only when the owner calls."""
        if not self._open:
            return None
        if not self._up:
            return self._hello_due
        due = min(self._beat_due, self._silent_at())
        if self._wanted is None or self._wanted.acked:
            return due
        return min(due, max(self._wanted.due, self._clear_at))

    def wrote(self, now: float) -> None:
        """The bytes of the last turn are with the kernel since `now`."""
        if self._unstamped and self._wanted is not None:
            self._wanted.written = now
        self._unstamped = False

    # What goes out.

    def _greet(self, now: float) -> None:
        self._up = False
        self._session = (self._session + 1) % SESSIONS
        self._heard = now
        self._hello_due = now + (HELLO_PAUSE_S if self._state is LinkState.INCOMPATIBLE else 0.0)

    def _watch(self, now: float) -> str:
        if now >= self._silent_at():
            heard = self._heard
            self._report(LinkState.SILENT, f"no answer for {now - heard:.1f} s")
            if self._up:
                self._greet(now)
                self._heard = heard
        return f"no answer for {now - self._heard:.1f} s" if now >= self._silent_at() - SILENCE_S + REOPEN_S else ""

    def _silent_at(self) -> float:
        pause = HELLO_PAUSE_S if self._state is LinkState.INCOMPATIBLE else 0.0
        return self._heard + pause + SILENCE_S

    def _speak(self, now: float) -> None:
        if not self._up:
            if now >= self._hello_due:
                self._hello_due = now + (HELLO_PAUSE_S if self._state is LinkState.INCOMPATIBLE else HELLO_RETRY_S)
                self._write(Hello(self._header()), now)
            return
        self._send_picture(now)
        if now >= self._beat_due:
            self._write(Heartbeat(self._header()), now)
            self._beat_due = self._retry_at(now)

    def _send_picture(self, now: float) -> None:
        wanted = self._wanted
        # The line must be clear: at a low baud the newest picture waits here, not behind older ones in the kernel's
        # buffer.
        if wanted is None or wanted.acked or now < max(wanted.due, self._clear_at):
            return
        self._write(messages.picture_frame(wanted.picture, self._header(), self._lamps), now)
        wanted.due = self._retry_at(now)
        if wanted.written is None:
            wanted.written, self._unstamped = now, True

    def _header(self) -> Header:
        return Header(self._session, self._wanted.sequence if self._wanted else 0)

    def _write(self, message: Message, now: float) -> None:
        frame = framing.encode(messages.encode(message))
        self._send += frame
        self._clear_at = max(self._clear_at, now) + len(frame) * self._byte_s

    def _retry_at(self, now: float) -> float:
        return max(now, self._clear_at) + RETRY_S + framing.MAX_ENCODED * self._byte_s

    # What comes in.

    def _take(self, message: Message, now: float) -> None:
        if isinstance(message, Nak) and message.why is Refusal.UNREADABLE:
            self._hurry(now)
        elif message.header.session != self._session:
            return  # an answer to an earlier handshake, held up somewhere
        elif isinstance(message, Welcome):
            self._welcomed(message, now)
        elif self._up:
            self._heard = now
            self._answered(message, now)

    def _answered(self, message: Message, now: float) -> None:
        match message:
            case Ack():
                self._acked(message.header.sequence)
            case Status():
                self._stood(message, now)
            case Nak(why=Refusal.NO_SESSION):
                self._greet(now)
            case Nak():
                self._report(LinkState.INCOMPATIBLE, f"the panel refuses a frame: {message.why.name.lower()}")
                self._greet(now)

    def _welcomed(self, welcome: Welcome, now: float) -> None:
        self._heard = now
        if welcome.version != messages.VERSION:
            self._report(LinkState.INCOMPATIBLE, _versions(welcome))
            self._hello_due = now + HELLO_PAUSE_S
            return
        if self._up:
            return  # a repeated question's second answer
        self._up = True
        self._beat_due = now + HEARTBEAT_S
        self._report(LinkState.UP, f"panel program {welcome.program}, boot {welcome.boot:08x}")
        self._count(welcome.boot, welcome.exits, again=True)
        self._refresh(now)

    def _stood(self, status: Status, now: float) -> None:
        self._beat_due = now + HEARTBEAT_S
        if self._exits is not None and status.boot != self._exits.boot:
            self._greet(now)
            return
        self._count(status.boot, status.exits, again=False)
        wanted = self._wanted
        if wanted is None or not wanted.acked:
            return
        if not status.shows_picture or status.header.sequence != wanted.sequence:
            self._refresh(now)

    def _refresh(self, now: float) -> None:
        if self._wanted is not None:
            self._wanted.acked, self._wanted.due, self._wanted.written = False, now, None

    def _acked(self, sequence: int) -> None:
        wanted = self._wanted
        if wanted is None or wanted.acked or wanted.written is None or sequence != wanted.sequence:
            return
        wanted.acked = True
        if self._state is LinkState.INCOMPATIBLE:
            self._report(LinkState.UP, "the panel takes our frames again")
        self._events.append(PictureAcked(wanted.number, wanted.written))

    def _hurry(self, now: float) -> None:
        soon = max(now, self._clear_at + HURRY_S)
        if not self._up:
            self._hello_due = min(self._hello_due, soon)
        elif self._wanted is not None and not self._wanted.acked:
            self._wanted.due = min(self._wanted.due, soon)

    def _count(self, boot: int, exits: int, again: bool) -> None:
        count = ExitCount(boot, exits)
        last = self._exits
        # A reply that was overtaken by a later one must not take the count back.
        newer = last is None or last.boot != boot or 0 < (exits - last.count) % COUNTS < COUNTS // 2
        if newer or again:
            self._exits = count
            self._events.append(count)

    def _report(self, state: LinkState, detail: str) -> None:
        if state is self._state and (state is not LinkState.NO_PORT or detail == self._detail):
            return
        self._state, self._detail = state, detail
        self._events.append(LinkChanged(state, detail))

    def _turn(self, reopen: str = "") -> Turn:
        turn = Turn(bytes(self._send), tuple(self._events), reopen)
        self._send.clear()
        self._events.clear()
        return turn


def _versions(welcome: Welcome) -> str:
    return f"the panel speaks protocol {welcome.lowest}..{welcome.highest}, this program {messages.VERSION}"
