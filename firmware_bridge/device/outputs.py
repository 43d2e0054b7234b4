"""The panel's lights behind one interface: `show(screen)` and `refresh()`. A screen is protocol.py's: (upper row,
lower row, text, lamps, brightness). A board has any of them, several at once; board.py says which and on which
pins."""

import font

_DECODE, _INTENSITY, _SCAN_LIMIT, _ON, _TEST = 0x09, 0x0A, 0x0B, 0x0C, 0x0F


class Max7219Chain:
    """`count` MAX7219 in a chain; module 0 is the first behind the wire. Registers 1..8 are digits or rows of
    dots."""

    def __init__(self, spi, select, count):
        self._spi = spi
        self._select = select
        self.count = count
        select.value(1)

    def write(self, register, values):
        """One register of every module, latched together. What is shifted first ends up in the last module."""
        words = bytearray(2 * self.count)
        for module, value in enumerate(values):
            at = 2 * (self.count - 1 - module)
            words[at] = register
            words[at + 1] = value
        self._select.value(0)
        self._spi.write(words)
        self._select.value(1)

    def everywhere(self, register, value):
        """The same value in every module."""
        self.write(register, [value] * self.count)

    def show(self, brightness, registers):
        """Registers 1 to 8 of every module, each a list by module; and the settings, again and again: a module that
        lost them to interference gets them back (it cannot be asked). Switched on last, so that nothing flashes."""
        self.everywhere(_SCAN_LIMIT, 7)
        self.everywhere(_DECODE, 0)
        self.everywhere(_TEST, 0)
        self.everywhere(_INTENSITY, brightness)
        for register, values in enumerate(registers, 1):
            self.write(register, values)
        self.everywhere(_ON, 1)


class Digits:
    """Both rows on one MAX7219: four seven-segment digits a row, the upper row's first digit is digit 0."""

    def __init__(self, spi, select):
        self._chain = Max7219Chain(spi, select, 1)
        self._shown = None

    def show(self, screen):
        wanted = (screen[0] + screen[1], screen[4])
        if wanted != self._shown:
            self._shown = wanted
            self.refresh()

    def refresh(self):
        if self._shown is None:
            return
        characters, brightness = self._shown
        self._chain.show(brightness, [(font.segments(character),) for character in characters])


class TextDots:
    """The text on a chain of 8 by 8 dot modules: `lines` lines one below the other, the chain runs from the upper
    left, line after line."""

    def __init__(self, spi, select, modules, lines):
        self._chain = Max7219Chain(spi, select, modules)
        self._lines = lines
        self._width = modules // lines * 8
        self._shown = None

    def show(self, screen):
        wanted = (screen[2], screen[4])
        if wanted != self._shown:
            self._shown = wanted
            self.refresh()

    def refresh(self):
        if self._shown is None:
            return
        text, brightness = self._shown
        dots = bytearray(self._lines * self._width)  # a byte a column, bit 0 on top
        for number, line in enumerate(wrapped(text, self._width // font.PITCH, self._lines)):
            for at, character in enumerate(line):
                start = number * self._width + at * font.PITCH
                dots[start : start + font.WIDTH] = font.columns(character)
        modules = range(self._chain.count)
        self._chain.show(brightness, [[_row_of(dots, 8 * module, row) for module in modules] for row in range(8)])


def wrapped(text, room, most):
    """`text` as at most `most` lines of at most `room` characters: broken at spaces where that fits, else where a
    line is full."""
    lines = []
    for word in text.split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= room:
            lines[-1] += " " + word
        else:
            lines.append(word)
    if len(lines) > most or max(len(line) for line in lines) > room:
        lines = [text[at : at + room] for at in range(0, len(text), room)]
    return lines[:most]


def _row_of(dots, start, row):
    """Eight dots of one row, the leftmost in bit 7."""
    value = 0
    for column in range(start, start + 8):
        value = (value << 1) | ((dots[column] >> row) & 1)
    return value


class PixelMatrix:
    """Both rows and the lamps on a NeoPixel matrix of 32 by 16, row by row from the upper left: digits on the left 24
    columns, the lamps as blocks of three by two on the right, two abreast. `most`: the level (0..255) of a full
    colour at the highest brightness; 512 pixels at full white would draw 30 A."""

    WIDTH, HEIGHT, LAMPS_FROM = 32, 16, 24

    def __init__(self, pixels, row_colours, lamp_colour, most=48):
        self._pixels = pixels
        self._row_colours = row_colours
        self._lamp_colour = lamp_colour
        self._most = most
        self._shown = None

    def show(self, screen):
        wanted = (screen[0], screen[1], screen[3], screen[4])
        if wanted != self._shown:
            self._shown = wanted
            self.refresh()

    def refresh(self):
        if self._shown is None:
            return
        upper, lower, lamps, brightness = self._shown
        level = self._most * (brightness + 1) // 16
        self._pixels.fill((0, 0, 0))
        self._row(upper, 0, _dimmed(self._row_colours[0], level))
        self._row(lower, 8, _dimmed(self._row_colours[1], level))
        self._lamps(lamps, _dimmed(self._lamp_colour, level))
        self._pixels.write()

    def _row(self, characters, top, colour):
        for at, character in enumerate(characters):
            for x, column in enumerate(font.columns(character), at * font.PITCH):
                for y in range(8):
                    if column >> y & 1:
                        self._pixels[(top + y) * self.WIDTH + x] = colour

    def _lamps(self, lamps, colour):
        for lamp in range(16):
            if lamps >> lamp & 1:
                corner = lamp // 2 * 2 * self.WIDTH + self.LAMPS_FROM + lamp % 2 * 4
                for offset in (0, 1, 2, self.WIDTH, self.WIDTH + 1, self.WIDTH + 2):
                    self._pixels[corner + offset] = colour


def _dimmed(colour, level):
    return tuple(part * level // 255 for part in colour)


class Several:
    """All outputs of a board as one."""

    def __init__(self, outputs):
        self._outputs = outputs

    def show(self, screen):
        for output in self._outputs:
            output.show(screen)

    def refresh(self):
        for output in self._outputs:
            output.refresh()
