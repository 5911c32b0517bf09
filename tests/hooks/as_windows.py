"""Run the Windows branches of the recorder and of the statusline on POSIX, with an `nt` and an `msvcrt` that list their calls.

Started by file, in an interpreter of its own, with an event on stdin. The two modules do what the documentation of the C
library says: a lock covers a range of bytes from the position on, LK_NBLCK fails with EACCES at once, and `replace` fails
while another process has the target open.

    as_windows.py MAIN STATE OPTIONS     starts MAIN and prints the calls; OPTIONS are JSON, see `fake_nt`

The option `statusline` lists the words that start the statusline in place of the recorder. The option `ask` starts the
asker; it is what the program answers through its pipe, as text, or null for a pipe that nobody has opened.
"""

import json
import posix
import runpy
import socket
import sys
import time
import types
from typing import Any

calls: list[list[Any]] = []


def fake_msvcrt(lock: str) -> types.ModuleType:
    """Lock is "free", "held", "held until the journal grows", or "unsupported"."""
    msvcrt: Any = types.ModuleType("msvcrt")
    msvcrt.LK_UNLCK, msvcrt.LK_NBLCK = 0, 2
    sizes: list[int] = []

    def locking(fd: int, mode: int, count: int) -> None:
        calls.append(["locking", mode, posix.lseek(fd, 0, 1), count])
        sizes.append(posix.fstat(fd).st_size)
        if lock == "unsupported":
            raise OSError(22, "Invalid argument")
        held = lock == "held" or (lock == "held until the journal grows" and sizes[-1] == sizes[0])
        if held and mode == msvcrt.LK_NBLCK:
            raise PermissionError(13, "Permission denied")

    msvcrt.locking = locking
    return msvcrt  # type: ignore[no-any-return]


def fake_nt(env: dict[str, str], refusals: int, rival: str, unreadable: bool) -> types.ModuleType:
    """Rival is a line that another process appends to the journal while the record is replaced."""
    nt: Any = types.ModuleType("nt")
    for name in (
        "open",
        "close",
        "read",
        "write",
        "lseek",
        "fstat",
        "lstat",
        "stat",
        "mkdir",
        "unlink",
        "listdir",
        "readlink",
        "kill",
    ):
        setattr(nt, name, getattr(posix, name))
    for name in ("O_RDONLY", "O_WRONLY", "O_RDWR", "O_APPEND", "O_CREAT", "O_EXCL"):
        setattr(nt, name, getattr(posix, name))
    nt.O_BINARY, nt.O_NOINHERIT = 0, 0
    nt.environ = env
    left, lines = [refusals], [rival] if rival else []

    def replace(source: str, target: str) -> None:
        calls.append(["replace"])
        left[0] -= 1
        if left[0] >= 0:
            raise PermissionError(13, "Access is denied")
        posix.replace(source, target)
        while lines:
            with open(target.replace("/sessions/", "/events/") + "l", "a", encoding="utf-8") as journal:
                journal.write(lines.pop() + "\n")

    if unreadable:
        nt.read = lambda fd, size: b""
    nt.replace = replace
    nt._exit = lambda code: calls.append(["_exit", code])
    return nt  # type: ignore[no-any-return]


def with_pipe(nt: Any, answer: str | None) -> None:
    """Let the name of a pipe be opened. What is written to it is listed."""
    ours, theirs = socket.socketpair()
    if answer is not None:
        theirs.sendall(answer.encode())
    theirs.shutdown(socket.SHUT_WR)

    def open_(name: str, flags: int, mode: int = 0o777) -> int:
        if not name.startswith("\\\\.\\"):
            return posix.open(name, flags, mode)
        calls.append(["open", name])
        if answer is None:
            raise FileNotFoundError(2, "No such file or directory")
        return ours.detach()

    def write(fd: int, data: bytes) -> int:
        """Write at most a hundred bytes to the pipe: it may take only a part."""
        if fd == 1:
            return posix.write(fd, data)
        calls.append(["write", data[:100].decode()])
        return len(data[:100])

    nt.open, nt.write = open_, write


def main(path: str, state: str, options: str) -> None:
    given = json.loads(options)
    sys.platform = "win32"
    sys.modules["nt"] = fake_nt(given["env"], given["refusals"], given["rival"], given["unreadable"])
    sys.modules["msvcrt"] = fake_msvcrt(given["lock"])
    line = given.get("statusline")
    if "ask" in given:
        with_pipe(sys.modules["nt"], given["ask"])
    sys.argv = [path, "record", state] if line is None else [path, "statusline", state, *line]
    if "ask" in given:
        sys.argv = [path, "ask", state]
    start = time.monotonic()
    runpy.run_path(path, run_name="__main__")
    print(json.dumps({"calls": calls, "seconds": time.monotonic() - start}))


main(*sys.argv[1:])
