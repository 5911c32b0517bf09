"""Test what macOS and Windows get: a backend of the library, here one that records."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from desktop_notifier.backends.dummy import DummyNotificationCenter

from deskbell.desktop.notify.delivery import CONNECTION, LibraryNotifier
from deskbell.desktop.notify.stock import Stock
from deskbell.notices.screen import ScreenEvent
from deskbell.notices.words import LINE
from deskbell.program.boundary import Boundary
from tests.tray.desktop.fake_daemon import play, until
from tests.tray.desktop.notify.notices import API, a_notice
from tests.tray.desktop.notify.recorded import Recorded


@dataclass
class Scene:
    notifier: LibraryNotifier
    supervisor: Boundary
    told: list[ScreenEvent] = field(default_factory=list)

    async def hears(self, what: str) -> None:
        await until(lambda: what in [told.what for told in self.told], f"{what} in {self.told}")


@asynccontextmanager
async def scene(display: Stock) -> AsyncIterator[Scene]:
    told: list[ScreenEvent] = []
    supervisor = Boundary()
    notifier = LibraryNotifier(display, told.append, supervisor)
    notifier.start()
    try:
        yield Scene(notifier, supervisor, told)
    finally:
        await notifier.stop()
        await supervisor.stopped()


def test_a_newer_notice_has_the_identifier_of_the_older() -> None:
    async def story() -> None:
        backend = Recorded()
        async with scene(Stock("Windows", lambda: backend)) as on:
            for status in ("permission", "idle"):
                on.notifier.show(a_notice("api", status))  # type: ignore[arg-type]  # a status
                await until(lambda status=status: len(backend.sent) == 1 + (status == "idle"), "it to be sent")  # type: ignore[misc]  # a default
            assert [sent.identifier for sent in backend.sent] == [API, API]
            await on.hears("displayed")
            assert on.told[:2] == [ScreenEvent("left"), ScreenEvent("displayed", API, "Windows")]

    play(story())


def test_only_the_first_lines_are_read() -> None:
    display = Stock("Windows", Recorded)
    assert display.drawn("a\nb\nc\nd") == "a\nb\nc\nd"
    assert display.drawn("a\nb\nc\nd\ne") == "a\nb\nc\nd"
    assert display.drawn("x" * 5 * LINE) == ""
    assert display.drawn("a\n" + "x" * 4 * LINE) == "a"


def test_permission_is_asked_for_at_the_start_and_its_lack_is_said() -> None:
    async def story() -> None:
        backend = Recorded()
        backend.allowed = False
        async with scene(Stock("Notification Centre", lambda: backend)) as on:
            await on.hears("lost")
            assert on.notifier.daemon is None

    play(story())


def test_a_python_without_a_bundle_may_not_notify_on_macos() -> None:
    async def story() -> None:
        async with scene(Stock("Notification Centre", lambda: DummyNotificationCenter("Deskbell"))) as on:
            await on.hears("lost")

    play(story())


def test_a_backend_that_cannot_be_made_is_made_later(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        backend, fails = Recorded(), [RuntimeError("no ToastNotifier")]

        def make() -> Recorded:
            if fails:
                raise fails[0]
            return backend

        async with scene(Stock("Windows", make)) as on:
            on.notifier.show(a_notice("api"))
            await on.hears("lost")
            await until(lambda: CONNECTION in on.supervisor.broken, "the broken part")
            fails.clear()
            on.notifier.show(a_notice("web"))
            await on.hears("back")
            assert len(backend.screen) == 2

    play(story())


def test_a_click_has_no_token() -> None:
    async def story() -> None:
        backend = Recorded()
        async with scene(Stock("Windows", lambda: backend)) as on:
            on.notifier.show(a_notice("api"))
            await on.hears("displayed")
            backend.click(API)
            await on.hears("clicked")
            assert on.told[-1].token is None

    play(story())


def test_the_backend_is_made_once() -> None:
    made: list[Recorded] = []

    def make() -> Recorded:
        made.append(Recorded())
        return made[-1]

    async def story() -> None:
        display = Stock("Windows", make)
        assert display.backend is display.backend

    asyncio.run(story())
    assert len(made) == 1
