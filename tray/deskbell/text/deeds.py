"""Put the call of a tool into the words of a person: "Bash: npm publish" is to "run npm publish". Pure.

`wording` calls this with the detail of a session, which names the tool and what the call is about.
"""

import re
from typing import NamedTuple

VERBS: dict[str, tuple[str, str]] = {
    "Bash": ("run", "running"),
    "PowerShell": ("run", "running"),
    "SlashCommand": ("run", "running"),
    "Edit": ("edit", "editing"),
    "MultiEdit": ("edit", "editing"),
    "NotebookEdit": ("edit", "editing"),
    "Write": ("write", "writing"),
    "Read": ("read", "reading"),
    "WebFetch": ("fetch", "fetching"),
    "WebSearch": ("search the web for", "searching the web for"),
    "Grep": ("search for", "searching for"),
    "Glob": ("look for", "looking for"),
    "Agent": ("start a subagent:", "running a subagent:"),
    "Task": ("start a subagent:", "running a subagent:"),
    "Skill": ("use the skill", "using the skill"),
}
"""What a call of each tool does, as it is asked for and as it goes on."""
QUOTED = frozenset(("Bash", "PowerShell", "SlashCommand"))
"""The tools whose subject is a command."""

CALL = re.compile(r"([A-Z][A-Za-z]*|mcp__[\w.-]+)(?:: (.*))?", re.DOTALL)
"""A tool of the client or of an MCP server, and what the call is about."""


class Deed(NamedTuple):
    verb: str
    doing: str
    subject: str
    """What the call is about; empty if that is not known."""
    is_command: bool = False


def deed(detail: str) -> Deed | None:
    """Return what the call in DETAIL does; None if DETAIL names no call."""
    found = CALL.fullmatch(detail)
    if not found or (found[2] is None and found[1] not in VERBS and not found[1].startswith("mcp__")):
        return None
    tool, subject = found[1], found[2] or ""
    if tool in VERBS:
        verb, doing = VERBS[tool]
        if not subject:
            return Deed(f"use {tool}", f"using {tool}", "")
        return Deed(verb, doing, subject, tool in QUOTED)
    called = _called(tool)
    return Deed(f"use {called}{':' * bool(subject)}", f"using {called}{':' * bool(subject)}", subject)


def _called(tool: str) -> str:
    """The name of an MCP tool is "mcp__SERVER__TOOL"."""
    server, _, name = tool.removeprefix("mcp__").partition("__")
    return f"{name} of {server}" if tool.startswith("mcp__") and name else tool
