"""What the character displays (Matrix Orbital, Noritake) have in common: rows of fixed width, of which only the
changed run is written. Nothing is acknowledged."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.signs.sign import Answer, SignPicture, Step, line


class CharacterDisplay:
    """`columns` by `rows` characters. A driver says how to begin and how to write at a place."""

    answers = False

    def __init__(self, columns: int, rows: int, refresh_s: float = 5.0) -> None:
        self.columns = columns
        self.rows = rows
        self.refresh_s = refresh_s

    def begin(self) -> Sequence[Step]:
        """Clear, and whatever the display needs once."""
        raise NotImplementedError

    def at(self, column: int, row: int) -> bytes:
        """The bytes that put the cursor there, both from 0."""
        raise NotImplementedError

    def full(self, picture: SignPicture) -> Sequence[Step]:
        return [Step(b"".join(self.at(0, row) + self._row(picture, row) for row in range(self.rows)))]

    def change(self, before: SignPicture, after: SignPicture) -> Sequence[Step]:
        runs = [self._run(row, self._row(before, row), self._row(after, row)) for row in range(self.rows)]
        data = b"".join(runs)
        return [Step(data)] if data else []

    def receive(self, data: bytes) -> Answer | None:
        return None

    def _row(self, picture: SignPicture, row: int) -> bytes:
        return line(picture, row).encode("ascii")[: self.columns].ljust(self.columns)

    def _run(self, row: int, old: bytes, new: bytes) -> bytes:
        """From the first changed character to the last."""
        changed = [at for at in range(self.columns) if old[at] != new[at]]
        return self.at(changed[0], row) + new[changed[0] : changed[-1] + 1] if changed else b""
