"""Make journal lines as the recorder makes them."""

from pathlib import Path
from typing import Any

from deskbell_hooks.codec import encode
from deskbell_hooks.trim import trim
from tests.tray.making import NOON


def line(name: str, second: float = 0.0, pid: int = 7, **event: Any) -> bytes:
    """The line of one event, `second` seconds after noon."""
    made = trim(name, {"hook_event_name": name, "session_id": "s", "cwd": "/home/person/api", **event})
    made["order"], made["at"] = int(second * 1000), round(NOON + second, 3)
    made["client"] = {"pid": pid, "start": 1}
    return encode(made)


def tool(tool: str, second: float = 0.0, *, event: str = "PostToolUse", **more: Any) -> bytes:
    given = more.pop("given", {"command": "make"} if tool == "Bash" else {"file_path": more.pop("file", "/a.py")})
    return line(event, second, tool_name=tool, tool_input=given, tool_use_id="u", duration_ms=2000, **more)


def write(folder: Path, session_id: str, *lines: bytes) -> None:
    """Append lines to the journal of a session."""
    with (folder / f"{session_id}.jsonl").open("ab") as file:
        file.write(b"".join(one + b"\n" for one in lines))


STORY = [
    line("SessionStart", 0, source="startup", model="claude-opus-5-5"),
    line("UserPromptSubmit", 1, prompt="Ship it"),
    tool("Edit", 2, file="/home/person/api/main.py"),
    line("SubagentStart", 3, agent_id="g1", agent_type="Explore"),
    tool("Bash", 4, event="PostToolUseFailure", error="Exit code 2", agent_id="g1"),
    line("SubagentStop", 65, agent_id="g1", agent_type="Explore"),
    line("Notification", 66, notification_type="permission_prompt", message="Claude needs your permission"),
    line("Stop", 67, last_assistant_message="Shipped."),
]
"""A short session with every kind of event that the summary counts."""
