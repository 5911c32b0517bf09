"""Put the whole input of a request into lines that a notification shows exactly, if that is possible. Pure.

An answer is about what was shown. So nothing is left out, shortened, redacted or replaced here: an input that does not
fit, or that a screen would not show as it is, is not shown at all.
"""

import json
import re
from collections.abc import Iterator, Mapping
from textwrap import TextWrapper

from deskbell.answers.request import Question, Request
from deskbell.text.width import width
from deskbell.text.wording import safe, short

WIDTH, LINES = 46, 5
"""Characters of a line, and lines that every daemon shows: GNOME shows six lines, and one of them is its own."""
GAP = re.compile(r"\S {9,}\S")
"""Spaces that push what follows them out of sight."""
TAB = 4
"""Spaces that stand for a tab."""

MAIN: Mapping[str, str] = {"Bash": "command", "PowerShell": "command", "WebFetch": "url", "WebSearch": "query"}
"""The part of the input of a tool that is shown without its name."""
SAID_ELSEWHERE: Mapping[str, frozenset[str]] = {
    "Bash": frozenset(("description",)),
    "PowerShell": frozenset(("description",)),
}
"""What the assistant says about the input. It does not change what the tool does."""


KNOWN = frozenset((*MAIN, "Edit", "Write", "MultiEdit", "NotebookEdit", "Read", "Grep", "Glob"))
"""Tools whose fields are known: a field that is missing or false is a switch that is off."""


def full(request: Request) -> str:
    """Return all of the input, however long, for a page that shows it."""
    return "\n".join(_lines(request))


def whole(request: Request) -> tuple[str, ...]:
    """Return all of the input in lines; empty if it is too long, or if a screen would not show it as it is."""
    text = full(request).expandtabs(TAB)
    if safe(text) != text or not text.strip() or GAP.search(text) or len(text) > WIDTH * LINES + LINES:
        return ()
    wrapper = TextWrapper(WIDTH, break_on_hyphens=False, replace_whitespace=False, drop_whitespace=False)
    rows = [row for line in text.split("\n") for row in wrapper.wrap(_spread(line)) or [""]]
    return tuple(text.split("\n")) if len(rows) <= LINES else ()


def _spread(line: str) -> str:
    """Return LINE with a second character for each that takes two columns, to measure it."""
    return line if line.isascii() else "".join("xx" if width(char) > 1 else char for char in line)


def _lines(request: Request) -> Iterator[str]:
    given, main = request.tool_input, MAIN.get(request.tool, "")
    if request.tool in ("Edit", "Write"):
        yield from _change(given)
        return
    if isinstance(given.get(main), str):
        yield str(given[main])
    for name, value in given.items():
        if name not in (main, *SAID_ELSEWHERE.get(request.tool, ())) and not _is_off(request.tool, value):
            yield f"{_worded(name)}: {_worded(value)}"


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


def _worded(value: object) -> str:
    """Return VALUE in one line. A text of several lines could look like further fields of the input."""
    return value if isinstance(value, str) and "\n" not in value else json.dumps(value, ensure_ascii=False)


def are_distinct(asked: Question, label: int) -> bool:
    """Return whether all options are shown whole and look different, and so do all combinations of several.

    LABEL: the most characters that are shown of an option.
    """
    shown = {short(option, label) for option in asked.options}
    if len(shown) < len(asked.options) or any(safe(option) != option for option in asked.options):
        return False
    parts = {part for option in asked.options for part in option.split(", ") if part != option}
    return not (asked.several and parts & {*asked.options})
