"""Which processes stand between a client and its window, and how many terminals does a window's process hold?"""

import sys
from pathlib import Path

import psutil

# What Windows puts between a terminal and its shells.
NO_SHELLS = {"conhost.exe", "openconsole.exe"}


def ancestors(pid: int) -> frozenset[int]:
    """With the process itself."""
    try:
        return frozenset((pid, *(parent.pid for parent in psutil.Process(pid).parents())))
    except psutil.Error:
        return frozenset()


def terminals(pid: int) -> int | None:
    """Those of its children: each tab and each window of a terminal begins one."""
    try:
        children = psutil.Process(pid).children()
    except psutil.Error:
        return None
    if sys.platform == "win32":
        return sum(_name(child) not in NO_SHELLS for child in children)
    return len({tty for child in children if (tty := _tty(child))})


def window_id(pid: int) -> int | None:
    """WINDOWID as the process was given it."""
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
