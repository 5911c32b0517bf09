"""Test what Deskbell says about itself, and that it says it once."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from deskbell.board import board
from deskbell.face.actions import Hooks, Open
from deskbell.home import home
from deskbell.notices.notice import Notice
from deskbell.program.greeting import BOARD, GREETED, ICONLESS, TOLD_OF_THE_ICON, WELCOME, Greeting
from tests.tray.making import NOON, session


@dataclass
class Screen:
    daemon: str | None = None
    takes_text: bool = False
    shown: list[Notice] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)

    def start(self) -> None: ...
    def stop(self) -> None: ...

    def show(self, notice: Notice) -> None:
        self.shown.append(notice)

    def withdraw(self, slot: str) -> None:
        self.withdrawn.append(slot)


@pytest.fixture
def screen() -> Screen:
    return Screen()


@pytest.fixture
def greeting(screen: Screen) -> Greeting:
    return Greeting(home(), screen)


def test_the_message_that_counts_the_sessions_goes_when_they_change(greeting: Greeting, screen: Screen) -> None:
    quiet, asks = (board([session(status=status)], NOON) for status in ("idle", "permission"))
    greeting.follow(quiet)
    greeting.follow(asks)
    assert screen.withdrawn == [], "there is no message"
    greeting.say(BOARD, "1 blocked", "")
    greeting.say("another", "", "")
    for _ in range(2):
        greeting.follow(asks)
    assert screen.withdrawn == []
    for _ in range(2):
        greeting.follow(quiet)
    assert screen.withdrawn == [BOARD]


def test_the_welcome_offers_to_install_once(greeting: Greeting, screen: Screen) -> None:
    greeting.welcome()
    greeting.welcome()
    Greeting(home(), screen).welcome()
    (notice,) = screen.shown
    assert (notice.body, notice.stays, notice.sign) == (WELCOME, True, "install")
    assert [(button.label, button.action) for button in notice.buttons] == [
        ("Install", Hooks("install")),
        ("Show what changes", Open("changes")),
    ]
    assert (home().config / GREETED).exists()


def test_a_missing_icon_is_reported_once_and_logged_each_time(
    greeting: Greeting, screen: Screen, caplog: pytest.LogCaptureFixture
) -> None:
    greeting.without_icon("No tray found.")
    greeting.without_icon("No tray found.")
    (notice,) = screen.shown
    assert (notice.slot, notice.body, notice.sign) == (ICONLESS, "No tray found.", "error")
    assert (home().config / TOLD_OF_THE_ICON).exists()
    assert [record.getMessage() for record in caplog.records] == ["No tray found."] * 2


def test_the_report_goes_when_the_icon_comes(greeting: Greeting, screen: Screen) -> None:
    greeting.with_icon()
    assert screen.withdrawn == [ICONLESS]


def test_a_click_on_a_message_does_nothing_but_on_its_buttons(greeting: Greeting, screen: Screen) -> None:
    """It may be meant to read the message: GNOME shows one line of it, and no button before that click."""
    greeting.say("about", "About", "Deskbell")
    greeting.welcome()
    plain, welcome = screen.shown
    assert (plain.click, plain.buttons, plain.stays) == (None, (), False)
    assert welcome.click is None


def test_an_offer_is_made_again_and_taken_back_once_the_hooks_are_there(greeting: Greeting, screen: Screen) -> None:
    greeting.welcome()
    greeting.offer()
    assert screen.shown[0] == screen.shown[1]
    greeting.settled()
    assert screen.withdrawn == [screen.shown[0].slot]


def test_no_message_takes_the_place_of_the_welcome(greeting: Greeting, screen: Screen) -> None:
    greeting.welcome()
    greeting.say("board", "No session is running", "")
    assert len({notice.slot for notice in screen.shown}) == 2


def test_where_the_mark_cannot_be_kept_the_welcome_is_shown_all_the_same(greeting: Greeting, screen: Screen) -> None:
    home().config.parent.mkdir(parents=True)
    home().config.write_text("a file where the folder should be")
    greeting.welcome()
    assert len(screen.shown) == 1


def test_a_link_in_the_place_of_a_mark_is_not_followed(greeting: Greeting, tmp_path: Path) -> None:
    home().config.mkdir(parents=True)
    (home().config / GREETED).symlink_to(tmp_path / "created")
    greeting.welcome()
    assert not (tmp_path / "created").exists()


def test_where_no_mark_can_be_made_the_welcome_is_shown_all_the_same(greeting: Greeting, screen: Screen) -> None:
    home().config.parent.mkdir(parents=True)
    home().config.write_text("a file instead of the folder")
    greeting.welcome()
    assert [notice.body for notice in screen.shown] == [WELCOME]
