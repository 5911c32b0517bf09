"""Ask the program for the person's decision on a permission request, and print it. This is the asker.

`__main__` calls `main`. The client shows its own dialog meanwhile, and the first decision counts. The asker exits at
once and prints nothing if the program does not listen, and for these requests:

* A subagent's request (`agent_id`): its dialog appears only when this hook has ended.
* A request of an unattended run, which has no person.
* A request that is too long or not valid UTF-8: the program would not see it as it is.

Otherwise the asker reads until the program closes the connection. Claude Code takes whatever is printed for a decision,
so the asker prints only what `decision` allows, in one write, as its last act. After no answer, half a line, two lines
or an error it prints nothing. It starts no process, which could hold stdout open, and handles no signal.
"""

import sys

from deskbell_hooks.client import DEBUG, began, client_pid, process_start, variable
from deskbell_hooks.codec import decode, encode
from deskbell_hooks.decision import EVENT, is_allowed, same

if sys.platform == "win32":
    import nt as system
    from nt import _exit  # type: ignore[attr-defined]  # typeshed does not list it
else:
    import posix as system
    from posix import _exit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LARGEST = 1024 * 1024
"""The most bytes of an event. Only the event of a tool that writes a long file comes near this."""
ATTENDED = "CLAUDE_CODE_SESSION_ATTENDED"


def write(data: bytes) -> None:
    """Write once. If the write is cut short, the rest is not JSON, and Claude Code ignores it."""
    system.write(1, data)


def leave() -> None:
    _exit(0)


def main(state: str, write: "Callable[[bytes], None]" = write, leave: "Callable[[], None]" = leave) -> None:
    """Ask for a decision on the event on stdin, print it if there is one, and end the process."""
    try:
        if said := decided(state, stdin()):
            write(said)
    except BaseException:  # the hook's promise: whatever happens, Ctrl+C included, Claude Code must not notice
        if variable(DEBUG):
            raise
    leave()


def stdin() -> bytes:
    """Return the event; nothing if it is too long. It is read to its end, so that the client can write all of it."""
    parts, size = [], 0
    while part := system.read(0, 65536):
        size += len(part)
        if size <= LARGEST:
            parts.append(part)
    return b"".join(parts) if size <= LARGEST else b""


def decided(state: str, data: bytes) -> bytes:
    """Return the decision to print; nothing if there is none."""
    if sys.stdin is None or sys.stdout is None:  # descriptor 0 or 1 was closed, and may now be another file
        return b""
    pid = client_pid()
    event = _to_ask(data) if pid is not None and variable(ATTENDED) == "1" else None
    if pid is None or event is None:
        return b""
    from deskbell_hooks.wire import LARGEST as LONGEST
    from deskbell_hooks.wire import Wire

    line = request(event, pid)
    if len(line) > LONGEST or not same(decode(line)["ask"]["event"], event):
        return b""
    wire = Wire(state)
    try:
        wire.send(line)
        del line, data  # free the memory: the wait may take a day
        answer = wire.receive()
    finally:
        wire.close()
    return checked(event, answer)


def _to_ask(data: bytes) -> "dict[str, Any] | None":
    """Return the event if the person may be asked about it here."""
    data.decode()  # raises for wrong UTF-8, which the codec would replace by other characters
    event = decode(data)
    is_ours = isinstance(event, dict) and event.get("hook_event_name") == EVENT and "agent_id" not in event
    return event if is_ours else None


def request(event: "dict[str, Any]", pid: int) -> bytes:
    """Return the line for the program: the event, which client asks, and since when."""
    order, at = began()
    ask = {"order": order, "at": at, "pid": pid, "start": process_start(pid), "event": event}
    return encode({"v": 1, "ask": ask}) + b"\n"


def checked(event: "dict[str, Any]", answer: bytes) -> bytes:
    """Return what to print for ANSWER; nothing if it is not one line with a decision that is allowed."""
    if not answer.endswith(b"\n") or answer.count(b"\n") != 1:
        return b""
    answer.decode()  # raises for wrong UTF-8
    decision = decode(answer)
    said = encode(decision)
    return said if is_allowed(event, decision) and same(decode(said), decision) else b""
