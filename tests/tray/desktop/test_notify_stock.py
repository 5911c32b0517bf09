"""What macOS and Windows get: the notices as desktop-notifier takes them, here with one that records."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import cast

import pytest
from desktop_notifier import Capability, Notification, Urgency

from deskbell.desktop.notify.stock import StockNotifier
from deskbell.face.actions import Jump, Mute
from deskbell.notices.screen import Told
from tests.tray.desktop.fake_daemon import play, until
from tests.tray.desktop.test_notify import a_notice

API = a_notice("api").slot


@dataclass
class Library:
    allowed: bool = True
    sent: list[Notification] = field(default_factory=list)
    cleared: list[str] = field(default_factory=list)

    async def request_authorisation(self) -> bool:
        return self.allowed

    async def get_capabilities(self) -> frozenset[Capability]:
        return frozenset([Capability.TITLE])

    async def send_notification(self, notification: Notification) -> str:
        self.sent.append(notification)
        cast("Callable[[], object]", notification.on_dispatched)()
        return notification.identifier

    async def clear(self, identifier: str) -> None:
        self.cleared.append(identifier)


def started(told: list[Told], library: Library) -> StockNotifier:
    notifier = StockNotifier(told.append, library)
    notifier.start()
    return notifier


def test_a_notice_keeps_its_place_by_its_identifier() -> None:
    async def story() -> None:
        told: list[Told] = []
        library = Library()
        notifier = started(told, library)
        notifier.show(a_notice("api", sound="/a.oga"))
        notifier.show(a_notice("api", "idle"))
        await until(lambda: len(told) == 2, "both displayed")
        first, second = library.sent
        assert first.identifier == second.identifier == API
        assert (first.urgency, second.urgency) == (Urgency.Critical, Urgency.Normal)
        assert [b.title for b in first.buttons] == ["Go", "Snooze 30 min", "Mute session"]
        assert first.sound
        assert first.sound.as_uri() == "file:///a.oga"

    play(story())


@pytest.mark.parametrize("button", [None, 2], ids=["the body", "a button"])
def test_a_click_comes_back_as_its_wish(button: int | None) -> None:
    async def story() -> None:
        told: list[Told] = []
        library = Library()
        started(told, library).show(a_notice("api"))
        await until(lambda: library.sent, "it to be sent")
        (sent,) = library.sent
        pressed = sent.on_clicked if button is None else sent.buttons[button].on_pressed
        cast("Callable[[], object]", pressed)()
        await until(lambda: told[-1].what == "clicked", "the click")
        assert isinstance(told[-1].action, Jump if button is None else Mute)

    play(story())


def test_a_click_on_what_leads_nowhere_only_closes_it() -> None:
    async def story() -> None:
        told: list[Told] = []
        library = Library()
        started(told, library).show(replace(a_notice("api"), click=None))
        await until(lambda: library.sent, "it to be sent")
        cast("Callable[[], object]", library.sent[0].on_clicked)()
        await until(lambda: told[-1] == Told("closed", API, told[-1].by), "the end of it")

    play(story())


def test_only_what_is_shown_is_withdrawn_and_all_of_it_at_the_end() -> None:
    async def story() -> None:
        told: list[Told] = []
        library = Library()
        notifier = started(told, library)
        notifier.withdraw("nobody")
        for name in ("api", "web", "db"):
            notifier.show(a_notice(name))
        await until(lambda: len(told) == 3, "three displayed")
        notifier.withdraw(API)
        await until(lambda: library.cleared == [API], "one to go")
        notifier.stop()
        await until(lambda: len(library.cleared) == 3, "all to go")

    play(story())


def test_where_it_may_not_notify_it_is_told() -> None:
    async def story() -> None:
        told: list[Told] = []
        notifier = started(told, Library(allowed=False))
        await until(lambda: told, "word of it")
        assert ([t.what for t in told], notifier.daemon) == (["lost"], None)

    play(story())
