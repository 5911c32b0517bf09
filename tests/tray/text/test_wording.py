"""Test how a session and any text are put into a few words."""

import sys

import pytest

from deskbell.text.wording import headline, safe, short, short_id, without_secrets_inside
from deskbell_hooks.schema import Status
from tests.tray.making import session


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
def test_the_headline_says_what_a_session_waits_for_or_does(status: Status, detail: str, said: str) -> None:
    assert headline(session(status=status, detail=detail)) == said


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


def test_text_that_leaves_is_safe_in_every_line_and_without_secrets() -> None:
    assert (
        safe("a\0\x1b[2J\n  \u2068שלום\u2069 API_TOKEN=hunter2secret99") == "a\n  \u2068שלום\u2069 API_TOKEN=[redacted]"
    )


def test_a_long_text_is_not_kept_in_memory() -> None:
    text = "word " * 100_000
    before = sys.getrefcount(text)
    assert short(text, 9) == "word…"
    assert sys.getrefcount(text) == before
