"""Find out whether files can be written to a folder: cheaply by asking the system, or surely by writing one.

The system does not always know: a quota, a network drive or an attribute of the folder shows only in writing.
"""

import os
import shutil
import sys
import threading
from contextlib import suppress
from pathlib import Path

SIZE = 20 * 1024
"""Bytes of a trial: a record of the largest size, and a line of the journal without a long prompt."""
PLENTY, FEW = 1024 * 1024, 16
"""Bytes and new files that a disk has to have room for. With less, only a trial can tell."""


def existing(folder: Path) -> Path:
    """Return FOLDER, or the nearest folder above it that exists."""
    if os.path.lexists(folder):
        return folder
    return next((path for path in folder.parents if os.path.lexists(path)), folder)


def refusal(folder: Path) -> OSError | None:
    """Write a file of SIZE bytes to FOLDER, or to the folder that it would be created in. Return the error, if any.

    No file stays: on POSIX, the file loses its name before it is written. If files cannot be removed, the next trial of
    this thread meets the file of the last one, so there are never many.
    """
    trial = existing(folder) / f".trial-{os.getpid()}-{threading.get_ident()}.tmp"
    try:
        trial.unlink(missing_ok=True)
        fd = os.open(trial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    except OSError as error:
        return error
    try:
        try:
            if sys.platform != "win32":
                trial.unlink()
            left = memoryview(bytes(SIZE))
            while left:
                left = left[os.write(fd, left) :]
        finally:
            os.close(fd)  # a network drive reports a full disk only here
        trial.unlink(missing_ok=True)
    except OSError as error:
        with suppress(OSError):
            trial.unlink(missing_ok=True)
        return error
    return None


def looks_writable(folder: Path) -> bool:
    """Tell whether FOLDER may be written to and its disk has room. Takes some microseconds and writes nothing."""
    place = existing(folder)
    try:
        return place.is_dir() and os.access(place, os.W_OK | os.X_OK) and _has_room(place)
    except OSError:
        return False


def lacks_files(folder: Path) -> bool:
    """Tell whether the disk of FOLDER has room for data, but not for another file."""
    if sys.platform == "win32":
        return False
    try:
        found = os.statvfs(existing(folder))
    except OSError:
        return False
    return found.f_files > 0 and found.f_favail == 0 and found.f_bavail > 0


def _has_room(place: Path) -> bool:
    if sys.platform == "win32":
        return shutil.disk_usage(place).free >= PLENTY
    found = os.statvfs(place)
    # Some file systems, such as btrfs, count no files: they say 0 of 0.
    return found.f_bavail * found.f_frsize >= PLENTY and (found.f_files == 0 or found.f_favail >= FEW)
