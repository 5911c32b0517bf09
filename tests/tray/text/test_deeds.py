"""Test how the call of a tool is put into the words of a person."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.text.deeds import VERBS, Deed, deed


@pytest.mark.parametrize(
    ("detail", "done"),
    [
        ("Bash: npm publish", Deed("run", "running", "npm publish", "run a command", is_command=True)),
        ("Bash: a\nb", Deed("run", "running", "a\nb", "run a command", is_command=True)),
        ("Edit: src/a: b.py", Deed("edit", "editing", "src/a: b.py", "edit a file")),
        ("Bash", Deed("use Bash", "using Bash", "", "use Bash")),
        ("CronCreate: every day", Deed("use CronCreate:", "using CronCreate:", "every day", "use CronCreate")),
        ("mcp__db__query: select 1", Deed("use query of db:", "using query of db:", "select 1", "use query of db")),
        ("mcp__db__query", Deed("use query of db", "using query of db", "", "use query of db")),
        ("mcp__db", Deed("use mcp__db", "using mcp__db", "", "use mcp__db")),
    ],
)
def test_a_call_is_worded_by_what_it_does(detail: str, done: Deed) -> None:
    assert deed(detail) == done


@pytest.mark.parametrize("detail", ["", "Thinking", "2 subagents", "permission prompt", "a: b", "Two words: and more"])
def test_what_names_no_call_is_none(detail: str) -> None:
    assert deed(detail) is None


@given(st.sampled_from(sorted(VERBS)), st.text(min_size=1))
def test_nothing_of_the_subject_is_lost(tool: str, subject: str) -> None:
    done = deed(f"{tool}: {subject}")
    assert done
    assert done.subject == subject
