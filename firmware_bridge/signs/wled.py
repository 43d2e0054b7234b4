"""WLED's JSON over its serial port, 115200 baud: each line is a segment's name (the effect "Scrolling Text" shows
it), each lamp a segment that is on or off. With "v" WLED answers with its state; {"error":3} means busy. Source:
kno.wled.ge/interfaces/serial and /json-api."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from firmware_bridge.signs.sign import Answer, SignPicture, Step, line

_TEXT_EFFECT = 122
NAME_BYTES = 32
_HELD = 64  # bytes of an answer that are looked at together


class WledJson:
    """`line_segments`: a segment for each line; `lamp_segments`: a segment by lamp; `brightness` 1..255."""

    answers = True
    refresh_s = 5.0

    def __init__(
        self, line_segments: Sequence[int] = (), lamp_segments: Mapping[str, int] | None = None, brightness: int = 128
    ) -> None:
        self._lines = tuple(line_segments)
        self._lamps = dict(lamp_segments or {})
        self._brightness = brightness
        self._held = b""

    def begin(self) -> Sequence[Step]:
        self._held = b""
        return []

    def full(self, picture: SignPicture) -> Sequence[Step]:
        effects = [{"id": segment, "fx": _TEXT_EFFECT} for segment in self._lines]
        segments = _merged([*effects, *self._segments(picture)])
        return [_step({"on": True, "bri": self._brightness, "tt": 0, "seg": segments, "v": True})]

    def change(self, before: SignPicture, after: SignPicture) -> Sequence[Step]:
        old = self._segments(before)
        changed = [segment for segment in self._segments(after) if segment not in old]
        return [_step({"seg": changed, "v": True})] if changed else []

    def receive(self, data: bytes) -> Answer | None:
        seen = self._held + data
        self._held = seen[-_HELD:]
        if b'"error"' in seen:
            self._held = b""
            return Answer.REFUSED
        if b'"state"' in seen:
            self._held = b""
            return Answer.TAKEN
        return None

    def _segments(self, picture: SignPicture) -> list[dict[str, Any]]:
        lines = [{"id": segment, "n": line(picture, at)[:NAME_BYTES]} for at, segment in enumerate(self._lines)]
        lamps = [{"id": segment, "on": name in picture.lamps} for name, segment in self._lamps.items()]
        return [*lines, *lamps]


def _merged(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One object a segment."""
    segments: dict[int, dict[str, Any]] = {}
    for part in parts:
        segments.setdefault(part["id"], {}).update(part)
    return list(segments.values())


def _step(command: dict[str, Any]) -> Step:
    return Step(json.dumps(command, separators=(",", ":")).encode("ascii") + b"\n")
