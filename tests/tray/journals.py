"""Journal lines for tests, made as the recorder makes them."""

from typing import Any

from deskbell_hooks.codec import encode
from deskbell_hooks.trim import trim
from tests.tray.making import NOON


def line(name: str, second: float = 0.0, pid: int = 7, **event: Any) -> bytes:
    """One event, `second` seconds after noon, as it stands in the journal."""
    made = trim(name, {"hook_event_name": name, "session_id": "s", "cwd": "/home/person/api", **event})
    made["order"], made["at"] = int(second * 1000), round(NOON + second, 3)
    made["client"] = {"pid": pid, "start": 1}
    return encode(made)


def tool(tool: str, second: float = 0.0, *, event: str = "PostToolUse", **more: Any) -> bytes:
    given = more.pop("given", {"command": "make"} if tool == "Bash" else {"file_path": more.pop("file", "/a.py")})
    return line(event, second, tool_name=tool, tool_input=given, tool_use_id="u", duration_ms=2000, **more)
