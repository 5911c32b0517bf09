"""Test that the whole input of a request is shown exactly, or not at all."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.answers.shown import LINES, WIDTH, whole
from tests.tray.answers.making import request

SHOWN: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "a command, without what the assistant says of it": (
        "Bash",
        {"command": "npm test", "description": "x"},
        ("npm test",),
    ),
    "a command of two lines": ("Bash", {"command": "cd web\nnpm test"}, ("cd web", "npm test")),
    "how it is to be run": (
        "Bash",
        {"command": "npm test", "run_in_background": True, "timeout": 9000},
        ("npm test", "run_in_background: true", "timeout: 9000"),
    ),
    "nothing of what is off": ("Bash", {"command": "ls", "run_in_background": False, "timeout": None}, ("ls",)),
    "a tab as spaces": ("Bash", {"command": "a\tb"}, ("a   b",)),
    "a page": ("WebFetch", {"url": "https://a.example", "prompt": "Sum up"}, ("https://a.example", "prompt: Sum up")),
    "an edit": (
        "Edit",
        {"file_path": "/a.py", "old_string": "x = 1", "new_string": "x = 2", "replace_all": True},
        ("/a.py", "- x = 1", "+ x = 2", "replace_all: true"),
    ),
    "a file": ("Write", {"file_path": "/a.py", "content": "a\nb"}, ("/a.py", "+ a", "+ b")),
    "a tool of a server": ("mcp__db__query", {"sql": "select 1", "limit": 3}, ("sql: select 1", "limit: 3")),
    "characters of two columns": ("WebSearch", {"query": "字" * (WIDTH // 2)}, ("字" * (WIDTH // 2),)),
    "what is off or none, for a tool that nobody knows": (
        "mcp__db__drop",
        {"dry_run": False, "limit": 0, "where": None},
        ("dry_run: false", "limit: 0", "where: null"),
    ),
    "a number that is none": ("Bash", {"command": "ls", "timeout": 0}, ("ls", "timeout: 0")),
    "a text that imitates a further part": ("mcp__a__b", {"path": "x\ndry_run: true"}, (r'path: "x\ndry_run: true"',)),
    "a path that imitates a change": (
        "Write",
        {"file_path": "/a\n+ x", "content": "y"},
        (r'"/a\n+ x"', "+ y"),
    ),
    "a name that imitates another part": ("mcp__a__b", {"x\ny: 1": 2}, (r'"x\ny: 1": 2',)),
    "a long command that fits": ("Bash", {"command": "x" * WIDTH * LINES}, ("x" * WIDTH * LINES,)),
}


@pytest.mark.parametrize(("tool", "tool_input", "lines"), SHOWN.values(), ids=SHOWN)
def test_the_whole_input_is_shown(tool: str, tool_input: dict[str, Any], lines: tuple[str, ...]) -> None:
    assert whole(request(tool, tool_input)) == lines


NOT_SHOWN: dict[str, tuple[str, dict[str, Any]]] = {
    "a character too many": ("Bash", {"command": "x" * (WIDTH * LINES + 1)}),
    "a line too many": ("Bash", {"command": "\n" * LINES + "ls"}),
    "an escape sequence": ("Bash", {"command": "ls \x1b[8m; rm -rf ."}),
    "a carriage return": ("Bash", {"command": "rm -rf .\rls"}),
    "text that runs backwards": ("Bash", {"command": "ls \u202e.fr- mr"}),
    "an invisible letter": ("Bash", {"command": "l\u200bs"}),
    "a secret, which is not shown": ("Bash", {"command": "curl -H 'Authorization: Bearer abcdefghijklmnop1234'"}),
    "an edit of many lines": ("Edit", {"file_path": "/a", "old_string": "a\nb\nc", "new_string": "d\ne"}),
    "a letter that is drawn as nothing": (
        "Edit",
        {"file_path": "/a", "old_string": "f(x)", "new_string": "f(x, \u3164)"},
    ),
    "an identifier with a joiner": ("Edit", {"file_path": "/a", "old_string": "x", "new_string": "is\u200dAdmin"}),
    "a text in selectors of variants": ("Write", {"file_path": "/a", "content": "x\ufe01\ufe07\U000e0130"}),
    "characters of two columns, one too many": ("WebSearch", {"query": "字" * (WIDTH // 2 * LINES + 1)}),
    "nothing": ("Bash", {"command": "  "}),
    "no input": ("mcp__db__drop", {}),
    "what is pushed out of sight": ("Bash", {"command": "ls" + " " * 40 + "; rm -rf ."}),
}


@pytest.mark.parametrize(("tool", "tool_input"), NOT_SHOWN.values(), ids=NOT_SHOWN)
def test_what_would_not_be_seen_as_it_is_is_not_shown(tool: str, tool_input: dict[str, Any]) -> None:
    assert whole(request(tool, tool_input)) == ()


@given(st.text(max_size=300))
def test_a_command_is_shown_to_the_letter_or_not_at_all(command: str) -> None:
    lines = whole(request(tool_input={"command": command}))
    assert lines == () or "\n".join(lines) == command.expandtabs(4)
