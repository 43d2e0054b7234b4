"""Passages of the slot: from a card's leading edge in an empty window to the window empty again. One passage, one
symbol.

Pure: `wants(state, sight)` says whether the frame is worth reading, `advance(state, sight, answer)` gives the next
state and what there is to say. How a frame is looked at and read is left to `vision.slot` and `vision.decide`,
keeping pictures to `vision.slot_reader`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from vision.answer import HALF_CARD, TWO_CARDS, Answer, abstain

AGREE = 2  # frames that must say the same symbol, none another
_CONFIRM_MM = 24.0  # after that much travel a seen card is read once more: a second card may ride on it
_EAGER_READS = 24  # unread frames of one passage that are read one after another
_PATIENT_EVERY = 12  # then one in so many: a card at rest must not cost a core
_FLICKER_FRAMES = 4  # dark frames that a card in the middle of the window may be lost for
_STEP_MM = 25.0  # a card moves less from frame to frame: 2 m/s at 80 frames a second
_CARD_MM = 63.5
_FASTEST_MM_S = 2200.0  # 2 m/s and a tenth
_STALL_S = 0.1  # between two frames, whatever their numbers
_LEAST_CARD_MM = 44.0  # the narrowest Latin cards are 48 mm wide, half of ours 32
_PART_FRAMES = 2  # frames in which a card is narrower than any, or all in which both edges are in view
_TWO_FRAMES = 2  # frames that must show two cards, or all in which both edges are in view (a fast card has one)
UNREAD = "no frame showed the index"
LOST = "lost from sight"


@dataclass(frozen=True)
class Sight:
    """What one frame shows of the window, in mm from its left side; the card moves from right to left.

    `lead_mm` None: the leading edge has left the window; `trail_mm` None: the trailing edge is not in it yet.
    `repeated`: the very picture before. `index`: the corner that is read is in view. `blind`: the lamp was out.
    """

    number: int
    time_s: float
    card: bool
    lead_mm: float | None = None
    trail_mm: float | None = None
    two: bool = False
    index: bool = False
    repeated: bool = False
    window_mm: float = 80.0
    blind: bool = False


@dataclass(frozen=True)
class Ended:
    """A passage ended. `kind`: "drawn" or "pulled back"; `answer.symbol` None is an abstention."""

    kind: str
    answer: Answer
    passage: int
    first: int
    last: int
    frames: int
    start_s: float
    seen_s: float | None
    end_s: float


@dataclass(frozen=True)
class FirstSeen:
    """Frames agree, the passage goes on."""

    symbol: str
    passage: int
    frame: int
    time_s: float


Said = Ended | FirstSeen


@dataclass(frozen=True)
class Passage:
    """The passage in progress."""

    first: int
    start_s: float
    last: Sight
    reads: int = 0
    skipped: int = 0
    votes: Mapping[str, int] = field(default_factory=dict)
    confidence: float = 0.0
    whys: Mapping[str, int] = field(default_factory=dict)
    twos: int = 0
    whole: int = 0  # frames with both edges in view
    whole_twos: int = 0
    parts: int = 0  # of those, narrower than a card
    dark: int = 0
    seen_s: float | None = None
    read_mm: float | None = None  # where the leading edge was at the newest read
    unsure: bool = False  # so long was nothing seen that another card may lie here; only a new read can tell


@dataclass(frozen=True)
class SlotState:
    """`count`: passages ended so far; `now`: the one in progress."""

    count: int = 0
    now: Passage | None = None


def wants(state: SlotState, sight: Sight) -> bool:
    """Whether this frame is worth reading: its index is in view, the passage has no symbol yet or not a safe one."""
    if not sight.card or not sight.index or sight.repeated:
        return False
    now = state.now
    if now is None or not now.votes or max(now.votes.values()) < AGREE:
        return now is None or now.reads < _EAGER_READS or now.skipped >= _PATIENT_EVERY
    if now.unsure or _exchanged(now.last, sight):
        return now.skipped < _EAGER_READS or now.skipped % _PATIENT_EVERY == 0
    travelled = abs((sight.lead_mm or 0.0) - (now.read_mm or 0.0))
    return travelled >= _CONFIRM_MM


def advance(state: SlotState, sight: Sight, answer: Answer | None) -> tuple[SlotState, tuple[Said, ...]]:
    """One frame further; `answer` where the frame was read."""
    now = state.now
    if sight.blind:
        return state, ()  # as if the frame had been dropped
    if now is None:
        if not sight.card:
            return state, ()
        now = Passage(sight.number, sight.time_s, sight)
    elif not sight.card:
        now = replace(now, dark=now.dark + 1)
        if not _gone(now, sight):
            return replace(state, now=now), ()
        return SlotState(state.count + 1), (_end(state, now, sight),)
    unsure = now.unsure or _exchanged(now.last, sight)
    fresh = _read(replace(_looked(now, sight), unsure=unsure), sight, answer)
    said: tuple[Said, ...] = ()
    symbol = _agreed(fresh)
    if symbol is not None and fresh.seen_s is None:
        fresh = replace(fresh, seen_s=sight.time_s)
        said = (FirstSeen(symbol, state.count + 1, sight.number, sight.time_s),)
    return replace(state, now=fresh), said


def finish(state: SlotState) -> tuple[Said, ...]:
    """What there is to say when the frames end in the middle of a passage (a folder's last picture)."""
    return () if state.now is None else (_end(state, state.now, state.now.last),)


def _looked(now: Passage, sight: Sight) -> Passage:
    now = replace(now, last=sight, dark=0, skipped=now.skipped + 1)
    if sight.repeated:
        return now
    whole = sight.lead_mm is not None and sight.trail_mm is not None
    return replace(
        now,
        twos=now.twos + sight.two,
        whole=now.whole + whole,
        whole_twos=now.whole_twos + (whole and sight.two),
        parts=now.parts + (_width(sight) < _LEAST_CARD_MM),
    )


def _width(sight: Sight) -> float:
    """Of what is in view with both edges; a card's where an edge is not in view."""
    if sight.lead_mm is None or sight.trail_mm is None:
        return _CARD_MM
    return sight.trail_mm - sight.lead_mm


def _half(now: Passage) -> bool:
    return now.parts >= _PART_FRAMES or 0 < now.whole == now.parts


def _two(now: Passage) -> bool:
    return now.twos >= _TWO_FRAMES or 0 < now.whole == now.whole_twos


def _read(now: Passage, sight: Sight, answer: Answer | None) -> Passage:
    if answer is None:
        return now
    now = replace(now, reads=now.reads + 1, skipped=0, read_mm=sight.lead_mm)
    if answer.symbol is None:
        return replace(now, whys={**now.whys, answer.why: now.whys.get(answer.why, 0) + 1})
    votes = {**now.votes, answer.symbol: now.votes.get(answer.symbol, 0) + 1}
    return replace(now, votes=votes, confidence=max(now.confidence, answer.confidence), unsure=False)


def _exchanged(last: Sight, sight: Sight) -> bool:
    """Whether in frames that nobody saw one card may have left and the next come to where one is seen now."""
    waited = sight.time_s - last.time_s
    if sight.number - last.number <= 1 and waited < _STALL_S:
        return False
    travel = waited * _FASTEST_MM_S
    before, after = _place(last), _place(sight)
    if before is None or after is None:
        return travel >= _CARD_MM
    return travel >= before + _CARD_MM - after


def _place(sight: Sight) -> float | None:
    """Where the leading edge is, beyond the window's side too; None where neither edge is in view."""
    if sight.lead_mm is not None:
        return sight.lead_mm
    return None if sight.trail_mm is None else sight.trail_mm - _CARD_MM


def _agreed(now: Passage) -> str | None:
    """The one symbol that enough frames say and none contradicts."""
    if len(now.votes) != 1 or _two(now) or _half(now):
        return None
    ((symbol, count),) = now.votes.items()
    return symbol if count >= AGREE else None


def _gone(now: Passage, sight: Sight) -> bool:
    """Whether the window is truly empty: a card in its middle does not vanish, a lamp that flickers does."""
    missed = sight.number - now.last.number > now.dark  # frames were dropped: it may have left unseen
    return _near_exit(now.last) or _near_entry(now.last) or missed or now.dark >= _FLICKER_FRAMES


def _near_exit(sight: Sight) -> bool:
    """What is left of the card may be out of the window by the next frame."""
    return sight.trail_mm is not None and sight.trail_mm < _STEP_MM


def _near_entry(sight: Sight) -> bool:
    """The card reaches so little into the window that it may be back in the shoe by the next frame."""
    return sight.trail_mm is None and sight.lead_mm is not None and sight.window_mm - sight.lead_mm < _STEP_MM


def _end(state: SlotState, now: Passage, sight: Sight) -> Ended:
    back = _near_entry(now.last) and not sight.card
    answer = abstain("pulled back") if back else _verdict(now)
    if not back and not sight.card and now.last.lead_mm is not None and answer.symbol is not None:
        answer = abstain(LOST, answer.confidence)  # it left unseen, and nobody knows to which side
    kind = "pulled back" if back else "drawn"
    number = state.count + 1
    return Ended(kind, answer, number, now.first, now.last.number, now.reads, now.start_s, now.seen_s, sight.time_s)


def _verdict(now: Passage) -> Answer:
    if _two(now):
        return abstain(TWO_CARDS)
    if _half(now):
        return abstain(HALF_CARD)
    if len(now.votes) > 1:
        return abstain("frames disagree")
    symbol = _agreed(now)
    if symbol is not None:
        return abstain(LOST, now.confidence) if now.unsure else Answer(symbol, now.confidence)
    if now.votes:
        return abstain("too few frames agree", now.confidence)
    return abstain(max(now.whys, key=lambda why: now.whys[why]) if now.whys else UNREAD)
