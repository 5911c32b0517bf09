"""List the calls that can fail, and the errors that each can have. Pure.

ENOENT and ESRCH are not listed: that a file or a process does not exist is an answer, which needs no message.
EINTR is not listed: Python makes the call again (PEP 475).
"""

import builtins
import errno
import io
import os
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, NamedTuple

Result = Callable[..., Any]
How = Callable[[Result, tuple[Any, ...]], None]
"""Does what a call has done before it fails, given the real function and the arguments."""


def nothing(real: Result, given: tuple[Any, ...]) -> None:
    """Do nothing before the call fails."""


def closed(real: Result, given: tuple[Any, ...]) -> None:
    """Close the descriptor and lose what was written, as a network drive may do."""
    real(*given)


def half(real: Result, given: tuple[Any, ...]) -> None:
    """Write the first half only, as a full disk does."""
    fd, data = given
    real(fd, data[: len(data) // 2])


def always(*given: Any, **named: Any) -> bool:
    return True


_fstat = os.fstat
"""As it is before an injector takes its place."""


def on_disk(file: object, *_: object, **__: object) -> bool:
    """No pipe, socket or process is on a disk that can be full."""
    return not isinstance(file, int) or stat.S_ISREG(_fstat(file).st_mode)


class Call(NamedTuple):
    name: str
    owner: ModuleType | type
    attribute: str
    errors: tuple[int, ...]
    before: How = nothing
    can_fail: Callable[..., bool] = always
    """Whether the call can fail with these arguments."""


class Fault(NamedTuple):
    call: str
    number: int
    """Which of the calls fails, counted from 0."""
    error: int
    lasting: bool = False
    """Whether all later calls fail, too."""

    def strikes(self, call: str, number: int) -> bool:
        return call == self.call and (number >= self.number if self.lasting else number == self.number)

    def __str__(self) -> str:
        return f"{self.call}-{self.number}-{errno.errorcode[self.error]}{'-lasting' if self.lasting else ''}"


def _errors(names: str) -> tuple[int, ...]:
    return tuple(getattr(errno, name) for name in names.split() if hasattr(errno, name))


_OPEN = _errors("EACCES EPERM EMFILE ENFILE ENOSPC EDQUOT EROFS EIO ENOMEM ESTALE")
_READ = _errors("EIO ESTALE ENOMEM")
_WRITE = _errors("ENOSPC EDQUOT EIO EFBIG EPERM ESTALE")
_NAME = _errors("ENOSPC EDQUOT EROFS EIO EACCES EPERM EBUSY ESTALE")
_LOOK = _errors("EACCES EIO ENOMEM ESTALE")
_LIST = _errors("EACCES EMFILE ENFILE EIO ENOMEM ESTALE")
_UNLINK = _errors("EACCES EPERM EBUSY EIO EROFS")
_FOLDER = _errors("ENOSPC EDQUOT EROFS EACCES EPERM EIO EMLINK")
_MODE = _errors("EPERM EROFS EIO EACCES")
_LOCK = _errors("EWOULDBLOCK ENOLCK EIO EOPNOTSUPP EBADF")
_START = _errors("EAGAIN ENOMEM EACCES ENOENT ENOEXEC E2BIG ETXTBSY")
_PIPE = _errors("EMFILE ENFILE")
_CONNECT = _errors("ECONNREFUSED ETIMEDOUT EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL ECONNRESET EACCES ENOBUFS")
_TALK = _errors("ECONNRESET EPIPE ETIMEDOUT")

_FILES: Mapping[str, tuple[Any, ...]] = {
    "open": (_OPEN,),
    "read": (_READ, nothing, on_disk),
    "write": (_WRITE, half, on_disk),
    "close": (_errors("EIO ENOSPC EDQUOT"), closed, on_disk),
    "lseek": (_errors("EIO ESPIPE"),),
    "replace": (_NAME,),
    "rename": (_NAME,),
    "link": (_NAME,),
    "fsync": (_errors("EIO ENOSPC EDQUOT EROFS EINVAL"),),
    "mkdir": (_FOLDER,),
    "scandir": (_LIST,),
    "listdir": (_LIST,),
    "stat": (_LOOK,),
    "lstat": (_LOOK,),
    "fstat": (_errors("EIO ENOMEM ESTALE"),),
    "statvfs": (_errors("EIO ENOSYS EACCES"),),
    "unlink": (_UNLINK,),
    "chmod": (_MODE,),
    "fchmod": (_MODE,),
    "utime": (_MODE,),
    "chown": (_errors("EPERM EROFS EIO"),),
    "lockf": (_LOCK,),
}
"""Both `os` and `posix`, which the hook uses, have these."""


def calls_of_program() -> list[Call]:
    found = [Call(f"os.{name}", os, name, *row) for name, row in _FILES.items() if name != "lockf"]
    found += [
        Call("open", builtins, "open", _OPEN),
        Call("io.open", io, "open", _errors("ENOMEM EIO"), nothing, on_disk),
        Call("os.pipe", os, "pipe", _PIPE),
        Call("os.pidfd_open", os, "pidfd_open", _errors("EMFILE ENFILE ENOMEM ENODEV ENOSYS EPERM")),
        Call("thread start", threading.Thread, "start", _errors("EAGAIN")),
        Call("fork", subprocess, "_fork_exec", _START),
        Call("socket", socket.socket, "__init__", _errors("EMFILE ENFILE ENOBUFS ENOMEM")),
        Call("connect", socket.socket, "connect", _CONNECT),
        Call("sendall", socket.socket, "sendall", _TALK),
        Call("recv_into", socket.socket, "recv_into", _TALK),
    ]
    if sys.platform != "win32":
        import fcntl

        found.append(Call("fcntl.flock", fcntl, "flock", _LOCK))
    return [call for call in found if hasattr(call.owner, call.attribute)]


def calls_of_hook() -> list[Call]:
    if sys.platform == "win32":
        return []
    import posix

    found = [Call(f"posix.{name}", posix, name, *row) for name, row in _FILES.items()]
    found += [
        Call("open", builtins, "open", _OPEN),
        Call("posix.kill", posix, "kill", _errors("EPERM ESRCH")),
    ]
    return [call for call in found if hasattr(call.owner, call.attribute)]


def raised(call: str, error: int) -> Exception:
    """What Python raises when CALL fails with ERROR."""
    if call == "thread start":
        return RuntimeError("can't start new thread")
    return OSError(error, os.strerror(error))
