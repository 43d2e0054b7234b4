"""The barcode process: pictures in, codes out, over a pipe. Started by `vision.barcode`, ends when its pipe closes.

zbar is a C library that has crashed on odd pictures: it lives here, so that it takes nothing with it. The
symbologies are named, never "all": zbar sees short codes of other kinds in plain print.
"""

from __future__ import annotations

import signal
import sys
from multiprocessing.connection import Connection

import numpy as np
from numpy.typing import NDArray

Found = list[tuple[str, str]]  # (symbology, text)
NO_LIBRARY = "libzbar0 is not installed"


def decode(image: NDArray[np.uint8], kinds: tuple[str, ...]) -> Found:
    """The codes of the named kinds ("code128", "qr") in a grey picture. Raises ImportError without libzbar."""
    from pyzbar.pyzbar import ZBarSymbol  # type: ignore[import-untyped]
    from pyzbar.pyzbar import decode as zbar

    names = {"code128": ZBarSymbol.CODE128, "qr": ZBarSymbol.QRCODE}
    found = zbar(image, symbols=[names[kind] for kind in kinds])
    back = {"CODE128": "code128", "QRCODE": "qr"}
    return [(back[one.type], one.data.decode("utf-8", "replace")) for one in found if one.type in back]


def main(arguments: list[str]) -> int:
    """`arguments`: the pipe's descriptor."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipe = Connection(int(arguments[0]))
    while True:
        try:
            number, kinds, image = pipe.recv()
        except (EOFError, OSError):
            return 0
        try:
            pipe.send((number, decode(image, kinds), ""))
        except ImportError:
            pipe.send((number, [], NO_LIBRARY))
        except BrokenPipeError:
            return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
