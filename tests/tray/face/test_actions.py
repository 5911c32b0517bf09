"""Test that every action has a value that tells it from every other."""

from itertools import combinations
from typing import get_args

from deskbell.face.actions import (
    Action,
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
    Resume,
    Seen,
    Snooze,
    StartAtLogin,
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
    Mute(KEY, True),
    Mute(KEY, False),
    Later(KEY, True),
    Later(KEY, False),
    Snooze(None),
    Snooze("1h"),
    Hooks("install"),
    Hooks("repair"),
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
