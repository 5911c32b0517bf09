"""Tell whether Claude Code started a process: what it runs must not answer what it asks."""

import os
from collections.abc import Callable, Collection
from pathlib import Path

from deskbell.files.read import opened

DEEPEST = 64
"""Parents that are followed."""
MARK = b"CLAUDECODE=1"
"""What Claude Code puts into the environment of every process that it starts."""
LARGEST = 1024 * 1024
"""Bytes of an environment."""


def is_from_client(
    pid: int | None,
    clients: Collection[int],
    parent: Callable[[int], int | None],
    environment: Callable[[int], bytes],
) -> bool:
    """Return whether PID is one of CLIENTS, descends from one, or has MARK in its environment.

    False if PID is None, because the system names no process. True for a process that has ended already or cannot be
    examined, because it may have come from anywhere.
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
    """Return the process above PID; None if PID has gone or cannot be examined."""
    import psutil  # imported for a command that answers, and for no other: it takes 0.8 MB

    try:
        return psutil.Process(pid).ppid()
    except psutil.Error:
        return None


def environment_of(pid: int) -> bytes:
    """Return the environment with which PID was started; empty where the system does not have it as a file."""
    try:
        with opened(Path(f"/proc/{pid}/environ")) as (fd, _):
            return os.read(fd, LARGEST)
    except OSError:
        return b""
