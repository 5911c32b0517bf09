"""Run the person's own statusline, which is chained to Deskbell's, and keep what it printed last.

`statusline` imports this only if a line is chained. The command gets the same stdin, and the shell runs it as Claude
Code would. If it takes too long, its process group is ended, and what it printed last is shown.
"""

import sys
from time import monotonic

from deskbell_hooks.client import is_safe_id
from deskbell_hooks.codec import encode
from deskbell_hooks.files import make_folder, read_file, replace_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LARGEST = 64 * 1024
"""Bytes of a line that are shown and kept."""
SLICE = 0.05
"""Seconds between two checks of whether the shell has ended: a program that it started may keep stdout open."""
SIGPIPE, SIGKILL, SIGTERM = 13, 9, 15
"""As Linux and macOS number them."""


def own_line(state: str, command: str, data: bytes, given: "Any", seconds: float, sparing: bool) -> bytes:
    """Return what COMMAND prints for DATA, the JSON of GIVEN; if it takes over SECONDS, what it printed last.

    If SPARING, do not run it while nothing has changed but the clock: Claude Code itself would not.
    """
    session_id = given.get("session_id") if isinstance(given, dict) else None
    is_kept = isinstance(session_id, str) and is_safe_id(session_id)
    path = f"{state}/statusline/own-{session_id}" if is_kept else ""
    mark, last, before = _mark(command, given), b"", b""
    if path:
        before, _, last = _kept(path).partition(b"\n")
    if sparing and before == mark and last:
        return last
    printed = run(command, data, seconds)
    if printed is None:
        return last
    if path:
        _keep(path, mark + b"\n" + printed)
    return printed


def _mark(command: str, given: "Any") -> bytes:
    """Return a mark that changes with everything that is given except the age of the session."""
    from binascii import crc32

    if isinstance(given, dict) and isinstance(given.get("cost"), dict):
        given = {**given, "cost": {**given["cost"], "total_duration_ms": 0}}
    return b"%08x" % crc32(encode([command, given]))


def _kept(path: str) -> bytes:
    try:
        return read_file(path)
    except OSError:
        return b""


def _keep(path: str, data: bytes) -> None:
    try:
        make_folder(path.rpartition("/")[0])
        replace_file(path, data)
    except OSError:
        pass


if sys.platform == "win32":

    def run(command: str, data: bytes, seconds: float) -> bytes | None:
        """Return no bytes: Deskbell chains no line on Windows, where Claude Code chooses between two shells."""
        return b""

else:
    import posix as system
    from select import POLLIN, POLLOUT, poll

    def run(command: str, data: bytes, seconds: float) -> bytes | None:
        """Return what COMMAND prints, without the last line break; None if it takes over SECONDS, or cannot start."""
        until = monotonic() + seconds
        stdin, to_stdin = system.pipe()
        from_stdout, stdout = system.pipe()
        try:
            pid = _started(command, stdin, stdout)
            _close(stdin, stdout)
            printed = _talk(pid, to_stdin, from_stdout, data, until)
            if printed is None or len(printed) >= LARGEST:
                _end(pid)
        except OSError:
            return None
        finally:
            _close(stdin, to_stdin, from_stdout, stdout)
        return None if printed is None else printed[:LARGEST].rstrip(b"\r\n")

    def _started(command: str, stdin: int, stdout: int) -> int:
        """Start COMMAND in a process group of its own, which ends when Claude Code ends this process."""
        import _signal as signal  # type: ignore[import-not-found]  # `signal` itself costs a millisecond

        actions = [(system.POSIX_SPAWN_DUP2, stdin, 0), (system.POSIX_SPAWN_DUP2, stdout, 1)]
        words, usual = ["sh", "-c", command], [SIGPIPE, SIGTERM]
        signal.pthread_sigmask(signal.SIG_BLOCK, [SIGTERM])
        try:
            pid = system.posix_spawn(
                *("/bin/sh", words, system.environ),
                file_actions=actions,
                setpgroup=0,
                setsigmask=[],
                setsigdef=usual,
            )
            signal.signal(SIGTERM, lambda *_: _end(pid))
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [SIGTERM])
        return pid

    def _talk(pid: int, to_stdin: int, from_stdout: int, data: bytes, until: float) -> bytes | None:
        """Return what the process prints while it reads DATA; None if it does not end in time."""
        system.set_blocking(to_stdin, False)
        polled, printed = poll(), b""
        polled.register(from_stdout, POLLIN)
        polled.register(to_stdin, POLLOUT)
        over = False
        while monotonic() < until:
            over = over or _has_ended(pid)  # checked before the read, so that all it has printed is read
            ready = [fd for fd, _ in polled.poll(0 if over else SLICE * 1000)]
            if to_stdin in ready and not (data := _unwritten(to_stdin, data)):
                polled.unregister(to_stdin)
                system.close(to_stdin)
            if from_stdout in ready:
                part = system.read(from_stdout, LARGEST)
                printed += part
                if not part or len(printed) >= LARGEST:
                    return printed
            elif over:
                return printed
        return None

    def _unwritten(fd: int, data: bytes) -> bytes:
        """Write some of DATA. Return the rest; nothing if nobody reads it."""
        try:
            return data[system.write(fd, data[:LARGEST]) :]
        except OSError:
            return b""

    def _has_ended(pid: int) -> bool:
        return system.waitpid(pid, system.WNOHANG)[0] == pid

    def _end(pid: int) -> None:
        """End the process group of PID."""
        try:
            system.killpg(pid, SIGKILL)
        except OSError:
            pass

    def _close(*fds: int) -> None:
        for fd in fds:
            try:
                system.close(fd)
            except OSError:  # it has been closed already
                pass
