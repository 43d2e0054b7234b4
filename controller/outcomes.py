"""Outcomes: what happened once because of an event; derived, never journalled as facts, not emitted again on restart.

Their JSON is the line that `sabot replay --json` prints (`event` is the tag, money as decimal strings). The fields of
interface.md come first; games add theirs in their own files.
"""

from __future__ import annotations

import msgspec


class Outcome(msgspec.Struct, frozen=True, tag_field="event"):
    """Base of all outcomes."""


class Fault(Outcome, frozen=True, tag="fault"):
    code: str
    card: str
    index: int
    resolutions: tuple[str, ...]


class Refused(Outcome, frozen=True, tag="refused"):
    """A refused bet (`bet` as given) or another refused request (`request`, its tag)."""

    why: str
    bet: dict[str, object] | None = None
    request: str | None = None


class Unread(Outcome, frozen=True, tag="unread"):
    index: int
    why: str


class Ended(Outcome, frozen=True, tag="end"):
    cards: int
    rounds: int
    void: int
    reason: str
