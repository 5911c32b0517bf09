"""Test what stands in the prompt, on screens that the client has drawn and on others that look alike.

The screens were drawn by Claude Code 2.1.326 in tmux 3.3a, and are cut to 30 columns.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.answers.prompt import holds, typed_text

RULE = "\x1b[38;5;244m" + "─" * 30
HISTORY = "\x1b[38;5;244m───\x1b[39m \x1b[2mHistory 2/2\x1b[0m \x1b[38;5;244m" + "─" * 14
BELOW = "\x1b[39m  \x1b[38;5;246m⏸ manual mode on · ? for shortcuts"
ABOVE = ["\x1b[38;5;174m ▐\x1b[48;5;16m▛███▛█\x1b[39m\x1b[49m   \x1b[1mClaude Code\x1b[0m", ""]


def screen(*inside: str, top: str = RULE, below: tuple[str, ...] = (BELOW,)) -> list[str]:
    return [*ABOVE, top, *inside, RULE, *below]


EMPTY = {
    "a cursor": ["\x1b[39m❯\u00a0\x1b[7m \x1b[0m\x1b[39m\x1b[49m"],
    "a cursor that tmux has cut": ["\x1b[39m❯\u00a0\x1b[7m"],
    "no cursor, as where the terminal has no focus": ["\x1b[39m❯\u00a0"],
    "a suggestion": ['\x1b[39m❯\u00a0\x1b[7mT\x1b[0;2m\x1b[39m\x1b[49mry "edit…"\x1b[0m'],
    "a suggestion without a cursor": ["❯\u00a0\x1b[2mTry this\x1b[22m"],
    "a suggestion of two lines": ["❯\u00a0\x1b[7mT\x1b[0;2mry this and", "  that\x1b[0m"],
    "a cursor that kitty tells of": ["❯\u00a0\x1b[?25h\x1b[4;3H\x1b[1 q"],
    "a suggestion in kitty": ["\x1b[m❯\u00a0\x1b[7mT\x1b[2;27mry this"],
    "a suggestion in a colour of kitty": ["❯\u00a0\x1b[7mT\x1b[27;38:2:1:2:3;2mry this\x1b[m"],
    "a suggestion in a colour": ["❯\u00a0\x1b[7mT\x1b[0;38;5;246;2mry this\x1b[0m"],
}


@pytest.mark.parametrize("inside", EMPTY.values(), ids=EMPTY)
@pytest.mark.parametrize("cursor", [(2, 3), None])
def test_an_empty_prompt_is_empty(inside: list[str], cursor: tuple[int, int] | None) -> None:
    assert typed_text(screen(*inside), cursor) == ""


TYPED = {
    "a text": (["\x1b[39m❯\u00a0half typed\x1b[7m"], (12, 3), "half typed"),
    "a text with the cursor at its start": (["❯\u00a0\x1b[7mh\x1b[0malf"], (2, 3), "half"),
    "one letter under the cursor": (["❯\u00a0\x1b[7mx\x1b[0m"], (2, 3), "x"),
    "a blank": (["❯\u00a0 \x1b[7m \x1b[0m"], (3, 3), " "),
    "lines": (["❯\u00a0one", "  two", "    three\x1b[7m"], (9, 5), "one\ntwo\n  three"),
    "an empty first line": (["❯\u00a0", "  ls\x1b[7m"], (4, 4), "\nls"),
    "a long paste": (["❯\u00a0[Pasted text #1 +40 lines]\x1b[7m"], (28, 3), "[Pasted text #1 +40 lines]"),
    "a suggestion behind what is typed": (["❯\u00a0hel\x1b[7ml\x1b[0;2mo\x1b[0m"], (5, 3), "hello"),
    "dim and then bright": (["❯\u00a0\x1b[7mT\x1b[0;2mry\x1b[22m this"], (2, 3), "Try this"),
    "a colour whose number is 2": (["❯\u00a0\x1b[7mT\x1b[0;38;5;2mry\x1b[0m"], (2, 3), "Try"),
    "a colour in three numbers": (["❯\u00a0\x1b[7mT\x1b[0;48;2;2;2;2mry\x1b[0m"], (2, 3), "Try"),
    "a colour of kitty": (["❯\u00a0\x1b[7mT\x1b[27;38:2:2:2:2mry\x1b[m"], (2, 3), "Try"),
    "a broken colour": (["❯\u00a0\x1b[7mT\x1b[0;38mry\x1b[0m"], (2, 3), "Try"),
}


@pytest.mark.parametrize(("inside", "cursor", "typed"), TYPED.values(), ids=TYPED)
def test_what_is_typed_is_returned(inside: list[str], cursor: tuple[int, int], typed: str) -> None:
    assert typed_text(screen(*inside), cursor) == typed


def test_an_entry_of_the_history_is_something_typed() -> None:
    assert typed_text(screen("❯\u00a0/rename it\x1b[7m", top=HISTORY), (11, 3)) == "/rename it"


NONE = {
    "nothing": [],
    "a shell": ["$ ls", "made.txt", "$ "],
    "shell mode": screen("!\u00a0\x1b[7m "),
    "a dialog": [*ABOVE, RULE, " Bash command", " touch made.txt", " Do you want to proceed?", " ❯ 1. Yes", "   4. No"],
    "a dialog below an old prompt": [*screen("❯\u00a0"), RULE, " Do you want to proceed?", " ❯ 1. Yes"],
    "a list below an old prompt": [*screen("❯\u00a0"), "▔▔▔▔", "   Select model"],
    "the list of sessions": [*ABOVE, "─" * 30, "❯ \x1b[38;5;246mdescribe a task", "─" * 30, "  enter to return"],
    "the transcript": [*ABOVE, "\x1b[2m" + "─" * 30, "  Showing detailed transcript"],
    "a prompt without a rule above": [*ABOVE, "❯\u00a0", RULE],
    "a prompt without a rule below": [*ABOVE, RULE, "❯\u00a0", BELOW],
    "a prompt in the first row": ["❯\u00a0", RULE],
    "something else between the rules": screen("❯\u00a0", "● Hello"),
}


@pytest.mark.parametrize("lines", NONE.values(), ids=NONE)
def test_no_prompt_is_found_where_none_is(lines: list[str]) -> None:
    assert typed_text(lines, None) is None


def test_a_prompt_that_the_cursor_is_not_in_is_none() -> None:
    """As where the model prints what looks like a prompt, and a dialog is open."""
    assert typed_text(screen("❯\u00a0"), (1, 0)) is None
    assert typed_text(screen("❯\u00a0"), (3, 5)) is None


HELD = [
    ("hello there", "hello there"),
    ("one\ntwo\n  three", "one\ntwo\n  three"),
    (" !echo hi", "!echo hi"),
    ("a line that the terminal\nbreaks", "a line that the terminal breaks"),
    ("héllo 👩 日本語", "héllo 👩‍👩‍👧 日本語"),
    ("[Pasted text #1 +40 lines]", "line 1\nline 2"),
    ("[Pasted text #22]", "x" * 3000),
    ("?!", "?!"),
    ("\u1eb9\u0301 \ud55c", "e\u0301\u0323 \u1112\u1161\u11ab"),
]


@pytest.mark.parametrize(("typed", "text"), HELD)
def test_the_prompt_holds_what_was_pasted(typed: str, text: str) -> None:
    assert holds(typed, text)


NOT_HELD = [
    ("half hello there", "hello there"),
    ("hello there and more", "hello there"),
    ("hello", "hello there"),
    ("[Image #1]", "/tmp/picture.png"),
    ("[Pasted text #1 +40 lines] and more", "line 1\nline 2"),
    ("", "?!"),
]


@pytest.mark.parametrize(("typed", "text"), NOT_HELD)
def test_the_prompt_does_not_hold_something_else(typed: str, text: str) -> None:
    assert not holds(typed, text)


@given(st.lists(st.text(max_size=30), max_size=12), st.none() | st.tuples(st.integers(0, 40), st.integers(0, 12)))
def test_a_screen_without_a_prompt_is_never_an_empty_prompt(lines: list[str], cursor: tuple[int, int] | None) -> None:
    assert typed_text(lines, cursor) != ""
