"""A session in a few words."""

from datetime import datetime

import pytest

from deskbell.words import clock, short, wants
from deskbell_hooks.schema import Status
from tests.tray.making import session

NOW = datetime(2026, 5, 14, 12, 41).timestamp()


@pytest.mark.parametrize(
    ("status", "detail", "said"),
    [
        ("permission", "Bash: npm publish", "permission: npm publish"),
        ("permission", "Edit: api.py", "permission: Edit: api.py"),
        ("permission", "", "permission"),
        ("question", "Which database?", "question: Which database?"),
        ("idle", "whatever was last", "your turn"),
        ("working", "Bash: make test", "Bash: make test"),
        ("working", "", "working"),
        ("background", "2 tasks", "in the background: 2 tasks"),
    ],
)
def test_what_a_session_wants(status: Status, detail: str, said: str) -> None:
    assert wants(session(status=status, detail=detail)) == said


@pytest.mark.parametrize(
    ("when", "said"),
    [
        (datetime(2026, 5, 14, 9, 5), "09:05"),
        (datetime(2026, 5, 11, 12, 41), "Mon 12:41"),
        (datetime(2026, 5, 15, 7, 0), "Fri 07:00"),
        (datetime(2026, 5, 7, 12, 41), "7 May"),
    ],
)
def test_a_point_in_time(when: datetime, said: str) -> None:
    assert clock(when.timestamp(), NOW) == said


@pytest.mark.parametrize(
    ("text", "said"), [("a b", "a b"), ("a\n b", "a b"), ("abcdefg", "abcd…"), ("abc  defg", "abc…"), ("", "")]
)
def test_one_line_that_fits(text: str, said: str) -> None:
    assert short(text, 5) == said


@pytest.mark.parametrize("when", [float("nan"), float("inf"), -1e300, 1e18])
def test_what_is_no_point_in_time(when: float) -> None:
    assert clock(when, NOW) == "?"
