"""Run another program within a deadline: a command of the person, tmux, swaymsg.

The program gets a process group of its own, so that what it starts can be ended with it. `run` blocks: call it in a
thread.
"""

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Literal, NamedTuple

LONGEST = 4_000_000
"""The most bytes of output that are kept: the last ones."""
INTERVAL = 0.02
"""Seconds between two checks of a program that has closed its output or whose child keeps it open."""
LAST_READS = 64
"""The most reads of the output once the program has ended. A pipe holds much less."""
DIES_WITHIN = 1.0
"""Seconds that the system has to end a killed program."""

Stream = Literal["stdout", "stderr"]
Children = Literal["end", "wait", "leave"]


class Done(NamedTuple):
    code: int
    said: str


def run(
    command: Sequence[str],
    seconds: float,
    *,
    stream: Stream = "stdout",
    given: bytes = b"",
    env: Mapping[str, str] | None = None,
    children: Children = "end",
) -> Done:
    """Run COMMAND, write GIVEN to its input, and return how it ended and what it wrote to STREAM.

    Raise TimeoutError if it runs longer than SECONDS, and OSError or ValueError if it does not start. The program is
    over when its own process has ended, even if a child keeps its output open. CHILDREN that it leaves behind are ended
    at once; with "wait", when SECONDS have passed; with "leave", only if the program itself has not ended. Output that
    is not UTF-8 is read with replacements.
    """
    end = time.monotonic() + seconds
    process = _started(command, stream, env)
    try:
        said = _communicated(process, given, end)
        if children == "wait":
            _wait_for_group(process.pid, end)
    finally:
        is_over = process.poll() is not None
        # Windows may have given the number of an ended program to another one.
        if not is_over or (children != "leave" and sys.platform != "win32"):
            end_group(process.pid)
        with suppress(subprocess.TimeoutExpired):
            process.wait(DIES_WITHIN)
    return Done(process.returncode, said.decode(errors="replace"))


def _started(command: Sequence[str], stream: Stream, env: Mapping[str, str] | None) -> "subprocess.Popen[bytes]":
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    out, err = (pipe, nothing) if stream == "stdout" else (nothing, pipe)
    # No console appears on Windows, where the tray has none.
    # https://learn.microsoft.com/windows/win32/procthread/process-creation-flags
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW
    return subprocess.Popen(
        command,
        stdin=pipe,
        stdout=out,
        stderr=err,
        env=env,
        bufsize=0,
        start_new_session=sys.platform != "win32",
        creationflags=flags,
    )


def _output(process: "subprocess.Popen[bytes]") -> IO[bytes]:
    found = process.stdout or process.stderr
    assert found is not None
    return found


if sys.platform == "win32":

    def _communicated(process: "subprocess.Popen[bytes]", given: bytes, end: float) -> bytes:
        try:
            out, err = process.communicate(given, timeout=max(0.0, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            if process.poll() is None:
                raise TimeoutError from None
            return b""  # a child holds the output open
        return out or err or b""

    def _wait_for_group(_group: int, _end: float) -> None:
        """Wait for nothing: Windows has no process groups that can be asked."""

    def end_group(leader: int) -> None:
        """End the process LEADER and what it has started. Its children are found only while it runs."""
        # /T ends the children: https://learn.microsoft.com/windows-server/administration/windows-commands/taskkill
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(
                ["taskkill", "/F", "/T", "/PID", str(leader)], capture_output=True, timeout=DIES_WITHIN, check=False
            )

else:

    def _communicated(process: "subprocess.Popen[bytes]", given: bytes, end: float) -> bytes:
        """Write GIVEN and read until the program has ended. Raise TimeoutError if it still runs at END."""
        source, sink = _output(process), process.stdin
        assert sink is not None
        said, left = bytearray(), memoryview(given)
        with source, sink, selectors.DefaultSelector() as ready:
            os.set_blocking(source.fileno(), False)
            os.set_blocking(sink.fileno(), False)
            ready.register(source, selectors.EVENT_READ)
            ready.register(sink, selectors.EVENT_WRITE)
            while process.poll() is None:
                if (patience := end - time.monotonic()) <= 0:
                    raise TimeoutError
                for key, _ in _ready(ready, min(patience, INTERVAL)):
                    if key.fileobj is sink:
                        left = _written(sink, left)
                        over = not left
                    else:
                        over = _read(source, said) == 0
                    if over:
                        ready.unregister(key.fileobj)
                        (sink if key.fileobj is sink else source).close()
            for _ in range(LAST_READS):  # what it wrote just before it ended; a child may go on writing
                if source.closed or not _read(source, said):
                    break
        return bytes(said)

    def _ready(ready: selectors.BaseSelector, patience: float) -> list[tuple[selectors.SelectorKey, int]]:
        if not ready.get_map():
            time.sleep(min(patience, INTERVAL / 10))  # it has closed everything, so it will end soon
            return []
        return ready.select(patience)

    def _written(sink: IO[bytes], left: memoryview) -> memoryview:
        """Write some of LEFT. Return what is still to be written; nothing if nobody reads it."""
        try:
            return left[os.write(sink.fileno(), left) :] if left else left
        except BlockingIOError:
            return left
        except OSError:
            return left[:0]

    def _read(source: IO[bytes], said: bytearray) -> int | None:
        """Read once. Return the number of bytes, 0 at the end of the output, None if there is nothing just now."""
        try:
            new = os.read(source.fileno(), 65_536)
        except BlockingIOError:
            return None
        said += new
        if len(said) > 2 * LONGEST:
            del said[:-LONGEST]
        return len(new)

    def _wait_for_group(group: int, end: float) -> None:
        """Wait until no process of GROUP is left, or until END."""
        with suppress(OSError):  # ProcessLookupError: none is left; macOS raises EPERM for a group of zombies
            while time.monotonic() < end:
                os.killpg(group, 0)
                time.sleep(INTERVAL)

    def end_group(leader: int) -> None:
        """End the process group of LEADER: the program if it still runs, and every child that it has left."""
        with suppress(OSError):
            os.killpg(leader, signal.SIGKILL)
