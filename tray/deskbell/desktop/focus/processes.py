"""Find the processes above a client, the terminals that a window's process holds, and a process's WINDOWID."""

import sys
from pathlib import Path

import psutil

# Windows starts these between a terminal and its shells.
NO_SHELLS = {"conhost.exe", "openconsole.exe"}


def ancestors(pid: int) -> frozenset[int]:
    """Return the ids of the processes above PID, and PID itself; empty if it has gone."""
    try:
        return frozenset((pid, *(parent.pid for parent in psutil.Process(pid).parents())))
    except psutil.Error:
        return frozenset()


def terminals(pid: int) -> int | None:
    """Count the terminals of the children of PID: a terminal program has one child for each tab and each window."""
    try:
        children = psutil.Process(pid).children()
    except psutil.Error:
        return None
    if sys.platform == "win32":
        return sum(_name(child) not in NO_SHELLS for child in children)
    return len({tty for child in children if (tty := _tty(child))})


def window_id(pid: int) -> int | None:
    """Return the WINDOWID that PID was started with."""
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    found = next((v.removeprefix(b"WINDOWID=") for v in environment if v.startswith(b"WINDOWID=")), b"")
    return int(found) if found.isdigit() else None


def _tty(process: psutil.Process) -> str | None:
    if sys.platform == "win32":
        return None
    try:
        return process.terminal()
    except psutil.Error:
        return None


def _name(process: psutil.Process) -> str:
    try:
        return process.name().lower()
    except psutil.Error:
        return ""
