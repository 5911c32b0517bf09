"""Write what a session does into the options of its tmux pane, after an event, while no tray runs.

The recorder calls this for a client that runs in tmux. It waits for nothing: it starts a child, which becomes tmux in a
process session of its own. It does nothing unless `deskbell tmux install` has put the file `tmux.on` into the state
folder, and nothing while a tray runs, which knows more. While a tmux hangs, it starts no second one; ALARM ends the
first.
"""

import sys
from time import time

from deskbell_hooks.client import is_gone, process_start, process_stat, variable
from deskbell_hooks.files import read_file, replace_file
from deskbell_hooks.panes import ASKED, ON, OWNER, TRAY, command, is_pane, is_terminal, options, owner, socket_of

assert sys.platform != "win32"  # tmux does not run there, and the recorder does not call this

import posix  # noqa: E402  # mypy knows no name of it above
from _signal import alarm  # type: ignore[import-not-found]  # noqa: E402  # `signal` itself costs a millisecond

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from deskbell_hooks.schema import Record, Where

ALARM = 30
"""Seconds after which the system ends a tmux that has not answered. An alarm survives `execve`."""
HANGS_AFTER = 0.5
"""Seconds. tmux answers within a few milliseconds."""


def _start(state: str, words: "list[str]", system: "Any" = posix, alarm: "Callable[[int], int]" = alarm) -> None:
    """Start a child that becomes tmux. Tests pass SYSTEM and ALARM, because they must not become tmux themselves."""
    if system.fork() == 0:
        try:
            _become(state, words, system, alarm)
        finally:
            system._exit(1)


def _become(state: str, words: "list[str]", system: "Any", alarm: "Callable[[int], int]") -> None:
    """Become tmux, without the streams of the hook: Claude Code waits until they are closed."""
    nothing = system.open("/dev/null", posix.O_RDWR)
    for stream in (0, 1, 2):
        system.dup2(nothing, stream)
    system.setsid()
    alarm(ALARM)
    try:
        replace_file(f"{state}/{ASKED}", b"%d %d" % (system.getpid(), process_start("self") or 0))
    except OSError:  # then a tmux that hangs is not noticed until the alarm
        pass
    for folder in (variable("PATH") or "/usr/local/bin:/usr/bin:/bin").split(":"):
        try:
            system.execve(f"{folder}/tmux", words, posix.environ)
        except OSError:  # tmux is not in this folder of the PATH
            continue


def write_options(
    state: str, event: str, record: "Record", pid: int | None, stamp: int, start: "Callable[..., None]" = _start
) -> None:
    """Write the options of the pane of the client PID. RECORD is that of its session after EVENT."""
    socket, pane = socket_of(variable("TMUX")), variable("TMUX_PANE")
    if not socket or not is_pane(pane) or not _is_on(state) or _tray_lives(state):
        return
    where = _where(record, pid) or _where_of_ended(pid)
    tty = where.get("tty")
    if not is_terminal(tty) or where.get("attended") is False or where.get("entrypoint") == "sdk-cli":
        return
    if event == "SessionEnd":
        wanted = options(record["session_id"], "ended", "", {})
    elif _is_front(record, pid):
        wanted = options(record["session_id"], record["status"], record["detail"], record)
    else:
        return
    if _is_mine(socket) and not _hangs(state):
        wanted[OWNER] = owner(posix.stat(state))
        start(state, ["tmux", "-S", socket, *command(pane, str(tty), stamp, wanted)])


def _is_on(state: str) -> bool:
    try:
        posix.stat(f"{state}/{ON}")
    except OSError:
        return False
    return True


def _tray_lives(state: str) -> bool:
    pid, start = _process(f"{state}/{TRAY}")
    return pid > 0 and not is_gone(pid, start) and process_stat(pid)[:1] != ["T"]


def _hangs(state: str) -> bool:
    """Return whether the tmux that was started last still has not answered."""
    pid, start = _process(f"{state}/{ASKED}")
    if pid == 0 or is_gone(pid, start):
        return False
    return time() - posix.stat(f"{state}/{ASKED}").st_mtime > HANGS_AFTER


def _process(path: str) -> "tuple[int, int]":
    """Return the process number and the start time that a file holds; zeros if there is no such file."""
    try:
        pid, start = read_file(path).split()
        return int(pid), int(start)
    except (OSError, ValueError):
        return 0, 0


def _where(record: "Record", pid: int | None) -> "Where":
    places = [run["where"] for run in [record, *record.get("others", [])] if run.get("where")]
    unknown: Where = {}
    return next((one for one in places if one.get("pid") == pid), unknown)


def _where_of_ended(pid: int | None) -> "Where":
    """Return the terminal of a client that has ended while another one runs its session: the record has lost it."""
    from deskbell_hooks.place import terminal

    stat = process_stat(pid or 0)
    return {"tty": terminal(int(stat[4]))} if len(stat) > 4 else {}


def _is_front(record: "Record", pid: int | None) -> bool:
    return record.get("where", {}).get("pid") == pid


def _is_mine(socket: str) -> bool:
    """Return whether the socket belongs to the person. A socket of another user is never used."""
    try:
        return posix.stat(socket).st_uid == posix.getuid()
    except (OSError, ValueError):
        return False
