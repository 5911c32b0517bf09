"""Tell whether Claude Code started a process: what it runs must not answer what it asks."""

from collections.abc import Callable, Collection
from pathlib import Path

from deskbell.files.read import opened

DEEPEST = 64
"""Processes on the way to the first one of the system."""
MARK = b"CLAUDECODE=1"
"""What Claude Code puts into the environment of all that it starts."""
LARGEST = 1024 * 1024
"""Bytes of an environment."""


def is_from_client(
    pid: int | None,
    clients: Collection[int],
    parent: Callable[[int], int | None],
    environment: Callable[[int], bytes],
) -> bool:
    """Return whether PID is one of CLIENTS or comes from one; where the system names no process, that it does not.

    A process that has ended already, or cannot be asked for, is trusted with nothing: it may have come from anywhere.
    """
    if pid is None:
        return False
    if MARK in environment(pid).split(b"\0"):
        return True
    step: int | None = pid
    for _ in range(DEEPEST):
        if step is None or step in clients:
            return True
        if step <= 1:
            return False
        step = parent(step)
    return True


def parent_of(pid: int) -> int | None:
    import psutil  # imported for a command that answers, and for no other: it takes 0.8 MB

    try:
        return psutil.Process(pid).ppid()
    except psutil.Error:
        return None


def environment_of(pid: int) -> bytes:
    """Return the environment with which PID was started, where the system has it as a file; else nothing."""
    try:
        with opened(Path(f"/proc/{pid}/environ")) as (fd, _):
            import os

            return os.read(fd, LARGEST)
    except OSError:
        return b""
