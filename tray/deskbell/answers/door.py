"""Accept connections from askers and commands of the same person, at a unix socket or, on Windows, a named pipe.

A connection carries one message, a line of JSON. The program answers with at most one line and closes the connection.
The other end is `deskbell_hooks.ask` for a request, and `call` for a command.
"""

import asyncio
import os
import socket
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, Protocol

from deskbell.answers.request import LARGEST
from deskbell.errors import Problem
from deskbell.files.write import make_private, write_private
from deskbell.supervision import Supervisor
from deskbell_hooks.codec import decode

SAYS_WITHIN = 2.0
"""Seconds that a connection has for its message."""
MOST = 300
"""Connections at the same time. Each takes a descriptor."""
WAITING = 256
"""Connections that the system keeps until they are accepted."""
LONGEST = 103
"""Bytes of the path of a unix socket: macOS takes no more, and Linux 107."""
PART = "answers"
PIPE = "\\\\.\\pipe\\deskbell-"


def folder(state: Path) -> Path:
    return state / "answers"


def address(state: Path) -> Path:
    """Return the socket; on Windows the file that names the pipe."""
    return folder(state) / ("pipe" if sys.platform == "win32" else "socket")


def unfit(state: Path) -> Problem | None:
    """Return why no socket can be in STATE; None if one can."""
    path = address(state)
    if sys.platform == "win32" or len(os.fsencode(path)) <= LONGEST:
        return None
    step = "Set DESKBELL_HOME to a shorter path, then run `deskbell install`."
    return Problem(f"{path} is too long for a socket, whose path can have {LONGEST} bytes.", step)


class Handler(Protocol):
    """What the program does with a message."""

    def __call__(self, message: Any, caller: "Caller") -> None: ...


class Caller(asyncio.Protocol):
    """One connection. It answers once."""

    def __init__(self, handle: Handler, enter: "Callable[[Caller], bool]", leave: "Callable[[Caller], None]") -> None:
        """ENTER returns whether the caller may stay. LEAVE is called when it has gone."""
        self._handle = handle
        self._enter = enter
        self._leave = leave
        self._transport: Any = None
        self._data = bytearray()
        self._heard = False
        self._impatient: asyncio.TimerHandle | None = None
        self.gone: Callable[[], None] = _nothing
        """Called when the other end hangs up."""
        self.pid: int | None = None
        """The process at the other end, where the system says which."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        pid = own_peer(transport.get_extra_info("socket"))
        if pid is None or not self._enter(self):
            transport.abort()  # type: ignore[attr-defined]  # every transport of a stream has it
            return
        self.pid = pid or None
        self._impatient = asyncio.get_running_loop().call_later(SAYS_WITHIN, self.close)

    def data_received(self, data: bytes) -> None:
        """Take the message. Close the connection if anything follows it."""
        if self._heard:
            self.close()
            return
        self._data += data
        end = self._data.find(b"\n")
        if end < 0 and len(self._data) <= LARGEST:
            return
        self._heard = True
        if self._impatient:
            self._impatient.cancel()
        if end != len(self._data) - 1:  # it is too long, or more follows
            self.close()
            return
        self._take(bytes(self._data[:end]))
        self._data.clear()

    def _take(self, line: bytes) -> None:
        try:
            message = decode(line)
        except ValueError:
            self.close()
            return
        self._handle(message, self)

    def eof_received(self) -> None:
        """Let the connection close: an asker keeps both directions open while it waits, so this one is gone."""

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave(self)
        if self._impatient:
            self._impatient.cancel()
        self.gone()

    def send(self, data: bytes) -> None:
        self._transport.write(data)
        self._transport.close()

    def close(self) -> None:
        self._transport.close()


class Door:
    """The socket or pipe itself: opened while answers are on, and closed while they are off."""

    def __init__(self, state: Path, handle: Handler, supervisor: Supervisor) -> None:
        self._state = state
        self._handle = handle
        self._supervisor = supervisor
        self._callers: set[Caller] = set()
        self._listening: Any = None
        self._made: tuple[int, int] | None = None
        """Which file at the address is ours."""

    @property
    def is_open(self) -> bool:
        """Whether a caller can connect: not if somebody has removed or replaced the socket."""
        return self._listening is not None and self._made == _identity(address(self._state))

    async def open(self) -> None:
        """Listen. Raise Problem or OSError if that cannot be. Who is connected already stays so."""
        if self.is_open:
            return
        if self._listening is not None:
            self._listening.close()
            self._listening = None
        if problem := unfit(self._state):
            raise problem
        make_private(folder(self._state))
        guarded = self._supervisor.guarded(PART, self._hear)

        def caller() -> Caller:
            return Caller(guarded, self._enter, self._callers.discard)

        if sys.platform == "win32":
            self._listening = await _pipe(self._state, caller)
        else:
            self._listening = await _socket(address(self._state), caller)
        self._made = _identity(address(self._state))

    def _hear(self, message: Any, caller: Caller) -> None:
        """Pass MESSAGE on. After an error nobody would answer CALLER, so let it go."""
        try:
            self._handle(message, caller)
        except BaseException:
            caller.close()
            raise

    def close(self) -> None:
        """Stop listening, and let everybody go who is connected."""
        if self._listening is None:
            return
        self._listening.close()
        self._listening = None
        with suppress(OSError):
            address(self._state).unlink()
        for caller in list(self._callers):
            caller.close()

    def _enter(self, caller: Caller) -> bool:
        """Return whether CALLER may stay: not if it connected just before the door was closed, nor beyond MOST."""
        if self._listening is None or len(self._callers) >= MOST:
            return False
        self._callers.add(caller)
        return True


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


async def _socket(path: Path, caller: Callable[[], Caller]) -> Any:
    """Listen at PATH, and replace what a killed program left there. At no moment can another person connect.

    The folder is private as well as the socket, because some systems ignore the permissions of a socket.
    """
    if sys.platform == "win32":
        raise OSError("a named pipe takes its place")
    path.parent.chmod(0o700)
    with suppress(FileNotFoundError):
        path.unlink()
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listening.bind(str(path))
        path.chmod(0o600)
        return await asyncio.get_running_loop().create_unix_server(caller, sock=listening, backlog=WAITING)
    except BaseException:
        listening.close()
        raise


async def _pipe(state: Path, caller: Callable[[], Caller]) -> Any:
    """Listen at a named pipe with a new name, and write the name into a private file.

    Anybody could create a pipe with a known name first, and answer in place of the program.
    """
    loop: Any = asyncio.get_running_loop()
    name = PIPE + token_hex(16)
    listening = await loop.start_serving_pipe(caller, name)
    write_private(address(state), name.encode())
    return listening[0]


def own_peer(connection: Any) -> int | None:
    """Return the process at the other end, 0 if the system does not name it, or None if it may be another person's.

    Linux tells both (SO_PEERCRED in unix(7)), macOS the user (LOCAL_PEERCRED in unix(4)). A named pipe has no socket.
    """
    try:
        return 0 if connection is None else _peer(connection)
    except (OSError, struct.error):  # the other end has gone, or the system cannot tell
        return None


def _peer(connection: Any) -> int | None:
    if sys.platform == "linux":
        pid, uid, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        return int(pid) if uid == os.getuid() else None
    if sys.platform == "darwin":
        version, uid = struct.unpack_from("2I", connection.getsockopt(0, 1, 76))
        return 0 if (version, uid) == (0, os.getuid()) else None
    return 0


def _nothing() -> None:
    """Do nothing when the other end hangs up."""
