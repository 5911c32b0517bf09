"""Read what the system tells about a process: the processes above it, its terminals, its environment, its files.

Linux lists processes in /proc; on other systems psutil is asked. psutil is not imported on Linux: it takes 0.8 MB.
"""

import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from deskbell_hooks.client import process_stat
from deskbell_hooks.place import terminal

if TYPE_CHECKING:
    import psutil

LISTENS = 1 << 16
PARENT, TERMINAL = 1, 4
"""Fields of `process_stat`: the process number of the parent, and the number of the terminal, 0 for none."""
TERMINALS = frozenset(
    (
        *(
            "xterm",
            "urxvt",
            "urxvtd",
            "rxvt",
            "st",
            "mlterm",
            "zutty",
            "terminology",
            "cool-retro-term",
            "contour",
            "rio",
        ),
        *("alacritty", "foot", "kitty", "ghostty", "wezterm-gui", "konsole", "yakuake", "qterminal", "deepin-terminal"),
        *("gnome-terminal", "xfce4-terminal", "mate-terminal", "lxterminal", "tilix", "terminator", "ptyxis", "kgx"),
        *("guake", "tilda", "sakura", "roxterm"),
    )
)
"""Programs whose windows hold terminals. Linux cuts their names after 15 characters: "gnome-terminal-"."""
TMUX_SERVERS = frozenset(("tmux: server", "tmux"))
"""How a server of tmux is named: on Linux, and on macOS."""
# Windows starts these between a terminal and its shells.
NO_SHELLS = {"conhost.exe", "openconsole.exe"}


def ancestors(pid: int) -> frozenset[int]:
    """Return PID and the processes above it; empty if it has gone."""
    return frozenset(line(pid))


def line(pid: int) -> tuple[int, ...]:
    """Return PID and the processes above it, the nearest first; empty if it has gone. On Linux, end at its terminal.

    What is above a terminal has only started it: an xterm that a shell in a pane of tmux starts is not in that pane.
    """
    if sys.platform == "linux":
        return _up_to_terminal(_line(pid))
    import psutil

    try:
        return (pid, *(parent.pid for parent in psutil.Process(pid).parents()))
    except psutil.Error:
        return ()


def terminal_at_end(line: Sequence[int]) -> str:
    """Return the name of the terminal at which LINE ends; empty if its last program is no known terminal."""
    last = name(line[-1]).rstrip("-") if line else ""
    return last if last in TERMINALS else ""


def is_in_tmux(pid: int) -> bool:
    """Return whether a tmux has started PID; True if it has gone. Its variables may be inherited from a pane."""
    above = line(pid)[1:]
    return not above or any(name(one) in TMUX_SERVERS for one in above)


def terminals(pid: int) -> int | None:
    """Count the terminals of the children of PID: a terminal program has a child for each tab and window."""
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
    found = environment(pid).get("WINDOWID", "")
    return int(found) if found.isascii() and found.isdigit() else None


def environment(pid: int) -> dict[str, str]:
    """Return the variables that PID was started with; empty if it has gone or belongs to somebody else."""
    if sys.platform == "linux":
        try:
            text = Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace")
        except OSError:
            return {}
        return dict(line.split("=", 1) for line in text.split("\0") if "=" in line)
    import psutil

    try:
        return psutil.Process(pid).environ()
    except psutil.Error:
        return {}


def terminal_of(pid: int) -> str | None:
    """Return the path of the terminal that PID runs in; None if it has none."""
    if sys.platform != "linux":
        import psutil

        try:
            return _tty(psutil.Process(pid))
        except psutil.Error:
            return None
    stat = _stat(pid)
    device = int(stat[TERMINAL]) if stat else 0
    return terminal(device) or None if os.major(device) else None


def pids() -> list[int]:
    """Return the running processes on Linux; empty on other systems."""
    try:
        return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    except OSError:
        return []


def open_files(pid: int) -> set[str]:
    """Return what PID holds open, on Linux: paths, and "socket:[number]". Empty for somebody else's process."""
    found = set()
    try:
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):  # it was closed meanwhile
                found.add(str(link.readlink()))
    except OSError:
        return set()
    return found


def listens_at(pid: int) -> list[str]:
    """Return the files of the sockets at which PID waits for connections, on Linux; nothing elsewhere.

    /proc/net/unix: the fourth field has a bit for sockets that listen, the seventh is the inode, the rest is the path.
    """
    try:
        rows = [row.split(None, 7) for row in Path("/proc/net/unix").read_text(errors="replace").split("\n")[1:]]
    except OSError:
        return []
    files = open_files(pid)
    return [row[7] for row in rows if len(row) > 7 and int(row[3], 16) & LISTENS and f"socket:[{row[6]}]" in files]


def is_stopped(pid: int) -> bool:
    """Return whether PID is stopped, as by Ctrl+Z; False on other systems than Linux. It draws nothing meanwhile."""
    stat = _stat(pid) if sys.platform == "linux" else []
    return stat[:1] in (["T"], ["t"])


def is_on_this_host(pid: int) -> bool:
    """Return whether PID knows this machine by the name that this process knows: a container may have another one."""
    try:
        return Path(f"/proc/{pid}/ns/uts").readlink() == Path("/proc/self/ns/uts").readlink()
    except OSError:
        return True


def waits_for_its_output(pid: int) -> bool:
    """Return whether PID blocks until all its output is written; True if that is not known. Only Linux tells."""
    if sys.platform != "linux":
        return True
    try:
        said = Path(f"/proc/{pid}/fdinfo/1").read_text()
    except OSError:
        return True
    flags = re.search(r"^flags:\s*([0-7]+)$", said, re.MULTILINE)
    return not (flags and int(flags[1], 8) & os.O_NONBLOCK)


def folder(pid: int) -> str | None:
    """Return the folder that PID works in; None if it has gone or belongs to somebody else."""
    if sys.platform == "linux":
        try:
            return str(Path(f"/proc/{pid}/cwd").readlink())
        except OSError:
            return None
    import psutil

    try:
        return psutil.Process(pid).cwd()
    except psutil.Error:
        return None


def name(pid: int) -> str:
    """Return the name of the program that PID runs; empty if it has gone."""
    if sys.platform == "linux":
        try:
            return Path(f"/proc/{pid}/comm").read_text(errors="replace").strip()
        except OSError:
            return ""
    import psutil

    try:
        return psutil.Process(pid).name()
    except psutil.Error:
        return ""


def _stat(pid: int | str) -> list[str]:
    try:
        return process_stat(pid)
    except OSError:
        return []


def _line(pid: int) -> tuple[int, ...]:
    found: list[int] = []
    while pid not in found and (stat := _stat(pid)):
        found.append(pid)
        pid = int(stat[PARENT])
    return tuple(found)


def _up_to_terminal(line: tuple[int, ...]) -> tuple[int, ...]:
    """Return LINE up to its terminal, which may start its shells from a process of its own name, as kitty 0.26 does."""
    names = [name(pid).rstrip("-") for pid in line]
    first = next((at for at, one in enumerate(names) if one in TERMINALS), None)
    if first is None:
        return line
    same = takewhile(lambda one: one == names[first], names[first:])
    return line[: first + len(list(same))]


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
