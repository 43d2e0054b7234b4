"""Signs of other makers: every published vector to the byte, differences that end where a full picture ends, and the
conversation round them on a simulated clock and on a pty."""

from __future__ import annotations

import itertools
import os
import threading
import tty
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st
from link_support import Collector, eventually

from firmware_bridge.events import LinkState
from firmware_bridge.port import PortSettings
from firmware_bridge.signs import adalight, alpha, seven_segment, tpm2
from firmware_bridge.signs.conversation import ANSWER_S, REOPEN_S, SignConversation
from firmware_bridge.signs.driver import SignDriver
from firmware_bridge.signs.matrix_orbital import MatrixOrbital
from firmware_bridge.signs.modbus import ModbusNumbers
from firmware_bridge.signs.noritake import Noritake
from firmware_bridge.signs.pixels import LampPixels, Strip
from firmware_bridge.signs.sign import Answer, Sign, SignPicture, joined, plain
from firmware_bridge.signs.wled import WledJson
from hw_sim import sign_faces

RED, GREEN = (255, 0, 0), (0, 255, 0)
STRIP = Strip(10, {"rouge": LampPixels(0, 2, RED), "noir": LampPixels(8, 2, GREEN)})
TOTALS = SignPicture(("NOIR 36", "ROUGE 32"), frozenset({"rouge"}))


class Face(Protocol):
    def feed(self, data: bytes) -> bytes: ...


def hexed(text: str) -> bytes:
    return bytes.fromhex(text)


# Published vectors.


def test_alpha_vectors():
    clear = "00 00 00 00 00 01 5A 30 30 02 45 24 41 41 55 30 31 30 30 46 46 30 30 04"
    string = "00 00 00 00 00 01 5A 30 30 02 45 24 30 42 4C 30 30 32 30 30 30 30 30 04"
    assert alpha.packet(b"E$AAU0100FF00", checksum=False) == hexed(clear)
    assert alpha.packet(b"E$0BL00200000", checksum=False) == hexed(string)
    assert alpha.packet(b"AA\x1b0aHello", checksum=False) == bytes(5) + b"\x01Z00\x02AA\x1b0aHello\x04"


def test_the_published_packets_on_a_sign():
    """As another program sent them: memory without a checksum, several strings nested in one packet."""
    face = sign_faces.AlphaFace()
    header = "00 00 00 00 00 01 5A 30 30 "
    strings = " 30 42 4C 30 30 32 30 30 30 30 30 31 42 4C 30 30 32 30 30 30 30 30"
    assert face.feed(hexed(header + "02 45 24" + strings + " 04")) == b"\x06"
    strings = "02 47 30 31 31 30 34 35 2E 32 38 20 03 02 47 31 32 2E 34 31 20 03 04"
    assert face.feed(hexed(header + strings)) == b"\x06"
    assert face.strings == {b"0": b"11045.28 ", b"1": b"2.41 "}
    assert face.feed(hexed(header + "02 47 31 41 03 30 30 30 30 04")) == b"\x15"  # a wrong checksum


@pytest.mark.parametrize(
    ("content", "checksum"),
    [(b"Atest", b"0206"), (b"AA\x1b0bHELLO", b"02A8"), (b"G1NOIR 36 ROUGE 32", b"0465")],
)
def test_alpha_checksums(content: bytes, checksum: bytes):
    assert alpha.packet(content).endswith(b"\x03" + checksum + b"\x04")


@pytest.mark.parametrize(
    ("leds", "wanted"), [(10, "41 64 61 00 09 5C"), (25, "41 64 61 00 18 4D"), (300, "41 64 61 01 2B 7F")]
)
def test_adalight_headers(leds: int, wanted: str):
    assert adalight.header(leds) == hexed(wanted)


def test_tpm2_vectors():
    assert tpm2.frame(bytes(RED + GREEN)) == hexed("C9 DA 00 06 FF 00 00 00 FF 00 36")
    assert hexed("C9 AA") == tpm2.PING
    assert tpm2.Tpm2(STRIP).receive(b"\xac") is Answer.TAKEN


def test_seven_segment_vectors():
    show = seven_segment.SevenSegment()
    assert joined(show.full(SignPicture(("3236",)))) == hexed("76 33 32 33 36")
    assert joined(show.full(SignPicture(("12Ab.",)))) == hexed("76 31 32 41 62 77 08")


