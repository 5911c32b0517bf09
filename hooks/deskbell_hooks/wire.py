"""Connect to the program, send one line, and read until the program closes the connection.

The asker, `deskbell answer` and the doctor use this. On POSIX the program listens at a socket in the state folder, and
must belong to the same user. On Windows it listens at a named pipe, whose name is new at every start and stands in a
private file.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

if sys.platform == "win32":
    import nt as system

    from deskbell_hooks.files import read_file
else:
    import _socket
    import posix as system

LARGEST = 1024 * 1024
"""Bytes of a line, in either direction."""
CONNECT = 0.05
"""Seconds to wait until the program accepts."""
PATIENCE = 1.0
"""Seconds to wait until the program reads."""
PIPE, PIPE_DIGITS = "\\\\.\\pipe\\deskbell-", 32

if sys.platform == "win32":

    class Wire:
        """A connection. OSError is raised if the program does not listen, and at once if no end of the pipe is free."""

        def __init__(self, state: str) -> None:
            name = read_file(f"{state}/answers/pipe").decode("ascii", "replace").strip()
            if not is_pipe(name):
                raise OSError(name)
            self._fd = system.open(name, system.O_RDWR | system.O_BINARY | system.O_NOINHERIT)

        def send(self, data: bytes) -> None:
            while data:
                data = data[system.write(self._fd, data) :]

        def receive(self, patience: float | None = None) -> bytes:
            """Read until the program closes the pipe. PATIENCE is ignored: a pipe knows no time limit."""
            return collected(lambda: system.read(self._fd, 65536))

        def close(self) -> None:
            system.close(self._fd)

else:

    class Wire:
        """A connection. OSError is raised if the program does not listen, or belongs to another user."""

        def __init__(self, state: str) -> None:
            self._socket = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
            try:
                self._socket.settimeout(CONNECT)
                self._socket.connect(f"{state}/answers/socket")
                check_user(_user_of(self._socket), system.geteuid())
            except OSError:
                self.close()
                raise

        def send(self, data: bytes) -> None:
            self._socket.settimeout(PATIENCE)
            self._socket.sendall(data)

        def receive(self, patience: float | None = None) -> bytes:
            """Read until the program closes the connection. Raise OSError if nothing comes for PATIENCE seconds."""
            self._socket.settimeout(patience)
            return collected(lambda: self._socket.recv(65536))

        def close(self) -> None:
            self._socket.close()

    def _user_of(socket: _socket.socket) -> int:
        """Return the user of the process that listens: the second number of `ucred`, and of `xucred` on macOS."""
        level, option = (
            (0, 1) if sys.platform == "darwin" else (_socket.SOL_SOCKET, getattr(_socket, "SO_PEERCRED", 17))
        )
        return int.from_bytes(socket.getsockopt(level, option, 76)[4:8], sys.byteorder)


def check_user(user: int, own: int) -> None:
    if user != own:
        raise PermissionError(user)


def is_pipe(name: str) -> bool:
    """Return whether NAME is a pipe of the program. Any other name might lead to a file, or to another machine."""
    digits = name.removeprefix(PIPE)
    return digits != name and len(digits) == PIPE_DIGITS and not digits.strip("0123456789abcdef")


def collected(read: "Callable[[], bytes]") -> bytes:
    """Return all that READ gives until its end. Raise ValueError if that is more than a line may hold."""
    parts, size = [], 0
    while part := read():
        size += len(part)
        if size > LARGEST:
            raise ValueError(size)
        parts.append(part)
    return b"".join(parts)
