"""The zecchinetta box: which face lies still on top, and that it was drawn. One card, one exposure, one drawing.

Pure: `advance(state, look, answer)` gives the next state and what there is to say. A card that is drawn slides to the
left and uncovers the next; nothing is said while anything moves. A face that comes back as it was (a hand went over
it, a card was pushed back) is no new one. How a frame is looked at and read is left to `vision.box_reader`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from vision.answer import Answer, abstain
from vision.geometry import CARD_WIDTH_MM

AGREE = 2  # looks that must say the same symbol, none another
STILL_FRAMES = 2  # like the one before: the card lies
EMPTY_FRAMES = 12  # floor alone: more than a lamp that flickers
READS_MOST = 12  # looks at a new card, then it is not readable
KNOWN_READS_MOST = 60  # looks at one that never left by what was seen: a hand may lie over its index for a while
_READ_EVERY = 4  # frames between looks once the first few said nothing: light and noise change
_EAGER = 4
_BARE_MM = 8.0  # the right edge that far left of where it lay, and floor beyond it: no card lies beneath
_AWAY_MM = 1.0  # its own left edge that far left of where it lay: the card itself moves
UNCLEAR = "unclear"


@dataclass(frozen=True)
class Look:
    """One frame. `lead_mm`, `trail_mm`: the left and right edge of what lies there, None where none is in view;
    `placed`: one whole card, floor to its left and right; `still`: as the frames before it."""

    number: int
    time_s: float
    card: bool
    lead_mm: float | None = None
    placed: bool = False
    still: bool = False
    trail_mm: float | None = None


@dataclass(frozen=True)
class Face:
    """The card on top. `symbol` None: nobody could read it. `passage`: its number from exposure to drawing."""

    symbol: str | None
    confidence: float
    why: str
    passage: int
    first: int
    start_s: float
    lead_mm: float


@dataclass(frozen=True)
class Slide:
    """How the card on top has moved: its own edge to the left (`went`), out of view (`gone`), and back (`returned`).

    `last`: it slid over bare floor, no card beneath it.
    """

    went: bool = False
    gone: bool = False
    returned: bool = False
    last: bool = False

    @property
    def drawn(self) -> bool:
        return self.went and self.gone and not self.returned


@dataclass(frozen=True)
class Reads:
    """The looks at one still card so far."""

    looks: int = 0
    waited: int = 0
    votes: dict[str, int] = field(default_factory=dict)
    whys: dict[str, int] = field(default_factory=dict)
    confidence: float = 0.0
    first: int = 0
    start_s: float = 0.0


@dataclass(frozen=True)
class BoxState:
    """`count`: cards exposed so far; `face`: the newest of them while it lies on top."""

    count: int = 0
    face: Face | None = None
    settled: bool = False  # what lies there has been said
    still: int = 0
    empty: int = 0
    slide: Slide = Slide()
    reads: Reads = Reads()
    bare: bool = False  # that the box is empty has been said


@dataclass(frozen=True)
class Told:
    """`kind`: "exposed", "drawn" (its `face` is the one that was exposed), "pulled back" or "emptied"."""

    kind: str
    face: Face
    last: int
    end_s: float
    looks: int = 0


def wants(state: BoxState, look: Look) -> bool:
    """Whether this frame is worth reading: a whole card lies still, and what it is has not been said."""
    if state.settled or not (look.placed and look.still) or state.still + 1 < STILL_FRAMES:
        return False
    return state.reads.looks < _EAGER or state.reads.waited + 1 >= _READ_EVERY


def advance(state: BoxState, look: Look, answer: Answer | None) -> tuple[BoxState, tuple[Told, ...]]:
    """One frame further; `answer` where the frame was read."""
    if not look.card:
        return _floor(state, look)
    state = replace(state, empty=0, bare=False)
    if not look.still:
        moving = replace(state, still=0, settled=False, slide=_slid(state, look), reads=Reads())
        return _drawn(moving, look) if look.placed else (moving, ())
    state = replace(state, still=state.still + 1)
    if answer is None:
        return replace(state, reads=replace(state.reads, waited=state.reads.waited + 1)), ()
    reads = _voted(state.reads, look, answer)
    state = replace(state, reads=reads)
    verdict = _verdict(reads, KNOWN_READS_MOST if _known(state) else READS_MOST)
    return (state, ()) if verdict is None else _said(state, look, verdict)


def _known(state: BoxState) -> bool:
    """Whether the card that lies there is most likely the one that was read: it never left by what was seen."""
    return state.face is not None and state.face.symbol is not None and not state.slide.drawn


def finish(state: BoxState, look: Look) -> tuple[Told, ...]:
    """The frames have ended with `look`: a new card that lies there is said, or that its looks did not tell it."""
    if state.settled or state.reads.looks == 0 or _known(state):
        return ()
    verdict = _verdict(state.reads, state.reads.looks)
    return () if verdict is None else _said(state, look, verdict)[1]


def _floor(state: BoxState, look: Look) -> tuple[BoxState, tuple[Told, ...]]:
    """Nothing but the floor: the last card slid out, or the pack was taken away."""
    slide = replace(state.slide, gone=True) if state.slide.went else state.slide
    state = replace(state, empty=state.empty + 1, still=0, settled=False, reads=Reads(), slide=slide)
    if state.empty < EMPTY_FRAMES or state.bare:
        return state, ()
    state, drawn = _drawn(state, look)
    nothing = state.face or Face(None, 1.0, "", state.count, look.number, look.time_s, 0.0)
    emptied = Told("emptied", nothing, look.number, look.time_s)
    return replace(state, face=None, bare=True, slide=Slide()), (*drawn, emptied)


def _slid(state: BoxState, look: Look) -> Slide:
    """What a moving frame adds to what is known of the card's own way."""
    slide, face = state.slide, state.face
    if face is None:
        return slide
    if look.lead_mm is None:
        bare = look.trail_mm is not None and look.trail_mm < face.lead_mm + CARD_WIDTH_MM - _BARE_MM
        return replace(slide, gone=slide.went, last=slide.last or bare)
    if look.lead_mm < face.lead_mm - _AWAY_MM:
        if not slide.gone:
            return replace(slide, went=True)
        # one card's width with its edge further left may be the next card, which lies otherwise
        return replace(slide, returned=True) if slide.last or not look.placed else slide
    return slide


