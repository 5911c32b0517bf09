"""Test what is said of one session in a list."""

from typing import Any

import pytest

from deskbell.session import STATUSES
from deskbell.text.rows import LOOKS, Span, cells, heading
from deskbell_hooks.schema import Status
from tests.tray.making import NOON, session

WHAT: dict[str, tuple[dict[str, Any], str]] = {
    "its last words on the person's turn": ({"status": "idle", "detail": "", "last_line": "All done"}, "All done"),
    "its detail on the person's turn": ({"status": "idle", "detail": "2 of 3", "last_line": "Done"}, "2 of 3"),
    "nothing where nothing is known": ({"status": "idle", "detail": ""}, ""),
    "what it asks": ({"status": "permission", "detail": "Bash: npm publish"}, "wants to run npm publish"),
    "its error": ({"status": "error", "detail": "rate_limit"}, "failed: rate limit"),
    "what it does": ({"status": "working", "detail": "Bash: make test"}, "running make test"),
    "the tasks in the background": ({"status": "background", "detail": "2 tasks"}, "in the background: 2 tasks"),
    "what it did when it crashed": ({"status": "crashed", "detail": "Bash: npm test"}, "during npm test"),
    "nothing for a crash of which no more is known": ({"status": "crashed", "detail": ""}, ""),
    "nothing for its end": ({"status": "ended", "detail": "logout"}, ""),
    "that it is suspended": (
        {"status": "permission", "detail": "Bash: npm publish", "suspended": True},
        "suspended, wants to run npm publish",
    ),
    "that it is suspended on the person's turn": (
        {"status": "idle", "detail": "", "last_line": "Done", "suspended": True},
        "suspended",
    ),
    "text without escapes": ({"detail": "\x1b[31mred\x1b[0m\nand more"}, "red and more"),
}


@pytest.mark.parametrize(("fields", "what"), WHAT.values(), ids=WHAT)
def test_a_row_says(fields: dict[str, Any], what: str) -> None:
    assert cells(session(**fields), NOON).what.text == what


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_has_a_sign_and_a_heading(status: Status) -> None:
    one = session(status=status)
    assert cells(one, NOON).sign == Span(*LOOKS[status])
    assert heading(one) in ("Blocked", "Your turn", "Running", "Crashed", "Ended", "New")


def test_the_heading_tells_a_blocked_session_from_one_that_has_stopped() -> None:
    assert heading(session(status="plan")) == "Blocked"
    assert heading(session(status="interrupted")) == "Your turn"


def test_a_row_has_the_beginning_of_the_id_the_age_and_what_else_is_known() -> None:
    one = session(
        session_id="a1b2c3d4-e5f6", branch="main", model="claude-opus-5-5", context_percent=41.6, since=NOON - 250
    )
    row = cells(one, NOON)
    assert (row.id, row.age, row.project, row.title) == ("a1b2c3d4", "4 min", "api", "Ship it")
    assert row.extras == {"branch": "main", "context": "42 %", "model": "opus-5-5"}


def test_what_is_not_known_is_empty_and_the_id_is_no_title() -> None:
    row = cells(session(session_id="a1b2c3d4-e5f6", title=""), NOON)
    assert row.extras == {"branch": "", "context": "", "model": ""}
    assert row.title == ""


def test_a_session_that_makes_no_step_says_so() -> None:
    assert cells(session(detail="Bash: make", stalled=True), NOON).what.text == "stalled, running make"


def test_a_stale_session_is_dim() -> None:
    assert [cells(session(stale=stale), NOON).style for stale in (True, False)] == ["dim", ""]


def test_a_row_shows_no_secret() -> None:
    said = "password=hunter2-Zq9"
    assert "hunter2" not in str(cells(session(status="idle", detail="", title=said, branch=said, last_line=said), NOON))
