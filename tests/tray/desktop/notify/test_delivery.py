"""Test what is the same on every system: failures, clicks and the end. The backend records, and breaks on request."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest

from deskbell.desktop.notify.delivery import CLICKS, DISPLAY, LibraryNotifier
from deskbell.desktop.notify.notification import Extra
from deskbell.desktop.notify.reasons import LIBRARY
from deskbell.desktop.notify.retries import GIVES_UP, LONGEST
from deskbell.face.actions import Answer, Details, Jump, Mute
from deskbell.notices.notice import Button, Notice
from deskbell.notices.screen import Left, Listener, ScreenEvent
from deskbell.program.boundary import Boundary
from tests.tray import virtual_time
from tests.tray.desktop.fake_daemon import play, until
from tests.tray.desktop.notify.notices import API, a_notice
from tests.tray.desktop.notify.recorded import Method, Recorded

WEB = a_notice("web").slot
LOOK = Button("details", "Show details", Details(("api-id", 414)))
GO = Button("go", "Jump to it", Jump(("api-id", 414)))


@dataclass
class Plain:
    """A display that never changes, with a recorded backend."""

    backend: Recorded
    name: str | None = "Test 1"
    extras: dict[str, Extra] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    bare: bool = False
    """Whether nothing is drawn below the title."""
    unsure: set[str] = field(default_factory=set)
    """The slots for which the system has not answered."""
    renewed: Callable[[], None] = print
    gone: Callable[[str], None] = print
    found: Callable[[Sequence[Left]], None] = print

    async def serve(
        self,
        renewed: Callable[[], None],
        gone: Callable[[str], None],
        found: Callable[[Sequence[Left]], None],
    ) -> None:
        self.renewed, self.gone, self.found = renewed, gone, found
        await asyncio.Event().wait()

    def unanswered(self, slot: str) -> bool:
        return slot in self.unsure

    def attach(self, slot: str, more: Extra) -> None:
        self.extras[slot] = more

    def drawn(self, message: str) -> str:
        return "" if self.bare else message

    def token(self, slot: str) -> str | None:
        return self.tokens.pop(slot, None)


@dataclass
class Scene:
    notifier: LibraryNotifier
    display: Plain
    backend: Recorded
    supervisor: Boundary
    told: list[ScreenEvent] = field(default_factory=list)

    def whats(self) -> list[str]:
        return [told.what for told in self.told]

    async def hears(self, what: str) -> ScreenEvent:
        await until(lambda: what in self.whats(), f"{what} in {self.told}")
        return next(told for told in self.told if told.what == what)

    async def shows(self, *notices: Notice) -> None:
        for notice in notices:
            self.notifier.show(notice)
        await until(lambda: self.whats().count("displayed") == len(notices), f"{len(notices)} displayed")


@asynccontextmanager
async def scene(listener: Listener | None = None) -> AsyncIterator[Scene]:
    unhandled: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unhandled.append(context))
    told: list[ScreenEvent] = []
    backend, supervisor = Recorded(), Boundary()
    display = Plain(backend)
    notifier = LibraryNotifier(display, listener or told.append, supervisor)
    notifier.start()
    try:
        yield Scene(notifier, display, backend, supervisor, told)
    finally:
        await notifier.stop()
        await supervisor.stopped()
    gc.collect()
    assert unhandled == []
    assert LIBRARY.filters == []


def test_what_cannot_be_carried_is_there_before_it_is_sent() -> None:
    async def story() -> None:
        async with scene() as on:
            notice = a_notice("api", stays=True)
            await on.shows(notice)
            more = Extra("permission", True, "Jump to it", frozenset(["go"]), notice.about)
            assert on.display.extras == {API: more}

    play(story())


def test_a_screen_that_draws_less_gets_no_button_that_allows_what_it_does_not_show() -> None:
    async def story() -> None:
        async with scene() as on:
            allow = Button("allow-c0de", "Allow", Answer(("api-id", 1), "c0de", "allow"), whole=("npm test",))
            notice = a_notice("api", body="npm test\nWaiting", buttons=(allow,))
            await on.shows(notice)
            assert [one.title for one in on.backend.screen[API].buttons] == ["Allow"]
            on.display.bare = True
            on.notifier.show(replace(notice, stays=True))
            await until(lambda: [one.title for one in on.backend.screen[API].buttons] == ["Read it"], "no such button")

    play(story())


FAILURES: dict[str, Method] = {
    "permission cannot be asked for": "request_authorisation",
    "nobody knows what it can do": "get_capabilities",
    "it cannot be sent": "send",
}


@pytest.mark.parametrize("method", FAILURES.values(), ids=FAILURES)
def test_a_library_that_raises_is_lost_once_and_back_when_it_works(
    method: Method, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with scene() as on:
            on.backend.broken = {method}
            for detail in "123":
                before = on.backend.count(method)
                on.notifier.show(a_notice("api", detail=detail))
                await until(lambda before=before: on.backend.count(method) > before, "the attempt")  # type: ignore[misc]  # a default
            await on.hears("lost")
            on.backend.broken = set()
            on.notifier.show(a_notice("web"))
            await on.hears("back")
            assert on.backend.screen.keys() == {API, WEB}
            assert on.backend.screen[API].message.startswith("3\n")
            assert [what for what in on.whats() if what != "displayed"] == ["lost", "back"]
            assert DISPLAY not in on.supervisor.broken

    play(story())
    reasons = [r.getMessage() for r in caplog.records if f"{method} is broken" in r.getMessage()]
    assert len(reasons) == 1
    assert [r.getMessage() for r in caplog.records].count("Notification failed") == 0


class Wordless(Exception):
    def __str__(self) -> str:
        raise ValueError


def raise_instead(error: Exception) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    ("breaks", "slot", "why"),
    [
        ("request_authorisation", "", ""),
        ("send", API, "RuntimeError: send is broken"),
        ("wordless", API, "Wordless"),
        ("attach", API, "LookupError: no room"),
    ],
)
def test_it_says_whether_nothing_is_displayed_or_only_a_notice_and_why(breaks: str, slot: str, why: str) -> None:
    async def story() -> None:
        async with scene() as on:
            if breaks in ("request_authorisation", "send"):
                on.backend.broken = {breaks}  # type: ignore[arg-type]
            elif breaks == "wordless":
                on.backend._send = raise_instead(Wordless())  # type: ignore[assignment]
            else:
                on.display.attach = raise_instead(LookupError("no room"))  # type: ignore[method-assign]
            on.notifier.show(a_notice("api"))
            assert await on.hears("lost") == ScreenEvent("lost", slot, why=why)
            assert "delivery of notifications" not in on.supervisor.broken

    play(story())


def test_the_listener_hears_if_a_screen_that_refused_a_notice_displays_nothing_any_more() -> None:
    async def story() -> None:
        async with scene() as on:
            on.backend.broken = {"send"}
            on.notifier.show(a_notice("api"))
            await on.hears("lost")
            on.backend.allowed = False
            on.display.renewed()
            await until(lambda: on.whats() == ["lost", "lost"], "both")
            assert [bool(told.slot) for told in on.told] == [True, False]

    play(story())


def test_where_it_may_not_notify_it_is_lost_until_it_may(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with scene() as on:
            on.backend.broken_once = {"send"}
            on.notifier.show(a_notice("db"))
            await on.hears("lost")
            on.notifier.show(a_notice("db"))
            await on.hears("back")
            on.notifier.withdraw(a_notice("db").slot)
            await until(lambda: not on.backend.screen, "an empty screen")
            on.told.clear()
            on.backend.sent.clear()
            on.display.renewed()
            on.backend.allowed = False
            on.notifier.show(a_notice("api"))
            await on.hears("lost")
            assert (on.backend.sent, on.notifier.daemon) == ([], None)
            on.backend.allowed = True
            on.notifier.show(a_notice("web"))
            assert await on.hears("back") == ScreenEvent("back", by="Test 1")
            assert (on.backend.screen.keys(), on.notifier.daemon) == ({API, WEB}, "Test 1")

    play(story())
    assert [r.getMessage() for r in caplog.records if r.levelname == "WARNING"] == [
        "notifications are not displayed: RuntimeError: send is broken",
        "notifications are not displayed: nothing displays them",
    ]


def test_where_nothing_displays_any_more_the_others_are_not_even_tried() -> None:
    async def story() -> None:
        async with scene() as on:
            await on.shows(a_notice("db"))
            on.backend.broken, on.backend.allowed = {"send"}, False
            on.notifier.show(a_notice("api"))
            on.notifier.show(a_notice("web"))
            await on.hears("lost")
            assert on.backend.count("send") == 2
            on.backend.broken, on.backend.allowed = set(), True
            on.notifier.show(a_notice("web"))
            await on.hears("back")
            assert len(on.backend.screen) == 3

    play(story())


def test_one_notice_that_cannot_be_shown_holds_up_no_other() -> None:
    async def story() -> None:
        async with scene() as on:
            on.backend.broken = {"send"}
            on.notifier.show(a_notice("api"))
            on.notifier.show(a_notice("web"))
            await until(lambda: {("send", API), ("send", WEB)} <= set(on.backend.calls), "both attempts")
            on.notifier.withdraw(API)
            on.notifier.withdraw(WEB)
            await on.hears("lost")
            await on.hears("back")
            assert on.backend.sent == []

    play(story())


def test_what_cannot_be_cleared_is_tried_again_and_shown_as_broken(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with scene() as on:
            await on.shows(a_notice("api"))
            on.backend.broken = {"clear"}
            on.notifier.withdraw(API)
            await on.hears("lost")
            on.backend.broken = set()
            on.notifier.show(a_notice("web"))
            await on.hears("back")
            assert on.backend.screen.keys() == {WEB}

    play(story())
    assert [r.getMessage() for r in caplog.records if r.levelname == "ERROR"] == [
        f"{DISPLAY}: RuntimeError: clear is broken"
    ]


def test_a_new_screen_gets_all_that_is_wanted_and_its_predecessor_is_no_failure() -> None:
    async def story() -> None:
        async with scene() as on:
            await on.shows(a_notice("api"))
            on.backend.open.clear()
            on.notifier.show(a_notice("web"))
            await until(lambda: ("send", WEB) in on.backend.calls, "it to be sent")
            on.backend.screen.clear()
            on.display.renewed()
            on.backend.broken_once = {"send"}
            on.backend.open.set()
            await until(lambda: on.backend.screen.keys() == {API, WEB}, "both on the new screen")
            assert "lost" not in on.whats()

    play(story())


def test_on_a_new_screen_only_what_was_never_displayed_rings() -> None:
    async def story() -> None:
        async with scene() as on:
            await on.shows(a_notice("api", sound="bell"))
            on.backend.broken = {"send"}
            on.notifier.show(a_notice("web", sound="bell"))
            await on.hears("lost")
            on.backend.broken = set()
            for times in (2, 4):
                on.display.renewed()
                await until(lambda times=times: on.whats().count("displayed") > times, "all on the new screen")  # type: ignore[misc]  # a default
            rings = [(sent.identifier, sent.sound is not None) for sent in on.backend.sent]
            assert sorted(rings) == [(API, False), (API, False), (API, True), (WEB, False), (WEB, True)]

    play(story())


def test_new_words_for_a_notice_that_was_never_displayed_ring_in_its_place() -> None:
    async def story() -> None:
        async with scene() as on:
            on.backend.broken = {"send"}
            on.notifier.show(a_notice("api", detail="1", sound="bell"))
            await on.hears("lost")
            on.notifier.show(a_notice("api", detail="2", quiet=True))
            on.backend.broken = set()
            on.notifier.show(a_notice("api", detail="3", quiet=True))
            await on.hears("displayed")
            on.notifier.show(a_notice("api", detail="4", quiet=True))
            await until(lambda: len(on.backend.sent) == 2, "the last words")
            assert [(sent.message[0], sent.sound is not None) for sent in on.backend.sent] == [
                ("3", True),
                ("4", False),
            ]

    play(story())


@pytest.mark.parametrize("end", ["refused late", "another screen"])
def test_new_words_for_a_notice_that_the_system_never_answered_ring_once_it_is_known_to_be_lost(end: str) -> None:
    async def story() -> None:
        async with scene() as on:
            on.backend.broken, on.display.unsure = {"send"}, {API}
            on.notifier.show(a_notice("api", detail="1", sound="bell"))
            await on.hears("lost")
            on.notifier.show(a_notice("api", detail="2", quiet=True))
            on.notifier.show(a_notice("api", detail="3", quiet=True))
            on.backend.broken, on.display.unsure = set(), set()
            if end == "another screen":
                on.display.renewed()
            await on.hears("displayed")
            on.notifier.show(a_notice("api", detail="4", quiet=True))
            await until(lambda: len(on.backend.sent) == 2, "the last words")
            rings = [(sent.message[0], sent.sound is not None) for sent in on.backend.sent]
            assert rings == [("3", True), ("4", False)]

    virtual_time.play(story())


def test_what_was_on_a_screen_that_has_gone_is_not_cleared() -> None:
    async def story() -> None:
        async with scene() as on:
            await on.shows(a_notice("api"), a_notice("web"))
            on.display.renewed()
            on.notifier.withdraw(API)
            await until(lambda: len(on.backend.sent) == 3, "the other one on the new screen")
            assert on.backend.count("clear") == 0

    play(story())


def test_where_there_is_no_screen_the_reason_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with scene() as on:
            on.backend.allowed = False
            await until(lambda: on.display.gone is not print, "the connection")
            on.display.gone("there is no bus")
            on.display.gone("there is no bus")
            await on.hears("lost")
            on.backend.allowed = True
            on.display.renewed()
            await on.hears("back")
            assert on.whats() == ["lost", "back"]

    play(story())
    warnings = [r.getMessage() for r in caplog.records if r.levelname == "WARNING"]
    assert warnings == ["notifications are not displayed: there is no bus"]


def test_only_the_newest_of_a_slot_is_sent_to_a_slow_system() -> None:
    async def story() -> None:
        async with scene() as on:
            on.backend.open.clear()
            on.notifier.show(a_notice("api"))
            await until(lambda: on.backend.calls, "the first call")
            for n in range(9):
                on.notifier.show(a_notice("api", detail=str(n)))
            on.backend.open.set()
            await on.hears("displayed")
            assert [sent.message[0] for sent in on.backend.sent] == ["8"]

    play(story())


def test_what_is_withdrawn_while_it_is_being_sent_is_cleared_once_it_is_shown() -> None:
    async def story() -> None:
        async with scene() as on:
            on.backend.open.clear()
            on.notifier.show(a_notice("web"))
            await until(lambda: on.backend.calls, "permission to be asked for")
            on.backend.open.set()
            await on.hears("displayed")
            on.backend.open.clear()
            on.notifier.show(a_notice("api"))
            await until(lambda: ("send", API) in on.backend.calls, "it to be sent")
            on.notifier.withdraw(API)
            on.backend.open.set()
            await until(lambda: ("clear", API) in on.backend.calls, "it to be cleared")
            await until(lambda: API not in on.backend.screen, "it to be gone")
            assert [sent.identifier for sent in on.backend.sent] == [WEB, API]

    play(story())


def test_what_was_never_sent_is_not_cleared() -> None:
    async def story() -> None:
        async with scene() as on:
            on.notifier.withdraw("nobody")
            on.notifier.show(a_notice("api"))
            on.notifier.withdraw(API)
            await on.shows(a_notice("web"))
            assert on.backend.count("clear") == 0
            assert [sent.identifier for sent in on.backend.sent] == [WEB]

    play(story())


@pytest.mark.parametrize("button", [None, "mute"])
def test_a_click_in_any_thread_comes_back_in_the_loop_with_its_action_and_token(button: str | None) -> None:
    async def story() -> None:
        async with scene() as on:
            await on.shows(a_notice("api"))
            on.display.tokens[API] = "tok"
            on.backend.click(API, button)
            assert on.whats() == ["displayed"], "not in the thread of the system"
            clicked = await on.hears("clicked")
            action = Mute(("api-id", 414), True) if button else Jump(("api-id", 414))
            assert clicked == ScreenEvent("clicked", API, "Test 1", action, "tok")
            await until(lambda: not on.backend.screen, "an empty screen")

    play(story())


def test_a_click_on_what_leads_nowhere_closes_it() -> None:
    async def story() -> None:
        async with scene() as on:
            await on.shows(a_notice("api", click=None))
            on.backend.click(API)
            on.backend.click(API)
            await until(lambda: not on.backend.screen, "an empty screen")
            assert on.told[1:] == [ScreenEvent("closed", API, "Test 1")]

    play(story())


def test_a_late_click_that_the_system_names_no_notice_for_still_leads_somewhere() -> None:
    async def story() -> None:
        async with scene() as on:
            await on.shows(a_notice("api"))
            on.backend._notification_cache.clear()  # as Windows does once the banner is over
            on.backend.click(API)
            assert (await on.hears("clicked")).action == Jump(("api-id", 414))
            assert "closed" not in on.whats()

    play(story())


@pytest.mark.parametrize(
    ("notice", "button", "stays"),
    [
        (a_notice("api", buttons=(LOOK, GO)), "details", True),
        (a_notice("api", "plan", buttons=(LOOK,)), "details", True),
        (a_notice("api", "idle", sign="question", buttons=(LOOK,)), "details", True),
        (a_notice("api", buttons=(LOOK, GO)), "go", False),
        (a_notice("api", "idle", buttons=(LOOK,)), "details", False),
        (a_notice("api", "crashed", click=LOOK.action), None, False),
    ],
    ids=["a request", "a plan", "its next step", "a jump", "the end of a turn", "a crash"],
)
def test_only_a_request_whose_details_are_looked_at_comes_back(notice: Notice, button: str | None, stays: bool) -> None:
    async def story() -> None:
        async with scene() as on:
            await on.shows(notice)
            on.backend.click(API, button)
            assert (await on.hears("clicked")).stays == stays
            await until(lambda: (len(on.backend.sent) == 2) if stays else not on.backend.screen, "what follows")
            assert [sent.sound for sent in on.backend.sent[1:]] == [None] * stays
            on.notifier.withdraw(API)
            await until(lambda: not on.backend.screen, "an empty screen")

    play(story())


def test_what_the_person_closes_is_said_and_not_shown_again() -> None:
    async def story() -> None:
        async with scene() as on:
            await on.shows(a_notice("api"), a_notice("web"))
            on.backend.close(API)
            assert await on.hears("closed") == ScreenEvent("closed", API, "Test 1")
            on.display.renewed()
            await until(lambda: len(on.backend.sent) == 3, "the other one on the new screen")
            assert on.backend.sent[-1].identifier == WEB

    play(story())


@pytest.mark.parametrize("end", ["click", "close"])
def test_the_end_of_a_notice_is_not_that_of_the_newer_one_in_its_slot(end: str) -> None:
    async def story() -> None:
        async with scene() as on:
            await on.shows(a_notice("api"))
            on.backend.open.clear()
            on.notifier.show(a_notice("api", "question"))
            await until(lambda: on.backend.count("send") == 2, "the newer one to be sent")
            (on.backend.click if end == "click" else on.backend.close)(API)
            on.backend.open.set()
            await until(lambda: on.whats().count("displayed") == 2, "both displayed")
            assert on.whats().count("clicked") == (end == "click")
            assert "closed" not in on.whats()
            assert "question" in on.backend.screen[API].message

    play(story())


def test_a_listener_that_raises_at_a_click_is_shown_as_broken() -> None:
    def fail(told: ScreenEvent) -> None:
        if told.what == "clicked":
            raise OSError("no disk")

    async def story() -> None:
        async with scene(fail) as on:
            on.notifier.show(a_notice("api"))
            await until(lambda: on.backend.screen, "it to be shown")
            on.backend.click(API)
            await until(lambda: CLICKS in on.supervisor.broken, "the broken part")
            await until(lambda: not on.backend.screen, "an empty screen")

    play(story())


def test_nothing_is_on_the_screen_after_stop_though_clearing_takes_its_time() -> None:
    backend, told = Recorded(), list[ScreenEvent]()

    async def story() -> None:
        notifier = LibraryNotifier(Plain(backend), told.append, Boundary())
        notifier.start()
        for name in ("api", "web", "db"):
            notifier.show(a_notice(name))
        await until(lambda: len(backend.screen) == 3, "three on the screen")
        backend.open.clear()
        asyncio.get_running_loop().call_later(0.1, backend.open.set)
        await notifier.stop()

    asyncio.run(story())
    assert backend.screen == {}


def test_what_is_being_sent_at_the_end_is_cleared_too() -> None:
    async def story() -> None:
        async with scene() as on:
            await on.shows(a_notice("web"))
            on.backend.open.clear()
            on.notifier.show(a_notice("api"))
            await until(lambda: ("send", API) in on.backend.calls, "it to be sent")
            on.notifier.show(a_notice("db"))
            stopping = asyncio.create_task(on.notifier.stop())
            await asyncio.sleep(0)
            on.backend.open.set()
            await stopping
            assert [sent.identifier for sent in on.backend.sent] == [WEB, API]
            assert on.backend.screen == {}
            assert on.whats() == ["displayed"], "after the end nobody listens"

    play(story())


def test_a_system_that_hangs_does_not_hold_up_the_end() -> None:
    async def story() -> None:
        async with scene() as on:
            await on.shows(a_notice("api"))
            on.backend.open.clear()
            on.notifier.show(a_notice("web"))
            await until(lambda: ("send", WEB) in on.backend.calls, "it to be sent")
            begun = asyncio.get_running_loop().time()
            await on.notifier.stop()
            assert asyncio.get_running_loop().time() - begun < 8

    virtual_time.play(story())


def test_the_end_of_what_was_never_started_or_never_shown_calls_nothing() -> None:
    backend = Recorded()

    async def story() -> None:
        await LibraryNotifier(Plain(backend), print, Boundary()).stop()
        idle = LibraryNotifier(Plain(backend), print, Boundary())
        idle.start()
        await idle.stop()

    asyncio.run(story())
    assert backend.calls == []


def test_a_click_after_the_end_of_the_loop_does_no_harm() -> None:
    backend, told = Recorded(), list[ScreenEvent]()

    async def story() -> None:
        notifier = LibraryNotifier(Plain(backend), told.append, Boundary())
        notifier.start()
        notifier.show(a_notice("api"))
        await until(lambda: told, "it to be displayed")

    asyncio.run(story())
    backend.click(API)
    assert [t.what for t in told] == ["displayed"]
    LIBRARY.filters.clear()


def test_a_notice_that_was_not_displayed_is_tried_again_without_a_change_until_it_is() -> None:
    async def story() -> None:
        async with scene() as on:
            on.backend.broken = {"send"}
            on.notifier.show(a_notice("api"))
            await asyncio.sleep(100)
            assert on.backend.count("send") == 8  # after 1, 2, 4, 8, 16, 32 and 64 seconds
            on.backend.broken = set()
            await asyncio.sleep(60)
            assert on.backend.screen.keys() == {API}
            await asyncio.sleep(2000)
            assert len(on.backend.sent) == 1
            assert on.whats() == ["lost", "displayed", "back"]

    virtual_time.play(story())


def test_what_fails_before_it_is_sent_is_tried_again_too() -> None:
    async def story() -> None:
        async with scene() as on:
            attach, on.display.attach = on.display.attach, raise_instead(LookupError("no room"))  # type: ignore[method-assign]
            on.notifier.show(a_notice("api"))
            await on.hears("lost")
            on.display.attach = attach  # type: ignore[method-assign]
            await on.hears("back")
            assert len(on.backend.sent) == 1

    virtual_time.play(story())


def test_a_screen_that_displays_nothing_is_asked_again_while_something_is_wanted() -> None:
    async def story() -> None:
        async with scene() as on:
            on.backend.broken = {"request_authorisation"}
            on.notifier.show(a_notice("api"))
            await asyncio.sleep(10)
            on.backend.broken = set()
            await asyncio.sleep(10)
            assert on.backend.screen.keys() == {API}
            on.notifier.withdraw(API)
            on.backend.allowed = False
            on.display.renewed()
            await asyncio.sleep(1)
            on.backend.calls.clear()
            await asyncio.sleep(2000)
            assert on.backend.calls == [], "nothing is wanted"

    virtual_time.play(story())


def test_what_is_refused_for_good_is_given_up_until_something_changes() -> None:
    async def story() -> None:
        async with scene() as on:
            on.backend.broken = {"send"}
            on.notifier.show(a_notice("api"))
            await asyncio.sleep(GIVES_UP + LONGEST)
            tried = on.backend.count("send")
            await asyncio.sleep(10 * GIVES_UP)
            assert on.backend.count("send") == tried
            on.backend.broken = set()
            on.notifier.show(a_notice("web"))
            await asyncio.sleep(1)
            assert on.backend.screen.keys() == {API, WEB}

    virtual_time.play(story())


def test_a_notice_that_is_withdrawn_while_it_waits_for_another_attempt_is_not_shown() -> None:
    async def story() -> None:
        async with scene() as on:
            on.backend.broken = {"send"}
            on.notifier.show(a_notice("api"))
            await on.hears("lost")
            on.backend.broken = set()
            on.notifier.withdraw(API)
            await asyncio.sleep(2000)
            assert on.backend.sent == []
            assert on.whats() == ["lost", "back"]

    virtual_time.play(story())


def test_what_the_system_has_not_answered_is_not_sent_again_whatever_else_changes() -> None:
    async def story() -> None:
        async with scene() as on:
            on.backend.broken, on.display.unsure = {"send"}, {API}
            on.notifier.show(a_notice("api"))
            await on.hears("lost")
            on.backend.broken = set()
            on.notifier.show(a_notice("web"))
            await asyncio.sleep(2000)
            assert on.backend.calls.count(("send", API)) == 1
            assert on.backend.screen.keys() == {WEB}
            assert on.whats() == ["lost", "displayed"]

            on.display.unsure.clear()  # it was refused late
            on.notifier.show(a_notice("web"))
            await on.hears("back")
            assert on.backend.screen.keys() == {API, WEB}

    virtual_time.play(story())