def test_matrix_orbital_capture():
    display = MatrixOrbital(16, 2)
    face = sign_faces.MatrixOrbitalFace(16, 2)
    captured = "FE 48 43 50 55 20 34 25 20 20 20 33 34 2E 34 35 20 57 FE 47 01 02 54 65 6D 70 20 33 37 43"
    face.feed(hexed(captured))
    assert face.lines == ("CPU 4%   34.45 W", "Temp 37C")
    ours = joined(display.full(SignPicture(("CPU 4%   34.45 W", "Temp 37C"))))
    assert ours.rstrip(b" ")[: len(hexed(captured))] == hexed(captured)[: len(ours.rstrip(b" "))]


def test_noritake_vectors():
    assert Noritake(20, 2).at(0, 0) == hexed("1F 24 00 00 00 00")
    clear = list(Noritake(20, 2).begin())[-1]
    assert clear.data.endswith(b"\x0c")
    assert clear.pause_s >= 0.2


def test_modbus_vectors():
    sign = ModbusNumbers({0: 0x300D})
    assert joined(sign.full(SignPicture(("1",)))) == hexed("01 10 30 0D 00 01 02 00 01 56 8E")
    assert sign.receive(hexed("01 10 30 0D 00 01 9F 0A")) is Answer.TAKEN
    assert sign.receive(hexed("01 10 30 0C 00 01 CE CA")) is Answer.TAKEN
    assert sign.receive(hexed("01 03 02 00 01 79 84")) is Answer.TAKEN


def test_the_published_modbus_request():
    """As its maker's manual reads a register; the library encodes and decodes it to the byte."""
    from pymodbus.framer import FramerRTU
    from pymodbus.pdu import DecodePDU
    from pymodbus.pdu.register_message import ReadHoldingRegistersRequest

    wire = hexed("01 03 30 0C 00 01 4B 09")
    assert (
        FramerRTU(DecodePDU(False)).buildFrame(ReadHoldingRegistersRequest(address=0x300C, count=1, dev_id=1)) == wire
    )
    used, request = FramerRTU(DecodePDU(True)).handleFrame(wire, 1, 0)
    assert (used, request.address, request.count) == (len(wire), 0x300C, 1)


@pytest.mark.parametrize("misprint", ["01 10 30 0C 00 01 FA C8", "01 03 30 0D 00 01 79 84"])
def test_modbus_misprints_are_refused(misprint: str):
    assert ModbusNumbers({0: 0x300C}).receive(hexed(misprint)) is None


def test_modbus_exception_is_a_refusal():
    assert ModbusNumbers({0: 1}).receive(hexed("01 90 02 CD C1")) is Answer.REFUSED


# Differences.

TEXT = st.text(st.characters(min_codepoint=32, max_codepoint=0x75), max_size=22)
PICTURES = st.lists(
    st.builds(
        SignPicture,
        st.tuples(TEXT, TEXT),
        st.frozensets(st.sampled_from(["rouge", "noir", "elsewhere"])),
        st.sampled_from(["", "HOLD"]),
    ),
    min_size=1,
    max_size=6,
)


def pair(name: str) -> tuple[Sign, Face, Face]:
    """A driver and two of its signs: one told differences, one told all."""
    made: dict[str, tuple[Sign, Face, Face]] = {
        "alpha": (alpha.AlphaSign(2, answers=True), sign_faces.AlphaFace(), sign_faces.AlphaFace()),
        "adalight": (adalight.Adalight(STRIP), sign_faces.StripFace(10), sign_faces.StripFace(10)),
        "tpm2": (tpm2.Tpm2(STRIP), sign_faces.StripFace(10), sign_faces.StripFace(10)),
        "seven segment": (
            seven_segment.SevenSegment(),
            sign_faces.SevenSegmentFace(),
            sign_faces.SevenSegmentFace(),
        ),
        "matrix orbital": (
            MatrixOrbital(20, 2),
            sign_faces.MatrixOrbitalFace(20, 2),
            sign_faces.MatrixOrbitalFace(20, 2),
        ),
        "noritake": (Noritake(20, 2), sign_faces.NoritakeFace(20, 2), sign_faces.NoritakeFace(20, 2)),
    }
    return made[name]


