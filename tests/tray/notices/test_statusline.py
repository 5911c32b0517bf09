"""Test that the settings of the statusline are what the statusline itself reads on its own."""

from typing import get_args

import pytest
from pydantic import ValidationError

from deskbell.notices.policy import Policy
from deskbell.notices.statusline import Segment, Statusline
from deskbell_hooks.linesettings import CHECKS, DEFAULTS, WRONG, resolved
from deskbell_hooks.segments import SEGMENTS

SETTINGS: list[tuple[str, dict[str, object]]] = [
    ("right", {"preset": "powerline", "segments": ["others", "cost"], "separator": "|"}),
    ("right", {"separator": "\ue0b4", "ascii": "always", "details": False, "bar": 0, "own_timeout": 0.5}),
    ("right", {"colors": {"model": "bold #ff8800/16", "bad": "", "problem": "red"}}),
    ("wrong", {"preset": "fancy"}),
    ("wrong", {"segments": ["moon"]}),
    ("wrong", {"separator": "\x1b[0m"}),
    ("wrong", {"separator": "123456789"}),
    ("wrong", {"colors": {"model": "rde"}}),
    ("wrong", {"colors": {"moon": "red"}}),
    ("wrong", {"ascii": "yes"}),
    ("wrong", {"bar": 41}),
    ("wrong", {"own_timeout": 0}),
    ("wrong", {"moon": 1}),
]


@pytest.mark.parametrize(("verdict", "said"), SETTINGS, ids=str)
def test_the_hook_takes_the_settings_of_the_statusline_that_the_policy_takes(
    verdict: str, said: dict[str, object]
) -> None:
    problem = resolved(said)[1]
    if verdict == "right":
        assert Policy.model_validate({"statusline": said}).statusline
        assert problem == ""
    else:
        with pytest.raises(ValidationError):
            Policy.model_validate({"statusline": said})
        assert problem == WRONG


def test_the_policy_and_the_hook_have_the_same_settings_of_the_statusline() -> None:
    assert set(Statusline.model_fields) == set(CHECKS)
    assert {name: getattr(Statusline(), name) for name in DEFAULTS} == DEFAULTS
    assert set(get_args(Segment)) == set(SEGMENTS)
