"""Read one line of a transcript, and take from it what its kind holds. Pure.

The format is Claude Code's own and undocumented, so what is not understood is taken as missing.
"""

from contextlib import suppress
from datetime import datetime
from typing import Any

from deskbell.files.read import LATEST, json_value

ECHOES = ("<command-name>", "<local-command", "<bash-")
"""How a command of the client itself, one of the shell after "!", and their output begin. They look like prompts."""
NOT_PROMPTS = ("isMeta", "isCompactSummary")
"""Flags of lines of the kind "user" that the person did not write."""


def parsed(line: bytes) -> dict[str, Any] | None:
    """None if the line is not a JSON object."""
    try:
        value = json_value(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def part(value: object, name: str) -> dict[str, Any]:
    """The object in the field NAME; an empty one if there is none."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def blocks(line: dict[str, Any]) -> list[dict[str, Any]]:
    content = part(line, "message").get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def time_of(line: dict[str, Any]) -> float | None:
    with suppress(KeyError, TypeError, ValueError, OverflowError):
        at = datetime.fromisoformat(line["timestamp"]).timestamp()
        return at if 0 <= at < LATEST else None
    return None


def words_of(block: dict[str, Any]) -> list[str]:
    """The text of a block of a user's line; that of a tool's result only if it is one plain text."""
    value = block.get("text") if block.get("type") == "text" else block.get("content")
    return [value] if isinstance(value, str) else []


def result_of(block: dict[str, Any]) -> str | None:
    """The id of the tool call that this block is the result of."""
    return text(block.get("tool_use_id")) if block.get("type") == "tool_result" else None


def is_refused(line: dict[str, Any]) -> bool:
    """True if a hook of the person ended the turn. No Stop follows, and it is not an interrupt."""
    return line.get("preventContinuation") is True


def is_echo(line: dict[str, Any], texts: list[str]) -> bool:
    """True for a line of the kind "user" that is neither a prompt nor a part of a turn."""
    return any(line.get(name) is True for name in NOT_PROMPTS) or bool(texts and texts[0].lstrip().startswith(ECHOES))