def looks(face: Face) -> tuple[object, ...]:
    return tuple(getattr(face, part, None) for part in ("lines", "points", "colours"))


@pytest.mark.parametrize("name", ["alpha", "adalight", "tpm2", "seven segment", "matrix orbital", "noritake"])
@given(pictures=PICTURES)
def test_differences_end_where_the_whole_picture_ends(name: str, pictures: list[SignPicture]):
    sign, changed, whole = pair(name)
    for face in (changed, whole):
        face.feed(joined(sign.begin()))
    changed.feed(joined(sign.full(pictures[0])))
    for before, after in itertools.pairwise(pictures):
        changed.feed(joined(sign.change(before, after)))
        assert joined(sign.change(after, after)) == b""
    whole.feed(joined(sign.full(pictures[-1])))
    assert looks(changed) == looks(whole)


def test_what_the_signs_show():
    for name, wanted in [
        ("alpha", ("NOIR 36", "ROUGE 32")),
        ("matrix orbital", ("NOIR 36", "ROUGE 32")),
        ("noritake", ("NOIR 36", "ROUGE 32")),
    ]:
        sign, face, _ = pair(name)
        face.feed(joined(sign.begin()) + joined(sign.full(TOTALS)))
        assert looks(face)[0] == wanted
    sign, face, _ = pair("adalight")
    face.feed(joined(sign.full(TOTALS)))
    assert looks(face)[2] == bytes(RED * 2) + bytes(24)


def test_only_the_changed_characters_are_sent():
    display = MatrixOrbital(20, 2)
    assert joined(display.change(SignPicture(("NOIR 24",)), SignPicture(("NOIR 34",)))) == hexed("FE 47 06 01") + b"3"


def test_urgent_text_covers_all_and_goes_again():
    sign, face, _ = pair("alpha")
    face.feed(joined(sign.begin()) + joined(sign.full(TOTALS)))
    hold = SignPicture(TOTALS.lines, urgent="HOLD")
    face.feed(joined(sign.change(TOTALS, hold)))
    assert looks(face)[0] == ("HOLD",)
    face.feed(joined(sign.change(hold, TOTALS)))
    assert looks(face)[0] == TOTALS.lines


def test_wled_sends_what_changed_and_reads_its_answers():
    wled = WledJson([0, 1], {"rouge": 2})
    assert (
        joined(wled.change(TOTALS, SignPicture(("NOIR 36", "ROUGE 32")))) == b'{"seg":[{"id":2,"on":false}],"v":true}\n'
    )
    assert b'{"id":0,"fx":122,"n":"NOIR 36"}' in joined(wled.full(TOTALS))
    assert wled.receive(b'{"sta') is None
    assert wled.receive(b'te":{"on":true') is Answer.TAKEN
    assert wled.receive(b'{"error":3}') is Answer.REFUSED


def test_letters_without_a_likeness_are_plain():
    assert plain("Après ♠ 31") == "Apres ? 31"


def test_a_lamp_beyond_the_strip_is_our_error():
    with pytest.raises(ValueError, match=r"lamp 'x': pixels 9\.\.10, the strip has 0\.\.9"):
        Strip(10, {"x": LampPixels(9, 2, RED)})


# The conversation.


def test_a_sign_without_answers_is_told_again():
    talk = SignConversation(seven_segment.SevenSegment(refresh_s=5.0), 9600)
    assert talk.opened(0.0).send == b"\x7a\xff"
    talk.wanted = SignPicture(("36",))
    assert talk.poll(1.0).send == b"\x76  36"
    assert talk.poll(3.0).send == b""
    assert talk.deadline() == 6.0
    assert talk.poll(6.0).send == b"\x76  36"


def test_only_the_newest_waits_for_a_slow_line():
    talk = SignConversation(seven_segment.SevenSegment(), 300)
    talk.opened(0.0)
    sent = b""
    for number in range(10, 60):
        talk.wanted = SignPicture((str(number),))
        sent += talk.poll(1.0 + number / 1000).send
    deadline = talk.deadline()
    assert deadline is not None
    sent += talk.poll(deadline).send
    assert sent == b"\x76  10\x76  59"


