"""Test the table of sessions as a terminal shows it."""

import io
from typing import Any

import pytest
from rich.console import Console

from deskbell.session import STATUSES
from deskbell.text.table import LOOKS, WIDE, table
from deskbell_hooks.schema import Status
from tests.tray.making import NOON, session

NARROW = 80


def lines(width: int, *sessions: Any) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=width, color_system=None).print(table(sessions, NOON + 90, width))
    return file.getvalue().splitlines()


def test_a_row_says_what_the_session_does_and_since_when() -> None:
    heads, row = lines(NARROW, session(detail="Bash: make test"))
    assert heads.split() == ["status", "project", "title", "what", "since"]
    assert row.split() == ["▶", "working", "api", "Ship", "it", "Bash:", "make", "test", "1", "min"]


def test_a_wide_terminal_also_shows_branch_model_and_context() -> None:
    heads, row = lines(WIDE, session(branch="main", model="claude-opus-5-5", context_percent=41.6))
    assert heads.split()[-3:] == ["branch", "model", "context"]
    assert row.split()[-4:] == ["main", "opus-5-5", "42", "%"]


def test_unknown_values_are_empty() -> None:
    _, row = lines(WIDE, session())
    assert row.split()[-2:] == ["1", "min"]


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_has_a_sign_and_is_named(status: Status) -> None:
    _, row = lines(NARROW, session(status=status))
    assert row.split()[:2] == [LOOKS[status][0], status]


WHAT: dict[str, tuple[dict[str, Any], str]] = {
    "its last words on the person's turn": ({"status": "idle", "detail": "", "last_line": "All done"}, "All done"),
    "its detail on the person's turn": ({"status": "idle", "detail": "2 of 3", "last_line": "Done"}, "2 of 3"),
    "nothing where nothing is known": ({"status": "idle", "detail": ""}, "Ship it"),
    "the request without its status": ({"status": "permission", "detail": "Bash: npm publish"}, "npm publish"),
    "the tasks in the background": ({"status": "background", "detail": "2 tasks"}, "2 tasks"),
    "text without escapes": ({"detail": "\x1b[31mred\x1b[0m\nand more"}, "red and more"),
}


@pytest.mark.parametrize(("fields", "what"), WHAT.values(), ids=WHAT)
def test_the_column_what_shows(fields: dict[str, Any], what: str) -> None:
    _, row = lines(NARROW, session(**fields))
    assert row.rsplit(" ", 2)[0].strip().endswith(what)


def test_a_row_shows_no_secret() -> None:
    said = "password=hunter2-Zq9"
    assert "hunter2" not in "".join(
        lines(200, session(status="idle", detail="", title=said, branch=said, last_line=said))
    )


@pytest.mark.parametrize("width", [40, NARROW, WIDE, 200])
def test_no_row_is_wider_than_the_terminal(width: int) -> None:
    long = session(project="p" * 90, title="t" * 90, detail="d" * 300, branch="b" * 90, model="m" * 90)
    rows = lines(width, long, long)
    assert len(rows) == 3
    assert max(map(len, rows)) <= width


def test_a_stale_session_is_dim() -> None:
    assert [row.style for row in table([session(stale=True), session()], NOON, NARROW).rows] == ["dim", ""]
