"""Numeric displays on RS-485 with Modbus RTU: a line's number into a holding register (function 16). Framing and
CRC are pymodbus's (imported here alone, and only where such a sign is configured); registers differ by maker."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from firmware_bridge.signs.sign import Answer, SignPicture, Step, line

_LONGEST = 256  # bytes of a Modbus RTU frame
_GAP_S = 0.005  # 3.5 characters of silence end a frame, and more at 9600 baud


class ModbusNumbers:
    """`registers`: the register of each line by its number; `blank`: what a line without a number becomes."""

    answers = True
    refresh_s = 5.0

    def __init__(self, registers: Mapping[int, int], device: int = 1, blank: int = 0) -> None:
        from pymodbus.framer import FramerRTU
        from pymodbus.pdu import DecodePDU
        from pymodbus.pdu.register_message import WriteMultipleRegistersRequest

        logging.getLogger("pymodbus.logging").setLevel(logging.CRITICAL)  # noise on the line is ours to report
        self._framer = FramerRTU(DecodePDU(False))
        self._request: Any = WriteMultipleRegistersRequest
        self._registers = dict(registers)
        self._device = device
        self._blank = blank
        self._held = b""

    def begin(self) -> Sequence[Step]:
        self._held = b""
        return []

    def full(self, picture: SignPicture) -> Sequence[Step]:
        return [self._write(number, picture) for number in self._registers]

    def change(self, before: SignPicture, after: SignPicture) -> Sequence[Step]:
        changed = [number for number in self._registers if self._value(before, number) != self._value(after, number)]
        return [self._write(number, after) for number in changed]

    def receive(self, data: bytes) -> Answer | None:
        from pymodbus.exceptions import ModbusException

        self._held = (self._held + data)[-_LONGEST:]
        try:
            used, answer = self._framer.handleFrame(self._held, self._device, 0)
        except ModbusException:
            self._held = b""
            return Answer.REFUSED
        self._held = self._held[used:]
        if answer is None:
            return None
        return Answer.REFUSED if answer.isError() else Answer.TAKEN

    def _write(self, number: int, picture: SignPicture) -> Step:
        request = self._request(
            address=self._registers[number], registers=[self._value(picture, number)], dev_id=self._device
        )
        return Step(bytes(self._framer.buildFrame(request)), _GAP_S)

    def _value(self, picture: SignPicture, number: int) -> int:
        text = line(picture, number).strip()
        return int(text) & 0xFFFF if text.isdecimal() else self._blank
