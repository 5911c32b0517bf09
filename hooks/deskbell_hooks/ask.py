"""Ask the program for the person's decision on a permission request, and print it. This is the asker.

`__main__` calls `main`. The dialog of the client is on the screen meanwhile, and the first decision counts. The asker
leaves at once, without a byte, for a request that it may not hold, and where the program does not listen:

* A subagent's request (`agent_id`) waits for this hook before it shows its dialog, and an unattended run has no person.
* A request that the program could not see as it is, because it is too long or is no text, is not for it to decide.

Otherwise it waits for the end of what the program sends. Claude Code takes what is printed for a decision whatever else
happens, so only what `decision` allows is printed, in one write that is the last act. Everything else is silence: no
answer, half a line, a second line, an error. It starts no process, which could hold stdout open, and handles no signal.
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
"""Bytes of an event. The client's are much shorter, but for a tool that writes a long file."""
ATTENDED = "CLAUDE_CODE_SESSION_ATTENDED"


def write(data: bytes) -> None:
    """Write once: what is cut short is no JSON, and Claude Code takes it for no decision."""
    system.write(1, data)


def leave() -> None:
    _exit(0)


def main(state: str, write: "Callable[[bytes], None]" = write, leave: "Callable[[], None]" = leave) -> None:
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
    if sys.stdin is None or sys.stdout is None:  # the number 0 or 1 stands for another file, perhaps
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
        del line, data  # the wait may take a day
        answer = wire.receive()
    finally:
        wire.close()
    return checked(event, answer)


def _to_ask(data: bytes) -> "dict[str, Any] | None":
    """Return the event if it is one that the person may be asked about here."""
    data.decode()  # raises for what is not text: the codec would put other characters in its place
    event = decode(data)
    is_ours = isinstance(event, dict) and event.get("hook_event_name") == EVENT and "agent_id" not in event
    return event if is_ours else None


def request(event: "dict[str, Any]", pid: int) -> bytes:
    """Return the line for the program: the event, and who asks since when."""
    order, at = began()
    ask = {"order": order, "at": at, "pid": pid, "start": process_start(pid), "event": event}
    return encode({"v": 1, "ask": ask}) + b"\n"


def checked(event: "dict[str, Any]", answer: bytes) -> bytes:
    """Return what to print for ANSWER; nothing if it is not one line with a decision that is allowed."""
    if not answer.endswith(b"\n") or answer.count(b"\n") != 1:
        return b""
    answer.decode()  # as above
    decision = decode(answer)
    said = encode(decision)
    return said if is_allowed(event, decision) and same(decode(said), decision) else b""
