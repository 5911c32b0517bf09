"""Run commands of Deskbell in copies of one process that has imported them: a start takes 5 ms in place of 80 to 250.

The situations start hundreds of commands, and look at what these say. What a start from the beginning does is tested
elsewhere. Linux only.
"""

import gc
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, Any

from deskbell.__main__ import main

ROOM = 1 << 17
"""Bytes of a request: the words of the command and its environment."""


class Copy:
    """A command that runs in a copy. `subprocess.Popen` has the same methods."""

    def __init__(self, pid: int, life: socket.socket) -> None:
        self.pid = pid
        self._life = life
        self._code: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, -9 if a signal ended the command; None while it runs."""
        return self._read(0.0)

    def wait(self, timeout: float) -> int:
        code = self._read(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout)
        return code

    def terminate(self) -> None:
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        self._send(signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def _read(self, patience: float) -> int | None:
        if self._code is None:
            self._life.settimeout(patience)
            try:
                said = self._life.recv(1)
            except (TimeoutError, BlockingIOError):
                return None
            self._code = said[0] if said else -signal.SIGKILL
            self._life.close()
        return self._code


def run(words: Sequence[str], environment: Mapping[str, str]) -> bytes:
    """Run the command WORDS to its end, and return what it prints."""
    with TemporaryFile() as output, TemporaryFile() as errors:
        code = start(words, environment, output, errors).wait(60)
        output.seek(0)
        errors.seek(0)
        said = output.read()
        assert code == 0, (words, code, said, errors.read())
    return said


def start(words: Sequence[str], environment: Mapping[str, str], output: IO[Any], errors: IO[Any]) -> Copy:
    """Start the command WORDS, as `deskbell` would, with nothing to read."""
    ours, theirs = socket.socketpair()
    request = json.dumps({"words": [*words], "environment": {**environment}}).encode()
    with theirs:
        original.send(request, [output.fileno(), errors.fileno(), theirs.fileno()])
    ours.settimeout(20)
    return Copy(int.from_bytes(ours.recv(4), sys.byteorder), ours)


class Original:
    """The process that is copied. It starts with the first command."""

    def __init__(self) -> None:
        self._starting = Lock()
        self._requests: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def send(self, request: bytes, fds: Sequence[int]) -> None:
        with self._starting:
            self._requests = self._requests or self._start()
            socket.send_fds(self._requests, [request], fds)

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-m", __name__, str(theirs.fileno())]
        environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHONPATH": os.pathsep.join(sys.path)}
        with theirs:
            self._process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
            )
        return ours

    def end(self) -> None:
        if self._requests and self._process:
            self._requests.close()
            self._process.wait(20)
            self._requests = None


original = Original()


def serve(requests: socket.socket) -> None:
    """Copy this process for each request, until nobody can make one."""
    _import_everything()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so that the system forgets each copy that ends
    while True:
        request, fds, _, _ = socket.recv_fds(requests, ROOM, 3)
        if not request:
            return
        if not os.fork():
            requests.close()
            _run(fds, **json.loads(request))
        for fd in fds:
            os.close(fd)


def _import_everything() -> None:
    """Import what the commands import. The tests, which import this module, need none of it."""
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"  # as `deskbell` does
    import deskbell.commands._follow
    import deskbell.commands.list
    import deskbell.commands.run
    import deskbell.desktop.tmux.panes
    import deskbell.program.assembly  # noqa: F401

    gc.freeze()  # a copy that collects garbage then leaves these pages as they are


def _run(fds: Sequence[int], words: Sequence[str], environment: Mapping[str, str]) -> None:
    """Run the command in this copy, and end it."""
    output, errors, life = fds
    code = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.write(life, os.getpid().to_bytes(4, sys.byteorder))
        os.dup2(output, 1)
        os.dup2(errors, 2)
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = ["deskbell", *words]
        with open(output, "w", encoding="utf-8") as sys.stdout, open(errors, "w", encoding="utf-8") as sys.stderr:
            code = main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    finally:
        os.write(life, bytes([code]))
        os._exit(code)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
