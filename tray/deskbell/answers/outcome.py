"""Tell from the transcript whether the client took the decision of a hook. Pure.

The client runs a race between its person and its hooks and says nothing of the end, but its transcript gets a line for
a decision of a hook that it took. Seen with Claude Code 2.1.326 and 2.1.327: `make contract` asks for it.
"""

from collections.abc import Iterable
from typing import Literal

from deskbell_hooks.codec import decode

Decision = Literal["allow", "deny"]
MARK = b'"hook_permission_decision"'


def decision_in(lines: Iterable[bytes]) -> Decision | None:
    """Return what a hook decided in LINES of a transcript; None if none of them says so."""
    for line in lines:
        if MARK in line and (found := _decision(line)):
            return found
    return None


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
