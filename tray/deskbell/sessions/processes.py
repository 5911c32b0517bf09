"""Ask the system whether the client of a session still runs, or another program has got its process id."""

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from deskbell.sessions.numbers import is_pid
from deskbell_hooks.client import process_start, process_stat

SLACK = 2.0
"""Seconds by which a process may seem to start after its first event: the two times come from different clocks."""
BELIEVED_FOR = 0.5
"""Seconds for which an answer is used again."""
HEARD_BELIEVED_FOR = 30.0
"""The same for a running process whose end would be reported."""
STOP_BELIEVED_FOR = 2.0
"""The same for whether a process is stopped, which is not urgent."""
FORGOTTEN_AFTER = 60.0
"""Seconds after which an unused answer is dropped."""
FOREIGN_BELIEVED_FOR = 2.0
"""The same as BELIEVED_FOR for a process of another pid namespace: to find it, every process is looked at."""


def is_alive(pid: int, start: int | None, heard_at: float) -> bool:
    """Return True if process PID runs and is the one that was heard at HEARD_AT.

    START is its recorded start in clock ticks. If that is None, a process that started after HEARD_AT is another one
    with the same number.
    """
    if not is_pid(pid):
        return False
    if sys.platform == "linux" and start is not None:
        return process_start(pid) == start
    import psutil  # hardly ever needed on Linux, where the start is recorded; psutil takes 0.8 MB

    try:
        return psutil.Process(pid).create_time() <= heard_at + SLACK
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        return True


def is_suspended(pid: int) -> bool:
    """Return True if process PID is stopped, by Ctrl+Z or SIGSTOP. No wake reports that.

    On Windows return False: it has no Ctrl+Z, and finding out whether all threads of a process are suspended is slow.
    """
    if not is_pid(pid) or sys.platform == "win32":
        return False
    if sys.platform == "linux":
        return process_stat(pid)[:1] == ["T"]
    import psutil

    try:
        # psutil reads p_stat of the process: https://psutil.readthedocs.io/en/latest/#process-status-constants
        return psutil.Process(pid).status() == psutil.STATUS_STOPPED
    except psutil.Error:
        return False


@cache
def boot_time() -> float:
    """Return when the machine was started. Ask only once: every correction of the clock moves the answer."""
    if sys.platform == "linux":
        return time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)
    import psutil

    return psutil.boot_time()


def host() -> str:
    """Return the name of this machine, as the hooks write it down."""
    if sys.platform == "win32":
        return os.environ.get("COMPUTERNAME", "")
    return os.uname().nodename


def process_of(pid: int, start: int | None, pids: str, proc: Path = Path("/proc")) -> int | None:
    """Return the number here of the process that is PID in the pid namespace PIDS; None if none is seen.

    START is the start of the process in clock ticks, if it is known.
    """
    with suppress(OSError):
        for folder in proc.iterdir():
            if folder.name.isdigit() and _has_number(folder, pid) and _is_of(folder, start, pids):
                return int(folder.name)
    return None


def _has_number(folder: Path, pid: int) -> bool:
    """Return whether the process has the number PID in its innermost namespace, and another one here."""
    with suppress(OSError, ValueError):
        status = (folder / "status").read_bytes()
        numbers = status.partition(b"\nNSpid:")[2].partition(b"\n")[0].split()
        return len(numbers) > 1 and int(numbers[-1]) == pid
    return False


def _is_of(folder: Path, start: int | None, pids: str) -> bool:
    """Return whether the process is of the namespace PIDS. If that is another user's, only its START tells."""
    with suppress(OSError):
        return str((folder / "ns" / "pid").readlink()) == pids
    with suppress(OSError, ValueError):
        stat = (folder / "stat").read_bytes().rpartition(b") ")[2].split()
        return start is not None and len(stat) > 19 and int(stat[19]) == start
    return False


def commands_of(pid: int, proc: Path = Path("/proc")) -> list[tuple[int, str]]:
    """Return the start in clock ticks and the command line of each process that PID has started; none if unknown."""
    with suppress(OSError):
        lists = [(task / "children").read_text() for task in (proc / str(pid) / "task").iterdir()]
        return [found for child in " ".join(lists).split() if (found := _command(proc / child))]
    return []


def _command(folder: Path) -> tuple[int, str] | None:
    with suppress(OSError, ValueError, IndexError):
        started = int((folder / "stat").read_bytes().rpartition(b") ")[2].split()[19])
        return started, (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    return None


class Processes:
    """Answer whether processes run. Ask the system about each at most every BELIEVED_FOR seconds.

    HEARD says whether `forget` will be called at the end of a process.
    """

    def __init__(
        self,
        ask: Callable[[int, int | None, float], bool] = is_alive,
        ask_suspended: Callable[[int], bool] = is_suspended,
        heard: Callable[[int], bool] = lambda pid: False,
        find: Callable[[int, int | None, str], int | None] = process_of,
    ) -> None:
        self._find = find
        self._ask = ask
        self._ask_suspended = ask_suspended
        self._heard = heard
        self._answers: dict[tuple[int, int | None], tuple[float, bool]] = {}
        self._suspended: dict[int, tuple[float, bool]] = {}
        self._foreign: dict[tuple[int, int | None, str], tuple[float, int | None]] = {}
        """For each process of another pid namespace: when it was looked for, and its number here."""

    def is_alive(self, pid: int, start: int | None, heard_at: float, now: float) -> bool:
        asked, answer = self._answers.get((pid, start), (float("-inf"), False))
        if not 0 <= now - asked < (HEARD_BELIEVED_FOR if answer and self._heard(pid) else BELIEVED_FOR):
            asked, answer = now, self._ask(pid, start, heard_at)
            self._answers[pid, start] = asked, answer
        return answer

    def is_seen(self, pid: int, start: int | None, pids: str, now: float) -> bool:
        """Return whether the process is seen from here that is PID in the namespace PIDS. START is its start."""
        found, own = self._foreign.get((pid, start, pids), (float("-inf"), None))
        believed = FOREIGN_BELIEVED_FOR if own is None else BELIEVED_FOR
        if not 0 <= now - found < believed:
            is_there = own is not None and process_start(own) is not None
            own = own if is_there else self._find(pid, start, pids)
            self._foreign[pid, start, pids] = now, own
        return own is not None

    def is_suspended(self, pid: int | None, now: float) -> bool:
        if pid is None:
            return False
        asked, answer = self._suspended.get(pid, (float("-inf"), False))
        if not 0 <= now - asked < STOP_BELIEVED_FOR:
            asked, answer = now, self._ask_suspended(pid)
            self._suspended[pid] = asked, answer
        return answer

    def forget(self, pid: int) -> None:
        """Ask again about this process: its end was reported."""
        self._answers = {process: answer for process, answer in self._answers.items() if process[0] != pid}

    def tidy(self, now: float) -> None:
        self._answers = {process: one for process, one in self._answers.items() if now - one[0] < FORGOTTEN_AFTER}
        self._suspended = {pid: one for pid, one in self._suspended.items() if now - one[0] < FORGOTTEN_AFTER}
        self._foreign = {one: at for one, at in self._foreign.items() if now - at[0] < FORGOTTEN_AFTER}
