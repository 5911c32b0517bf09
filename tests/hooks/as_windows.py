"""Run the Windows branches of the recorder on POSIX, with an `nt` and an `msvcrt` that list their calls.

Started by file, in an interpreter of its own. The two modules do what the documentation of the C library says: a lock
covers a range of bytes from the position on, LK_NBLCK fails with EACCES at once, and `replace` fails while another
process has the target open.

    as_windows.py HOOKS STATE EVENT REFUSALS LOCKED     prints the calls as JSON
"""

import json
import posix
import sys
import time
import types
from typing import Any

calls: list[list[Any]] = []


def locking(refusing: bool) -> types.ModuleType:
    msvcrt: Any = types.ModuleType("msvcrt")
    msvcrt.LK_UNLCK, msvcrt.LK_NBLCK = 0, 2

    def lock(fd: int, mode: int, count: int) -> None:
        calls.append(["locking", mode, posix.lseek(fd, 0, 1), count])
        if refusing and mode == msvcrt.LK_NBLCK:
            raise PermissionError(13, "Permission denied")

    msvcrt.locking = lock
    return msvcrt  # type: ignore[no-any-return]


def system(refusals: int) -> types.ModuleType:
    nt: Any = types.ModuleType("nt")
    for name in ("open", "close", "read", "write", "lseek", "fstat", "lstat", "stat", "mkdir", "unlink", "_exit"):
        setattr(nt, name, getattr(posix, name))
    for name in ("O_RDONLY", "O_WRONLY", "O_RDWR", "O_APPEND", "O_CREAT", "O_TRUNC"):
        setattr(nt, name, getattr(posix, name))
    nt.O_BINARY, nt.O_NOINHERIT = 0, 0
    nt.environ = {"COMPUTERNAME": "BOX", "CLAUDE_PID": "1234", "WT_SESSION": "{1-2}", "Container": "x"}
    left = [refusals]

    def replace(source: str, target: str) -> None:
        calls.append(["replace"])
        left[0] -= 1
        if left[0] >= 0:
            raise PermissionError(13, "Access is denied")
        posix.replace(source, target)

    nt.replace = replace
    return nt  # type: ignore[no-any-return]


def main(hooks: str, state: str, event: str, refusals: str, locked: str) -> None:
    sys.platform = "win32"
    sys.modules["nt"], sys.modules["msvcrt"] = system(int(refusals)), locking(locked == "locked")
    sys.path.insert(0, hooks)
    from deskbell_hooks.record import record_event

    start = time.monotonic()
    record_event(state, event.encode())
    print(json.dumps({"calls": calls, "seconds": time.monotonic() - start}))


main(*sys.argv[1:])
