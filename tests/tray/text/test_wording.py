"""Test how a session and any text are put into a few words."""

import sys

import pytest

from deskbell.board import Board
from deskbell.text.wording import counts, headline, phrase, safe, short, short_id, without_secrets_inside
from deskbell_hooks.schema import Status
from tests.tray.making import session


@pytest.mark.parametrize(
    ("status", "detail", "said"),
    [
        ("permission", "Bash: npm publish", "wants to run npm publish"),
        ("permission", "Edit: api.py", "wants to edit api.py"),
        ("permission", "WebFetch", "wants to use WebFetch"),
        ("permission", "mcp__github__create_issue: Broken build", "wants to use create_issue of github: Broken build"),
        ("permission", "", "wants your approval"),
        ("permission", "permission prompt", "wants your approval"),
        ("permission", "sandbox request", "wants your approval: sandbox request"),
        ("question", "Which database?", "asks: Which database?"),
        ("question", "input needed", "has a question"),
        ("input", "Your name", "needs input: Your name"),
        ("input", "dialog open", "needs input"),
        ("plan", "Three steps", "has a plan: Three steps"),
        ("plan", "Plan approval", "has a plan"),
        ("interrupted", "Bash: make test", "stopped: make test"),
        ("interrupted", "Edit: a.py", "stopped: edit a.py"),
        ("interrupted", "Read", "stopped: use Read"),
        ("interrupted", "Thinking", "stopped: Thinking"),
        ("interrupted", "", "stopped"),
        ("error", "rate_limit: You have reached the limit", "failed: You have reached the limit"),
        ("error", "rate_limit", "failed: rate limit"),
        ("error", "API Error: 529 overloaded", "failed: API Error: 529 overloaded"),
        ("error", "unknown", "failed"),
        ("error", "", "failed"),
        ("idle", "whatever was last", "your turn"),
        ("working", "Bash: make test", "running make test"),
        ("working", "Read: a.py", "reading a.py"),
        ("working", "2 subagents", "2 subagents"),
        ("working", "", "working"),
        ("background", "2 tasks", "in the background: 2 tasks"),
        ("limit", "the limit until 03:45", "waits for the limit until 03:45, goes on by itself"),
        ("limit", "the API, retry 2", "waits for the API, retry 2, goes on by itself"),
        ("limit", "", "waits, goes on by itself"),
        ("new", "", "new"),
        ("new", "a dialog is open", "new"),
        ("crashed", "Bash: make", "crashed: make"),
        ("crashed", "", "crashed"),
        ("ended", "logout", "ended"),
    ],
)
def test_the_headline_says_what_a_session_waits_for_or_does(status: Status, detail: str, said: str) -> None:
    assert headline(session(status=status, detail=detail)) == said


@pytest.mark.parametrize(
    ("status", "detail", "parts"),
    [
        ("permission", "Bash: make", ("wants to run", "make", "wants to run a command", True)),
        ("permission", "Edit: a.py", ("wants to edit", "a.py", "wants to edit a file", False)),
        ("permission", "sandbox request", ("wants your approval:", "sandbox request", "wants your approval", False)),
        ("question", "Which database?", ("asks:", "Which database?", "has a question", False)),
        ("plan", "Three steps", ("has a plan:", "Three steps", "has a plan", False)),
        ("input", "Your name", ("needs input:", "Your name", "needs input", False)),
        ("error", "rate_limit: Wait", ("failed:", "Wait", "failed", False)),
        ("crashed", "Bash: make", ("crashed:", "make", "crashed", True)),
        ("idle", "", ("your turn", "", "your turn", False)),
    ],
)
def test_a_headline_can_be_shown_without_what_it_is_about(
    status: Status, detail: str, parts: tuple[str, str, str, bool]
) -> None:
    made = phrase(session(status=status, detail=detail))
    assert (made.says, made.about, made.without_about, made.is_command) == parts


@pytest.mark.parametrize(
    ("detail", "last", "said"),
    [
        ("rate_limit", "API Error: wait an hour", "failed: API Error: wait an hour"),
        ("rate_limit: Wait", "another one", "failed: Wait"),
        ("", "API Error: 500", "failed: API Error: 500"),
        ("unknown", "", "failed"),
    ],
)
def test_an_error_of_which_only_the_kind_is_known_shows_the_last_message(detail: str, last: str, said: str) -> None:
    assert headline(session(status="error", detail=detail, last_error=last)) == said


@pytest.mark.parametrize(
    ("statuses", "said"),
    [
        ((), "No session is running"),
        (("ended",), "No session is running"),
        (("permission", "plan"), "2 blocked"),
        (
            ("question", "interrupted", "error", "idle", "working", "background", "crashed"),
            "1 blocked, 3 your turn, 2 running, 1 crashed",
        ),
    ],
)
def test_the_sessions_are_counted_in_the_same_words_everywhere(statuses: tuple[Status, ...], said: str) -> None:
    assert counts(Board(tuple(session(status=status) for status in statuses))) == said


@pytest.mark.parametrize(
    ("text", "said"), [("a b", "a b"), ("a\n b", "a b"), ("abcdefg", "abcd…"), ("abc  defg", "abc…"), ("", "")]
)
def test_short_text_is_one_line_that_fits(text: str, said: str) -> None:
    assert short(text, 5) == said


def test_short_text_holds_no_secret() -> None:
    assert "hunter2hunter2" not in short("deploy --password=hunter2hunter2 now", 60)


def test_short_text_is_isolated_if_it_is_right_to_left() -> None:
    assert short("שלום", 20) == "\u2068שלום\u2069"


@pytest.mark.parametrize(
    ("session_id", "said"),
    [("3f2a9c10-0000-4000-8000-000000000000", "3f2a9c10"), ("a1", "a1"), ("\x1b[2Jabcdefghijk", "abcdefgh")],
)
def test_the_short_id_is_the_start_of_the_id_without_escape_sequences(session_id: str, said: str) -> None:
    assert short_id(session_id) == said


def test_secrets_are_left_out_of_every_text_in_a_value() -> None:
    said, hidden = "API_TOKEN=hunter2secret99", "API_TOKEN=[redacted]"
    value = {"a": said, "b": [1, None, (said, True)], said: 2.5}
    assert without_secrets_inside(value) == {"a": hidden, "b": [1, None, [hidden, True]], said: 2.5}


def test_safe_text_keeps_its_lines_and_has_no_secrets() -> None:
    assert (
        safe("a\0\x1b[2J\n  \u2068שלום\u2069 API_TOKEN=hunter2secret99") == "a\n  \u2068שלום\u2069 API_TOKEN=[redacted]"
    )


def test_a_long_text_is_not_kept_in_memory() -> None:
    text = "word " * 100_000
    before = sys.getrefcount(text)
    assert short(text, 9) == "word wor…"
    assert sys.getrefcount(text) == before
