"""Find the client that started the hook: its process number, when it started, and whether it still lives.

The recorder calls this at every event, so nothing here may be slow. `place`, which the recorder calls once for each
client, says where it runs. This module also says when the hook itself was started, and which session ids are safe as
names of files.
"""

import sys
import time

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

SHELLS = (b"sh", b"bash", b"dash", b"zsh", b"ksh", b"busybox")
DEBUG = "DESKBELL_HOOK_DEBUG"
"""If this variable is set, an error prints a traceback and the hook fails. For developers; no installer sets it."""
TICK = 10
"""Milliseconds in a clock tick of /proc: every Linux of today has 100 ticks a second."""
LARGEST_PID = 2**31 - 1
"""The largest number in a `pid_t`. Linux counts to 4,194,304, and Windows and macOS stay far below this too."""

RESERVED = frozenset(("con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(10))))
"""Names that Windows keeps for devices."""


def is_safe_id(text: str) -> bool:
    """Return True for a name that is a plain file name, within its folder, on every file system."""
    plain = text.replace("-", "").replace("_", "")
    return len(text) <= 128 and plain.isascii() and plain.isalnum() and text.lower() not in RESERVED


def variable(name: str) -> str:
    """Return an environment variable; "" if it is not set."""
    if sys.platform == "win32":
        return system.environ.get(name) or system.environ.get(name.upper(), "")
    return system.environ.get(name.encode(), b"").decode("utf-8", "replace")


def was_given(name: str) -> bool:
    """Return whether this process was started with the variable NAME; True if the system does not say."""
    given = b"\0"
    try:
        fd = system.open("/proc/self/environ", system.O_RDONLY)
        try:
            while part := system.read(fd, 1 << 16):
                given += part
        finally:
            system.close(fd)
    except OSError:  # only Linux has this file
        return True
    return b"\0%s=" % name.encode() in given


def client_pid() -> int | None:
    """Return the process number of the Claude Code that started this hook; None if it is not known."""
    pid = variable("CLAUDE_PID")
    if pid.isascii() and pid.isdigit() and len(pid) < 11 and 0 < int(pid) <= LARGEST_PID:
        return int(pid)
    if sys.platform == "win32" or pid or not variable("CLAUDECODE"):
        return None
    return starter(system.getppid())


def starter(parent: int) -> int | None:
    """Return the pid of a client that sets no CLAUDE_PID: the hook's PARENT, or if that is a shell, its parent."""
    pid = parent
    try:
        with open(f"/proc/{parent}/comm", "rb", 0) as file:
            shell = file.read(64).strip() in SHELLS
        if shell:
            pid = int((process_stat(parent) or ("", "0"))[1])
    except OSError:
        return None
    return pid if pid > 1 else None


def began() -> "tuple[int, float]":
    """Return when this hook's process was started, in milliseconds since boot and in seconds of the wall clock.

    Hook processes overtake each other, so events are ordered by this start. Linux gives it in ticks since boot. On
    other systems, or if it cannot be read, the time of this call stands for it.
    """
    now = time.time()
    if sys.platform != "linux":
        return time.monotonic_ns() // 1_000_000, round(now, 3)
    since_boot = time.clock_gettime(time.CLOCK_BOOTTIME)
    try:
        start = process_start("self")
    except (OSError, ValueError):
        start = None
    order = (int(since_boot * 1000 / TICK) if start is None else start) * TICK
    age = since_boot - order / 1000
    return order, round(now - age if 0 <= age < 60 else now, 3)


def clock_zero() -> "float | None":
    """Return the time of the wall clock when the machine was started: it only changes when somebody sets the clock.

    Return None where the count since the start leaves out the time in which the machine slept.
    """
    if sys.platform != "linux":
        return None
    return round(time.time() - time.clock_gettime(time.CLOCK_BOOTTIME), 1)


def process_start(pid: "int | str") -> int | None:
    """Return field 22 of /proc/<pid>/stat: clock ticks since boot, the number that Claude Code's registry holds too.

    Return None for a dead process, also while its parent has not waited for it: tmux takes more than a second for that.
    Raise OSError as `process_stat` does.
    """
    stat = process_stat(pid)
    return int(stat[19]) if len(stat) > 19 and stat[0] not in "ZX" else None


def process_stat(pid: "int | str") -> list[str]:
    """Return the fields of /proc/<pid>/stat from the third on; [] if there is no such process or no /proc.

    The second field, the command, may hold brackets and spaces, so the fields are counted from its last bracket. Raise
    OSError if the file cannot be read for another reason, such as no free descriptor: the process may be alive then.
    """
    try:
        fd = system.open(f"/proc/{pid}/stat", system.O_RDONLY)  # `open` takes twice as long
        try:
            return system.read(fd, 4096).rpartition(b") ")[2].decode().split(None, 20)
        finally:
            system.close(fd)
    except (FileNotFoundError, ProcessLookupError):
        return []


def is_gone(pid: int, start: int | None) -> bool:
    """Return True only if it is certain that this process has ended."""
    if sys.platform == "win32":
        return False
    try:
        system.kill(pid, 0)
        return start is not None and process_start(pid) != start
    except (ProcessLookupError, OverflowError):  # OverflowError: no process has a number that long
        return True
    except OSError:
        return False