def test_a_sign_that_answers_is_waited_for_and_begun_again_in_silence():
    talk = SignConversation(alpha.AlphaSign(1, answers=True), 9600)
    face = sign_faces.AlphaFace()
    turn, now = talk.opened(0.0), 0.0
    talk.wanted = SignPicture(("36",))
    for _ in range(8):
        now += 1.0
        turn = talk.receive(face.feed(turn.send), now)
    assert face.lines == ("36",)
    talk.wanted = SignPicture(("37",))
    assert b"G137" in talk.poll(now + 1).send
    silent = talk.poll(now + 1.1 + ANSWER_S)
    assert [event.state for event in silent.events] == [LinkState.SILENT]
    assert b"E$" in silent.send
    times = [now + 2 + step / 2 for step in range(20)]
    assert next(when for when in times if talk.poll(when).reopen) >= now + REOPEN_S


def test_a_refusal_begins_anew_and_not_at_once():
    talk = SignConversation(alpha.AlphaSign(1, answers=True), 9600)
    talk.opened(0.0)
    turn = talk.receive(b"\x15", 0.5)
    assert [event.state for event in turn.events] == [LinkState.INCOMPATIBLE]
    assert turn.send == b""
    assert b"E$" in talk.poll(1.0).send


def test_a_sign_on_a_real_port(tmp_path: Path):
    master, slave = os.openpty()
    tty.setraw(slave)
    face = sign_faces.AlphaFace()

    def serve() -> None:
        while data := os.read(master, 4096):
            if data == b"end":
                return
            os.write(master, face.feed(data))

    serving = threading.Thread(target=serve)
    serving.start()
    events = Collector()
    sign = alpha.AlphaSign(2, answers=True)
    driver = SignDriver(PortSettings(os.ttyname(slave), 115200), sign, events)
    driver.start()
    driver.show(TOTALS)
    events.wait_state(LinkState.UP)
    assert eventually(lambda: face.lines == TOTALS.lines)
    driver.show(SignPicture(("NOIR 37", "ROUGE 32")))
    assert eventually(lambda: face.lines == ("NOIR 37", "ROUGE 32"))
    driver.stop()
    os.write(slave, b"end")
    serving.join(5.0)
    os.close(master)
    os.close(slave)


# MAX7219 on the Pi's own SPI.


class SpiBus:
    """Keeps what luma shifts out; a real bus is a Pi's."""

    def __init__(self) -> None:
        self.words: list[bytes] = []

    def data(self, words: list[int]) -> None:
        self.words.append(bytes(words))

    command = data

    def cleanup(self) -> None:
        self.words.append(b"closed")


@pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")
def test_max7219_is_set_up_as_published_and_again_with_every_refresh():
    pytest.importorskip("luma.led_matrix")
    from firmware_bridge.signs.max7219 import Max7219Driver

    bus, events = SpiBus(), Collector()
    driver = Max7219Driver(2, events, orientation=0, refresh_s=0.05, make_bus=lambda: bus)
    driver.show(SignPicture(("36",)))
    driver.start()
    events.wait_state(LinkState.UP)
    assert eventually(lambda: bus.words.count(hexed("0B 07 0B 07")) >= 4)
    driver.stop()
    assert bus.words[:4] == [hexed("0B 07 0B 07"), hexed("09 00 09 00"), hexed("0F 00 0F 00"), hexed("0A 07 0A 07")]
    assert bus.words[4] == hexed("01 00 01 00")
    assert hexed("0C 01 0C 01") in bus.words
    drawn = bus.words[-9:-1]
    assert [word[0] for word in drawn] == list(range(1, 9))
    assert any(word[1] or word[3] for word in drawn)
    assert bus.words[-1] == b"closed"


def test_a_bus_that_is_not_there_is_an_event():
    from firmware_bridge.signs.max7219 import Max7219Driver

    def missing() -> SpiBus:
        raise OSError("no /dev/spidev0.0")

    events = Collector()
    driver = Max7219Driver(2, events, make_bus=missing)
    driver.start()
    assert events.wait_state(LinkState.NO_PORT).detail == "SPI: no /dev/spidev0.0"
    driver.stop()
