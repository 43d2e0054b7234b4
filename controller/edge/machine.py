"""Which computer this is, for receipts: a Raspberry Pi's model and serial number, else a name made from the machine id.

The machine id itself stays secret, as machine-id(5) asks: what is shown is a keyed hash of it.
"""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

BOARD = Path("/sys/firmware/devicetree/base")
MACHINE_ID = Path("/etc/machine-id")


def machine_name(board: Path = BOARD, machine_id: Path = MACHINE_ID) -> str:
    """One line that stays the same for one computer; empty where it has no name at all."""
    parts = [_text(board / "model"), _text(board / "serial-number")]
    if parts[1]:
        return " ".join(part for part in parts if part)
    secret = _text(machine_id)
    return hmac.new(secret.encode(), b"sabot", hashlib.sha256).hexdigest()[:16] if secret else ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0 \n")
    except OSError:
        return ""
