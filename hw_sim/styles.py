"""The designs of the project's own decks as data: index letters, pips, sizes and places in millimetres, inks and paper.

How they are drawn is decks.py's, courts.py's, glyphs.py's and pips.py's work.
"""

from __future__ import annotations

from dataclasses import dataclass

from hw_sim.outline import Colour
from hw_sim.pen import Font
from hw_sim.pips import PipShape


@dataclass(frozen=True)
class Style:
    """One design. Millimetres of a 63.5 × 88.9 mm card; colours are BGR.

    Rank and suit are centred on `index_x`, the rank begins at `index_y` and is at most `rank_max_width` wide.
    """

    name: str
    font: Font
    pips: PipShape
    index_x: float = 5.2
    index_y: float = 4.0
    rank_height: float = 7.0
    rank_max_width: float = 6.2
    suit_gap: float = 1.4
    suit_height: float = 4.6
    red: Colour = (38, 26, 200)
    black: Colour = (28, 24, 22)
    paper: Colour = (250, 252, 252)
    pip_height: float = 11.0
    columns: float = 13.5  # of the outer pips from the middle
    pip_top: float = 16.0  # centre of the uppermost pips
    corners: int = 2  # how many corners bear an index: 2 or 4
    frame: str = "court"  # a line round "court": the figures only, "none", "all": every face, "index": each index
    court: str = "figure"  # "figure", "bust", "letter"
    court_left: float = 11.5
    court_top: float = 9.0
    trim: Colour = (60, 170, 230)
    cloth: Colour = (150, 80, 40)
    back: Colour = (140, 60, 30)
    back_pattern: str = "lattice"  # "lattice", "dots", "waves"
    joker: str = "word"  # in its corners: "word", "star"


