"""Test that one notice that the screen refuses keeps no other from being shown, and is shown as soon as that works."""

from dataclasses import replace

import pytest

from deskbell.notices.guard import Guard
from deskbell.notices.notice import SUMMARY, Notice, notice
from deskbell.notices.policy import Policy
from deskbell.notices.showing import LONGEST_PAUSE, Showing
from tests.tray.making import NOON, session

BAD = notice(session(session_id="bad-id", project="web", status="permission"), Policy(), "at once", NOON, "ping")
GOOD = notice(session(session_id="good-id", status="permission"), Policy(), "at once", NOON)


class Screen:
    """A screen that refuses what is in some slots, and records the rest."""

    daemon = None

    def __init__(self, *refused: str) -> None:
        self.refused = set(refused)
        self.tried: list[str] = []
        self.shown: list[Notice] = []
        self.withdrawn: list[str] = []

    def start(self) -> None:
        """Nothing is needed."""

    def show(self, notice: Notice) -> None:
        self._try(notice.slot)
        self.shown.append(notice)

    def withdraw(self, slot: str) -> None:
        self._try(slot)
        self.withdrawn.append(slot)

    async def stop(self) -> None:
        """Nothing is left."""

    def _try(self, slot: str) -> None:
        self.tried.append(slot)
        if slot in self.refused:
            raise ValueError("no room")


def test_one_notice_that_is_refused_keeps_no_other_from_being_shown() -> None:
    screen, guard = Screen(BAD.slot), Guard()
    showing = Showing(screen, guard)
    for one in (BAD, GOOD):
        showing.show(one, NOON)
    assert screen.shown == [GOOD]
    assert guard.problem == "The notification of web (bad-id:1) cannot be shown: ValueError: no room"


def test_what_was_refused_is_tried_again_after_pauses_that_double_until_it_works() -> None:
    screen, guard = Screen(BAD.slot), Guard()
    showing, pauses, now = Showing(screen, guard), [], NOON
    showing.show(BAD, now)
    for _ in range(8):
        assert showing.again
        pauses.append(showing.again - now)
        showing.try_again(showing.again - 0.01)
        now = showing.again
        showing.try_again(now)
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]
    assert len(screen.tried) == 9

    screen.refused.clear()
    assert showing.again
    showing.try_again(showing.again)
    assert (screen.shown, showing.again, guard.problem) == ([BAD], None, None)


@pytest.mark.parametrize("step", [-365 * 86400.0, 365 * 86400.0])
def test_a_step_of_the_clock_does_not_make_it_wait_for_longer(step: float) -> None:
    screen = Screen(BAD.slot)
    showing = Showing(screen, Guard())
    showing.show(BAD, NOON)
    screen.refused.clear()
    showing.try_again(NOON + step)
    assert screen.shown == [BAD]


def test_a_new_text_for_what_has_not_been_shown_still_rings() -> None:
    screen = Screen(BAD.slot)
    showing = Showing(screen, Guard())
    showing.show(BAD, NOON)
    screen.refused.clear()
    showing.show(replace(BAD, body="new", sound="", quiet=True), NOON + 0.5)
    showing.show(replace(BAD, body="newer", sound="", quiet=True), NOON + 0.6)
    assert [(one.body, one.sound, one.quiet) for one in screen.shown] == [("new", "ping", False), ("newer", "", True)]


def test_what_is_over_before_it_could_be_shown_is_forgotten() -> None:
    screen, guard = Screen(BAD.slot), Guard()
    showing = Showing(screen, guard)
    showing.show(BAD, NOON)
    screen.refused.clear()
    showing.withdraw(BAD.slot, NOON + 0.5)
    showing.try_again(NOON + LONGEST_PAUSE)
    assert (screen.shown, screen.withdrawn, showing.again, guard.problem) == ([], [BAD.slot], None, None)


@pytest.mark.parametrize(
    ("slot", "says"),
    [
        (SUMMARY, "The notification about many sessions cannot be withdrawn: "),
        ("3f2a9c10-44:7", "The notification of (3f2a9c10) cannot be withdrawn: "),
    ],
)
def test_what_cannot_be_withdrawn_is_named_and_tried_again(slot: str, says: str) -> None:
    screen, guard = Screen(slot), Guard()
    showing = Showing(screen, guard)
    showing.withdraw(slot, NOON)
    assert (guard.problem or "").startswith(says)
    screen.refused.clear()
    showing.try_again(NOON + 1)
    assert (screen.withdrawn, guard.problem) == ([slot], None)


def test_a_notice_about_no_session_is_called_by_its_title() -> None:
    guard = Guard()
    Showing(Screen(BAD.slot), guard).show(replace(BAD, about=(), title="Deskbell: a mistake"), NOON)
    assert (guard.problem or "").startswith('The notification "Deskbell: a mistake" cannot be shown: ')
