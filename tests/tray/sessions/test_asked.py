"""Test that the whole of what a session asks is read from its transcript."""

import json
from pathlib import Path
from typing import Any

import pytest

from deskbell.sessions.asked import LONGEST, asked
from tests.tray.sessions.transcript_lines import asked as prompted
from tests.tray.sessions.transcript_lines import line


def called(name: str, call: str = "t1", **given: Any) -> bytes:
    block = {"type": "tool_use", "id": call, "name": name, "input": given}
    return line("assistant", message={"role": "assistant", "content": [block], "stop_reason": "tool_use"})


def answered(call: str = "t1") -> bytes:
    return line("user", message={"role": "user", "content": [{"type": "tool_result", "tool_use_id": call}]})


QUESTIONS = {
    "questions": [
        {"question": "Which database?", "options": [{"label": "One", "description": "fast"}, {"label": "Two"}]},
        {"question": "Which port?", "options": None},
        "nonsense",
    ]
}
WHOLE: list[tuple[list[bytes], str | None]] = [
    ([], None),
    ([called("Bash", command="make\ntest")], "make\ntest"),
    ([called("AskUserQuestion", **QUESTIONS)], "Which database?\n  - One: fast\n  - Two\nWhich port?"),
    ([called("ExitPlanMode", plan="# Plan\n\n1. Do it")], "# Plan\n\n1. Do it"),
    ([called("Edit", file_path="a.py", old_string="x", replace_all=True)], "file_path: a.py\nold_string: x"),
    ([called("Bash", command="one"), answered()], None),
    ([called("Bash", "t1", command="one"), called("Bash", "t2", command="two")], "one"),
    ([called("Bash", "t1", command="one"), called("Bash", "t2", command="two"), answered("t1")], "two"),
    ([called("Bash", command="one"), prompted("no")], None),
    ([b"nonsense", b"[]", called("Bash", command="one")], "one"),
    ([called("Bash", command=7)], None),
    ([called("AskUserQuestion", questions=7)], None),
    ([called("Bash", command="x" * 2 * LONGEST)], "x" * LONGEST),
]


@pytest.mark.parametrize(("lines", "expected"), WHOLE)
def test_the_oldest_call_without_a_result_is_what_is_asked(
    tmp_path: Path, lines: list[bytes], expected: str | None
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"".join(one + b"\n" for one in lines))
    assert asked(str(path)) == expected


def test_a_call_of_a_subagent_is_not_that_of_its_session(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    aside = json.loads(called("Bash", command="one")) | {"isSidechain": True}
    path.write_bytes(json.dumps(aside).encode() + b"\n")
    assert asked(str(path)) is None


def test_without_a_transcript_nothing_is_known(tmp_path: Path) -> None:
    assert asked(str(tmp_path / "none.jsonl")) is None
    assert asked(str(tmp_path)) is None