_ALL = (
    Style("classic", Font(width=0.6, thick=0.13, thin=0.105), PipShape()),
    Style(
        "slab",
        Font(
            width=0.62,
            thick=0.115,
            thin=0.09,
            serif=0.085,
            serif_thick=0.085,
            barred_jack=True,
            flat_three=True,
            straight_tail=True,
            tailed_queen="cross",
        ),
        PipShape(heart_dip=0.24, diamond_width=0.82, diamond_hollow=0.14, club_spread=0.27),
        index_x=5.6,
        rank_height=7.6,
        suit_height=4.2,
        red=(30, 20, 186),
        paper=(240, 249, 252),
        court="bust",
        back=(40, 30, 150),
    ),
    Style(
        "bodoni",
        Font(
            width=0.66,
            thick=0.16,
            thin=0.055,
            serif=0.075,
            serif_thick=0.045,
            bracket=0.05,
            ball=0.18,
            tailed_queen="swash",
        ),
        PipShape(
            heart_width=0.92,
            heart_belly=0.5,
            diamond_width=0.7,
            diamond_hollow=0.22,
            spade_width=0.84,
            club_radius=0.225,
            club_spread=0.26,
        ),
        index_x=5.8,
        index_y=4.6,
        rank_height=7.2,
        suit_gap=1.6,
        suit_height=4.8,
        red=(44, 40, 178),
        black=(38, 30, 30),
        paper=(232, 244, 248),
        trim=(70, 150, 190),
        cloth=(90, 110, 50),
        back=(80, 90, 20),
        back_pattern="dots",
    ),
    Style(
        "narrow",
        Font(width=0.42, thick=0.105, thin=0.09, power=2.5, flagged_one=False, ten_width=0.9),
        PipShape(diamond_width=0.68, heart_width=0.9),
        index_x=4.2,
        index_y=3.6,
        rank_height=8.2,
        rank_max_width=5.0,
        suit_gap=1.2,
        suit_height=4.0,
        red=(30, 30, 214),
        black=(16, 16, 18),
        court="letter",
        pip_height=10.0,
        joker="star",
        back_pattern="waves",
    ),
    Style(
        "heavy",
        Font(width=0.64, thick=0.2, thin=0.15, power=2.2, tailed_queen="cross"),
        PipShape(club_radius=0.26, club_spread=0.25, spade_stem=0.5, diamond_width=0.86),
        index_x=5.8,
        index_y=4.4,
        rank_height=7.4,
        rank_max_width=7.2,
        suit_height=5.0,
        red=(20, 14, 190),
        paper=(253, 253, 253),
        corners=4,
        columns=12.0,
        court_left=12.5,
        court="bust",
        back=(30, 30, 30),
    ),
    Style(
        "jumbo",
        Font(width=0.62, thick=0.15, thin=0.12, power=2.3),
        PipShape(heart_width=1.0),
        index_x=9.0,
        index_y=4.6,
        rank_height=14.5,
        rank_max_width=12.0,
        suit_gap=2.0,
        suit_height=9.5,
        pip_height=8.5,
        columns=7.5,
        red=(36, 30, 210),
        court_left=17.5,
        court_top=10.0,
        court="bust",
        back=(20, 20, 160),
        back_pattern="dots",
    ),
    Style(
        "petite",
        Font(width=0.6, thick=0.12, thin=0.08, serif=0.07, serif_thick=0.06),
        PipShape(diamond_hollow=0.1, heart_dip=0.16),
        index_x=4.2,
        index_y=3.4,
        rank_height=4.6,
        rank_max_width=4.4,
        suit_gap=0.9,
        suit_height=3.2,
        pip_height=12.5,
        columns=14.0,
        red=(52, 44, 196),
        black=(46, 40, 36),
        paper=(226, 240, 246),
        court_left=9.0,
        court_top=7.0,
        back=(60, 110, 40),
        back_pattern="waves",
    ),
    Style(
        "framed",
        Font(width=0.56, thick=0.12, thin=0.1, curved_seven=True, tailed_queen="swash"),
        PipShape(heart_belly=0.5, club_radius=0.23, club_spread=0.27),
        index_x=6.6,
        index_y=5.6,
        rank_height=6.6,
        suit_height=4.4,
        frame="index",
        red=(34, 24, 176),
        paper=(244, 250, 251),
        columns=11.5,
        court_left=13.5,
        court="letter",
        trim=(90, 140, 200),
        back=(110, 40, 90),
    ),
    Style(
        "hairline",
        Font(
            width=0.6,
            thick=0.065,
            thin=0.055,
            open_four=True,
            curved_seven=True,
            flat_three=True,
            tailed_queen="stroke",
        ),
        PipShape(spade_width=0.82, heart_width=0.88, diamond_width=0.64, spade_stem=0.34, stem_flare=0.07),
        index_x=6.4,
        index_y=4.2,
        rank_height=7.4,
        suit_height=4.2,
        red=(60, 40, 205),
        black=(60, 52, 48),
        paper=(250, 250, 250),
        pip_height=9.5,
        frame="all",
        court_left=13.0,
        trim=(160, 150, 120),
        cloth=(130, 120, 90),
        back=(150, 120, 70),
        back_pattern="dots",
    ),
    Style(
        "tight",
        Font(
            width=0.58,
            thick=0.14,
            thin=0.12,
            power=2.4,
            ten_width=0.72,
            ten_gap=0.02,
            barred_jack=True,
            straight_tail=True,
        ),
        PipShape(club_radius=0.235, diamond_width=0.74),
        index_x=4.8,
        index_y=3.2,
        rank_height=6.6,
        rank_max_width=5.6,
        suit_gap=0.8,
        suit_height=4.6,
        red=(24, 38, 206),
        paper=(236, 246, 250),
        pip_height=11.5,
        court_left=9.5,
        court_top=6.0,
        trim=(30, 190, 240),
        cloth=(160, 60, 60),
        back=(20, 80, 150),
        back_pattern="waves",
    ),
    Style(
        "casino",
        Font(width=0.64, thick=0.15, thin=0.1, serif=0.06, serif_thick=0.07, bracket=0.03, tailed_queen="cross"),
        PipShape(heart_dip=0.22, club_radius=0.25, spade_width=0.94),
        index_x=7.2,
        index_y=4.0,
        rank_height=10.5,
        rank_max_width=9.0,
        suit_gap=1.6,
        suit_height=7.0,
        red=(40, 22, 190),
        paper=(248, 248, 248),
        pip_height=9.0,
        columns=9.5,
        court_left=14.5,
        court_top=10.0,
        trim=(40, 160, 210),
        cloth=(110, 60, 30),
        back=(60, 20, 130),
    ),
    Style(
        "oblique",
        Font(width=0.56, thick=0.11, thin=0.085, slant=0.14, curved_seven=True, tailed_queen="swash"),
        PipShape(heart_width=0.94, heart_belly=0.46, diamond_width=0.74, diamond_hollow=0.1),
        index_x=5.6,
        index_y=4.4,
        rank_height=6.8,
        suit_gap=1.8,
        suit_height=4.0,
        red=(46, 52, 188),
        black=(44, 34, 26),
        paper=(240, 246, 250),
        pip_height=10.5,
        frame="none",
        trim=(80, 180, 220),
        cloth=(70, 120, 60),
        back=(90, 60, 60),
        back_pattern="waves",
    ),
)

STYLES: dict[str, Style] = {style.name: style for style in _ALL}
