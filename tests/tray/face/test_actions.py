"""Test that every action has a value that tells it from every other."""

from itertools import combinations
from typing import get_args

from deskbell.face.actions import (
    Action,
    Answer,
    Answers,
    Attach,
    CopyResume,
    Details,
    Dismiss,
    Hooks,
    Jump,
    Later,
    Mute,
    Open,
    Quit,
    Reply,
    Resume,
    Seen,
    Snooze,
    StartAtLogin,
    with_token,
)

KEY = ("a1", 100)
EACH = [
    Jump(KEY),
    Attach(KEY),
    CopyResume(KEY),
    Resume(KEY),
    Seen((KEY,)),
    Seen((KEY, ("b2", 200))),
    Dismiss((KEY,)),
    Details(KEY),
    Answer(KEY, "c0de", "allow"),
    Answer(KEY, "c0de", "deny"),
    Reply(KEY),
    Reply(KEY, "go on"),
    Mute(KEY, True),
    Mute(KEY, False),
    Later(KEY, True),
    Later(KEY, False),
    Snooze(None),
    Snooze("1h"),
    Hooks("install"),
    Hooks("repair"),
    Answers(True),
    Answers(False),
    StartAtLogin(True),
    StartAtLogin(False),
    Open("log"),
    Open("doctor"),
    Quit(),
]


def test_the_list_has_every_action() -> None:
    assert {type(action) for action in EACH} == set(get_args(Action))


def test_actions_are_equal_only_if_they_ask_for_the_same() -> None:
    assert [pair for pair in combinations(EACH, 2) if pair[0] == pair[1]] == []
    assert {Jump(KEY), Jump(("a1", 100))} == {Jump(KEY)}


def test_the_token_of_a_click_goes_with_a_jump_and_with_nothing_else() -> None:
    assert with_token(Jump(KEY), "token") == Jump(KEY, "token")
    assert [with_token(action, "token") for action in EACH[1:]] == EACH[1:]
    assert with_token(Jump(KEY), None) == Jump(KEY)
