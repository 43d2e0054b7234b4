"""A process that appends as fast as it can and says each number once it is acknowledged; made to be killed.

`python journal_writer_child.py FOLDER`: prints the number of the newest record found, then each acknowledged number.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from concurrent.futures import Future
from itertools import count
from pathlib import Path

import journal_support

from controller.edge.journal import Journal

IN_FLIGHT = 40


def main() -> None:
    journal = Journal(Path(sys.argv[1]))
    os.write(1, b"%d\n" % journal.open().last)
    waiting: deque[Future[int]] = deque()
    for index in count():
        waiting.append(journal.append(journal_support.event(index)))
        if len(waiting) >= IN_FLIGHT:
            os.write(1, b"%d\n" % waiting.popleft().result(30))


if __name__ == "__main__":
    main()
