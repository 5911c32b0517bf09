"""Find the processes above a client, the terminals that a window's process holds, and a process's WINDOWID.

Linux lists processes in /proc. Other systems are asked through psutil, which is not imported on Linux: it takes 0.8 MB.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from deskbell_hooks.client import process_stat

if TYPE_CHECKING:
    import psutil

PARENT, TERMINAL = 1, 4
"""Fields of `process_stat`: the process number of the parent, and the number of the terminal, 0 for none."""
# Windows starts these between a terminal and its shells.
NO_SHELLS = {"conhost.exe", "openconsole.exe"}


def ancestors(pid: int) -> frozenset[int]:
    """Return the ids of the processes above PID, and PID itself; empty if it has gone."""
    if sys.platform == "linux":
        return _ancestors(pid)
    import psutil

    try:
        return frozenset((pid, *(parent.pid for parent in psutil.Process(pid).parents())))
    except psutil.Error:
        return frozenset()


def terminals(pid: int) -> int | None:
    """Count the terminals of the children of PID: a terminal program has one child for each tab and each window."""
    if sys.platform == "linux":
        return _terminals(pid)
    import psutil

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


def _stat(pid: int | str) -> list[str]:
    try:
        return process_stat(pid)
    except OSError:
        return []


def _ancestors(pid: int) -> frozenset[int]:
    line: set[int] = set()
    while pid not in line and (stat := _stat(pid)):
        line.add(pid)
        pid = int(stat[PARENT])
    return frozenset(line)


def _terminals(pid: int) -> int | None:
    if not _stat(pid):
        return None
    running = [_stat(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return len({stat[TERMINAL] for stat in running if stat and int(stat[PARENT]) == pid} - {"0"})


def _tty(process: "psutil.Process") -> str | None:
    import psutil

    if sys.platform == "win32":
        return None
    try:
        return process.terminal()
    except psutil.Error:
        return None


def _name(process: "psutil.Process") -> str:
    import psutil

    try:
        return process.name().lower()
    except psutil.Error:
        return ""
