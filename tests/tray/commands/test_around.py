"""Test what the board shows besides the sessions."""

import json

from deskbell.commands._around import facts, quiet, wrong
from deskbell.home import home
from deskbell.notices.quiet import Quiet, write
from deskbell.usage import Window
from deskbell_hooks.usage import keep
from tests.tray.making import NOON


def test_what_the_person_silenced_is_a_fact() -> None:
    silenced = Quiet(at=NOON, snoozed_until=NOON + 60, sessions={"a": None, "b": NOON - 1}, later={"c": NOON + 60})
    found = facts(home(), silenced, (), NOON)
    assert (found.snoozed_until, found.muted, dict(found.later)) == (NOON + 60, {"a"}, {"c": NOON + 60})
    assert facts(home(), Quiet(), (), NOON).snoozed_until is None


def test_the_first_problem_is_shown_with_the_number_of_the_others() -> None:
    assert facts(home(), Quiet(), (), NOON).problem is None
    assert facts(home(), Quiet(), ("The disk is full.",), NOON).problem == "The disk is full."
    assert facts(home(), Quiet(), ("One.", "Two.", "Three."), NOON).problem == "One. And 2 more: run `deskbell doctor`."


def limited() -> None:
    home().statusline.mkdir(parents=True)
    five = {"used_percentage": 42, "resets_at": 9e9}
    keep(str(home().state), json.dumps({"rate_limits": {"five_hour": five}}).encode(), NOON)


def test_what_is_used_of_the_limits_is_a_fact() -> None:
    limited()
    for silenced in (None, Quiet()):
        (used,) = facts(home(), silenced, (), NOON).usages
        assert used.windows == (Window("five_hour", 42, 9e9),)


def test_what_is_silenced_is_read_where_there_is_such_a_file() -> None:
    assert quiet(home()) is None
    assert facts(home(), None, ("One.",), NOON).problem == "One."
    write(home().state, Quiet(snoozed_until=4e9))
    read = quiet(home())
    assert read
    assert read.snoozed_until == 4e9


def test_hooks_that_are_not_installed_are_a_problem() -> None:
    assert any("hooks are not installed" in one for one in wrong(home()))
