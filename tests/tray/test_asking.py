"""Test what a surface may offer of a request, and how `deskbell why` names a choice."""

from dataclasses import replace

import pytest

from deskbell.asking import CHOSEN, UNSEEN, Asking, Choice, purpose

DENY = Choice("deny", "Deny")
ASKING = Asking("c0de", "Bash: ls", ("ls",), (Choice("allow", "Allow", allows=True), DENY), why_not="It asks again.")


def test_what_was_shown_can_be_allowed() -> None:
    assert ASKING.where(shown=True) is ASKING


def test_what_was_not_shown_can_be_denied_or_read() -> None:
    less = ASKING.where(shown=False)
    assert (less.choices, less.why_not, less.unread) == ((DENY,), UNSEEN, True)
    assert ASKING.where(False, "Too much at once.").why_not == "Too much at once."


def test_what_no_screen_shows_was_not_shown_whatever_the_surface_says() -> None:
    assert replace(ASKING, whole=()).where(shown=True).choices == (DENY,)


def test_where_nothing_allows_the_reason_stays() -> None:
    terminal = replace(ASKING, choices=(DENY,))
    assert terminal.where(shown=False) is terminal


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ("allow-sure", "allow it, as it asked again"),
        ("option:0", "choose option 1"),
        ("rule:3", "allow it, with a lasting rule"),
        ("of another version", "answer it"),
        ("option:x", "answer it"),
        *CHOSEN.items(),
    ],
)
def test_a_choice_is_named_by_what_it_does(choice: str, words: str) -> None:
    assert purpose(choice) == words
