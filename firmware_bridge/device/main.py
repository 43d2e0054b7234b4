"""The panel's program: bytes from the USB port to the lights and back. Runs by itself at power-on.

The host's port is standard input and output; nothing else may print. One byte is read at a time and only after poll
said so: reading more can wait for bytes that never come. The watchdog is fed in this loop alone, so whatever hangs
restarts the panel, with a new boot number, and the host sends the picture again."""

import select
import sys
import time

import board
import machine
import micropython
import protocol

WATCHDOG_MS = 2000
TURN_MS = 5
REFRESH_MS = 5000  # lights that cannot be asked are told again
SELF_TEST_MS = 700
BURST = 64  # bytes between two looks at the clock
EVERY_BAR = "8888"


def self_test(boot):
    """Everything lit, and who I am."""
    return (EVERY_BAR, EVERY_BAR, "program %d boot %08x" % (protocol.PROGRAM, boot), 0xFFFF, 8)


class Program:
    """The loop's state: the conversation, the lights and when they were last told."""

    def __init__(self):
        self._beam = board.make_exit_beam()
        self._lights = board.make_outputs()
        boot = board.draw_boot()
        self._panel = protocol.Panel(boot, self._beam.count, time.ticks_diff)
        self._told = self._started = time.ticks_ms()
        self._testing = True
        self._lights.show(self_test(boot))

    def byte(self, value):
        """One byte from the host: lights first, then the answer, so that an answer says what is shown."""
        answer = self._panel.receive(value, time.ticks_ms())
        if answer is not None:
            self._update()
            sys.stdout.buffer.write(answer)

    def turn(self):
        """Once a turn of the loop."""
        now = time.ticks_ms()
        if self._testing and time.ticks_diff(now, self._started) >= SELF_TEST_MS:
            self._testing, self._panel.changed = False, True
        message = self._panel.tick(now)
        self._update()
        if message is not None:
            sys.stdout.buffer.write(message)
        if time.ticks_diff(now, self._told) >= REFRESH_MS:
            self._told = now
            self._lights.refresh()

    def _update(self):
        # The self-test stands until its time is over or a picture comes.
        if self._panel.changed and (not self._testing or self._panel.screen is not protocol.IDLE):
            self._panel.changed = self._testing = False
            self._lights.show(self._panel.screen)


def main():
    """Serve until standard input ends, which on a board it never does."""
    micropython.kbd_intr(-1)  # a byte 03 is data here
    program = Program()
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    poller = select.poll()
    poller.register(sys.stdin, select.POLLIN)
    wait = TURN_MS
    while True:
        for _ in range(BURST):
            ready = poller.poll(wait)
            wait = 0
            if not ready:
                wait = TURN_MS
                break
            if not ready[0][1] & select.POLLIN:
                return
            data = sys.stdin.buffer.read(1)
            if not data:
                return
            program.byte(data[0])
        program.turn()
        watchdog.feed()


if not board.escaped():
    main()
