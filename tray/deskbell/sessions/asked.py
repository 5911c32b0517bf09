"""Read from a transcript the whole of what a session asks: every question with its options, the plan, the command.

A record keeps only the beginning. `deskbell.history.whole` calls this for the page of one session, because it reads up
to 256 kB.
"""

from collections.abc import Iterator
from typing import Any

from deskbell.files.read import opened
from deskbell.sessions.appended import lines_of
from deskbell.sessions.lines import blocks, parsed, part, result_of, text
from deskbell.sessions.transcript import NEAREST

LONGEST = 20_000
"""The most characters of what is asked."""


def asked(path: str) -> str | None:
    """Return the whole of the oldest tool call without a result since the newest prompt; None if there is none."""
    try:
        with opened(path) as (fd, found):
            lines, _ = lines_of(fd, max(0, found.st_size - NEAREST), found.st_size, NEAREST)
    except OSError:
        return None
    return waiting(lines)


def waiting(lines: list[bytes]) -> str | None:
    calls: dict[str, str] = {}
    for read in filter(None, map(parsed, lines)):
        for block in blocks(read) if read.get("isSidechain") is not True else ():
            if result := result_of(block):
                calls.pop(result, None)
            elif block.get("type") == "tool_use" and (name := text(block.get("id"))):
                calls[name] = "\n".join(_words(str(block.get("name")), part(block, "input")))
            elif read.get("type") == "user":
                calls.clear()  # a prompt, or an interrupt
    return next((words[:LONGEST] for words in calls.values() if words), None)


def _words(tool: str, given: dict[str, Any]) -> Iterator[str]:
    questions = given.get("questions")
    if tool == "AskUserQuestion" and isinstance(questions, list):
        for question in questions:
            yield from _question(question)
    elif tool == "ExitPlanMode":
        yield text(given.get("plan")) or ""
    elif tool == "Bash":
        yield text(given.get("command")) or ""
    else:
        yield from (f"{name}: {value}" for name, value in given.items() if isinstance(value, str))


def _question(question: object) -> Iterator[str]:
    if not isinstance(question, dict):
        return
    yield text(question.get("question")) or ""
    options = question.get("options")
    for option in options if isinstance(options, list) else ():
        if isinstance(option, dict):
            label, about = text(option.get("label")) or "", text(option.get("description"))
            yield f"  - {label}: {about}" if about else f"  - {label}"
