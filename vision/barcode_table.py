"""What a barcode's text means: the table's own code table, a strict TOML file.

Nothing here looks at pictures (`vision.barcode` does): text in, symbol or label out.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.profile import SYMBOLS

SYMBOLOGIES = ("code128", "qr")
CHECKS = ("none", "mod10", "mod43")
_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%"
_LABEL = re.compile(r"SABOT:shoe=(?P<shoe>[A-Za-z0-9._-]{1,32});deck=(?P<deck>[A-Za-z0-9._-]{1,64})")


class CodesError(ValueError):
    """A code table is unusable; one line a mistake."""


@dataclass(frozen=True)
class Codes:
    """`cards`: what stands between prefix and check, to its symbol. `check`: of the last character."""

    symbology: str
    prefix: str
    check: str
    cards: Mapping[str, str]

    def symbol(self, kind: str, text: str) -> str | None:
        """The card that a code names; None where it is another kind, or prefix, check or table do not fit."""
        if kind != self.symbology or not text.startswith(self.prefix):
            return None
        body = text[len(self.prefix) :]
        if self.check != "none":
            if len(body) < 2 or check_character(self.check, self.prefix + body[:-1]) != body[-1]:
                return None
            body = body[:-1]
        return self.cards.get(body)


@dataclass(frozen=True)
class Label:
    """What a QR on the cut card or the shoe's lid says: `SABOT:shoe=3;deck=house-7`."""

    shoe: str
    deck: str


def label_of(kind: str, text: str) -> Label | None:
    """The label that a code is, None where it is another."""
    match = _LABEL.fullmatch(text) if kind == "qr" else None
    return Label(match["shoe"], match["deck"]) if match else None


def check_character(check: str, text: str) -> str:
    """The check character of `text`: `mod43` as Code 39 has it, `mod10` over the characters' numbers, weights 3 and 1.

    Characters that Code 39 does not know count as their code points.
    """
    values = [_ALPHABET.index(c) if c in _ALPHABET else ord(c) for c in text]
    if check == "mod43":
        return _ALPHABET[sum(values) % 43]
    return str(-sum(v * (3 if k % 2 == 0 else 1) for k, v in enumerate(reversed(values))) % 10)


def load_codes(path: str | Path) -> Codes:
    """Read a code table; with an empty `[cards]` only labels are looked for.

    Raises CodesError with every mistake: file, key, value and what is allowed.
    """
    path = Path(path)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CodesError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CodesError(f"{path}: not TOML: {error}") from error
    mistakes = [f"{path}: {line}" for line in _mistakes(table)]
    if mistakes:
        raise CodesError("\n".join(mistakes))
    cards = {code: symbol for symbol, code in table["cards"].items()}
    return Codes(table["symbology"], table.get("prefix", ""), table.get("check", "none"), cards)


def _mistakes(table: Mapping[str, Any]) -> list[str]:
    known = ("symbology", "prefix", "check", "cards")
    found = [f"{key}: unknown key; allowed: {', '.join(known)}" for key in table if key not in known]
    for key, allowed, default in (("symbology", SYMBOLOGIES, None), ("check", CHECKS, "none")):
        if table.get(key, default) not in allowed:
            found.append(f"{key}: {table.get(key)!r}; allowed: {', '.join(allowed)}")
    if not isinstance(table.get("prefix", ""), str):
        found.append(f"prefix: {table['prefix']!r}; allowed: a text")
    cards = table.get("cards")
    if not isinstance(cards, dict):
        return [*found, 'cards: wanted: a table such as [cards] with As = "01"']
    found += [f"cards.{symbol}: no symbol" for symbol in cards if symbol not in SYMBOLS]
    found += [
        f"cards.{s}: {code!r}; allowed: a text" for s, code in cards.items() if not isinstance(code, str) or not code
    ]
    codes = [code for code in cards.values() if isinstance(code, str)]
    found += [f"cards: {code!r} stands for two symbols" for code in sorted({c for c in codes if codes.count(c) > 1})]
    return found
