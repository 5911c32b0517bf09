"""Parse one line of a transcript, and return the parts that its kind has. Pure.

The format is Claude Code's own and undocumented, so a part that is not understood counts as missing.
"""

import re
from contextlib import suppress
from datetime import datetime
from typing import Any

from deskbell.files.read import LATEST, json_value

NOT_PROMPTS = ("isMeta", "isCompactSummary")
"""Flags of lines of the kind "user" that the person did not write."""
PERSON = ("human", "voice-call", "unclassified")
"""The kinds of origin of a prompt that comes from the person. Read in Claude Code 2.1.326."""
SENT_ON = "Stop hook feedback:"
"""The beginning of the line by which a Stop hook makes the turn go on."""
REFUSED_PROMPT = "UserPromptSubmit operation blocked by hook"
"""The beginning of the line about a prompt that a hook refused."""

_ECHO = re.compile(r"\s*<(bash-(input|stderr|stdout)|command-name|local-command-[a-z]+)[\s>]")
"""The beginning of what looks like a prompt but is a command of the client, a "!" command, or their output."""
_REPORT = re.compile(
    r"\s*<\\?((agent|cross-session|teammate)-message|channel(?= source=)|command-(args|message)"
    r"|ide_(opened_file|selection)|system-reminder|task-notification)[\s>]"
)
"""The beginning of a prompt by which a task, another session, a channel or an editor reports, or of a command that ran.

A person may type any other tag. Seen with Claude Code up to 2.1.328; the messages, channels and editors elsewhere.
"""


def parsed(line: bytes) -> dict[str, Any] | None:
    """Return the object in LINE; None if it is not a JSON object."""
    try:
        value = json_value(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def part(value: object, name: str) -> dict[str, Any]:
    """Return the object in the field NAME; an empty one if there is none."""
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
    """Return the text of a block in a line of kind "user"; for the result of a tool, only if it is one plain text."""
    value = block.get("text") if block.get("type") == "text" else block.get("content")
    return [value] if isinstance(value, str) else []


def result_of(block: dict[str, Any]) -> str | None:
    """Return the id of the tool call whose result this block is; None if it is no result."""
    return text(block.get("tool_use_id")) if block.get("type") == "tool_result" else None


def is_refused(line: dict[str, Any]) -> bool:
    """Return True if a hook of the person ended the turn. No Stop follows then, and it is no interrupt."""
    return line.get("preventContinuation") is True


def is_refused_prompt(line: dict[str, Any]) -> bool:
    """Return True if a hook of the person refused the prompt, which has no line of its own then. No turn began."""
    return is_refused(line) and (text(line.get("content")) or "").startswith(REFUSED_PROMPT)


def is_echo(line: dict[str, Any], texts: list[str]) -> bool:
    """Return True for a line of the kind "user" that is neither a prompt nor a part of a turn."""
    flagged = (
        any(line.get(name) is True for name in NOT_PROMPTS) and not _has_own_source(line) and not is_sent_on(texts)
    )
    return flagged or bool(texts and _ECHO.match(texts[0]))


def is_sent_on(texts: list[str]) -> bool:
    """Return True for the line by which a Stop hook of the person makes the turn go on."""
    return bool(texts) and texts[0].startswith(SENT_ON)


def is_by_client(line: dict[str, Any], said: str) -> bool:
    """Return True if Claude Code wrote the prompt SAID in LINE, not the person."""
    return _has_own_source(line) or bool(_ECHO.match(said) or _REPORT.match(said))


def _has_own_source(line: dict[str, Any]) -> bool:
    """Return True if LINE names a source of the prompt that is not the person: a schedule, a task, another session."""
    kind = text(part(line, "origin").get("kind"))
    return (kind is not None and kind not in PERSON) or line.get("promptSource") == "system"
