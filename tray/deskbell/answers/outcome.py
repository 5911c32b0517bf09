"""Tell from the transcript whether the client took the decision of a hook. Pure.

The client takes the first decision, of its person or of a hook, and does not report which. Its transcript gets a line
if it took that of a hook. Seen with Claude Code 2.1.326 and 2.1.327; `make contract` checks it.
"""

from collections.abc import Iterable
from typing import Literal

from deskbell_hooks.codec import decode

Decision = Literal["allow", "deny", "failed"]
"""What a hook decided; "failed" if no hook decided and a tool failed or was refused."""
MARK, RESULT = b'"hook_permission_decision"', b'"tool_result"'


def decision_in(lines: Iterable[bytes]) -> Decision | None:
    """Return what a hook decided by LINES of a transcript, "failed" if only a tool failed, or None."""
    failed = False
    for line in lines:
        if MARK in line and (found := _decision(line)):
            return found
        failed = failed or (RESULT in line and _is_failure(line))
    return "failed" if failed else None


def _is_failure(line: bytes) -> bool:
    """Return whether LINE is the result of a tool that failed, or that the person refused or stopped."""
    try:
        value = decode(line)
    except ValueError:
        return False
    message = value.get("message") if isinstance(value, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    blocks = content if isinstance(content, list) else []
    return any(
        isinstance(one, dict) and one.get("type") == "tool_result" and one.get("is_error") is True for one in blocks
    )


def _decision(line: bytes) -> Decision | None:
    try:
        value = decode(line)
    except ValueError:  # half a line: the client is writing it
        return None
    said = value.get("attachment") if isinstance(value, dict) else None
    if not isinstance(said, dict) or said.get("type") != "hook_permission_decision":
        return None
    if said.get("hookEvent") != "PermissionRequest" or said.get("decision") not in ("allow", "deny"):
        return None
    return "allow" if said["decision"] == "allow" else "deny"
