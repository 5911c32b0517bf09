"""Test what happens to notifications that an earlier run or connection has left on the screen."""

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.desktop.notify.delivery import LibraryNotifier
from deskbell.desktop.notify.linux import BusBackend
from deskbell.desktop.notify.reasons import LIBRARY
from deskbell.desktop.notify.remembered import Remembered
from deskbell.face.actions import Jump
from deskbell.notices.notice import Notice
from deskbell.notices.screen import Left, ScreenEvent
from deskbell.program.boundary import Boundary
from tests.tray.desktop.fake_daemon import Daemon, play, until
from tests.tray.desktop.notify.notices import API, a_notice

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a session bus")

REQUEST = a_notice("api")
MISTAKE = Notice("settings", (), "error", "A mistake", "", "normal", None)


class Run:
    """One run of the program, as far as its screen goes."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.told: list[ScreenEvent] = []
        self.played: list[str] = []
        self.supervisor = Boundary()
        remembered = Remembered(self.supervisor, file)
        self.backend = BusBackend(self.supervisor, self.played.append, remembered=remembered)
        self.notifier = LibraryNotifier(self.backend, self.told.append, self.supervisor)

    def count(self, what: str) -> int:
        return [told.what for told in self.told].count(what)

    async def shows(self, *notices: Notice) -> None:
        before = self.count("displayed")
        for notice in notices:
            self.notifier.show(notice)
        await until(lambda: self.count("displayed") >= before + len(notices), f"{self.told}")

    async def finds(self) -> tuple[Left, ...]:
        await until(lambda: self.count("left"), f"what was left, among {self.told}")
        return next(told.left for told in self.told if told.what == "left")

    async def written(self, *numbers: int) -> None:
        def there() -> list[int]:
            return [one["number"] for one in json.loads(self.file.read_text())["shown"]] if self.file.exists() else []

        await until(lambda: there() == list(numbers), f"{numbers} in the file, not {there()}")

    async def killed(self) -> None:
        """End without a word to the daemon, as after kill -9."""
        await self.supervisor.stopped()
        LIBRARY.filters.clear()  # what is in the process goes with it


@asynccontextmanager
async def run(file: Path) -> AsyncIterator[Run]:
    one = Run(file)
    one.notifier.start()
    try:
        yield one
    finally:
        await one.notifier.stop()
        await one.supervisor.stopped()
    assert one.supervisor.broken == {}


async def killed_run(file: Path, *notices: Notice) -> None:
    """Show NOTICES in a run that is then killed."""
    one = Run(file)
    one.notifier.start()
    await one.shows(*notices)
    await one.written(*range(1, len(notices) + 1))
    await one.killed()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "screen.json"


def test_a_request_that_a_killed_run_left_is_found_and_its_click_works_again(address: str, file: Path) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        await killed_run(file, REQUEST)
        async with run(file) as one:
            assert await one.finds() == (Left(API, REQUEST.about),)
            await one.shows(replace(REQUEST, quiet=True, sound="bell"))
            assert (list(daemon.screen), one.played) == ([1], [])
            assert daemon.screen[1].hints["suppress-sound"] is True
            daemon.click(1)
            await until(lambda: one.count("clicked"), f"the click, among {one.told}")
            assert next(told for told in one.told if told.what == "clicked").action == Jump(("api-id", 414))

    play(story())


def test_a_request_that_was_answered_meanwhile_can_be_withdrawn(address: str, file: Path) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        await killed_run(file, REQUEST, a_notice("web"))
        async with run(file) as one:
            assert len(await one.finds()) == 2
            one.notifier.withdraw(API)
            await until(lambda: list(daemon.screen) == [2], "the other one alone")
            await one.written(2)

    play(story())


def test_a_message_about_deskbell_itself_is_withdrawn_unless_it_is_wanted_again(address: str, file: Path) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        await killed_run(file, MISTAKE, replace(MISTAKE, slot="deskbell"))
        async with run(file) as one:
            one.notifier.show(replace(MISTAKE, title="Another mistake"))
            assert await one.finds() == ()
            await until(lambda: [shown.title for shown in daemon.screen.values()] == ["Another mistake"], "that alone")
            assert list(daemon.screen) == [1]

    play(story())


def test_an_end_in_order_leaves_nothing_on_the_screen_and_nothing_to_adopt(address: str, file: Path) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with run(file) as one:
            await one.shows(REQUEST)
        assert (daemon.screen, json.loads(file.read_text())["shown"]) == ({}, [])
        async with run(file) as one:
            assert await one.finds() == ()

    play(story())


def test_an_end_in_order_withdraws_what_an_earlier_run_left_too(address: str, file: Path) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        await killed_run(file, REQUEST)
        async with run(file) as one:
            await one.finds()
        assert daemon.screen == {}

    play(story())


def test_what_another_daemon_showed_is_neither_replaced_nor_closed(address: str, file: Path) -> None:
    async def story() -> None:
        first = await Daemon(address).up()
        await killed_run(file, REQUEST)
        await first.down()
        second = await Daemon(address).up()
        second.shows_of_another("of another program")
        async with run(file) as one:
            assert await one.finds() == ()
            await one.shows(REQUEST)
            assert [shown.title for shown in second.screen.values()] == ["of another program", "api"]
        assert list(second.screen) == [1]

    play(story())


def test_what_the_person_closed_meanwhile_is_shown_anew(address: str, file: Path) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        await killed_run(file, REQUEST)
        daemon.close(1, 2)
        async with run(file) as one:
            await one.finds()
            await one.shows(replace(REQUEST, quiet=True))
            assert list(daemon.screen) == [2]
            await one.written(2)

    play(story())


def test_two_kills_in_a_row_leave_one_notification(address: str, file: Path) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        await killed_run(file, REQUEST)
        early = Run(file)
        early.notifier.start()
        assert await early.finds() == (Left(API, REQUEST.about),)
        await early.killed()
        async with run(file) as one:
            assert await one.finds() == (Left(API, REQUEST.about),)
            await one.shows(REQUEST)
            assert list(daemon.screen) == [1]

    play(story())


def test_a_number_that_the_daemon_refuses_is_forgotten(address: str, file: Path) -> None:
    """GNOME refuses a number that another program has since the shell was restarted."""

    async def story() -> None:
        daemon = await Daemon(address).up()
        await killed_run(file, REQUEST)
        daemon.screen.clear()
        daemon.others = {1}
        async with run(file) as one:
            await one.finds()
            await one.shows(REQUEST)
            assert (list(daemon.screen), one.count("lost")) == ([2], 0)
            await one.written(2)

    play(story())


@pytest.mark.long
def test_a_connection_that_is_lost_and_made_again_leaves_no_double(address: str, file: Path) -> None:
    """The daemon lives on, and so does what it shows."""

    async def story() -> None:
        daemon = await Daemon(address).up()
        async with run(file) as one:
            await one.shows(REQUEST, a_notice("web"))
            assert one.backend._bus
            one.backend._bus.disconnect()
            one.notifier.withdraw(a_notice("web").slot)
            await until(lambda: one.count("displayed") == 3, f"it to be shown again, {one.told}")
            await until(lambda: list(daemon.screen) == [1], f"one alone, not {list(daemon.screen)}")
            assert daemon.screen[1].hints["suppress-sound"] is True
            assert one.count("left") == 1

    play(story())
