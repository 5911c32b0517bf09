"""Put the call of a tool into words for a person: "Bash: npm publish" becomes "run npm publish". Pure.

The detail of a session or of a subagent names the tool and what the call is about.
"""

import re
from typing import NamedTuple

VERBS: dict[str, tuple[str, str, str]] = {
    "Bash": ("run", "running", "run a command"),
    "PowerShell": ("run", "running", "run a command"),
    "SlashCommand": ("run", "running", "run a command"),
    "Edit": ("edit", "editing", "edit a file"),
    "MultiEdit": ("edit", "editing", "edit a file"),
    "NotebookEdit": ("edit", "editing", "edit a notebook"),
    "Write": ("write", "writing", "write a file"),
    "Read": ("read", "reading", "read a file"),
    "WebFetch": ("fetch", "fetching", "fetch a page"),
    "WebSearch": ("search the web for", "searching the web for", "search the web"),
    "Grep": ("search for", "searching for", "search in files"),
    "Glob": ("look for", "looking for", "look for files"),
    "Agent": ("start a subagent:", "running a subagent:", "start a subagent"),
    "Task": ("start a subagent:", "running a subagent:", "start a subagent"),
    "Skill": ("use the skill", "using the skill", "use a skill"),
}
"""What a call of each tool does: "wants to ...", "is ...", and "wants to ..." if its subject is shown elsewhere."""
QUOTED = frozenset(("Bash", "PowerShell", "SlashCommand"))
"""The tools whose subject is a command."""

CALL = re.compile(r"([A-Z][A-Za-z]*|mcp__[\w.-]+)(?:: (.*))?", re.DOTALL)
"""A tool of the client or of an MCP server, and what the call is about."""


class Deed(NamedTuple):
    verb: str
    doing: str
    subject: str
    """What the call is about; empty if that is not known."""
    alone: str
    """What it does, without the subject: "run a command"."""
    is_command: bool = False


def deed(detail: str) -> Deed | None:
    """Return what the call in DETAIL does; None if DETAIL names no call."""
    found = CALL.fullmatch(detail)
    if not found or (found[2] is None and found[1] not in VERBS and not found[1].startswith("mcp__")):
        return None
    tool, subject = found[1], found[2] or ""
    if tool in VERBS:
        verb, doing, alone = VERBS[tool]
        if not subject:
            return Deed(f"use {tool}", f"using {tool}", "", f"use {tool}")
        return Deed(verb, doing, subject, alone, tool in QUOTED)
    called = _called(tool)
    colon = ":" if subject else ""
    return Deed(f"use {called}{colon}", f"using {called}{colon}", subject, f"use {called}")


def _called(tool: str) -> str:
    """Return the name of a tool for a person. Claude Code names those of MCP servers "mcp__SERVER__TOOL"."""
    server, _, name = tool.removeprefix("mcp__").partition("__")
    return f"{name} of {server}" if tool.startswith("mcp__") and name else tool
