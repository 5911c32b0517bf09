"""Test the line in which a reply is written on the board."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.cards.draft import LONGEST, OFF, Draft, edited, inserted, opened, shown
from deskbell.face.facts import Facts
from deskbell.session import STATUSES
from deskbell.text.width import width
from deskbell_hooks.schema import Status
from tests.tray.making import session

KEY = ("a1", 100)
ON = Facts(replies=True)


@pytest.mark.parametrize("status", ["idle", "interrupted", "error", "new"])
def test_a_session_at_its_prompt_takes_a_reply(status: Status) -> None:
    assert opened(session(status=status), ON) == Draft(KEY)
    assert opened(session(status=status), Facts()) == OFF


@pytest.mark.parametrize(
    "status", [status for status in STATUSES if status not in ("idle", "interrupted", "error", "new")]
)
def test_any_other_session_says_why_not(status: Status) -> None:
    said = opened(session(status=status), ON)
    assert isinstance(said, str)
    assert ("answer" in said) is session(status=status).blocked
    assert ("over. r" in said) is session(status=status).over


def test_a_session_that_has_gone_says_so() -> None:
    assert opened(None, ON) == "This session no longer exists."


def after(text: str, *keys: str, at: int | None = None) -> tuple[str, int]:
    draft = Draft(KEY, text, len(text) if at is None else at)
    for key in keys:
        draft = edited(draft, key, key if len(key) == 1 else " " if key == "space" else None)
    return draft.text, draft.at


EDITS = {
    "typing": (after("", "g", "o", "space", "on"), ("go ", 3)),
    "typing in the middle": (after("ab", "x", at=1), ("axb", 2)),
    "a letter that is a key of the board": (after("", "q", "j", "/"), ("qj/", 3)),
    "backspace": (after("abc", "backspace"), ("ab", 2)),
    "backspace in the middle": (after("abc", "ctrl+h", at=1), ("bc", 0)),
    "backspace at the start": (after("abc", "backspace", at=0), ("abc", 0)),
    "delete": (after("abc", "delete", at=1), ("ac", 1)),
    "delete at the end": (after("abc", "ctrl+d"), ("abc", 3)),
    "left and right": (after("abc", "left", "left", "right", "x"), ("abxc", 3)),
    "left at the start": (after("a", "left", "ctrl+b"), ("a", 0)),
    "right at the end": (after("a", "right", "ctrl+f"), ("a", 1)),
    "home and end": (after("abc", "home", "x", "end", "y"), ("xabcy", 5)),
    "the same by other keys": (after("abc", "ctrl+a", "x", "ctrl+e", "y"), ("xabcy", 5)),
    "to the start": (after("abc def", "ctrl+u", at=4), ("def", 0)),
    "to the end": (after("abc def", "ctrl+k", at=4), ("abc ", 4)),
    "a word": (after("abc def  ", "ctrl+w"), ("abc ", 4)),
    "the first word": (after("abc", "ctrl+w"), ("", 0)),
    "a key that means nothing": (after("abc", "up", "f5", "tab"), ("abc", 3)),
}


@pytest.mark.parametrize(("came", "wanted"), EDITS.values(), ids=EDITS)
def test_a_line_is_edited(came: tuple[str, int], wanted: tuple[str, int]) -> None:
    assert came == wanted


def test_a_paste_keeps_its_lines_and_ends_where_there_is_no_room() -> None:
    assert inserted(Draft(KEY, "ab", 1), "1\r\n2\r3") == Draft(KEY, "a1\n2\n3b", 6)
    full = inserted(Draft(KEY, "ab", 2), "x" * LONGEST)
    assert (len(full.text), full.at) == (LONGEST, LONGEST)
    assert inserted(full, "more") == full


def test_the_cursor_is_shown_in_the_line() -> None:
    assert [(one.text, one.style) for one in shown(Draft(KEY, "go on", 2), 20)] == [
        ("go", ""),
        (" ", "reverse"),
        ("on", ""),
    ]
    assert "".join(one.text for one in shown(Draft(KEY, "a\nb", 3), 20)) == "a⏎b "
    assert "\x1b" not in "".join(one.text for one in shown(Draft(KEY, "a\x1b[1mb", 6), 20))


@given(st.text(max_size=200), st.integers(0, 200), st.integers(4, 60))
def test_a_line_fits_and_always_shows_the_cursor(text: str, at: int, columns: int) -> None:
    line = shown(Draft(KEY, text, min(at, len(text))), columns)
    assert [span.style for span in line].count("reverse") == 1
    assert width("".join(span.text for span in line)) <= columns + 1


@pytest.mark.uncounted
def test_a_line_of_a_long_text_takes_as_long_as_that_of_a_short_one() -> None:
    """It took a hundred times as long, 5 seconds for a text of the greatest length."""

    def taken(characters: int, at: int) -> float:
        draft = Draft(KEY, "ü日 " * (characters // 3), at)
        began = time.process_time()
        shown(draft, 80)
        return time.process_time() - began

    short, long = (min(taken(length, length // 2) for _ in range(5)) for length in (1000, LONGEST))
    assert long < short * 4


@given(
    st.lists(
        st.sampled_from(["left", "right", "home", "end", "backspace", "delete", "ctrl+w", "ctrl+u", "ctrl+k", "x", "é"])
    )
)
def test_the_cursor_stays_in_the_text(keys: list[str]) -> None:
    text, at = after("some words to begin with", *keys)
    assert 0 <= at <= len(text)
