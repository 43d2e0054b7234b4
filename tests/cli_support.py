"""The real `sabot` command in a process of its own, and what it answered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def mistakes(self) -> list[str]:
        """The lines on standard error."""
        return self.err.splitlines()

    def json(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]


def sabot(*arguments: str | Path, cwd: Path | None = None, **environment: str) -> Answer:
    """Run `sabot ARGUMENTS` and wait for it; nothing it prints may be a traceback."""
    command = [str(Path(sys.executable).parent / "sabot"), *map(str, arguments)]
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, timeout=100, check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Answer(done.returncode, done.stdout, done.stderr)
