"""One state folder, one daemon: `flock` on DIR/lock, which holds the daemon's process number.

The kernel drops the lock when its process ends, however it ends; the file stays. What else lies in the folder is its
owners' matter.
"""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path
from types import TracebackType

from controller.edge.problems import os_line


class FolderUnusable(OSError):
    """The state folder cannot be used: the text names it and says why."""


class FolderInUse(FolderUnusable):
    """Another daemon holds the state folder; `pid` is its process, None where it could not be read."""

    def __init__(self, folder: Path, pid: int | None) -> None:
        self.pid = pid
        super().__init__(f"{folder}: is in use by the daemon with pid {'unknown' if pid is None else pid}")


class FolderLock:
    """Makes the folder where it is missing and holds it for this process. `with FolderLock(folder): …`"""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: int | None = None

    def acquire(self) -> None:
        """Raises FolderInUse, or FolderUnusable (cannot be made, cannot be written to)."""
        if self._file is not None:
            return
        file = _open(self._folder)
        try:
            _take(file, self._folder)
            _write_pid(file)
        except OSError as error:
            os.close(file)
            if isinstance(error, FolderUnusable):
                raise
            raise FolderUnusable(os_line(error, self._folder)) from error
        self._file = file

    def release(self) -> None:
        """Free the folder; the file stays, empty (taking it away could take away another daemon's)."""
        if self._file is not None:
            os.ftruncate(self._file, 0)
            os.close(self._file)
            self._file = None

    def __enter__(self) -> FolderLock:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def holder(folder: Path) -> int | None:
    """The pid of the daemon that holds the folder now; None where none does (or its number cannot be read)."""
    try:
        file = os.open(folder / "lock", os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read_pid(file)
    finally:
        os.close(file)
    return None


def _open(folder: Path) -> int:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        read_only = error.errno == errno.EROFS
        why = "is on a read-only file system" if read_only else f"cannot be used: {error.strerror}"
        raise FolderUnusable(f"{folder}: the state folder {why}") from error


def _take(file: int, folder: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise FolderInUse(folder, _read_pid(file)) from error


def _write_pid(file: int) -> None:
    os.ftruncate(file, 0)
    os.pwrite(file, f"{os.getpid()}\n".encode(), 0)


def _read_pid(file: int) -> int | None:
    text = os.pread(file, 32, 0).decode("ascii", "replace").strip()
    return int(text) if text.isascii() and text.isdigit() else None
