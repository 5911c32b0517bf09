"""Ask the system whether the client of a session still runs, or another program has got its process id."""

import os
import sys
import time
from collections.abc import Callable
from functools import cache

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


class Processes:
    """Answer whether processes run. Ask the system about each at most every BELIEVED_FOR seconds.

    HEARD says whether `forget` will be called at the end of a process.
    """

    def __init__(
        self,
        ask: Callable[[int, int | None, float], bool] = is_alive,
        ask_suspended: Callable[[int], bool] = is_suspended,
        heard: Callable[[int], bool] = lambda pid: False,
    ) -> None:
        self._ask = ask
        self._ask_suspended = ask_suspended
        self._heard = heard
        self._answers: dict[tuple[int, int | None], tuple[float, bool]] = {}
        self._suspended: dict[int, tuple[float, bool]] = {}

    def is_alive(self, pid: int, start: int | None, heard_at: float, now: float) -> bool:
        asked, answer = self._answers.get((pid, start), (float("-inf"), False))
        if not 0 <= now - asked < (HEARD_BELIEVED_FOR if answer and self._heard(pid) else BELIEVED_FOR):
            asked, answer = now, self._ask(pid, start, heard_at)
            self._answers[pid, start] = asked, answer
        return answer

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