def _drawn(state: BoxState, look: Look) -> tuple[BoxState, tuple[Told, ...]]:
    """The card on top has slid away for certain."""
    if state.face is None or not state.slide.drawn:
        return state, ()
    said = Told("drawn", state.face, look.number, look.time_s)
    return replace(state, face=None, slide=Slide()), (said,)


def _voted(reads: Reads, look: Look, answer: Answer) -> Reads:
    if reads.looks == 0:
        reads = replace(reads, first=look.number, start_s=look.time_s)
    reads = replace(reads, looks=reads.looks + 1, waited=0)
    if answer.symbol is None:
        return replace(reads, whys={**reads.whys, answer.why: reads.whys.get(answer.why, 0) + 1})
    votes = {**reads.votes, answer.symbol: reads.votes.get(answer.symbol, 0) + 1}
    return replace(reads, votes=votes, confidence=max(reads.confidence, answer.confidence))


def _verdict(reads: Reads, most: int) -> Answer | None:
    """What the looks at a still card say together; None to look on."""
    if len(reads.votes) == 1:
        ((symbol, count),) = reads.votes.items()
        if count >= AGREE:
            return Answer(symbol, reads.confidence)
    if reads.looks < most:
        return None
    if len(reads.votes) > 1:
        return abstain("frames disagree")
    if reads.votes:
        return abstain("too few frames agree", reads.confidence)
    return abstain(max(reads.whys, key=lambda why: reads.whys[why]))


def _said(state: BoxState, look: Look, verdict: Answer) -> tuple[BoxState, tuple[Told, ...]]:
    """A card lies still and its looks agree, or will never. Another face than before that nobody saw come is said
    without a drawing: the table knows that the one before has gone."""
    before, slide = state.face, state.slide
    state, drawn = _drawn(state, look)
    state = replace(state, settled=True, slide=Slide())
    if before is not None and not drawn and before.symbol == verdict.symbol:
        back = (Told("pulled back", before, look.number, look.time_s),) if slide.returned else ()
        return state, back
    reads = state.reads
    face = Face(
        verdict.symbol,
        verdict.confidence,
        verdict.why or ("" if verdict.symbol else UNCLEAR),
        state.count + 1,
        reads.first,
        reads.start_s,
        look.lead_mm or 0.0,
    )
    exposed = Told("exposed", face, look.number, look.time_s, reads.looks)
    return replace(state, count=state.count + 1, face=face), (*drawn, exposed)
