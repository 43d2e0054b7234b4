"""What is wired where on this panel: the one file to change for another. Pins are a Raspberry Pi Pico's GP
numbers."""

import os

import machine
import neopixel
import outputs
from exits import ExitBeam

PIXELS = 22  # data of the NeoPixel matrix, through a 3.3 V to 5 V level shifter
TEXT_CLOCK, TEXT_DATA, TEXT_SELECT = 2, 3, 5  # SPI 0: the text's chain
DIGITS_CLOCK, DIGITS_DATA, DIGITS_SELECT = 10, 11, 13  # SPI 1: the rows' digits
EXIT_BEAM = 17  # open collector with pull-up: low while a card interrupts the beam (16 is SPI 0's unused input)
ESCAPE = 15  # held to ground at power-on: the program gives way to the prompt, for service

TEXT_MODULES, TEXT_LINES = 24, 2  # 16 characters a line
ROW_COLOURS = ((255, 255, 255), (255, 0, 0))
LAMP_COLOUR = (255, 140, 0)


def escaped():
    """Whether service asks for the prompt."""
    return machine.Pin(ESCAPE, machine.Pin.IN, machine.Pin.PULL_UP).value() == 0


def make_outputs():
    """The panel's lights."""
    text = machine.SPI(0, baudrate=4_000_000, sck=machine.Pin(TEXT_CLOCK), mosi=machine.Pin(TEXT_DATA))
    digits = machine.SPI(1, baudrate=4_000_000, sck=machine.Pin(DIGITS_CLOCK), mosi=machine.Pin(DIGITS_DATA))
    matrix = outputs.PixelMatrix
    pixels = neopixel.NeoPixel(machine.Pin(PIXELS, machine.Pin.OUT), matrix.WIDTH * matrix.HEIGHT)
    return outputs.Several(
        (
            outputs.Digits(digits, machine.Pin(DIGITS_SELECT, machine.Pin.OUT)),
            outputs.TextDots(text, machine.Pin(TEXT_SELECT, machine.Pin.OUT), TEXT_MODULES, TEXT_LINES),
            matrix(pixels, ROW_COLOURS, LAMP_COLOUR),
        )
    )


def make_exit_beam():
    """The exit beam's counter."""
    return ExitBeam(machine.Pin(EXIT_BEAM, machine.Pin.IN, machine.Pin.PULL_UP), 0)


def draw_boot():
    """A number that no earlier start had, never 0."""
    return int.from_bytes(os.urandom(4), "little") or 1
