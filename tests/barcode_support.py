"""Barcodes drawn for the tests: Code 128 (set B) by an encoder of our own, QR by OpenCV's; cards that bear them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from vision_support import SLOT_FILE, face

from vision.barcode_table import Codes, check_character
from vision.geometry import Geometry, load_geometry

Image = NDArray[np.uint8]

# Widths of bars and spaces of Code 128's symbols 0 to 106 (ISO/IEC 15417), the last is the stop.
_TABLE = (
    "212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 "
    "123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 "
    "232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 "
    "313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 "
    "111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 "
    "111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 "
    "114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112"
)
_WIDTHS = _TABLE.split()
_START_B, _STOP = 104, 106


def code128(text: str, module: int = 3, height: int = 90) -> Image:
    """A grey picture of `text` with its quiet zones."""
    values = [_START_B, *(ord(c) - 32 for c in text)]
    check = (values[0] + sum(k * v for k, v in enumerate(values[1:], 1))) % 103
    row = [255] * 10
    for value in [*values, check, _STOP]:
        for k, width in enumerate(_WIDTHS[value]):
            row += [0 if k % 2 == 0 else 255] * int(width)
    row += [255] * 10
    return np.repeat(np.repeat(np.array([row], np.uint8), height, axis=0), module, axis=1)


def qr(text: str, module: int = 5) -> Image:
    """A grey picture of a QR code with its quiet zone."""
    small = cv2.QRCodeEncoder.create().encode(text)
    return np.asarray(cv2.resize(small, None, fx=module, fy=module, interpolation=cv2.INTER_NEAREST), np.uint8)


CODES = Codes("code128", "SB-", "mod43", {"01": "As", "02": "Kh"})
TABLE = 'symbology = "code128"\nprefix = "SB-"\ncheck = "mod43"\n[cards]\nAs = "01"\nKh = "02"\n'
REGION = {"barcode_left_mm": 17.0, "barcode_top_mm": 4.0, "barcode_width_mm": 44.0, "barcode_height_mm": 14.0}


def geometry(path: Path = SLOT_FILE) -> Geometry:
    """A camera's geometry with the region where `card` has its code."""
    return replace(load_geometry(path), **REGION)


def text_of(code: str) -> str:
    """A code of CODES with prefix and check."""
    return f"SB-{code}" + check_character("mod43", f"SB-{code}")


def card(symbol: str, code: str | None) -> Image:
    """A face at 8 px/mm with that code right of its index."""
    drawn = np.array(face(symbol), np.uint8)
    if code is not None:
        bars = cv2.cvtColor(code128(text_of(code), module=2, height=80), cv2.COLOR_GRAY2BGR)
        drawn[40 : 40 + bars.shape[0], 150 : 150 + bars.shape[1]] = bars
    return drawn
