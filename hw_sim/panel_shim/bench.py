"""The bench behind the shimmed board modules: pins are driven from a FIFO, lights are reported in a file. Runs under
MicroPython and CPython. SABOT_PANEL_FOLDER names the folder with

pins        FIFO of lines "PIN LEVEL": edges at a pin, each taken while the program waits in poll, as an interrupt is
edges       FIFO back: one byte for each edge, written after the pin's handler ran
lights      what the lights show, as JSON {"serial": how often they changed, "chains": {select pin: 16 registers a
            module, in hex}, "pixels": {pin: bytes in hex}}; replaced whole whenever the program has come to rest
            and something changed, so no eye sees a half-written display
lights.log  each such state as a line, where SABOT_PANEL_LOG is set
"""

import binascii
import json
import os

_folder = os.getenv("SABOT_PANEL_FOLDER")
_log = bool(os.getenv("SABOT_PANEL_LOG"))
pins = open(_folder + "/pins", "r+b", 0)  # noqa: SIM115 (both ends held, so that it never ends)
_edges = open(_folder + "/edges", "r+b", 0)  # noqa: SIM115
_levels = {}
_handlers = {}
_selected = {}
_state = {"serial": 0, "chains": {}, "pixels": {}}
_changed = False


def level(pin, default):
    """The level that the bench last drove the pin to."""
    return _levels.get(pin, default)


def handle(pin, handler):
    """`handler()` is to run at each edge of the pin."""
    _handlers[pin] = handler


def interrupt():
    """One edge waits in the FIFO: take it."""
    line = b""
    while not line.endswith(b"\n"):
        line += pins.read(1)
    pin, new = (int(word) for word in line.split())
    _levels[pin] = new
    if pin in _handlers:
        _handlers[pin]()
    _edges.write(b".")


def select(pin, new):
    """A chip select moved: low opens the chain's shift register, high latches it."""
    if not new:
        _selected[pin] = b""
    elif pin in _selected:
        _latch(str(pin), _selected.pop(pin))


def shift(data):
    """Bytes on the SPI bus, for every chain that is selected."""
    for pin in _selected:
        _selected[pin] += bytes(data)


def _latch(name, words):
    count = len(words) // 2
    registers = bytearray(binascii.unhexlify(_state["chains"].get(name, "")) or bytes(16 * count))
    for at in range(count):  # the first word went through to the last module
        register = words[2 * at] & 0x0F
        if register:
            registers[16 * (count - 1 - at) + register] = words[2 * at + 1]
    _report("chains", name, registers)


def pixels(pin, data):
    """A NeoPixel matrix latched these bytes."""
    _report("pixels", str(pin), data)


def _report(kind, name, data):
    global _changed
    text = binascii.hexlify(data).decode()
    if _state[kind].get(name) != text:
        _state[kind][name] = text
        _changed = True


def rest():
    """The program waits: what the lights show now is what people see."""
    global _changed
    if not _changed:
        return
    _changed = False
    _state["serial"] += 1
    text = json.dumps(_state)
    with open(_folder + "/lights.new", "w") as file:
        file.write(text)
    os.rename(_folder + "/lights.new", _folder + "/lights")
    if _log:
        with open(_folder + "/lights.log", "a") as file:
            file.write(text + "\n")
