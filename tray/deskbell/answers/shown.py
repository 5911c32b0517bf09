"""Put all that a request asks into lines that any screen shows exactly, if that is possible. Pure.

An answer is about what was shown. So nothing is left out, shortened, redacted or replaced here: what a screen would not
show as it is, is not shown at all. Whether the lines fit is for each surface to say, by what it drew.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from deskbell.answers.request import Question, Request
from deskbell.text.clean import visible_lines
from deskbell.text.lookalikes import look
from deskbell.text.wording import safe

GAP = re.compile(r"\S {9,}\S")
"""Spaces that push what follows them out of sight."""
CHOSEN = "✓ "
"""What marks an option that is chosen."""
TAB = 4
"""Spaces that stand for a tab."""
MOST = 100_000
"""Characters of all lines. Nobody reads more before an answer."""

MAIN: Mapping[str, str] = {
    "Bash": "command",
    "PowerShell": "command",
    "WebFetch": "url",
    "WebSearch": "query",
    "ExitPlanMode": "plan",
}
"""The part of the input of a tool that is shown without its name."""
SAID_ELSEWHERE: Mapping[str, frozenset[str]] = {
    "Bash": frozenset(("description",)),
    "PowerShell": frozenset(("description",)),
    "ExitPlanMode": frozenset(("planFilePath",)),
}
"""What the assistant says about the input, and where the client keeps it. It does not change what is done."""
KNOWN = frozenset((*MAIN, "Edit", "Write", "MultiEdit", "NotebookEdit", "Read", "Grep", "Glob"))
"""Tools whose fields are known: a field that is missing or false is a switch that is off."""

HIDDEN = "it holds characters that a screen does not show as they are"
REDACTED = "it holds what looks like a secret, and secrets are shown nowhere"
APART = "it holds a wide gap, which can hide what follows"
TOO_LONG = f"it is longer than {MOST} characters"
NO_PLAN = "Claude Code did not send the plan along"
NOTHING = "it says nothing of what it would do"


class Shown(NamedTuple):
    """What is asked, in lines; or why no screen would show it as it is, as a part of a sentence."""

    lines: tuple[str, ...]
    why: str = ""


def whole(request: Request) -> Shown:
    """Return all of the input of a tool, or all of a plan. `of_question` is for the steps of a question."""
    if request.kind == "plan" and not _is_text(request.tool_input.get("plan")):
        return Shown((), NO_PLAN)
    return exactly(_lines(request))


@lru_cache(maxsize=64)  # the loop asks at every turn, until the question is answered
def of_question(asked: Question) -> Shown:
    """Return a question with its options, each with all that the client shows beside it."""
    return exactly((asked.text, *map(_option, asked.options, asked.abouts)))


def exactly(lines: Iterable[str]) -> Shown:
    """Return LINES as a screen shows them, or why it would not show them as they are."""
    text = "\n".join(lines).expandtabs(TAB)
    why = NOTHING if not text.strip() else TOO_LONG if len(text) > MOST else _why_hidden(text)
    return Shown((), why) if why else Shown(tuple(text.split("\n")))


def _why_hidden(text: str) -> str:
    if visible_lines(text) != text:
        return HIDDEN
    if safe(text) != text:
        return REDACTED
    return APART if GAP.search(text) else ""


def _option(label: str, about: str) -> str:
    """Return an option with what the client shows beside it: "• Blue: like the sky"."""
    first, *more = about.split("\n")
    return "\n  ".join((f"• {label}: {first}" if first else f"• {label}", *more))


def _lines(request: Request) -> Iterator[str]:
    given, main = request.tool_input, MAIN.get(request.tool, "")
    if request.tool in ("Edit", "Write"):
        yield from _change(given)
        return
    if request.tool not in KNOWN and given:
        yield _worded(request.tool)
    if isinstance(given.get(main), str):
        yield str(given[main])
    for name, value in given.items():
        if not _is_said(request.tool, main, name, value) and not _is_off(request.tool, value):
            yield f"{_worded(name)}: {_worded(value)}"


def _is_said(tool: str, main: str, name: str, value: object) -> bool:
    return (name == main and isinstance(value, str)) or name in SAID_ELSEWHERE.get(tool, ())


def _change(given: Mapping[str, object]) -> Iterator[str]:
    """Yield what an edit changes: the path, the old lines, the new lines."""
    signs = {"old_string": "- ", "new_string": "+ ", "content": "+ "}
    yield _worded(given.get("file_path", ""))
    for name, value in given.items():
        if name in signs and isinstance(value, str):
            yield from (f"{signs[name]}{line}" for line in value.split("\n"))
        elif name != "file_path" and not _is_off("Edit", value):
            yield f"{_worded(name)}: {_worded(value)}"


def _is_off(tool: str, value: object) -> bool:
    """Return whether VALUE only says that a switch of TOOL is off. What `false` means to an unknown tool is unclear."""
    return tool in KNOWN and (value is None or value is False)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.strip() != ""


def _worded(value: object) -> str:
    """Return VALUE in one line. A text of several lines could look like further fields of the input."""
    return value if isinstance(value, str) and "\n" not in value else json.dumps(value, ensure_ascii=False)


def are_distinct(asked: Question) -> bool:
    """Return whether a person can tell all options apart, and all combinations of several, chosen or not."""
    looks = {look(option) for option in asked.options}
    if len(looks) < len(asked.options) or "" in looks or any("\n" in option for option in asked.options):
        return False
    parts = {part for one in looks for part in one.split(",") if part != one}
    chosen = {look(CHOSEN + option) for option in asked.options}
    return not (asked.several and looks & (parts | chosen))


def have_distinct_texts(questions: Sequence[Question]) -> bool:
    """Return whether a person can tell which of QUESTIONS is asked."""
    return len({look(one.text) for one in questions}) == len(questions)
