"""Test notices on a real bus, with a notification daemon that remembers the calls."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from dbus_fast import Message
from desktop_notifier import Notification, Sound

from deskbell.desktop.bus import DBUS, close
from deskbell.desktop.notify.calls import MOST, NAME, PATH, UNSURE, Calls, identity
from deskbell.desktop.notify.delivery import LibraryNotifier
from deskbell.desktop.notify.linux import BusBackend
from deskbell.desktop.notify.remembered import Remembered
from deskbell.face.actions import Answer, Details, Jump, Mute, Reply
from deskbell.notices.notice import Button, Inline, Notice
from deskbell.notices.screen import ScreenEvent
from deskbell.program.boundary import Boundary
from deskbell_hooks.schema import Status
from tests.tray.desktop.fake_daemon import Daemon, play, until
from tests.tray.desktop.notify.notices import API, a_notice


@dataclass
class Desk:
    notifier: LibraryNotifier
    backend: BusBackend
    told: list[ScreenEvent] = field(default_factory=list)
    played: list[str] = field(default_factory=list)

    def heard(self, what: str) -> list[ScreenEvent]:
        return [t for t in self.told if t.what == what]

    async def displayed(self, times: int) -> None:
        await until(lambda: len(self.heard("displayed")) >= times, f"{times} displayed, {self.told}")


@asynccontextmanager
async def desk(patience: float = 5.0, file: Path | None = None) -> AsyncIterator[Desk]:
    told: list[ScreenEvent] = []
    played: list[str] = []
    supervisor = Boundary()
    backend = BusBackend(supervisor, played.append, patience, Remembered(supervisor, file))
    notifier = LibraryNotifier(backend, told.append, supervisor)
    notifier.start()
    try:
        yield Desk(notifier, backend, told, played)
    finally:
        await notifier.stop()
        await supervisor.stopped()
    assert supervisor.broken == {}


def test_a_notice_is_shown_with_everything_that_belongs_to_it(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api", detail="Bash: make", sound="default"))
            await one.displayed(1)
            (shown,) = daemon.screen.values()
            assert shown.title == "api"
            assert shown.body.startswith("Bash: make\n")
            assert shown.actions[::2] == ["default", "go", "later", "mute"]
            assert shown.timeout == 0
            pixels = shown.hints.pop("image-data")
            assert (pixels[0] * pixels[1] * 4, pixels[2]) == (len(pixels[6]), pixels[0] * 4)
            assert shown.hints == {
                "urgency": 2,
                "desktop-entry": "deskbell",
                "category": "x-deskbell.permission",
                "sound-name": "message-new-instant",
            }
            assert one.told[-1] == ScreenEvent("displayed", API, "Fake 1.0")

    play(story())


@pytest.mark.parametrize(
    ("can", "keys"),
    [(("body", "actions"), ["default", "allow-c0de"]), (("actions",), ["default", "details"])],
    ids=["all of it", "the title"],
)
def test_what_allows_is_offered_only_beside_what_the_daemon_draws(
    address: str, can: tuple[str, ...], keys: list[str]
) -> None:
    async def story() -> None:
        daemon = await Daemon(address, capabilities=can).up()
        async with desk() as one:
            allow = Button("allow-c0de", "Allow", Answer(("api-id", 1), "c0de", "allow"), whole=("make",))
            one.notifier.show(a_notice("api", detail="make", buttons=(allow,)))
            await one.displayed(1)
            assert daemon.screen[1].actions[::2] == keys

    play(story())


@pytest.mark.parametrize(("can", "played"), [(("body",), ["bell"]), (("body", "sound"), [])], ids=["no", "yes"])
def test_a_sound_is_played_once_by_the_daemon_or_by_ourselves(
    address: str, can: tuple[str, ...], played: list[str]
) -> None:
    async def story() -> None:
        await Daemon(address, capabilities=can).up()
        async with desk() as one:
            for quiet in (False, True):
                one.notifier.show(a_notice("api", sound="bell", quiet=quiet))
                await one.displayed(1 + quiet)
            one.notifier.show(a_notice("web"))
            await one.displayed(3)
            await until(lambda: len(one.played) >= len(played), "the sound")
            assert one.played == played

    play(story())


def test_a_newer_notice_takes_the_place_of_the_older(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await one.displayed(1)
            one.notifier.show(a_notice("api", "question"))
            await one.displayed(2)
            assert list(daemon.screen) == [1]
            assert "question" in daemon.screen[1].body

    play(story())


def test_a_withdrawn_notice_leaves_the_screen_and_an_unknown_one_is_no_error(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await one.displayed(1)
            one.notifier.withdraw("nobody")
            one.notifier.withdraw(API)
            await until(lambda: not daemon.screen, "an empty screen")
            assert one.heard("closed") == []
            assert daemon.calls.count("CloseNotification") == 1

    play(story())


def test_what_is_withdrawn_before_it_was_shown_is_never_shown(address: str) -> None:
    async def story() -> None:
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await until(lambda: one.heard("lost"), "lost")
            one.notifier.withdraw(API)
            one.notifier.show(a_notice("web"))
            daemon = await Daemon(address).up()
            await one.displayed(1)
            assert [s.title for s in daemon.screen.values()] == ["web"]

    play(story())


CLICKS = {"the body": ("default", Jump), "the Go button": ("go", Jump), "the mute button": ("mute", Mute)}


@pytest.mark.parametrize(("key", "wish"), CLICKS.values(), ids=CLICKS)
def test_a_click_comes_back_as_its_wish(address: str, key: str, wish: type) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await one.displayed(1)
            daemon.click(1, key, token="tok")  # an activation token
            await until(lambda: one.heard("clicked"), "the click")
            (click,) = one.heard("clicked")
            assert (type(click.action), click.slot, click.token) == (wish, API, "tok")
            await until(lambda: not daemon.screen, "an empty screen")

    play(story())


LOOK = Button("details", "Show details", Details(("api-id", 414)))
ASKS = Inline("Reply to Claude", Reply(("api-id", 414)))
PLASMA = ("actions", "body", "body-markup", "inline-reply")


def test_a_text_that_is_typed_into_a_notification_comes_back_with_its_action(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address, name="Plasma", capabilities=PLASMA).up()
        async with desk() as one:
            assert not one.notifier.takes_text, "before anybody displays"
            one.notifier.show(a_notice("api", "idle", inline=ASKS))
            await one.displayed(1)
            assert one.notifier.takes_text
            shown = daemon.screen[1]
            assert shown.actions == [
                *("default", "Jump to it", "inline-reply", "Reply to Claude", "go", "Jump to it"),
                *("later", "Later", "mute", "Mute session"),
            ]
            assert shown.hints["x-kde-reply-placeholder-text"] == "Reply to Claude…"
            assert shown.hints["x-kde-reply-submit-button-text"] == "Send"
            daemon.reply(1, "go on: <b>é</b> \x1b[31m\nnow")
            daemon.reply(1, "once more")
            await until(lambda: not daemon.screen, "an empty screen")
            (click,) = one.heard("clicked")
            assert (click.action, click.slot) == (Reply(("api-id", 414), "go on: <b>é</b> \x1b[31m\nnow"), API)

    play(story())


def asking(code: str, status: Status = "permission", **more: object) -> Notice:
    say = Answer(("api-id", 414), code, "say")
    return a_notice("api", status, inline=Inline("Tell Claude what to do instead", say), detail=code, **more)


NEXT: dict[str, tuple[Notice, Notice]] = {
    "a request": (asking("aaaa"), asking("bbbb")),
    "a request of another kind": (asking("aaaa"), asking("bbbb", "question")),
    "the end of the turn": (asking("aaaa"), a_notice("api", "idle", inline=ASKS)),
    "a request after a turn": (a_notice("api", "idle", inline=ASKS), asking("aaaa")),
    "the end of the next turn": (
        a_notice("api", "idle", inline=ASKS),
        a_notice("api", "idle", inline=Inline("Reply to Claude", Reply(("api-id", 414), turn=9.0))),
    ),
    "a request without a field": (asking("aaaa"), a_notice("api")),
}


@pytest.mark.parametrize(("first", "second"), NEXT.values(), ids=NEXT)
def test_a_text_belongs_to_the_notification_it_was_typed_into(address: str, first: Notice, second: Notice) -> None:
    async def story() -> None:
        daemon = await Daemon(address, name="Plasma", capabilities=PLASMA).up()
        async with desk() as one:
            one.notifier.show(first)
            await one.displayed(1)
            one.notifier.show(second)
            await one.displayed(2)
            assert list(daemon.screen) == [2], "the number is not used again"
            daemon.reply(1, "for the first")
            await until(lambda: one.heard("clicked"), "the text")
            (click,) = one.heard("clicked")
            assert first.inline
            assert (click.action, click.stays) == (replace(first.inline.action, text="for the first"), True)
            assert list(daemon.screen) == [2], "the second stays"
            daemon.reply(2, "for the second")
            expected = [replace(second.inline.action, text="for the second")] if second.inline else []
            await until(lambda: len(one.heard("clicked")) == 1 + len(expected), "the other text")
            assert [click.action for click in one.heard("clicked")[1:]] == expected

    play(story())


def test_a_text_that_is_sent_while_its_request_ends_is_not_lost(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address, name="Plasma", capabilities=PLASMA).up()
        async with desk() as one:
            one.notifier.show(asking("aaaa"))
            await one.displayed(1)
            one.notifier.withdraw(API)
            await until(lambda: not daemon.screen, "an empty screen")
            daemon.reply(1, "too late")
            await until(lambda: one.heard("clicked"), "the text")
            assert one.heard("clicked")[0].action == Answer(("api-id", 414), "aaaa", "say", "too late")
            daemon.reply(1, "twice")
            one.notifier.show(a_notice("web"))
            await one.displayed(2)
            assert len(one.heard("clicked")) == 1

    play(story())


def test_new_words_about_the_same_request_take_the_place_of_the_old(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address, name="Plasma", capabilities=PLASMA).up()
        async with desk() as one:
            one.notifier.show(asking("aaaa"))
            await one.displayed(1)
            one.notifier.show(asking("aaaa", "question", quiet=True))
            await one.displayed(2)
            assert list(daemon.screen) == [1]
            daemon.click(1)
            daemon.reply(1, "after the click")
            await until(lambda: one.heard("clicked"), "the click")
            await until(lambda: not daemon.screen, "an empty screen")
            assert [type(click.action) for click in one.heard("clicked")] == [Jump]

    play(story())


def test_a_notification_that_asks_for_no_text_has_no_field_and_hears_none(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address, capabilities=PLASMA).up()
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await one.displayed(1)
            assert "inline-reply" not in daemon.screen[1].actions
            assert not [hint for hint in daemon.screen[1].hints if hint.startswith("x-kde")]
            daemon.reply(1, "nobody asked")
            daemon.click(1, "inline-reply")
            daemon.click(1, "go")
            await until(lambda: one.heard("clicked"), "the click")
            assert [type(click.action) for click in one.heard("clicked")] == [Jump]

    play(story())


@pytest.mark.parametrize(
    "can", [("actions", "body"), ("body", "inline-reply"), ("body",)], ids=["dunst", "odd", "plain"]
)
def test_with_a_daemon_that_has_no_field_nothing_is_different(address: str, can: tuple[str, ...]) -> None:
    async def story() -> None:
        daemon = await Daemon(address, capabilities=can).up()
        async with desk() as one:
            one.notifier.show(a_notice("api", "idle"))
            one.notifier.show(a_notice("web", "idle", inline=ASKS))
            await one.displayed(2)
            without, asks = daemon.screen[1], daemon.screen[2]
            assert (asks.actions, asks.hints) == (without.actions, without.hints)
            assert not one.notifier.takes_text
            daemon.reply(2, "invented")
            daemon.close(2, 2)
            await until(lambda: one.heard("closed"), "the end")
            assert one.heard("clicked") == []

    play(story())


def test_another_daemon_may_have_a_field(address: str) -> None:
    async def story() -> None:
        first = await Daemon(address, capabilities=PLASMA).up()
        async with desk() as one:
            one.notifier.show(a_notice("api", "idle", inline=ASKS))
            await one.displayed(1)
            assert one.notifier.takes_text
            await first.down()
            await until(lambda: not one.notifier.takes_text, "the daemon to be gone")
            await Daemon(address, name="dunst").up()
            await one.displayed(2)
            assert not one.notifier.takes_text

    play(story())


def test_a_click_without_a_token_has_none(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await one.displayed(1)
            daemon.click(1)
            await until(lambda: one.heard("clicked"), "the click")
            assert one.heard("clicked")[0].token is None

    play(story())


def test_a_signal_that_comes_before_the_answer_of_notify_is_kept(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        daemon.on_notify = lambda id_: daemon.close(id_, 2)
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await until(lambda: one.heard("closed"), "it to be closed")
            assert await one.backend.get_current_notifications() == []

    play(story())


@pytest.mark.parametrize(("reason", "told"), [(1, 1), (2, 1), (3, 0), (4, 0)], ids=["expired", "dismissed", "us", "?"])
def test_only_what_the_person_or_time_has_closed_counts_as_closed(address: str, reason: int, told: int) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await one.displayed(1)
            daemon.close(1, reason)
            one.notifier.show(a_notice("web"))
            await one.displayed(2)
            assert len(one.heard("closed")) == told

    play(story())


@pytest.mark.parametrize(("reason", "by_person"), [(1, False), (2, True)], ids=["expired", "dismissed"])
def test_only_what_the_person_has_closed_counts_as_dismissed(address: str, reason: int, by_person: bool) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await one.displayed(1)
            daemon.close(1, reason)
            await until(lambda: one.heard("closed"), "the end")
            assert [told.by_person for told in one.heard("closed")] == [by_person]

    play(story())


def test_a_request_whose_details_are_looked_at_comes_back_without_a_sound(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api", buttons=(LOOK,), sound="bell"))
            await one.displayed(1)
            daemon.click(1, LOOK.id)
            daemon.close(1, 2)  # most daemons close what is clicked
            await one.displayed(2)
            assert [(shown.title, shown.hints["suppress-sound"]) for shown in daemon.screen.values()] == [("api", True)]
            assert [(click.action, click.stays) for click in one.heard("clicked")] == [(LOOK.action, True)]
            assert (one.heard("closed"), one.played) == ([], ["bell"])
            daemon.click(next(iter(daemon.screen)), LOOK.id)
            await one.displayed(3)

    play(story())


def test_signals_about_other_notifications_or_from_other_programs_are_ignored(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await one.displayed(1)
            daemon.click(99)
            daemon.close(98, 2)
            impostor = Daemon(address)
            impostor.bus = await type(daemon.bus)(bus_address=address).connect()
            impostor.click(1)
            one.notifier.show(a_notice("web"))
            await one.displayed(2)
            assert one.heard("clicked") + one.heard("closed") == []
            await close(impostor.bus)

    play(story())


def test_without_a_daemon_it_is_lost_once_and_back_when_one_comes(address: str) -> None:
    async def story() -> None:
        async with desk() as one:
            for name in ("api", "web", "db"):
                one.notifier.show(a_notice(name))
            await until(lambda: one.heard("lost"), "lost")
            daemon = await Daemon(address).up()
            await one.displayed(3)
            assert sorted(s.title for s in daemon.screen.values()) == ["api", "db", "web"]
            await until(lambda: one.heard("back"), "back")
            assert [t.what for t in one.told if t.what in ("lost", "back")] == ["lost", "back"]

    play(story())


def test_another_daemon_is_asked_for_its_capabilities(address: str) -> None:
    async def story() -> None:
        first = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api", detail="a < b"))
            await one.displayed(1)
            assert "a &lt; b" in first.screen[1].body
            await first.down()
            await until(lambda: one.notifier.daemon is None, "its end")
            assert await one.backend.get_current_notifications() == []
            second = await Daemon(address, "Plain", capabilities=("body",), first_id=7).up()
            await one.displayed(2)
            assert "a < b" in second.screen[7].body
            assert second.screen[7].actions == []
            assert one.notifier.daemon == "Plain 1.0"

    play(story())


def test_a_daemon_that_is_killed_and_replaced_many_times_loses_and_doubles_nothing(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            wanted = {"stays"}
            for turn in range(100):
                one.notifier.show(a_notice("stays", detail=str(turn)))
                one.notifier.show(a_notice(f"n{turn % 7}"))
                one.notifier.withdraw(a_notice(f"n{(turn + 3) % 7}").slot)
                wanted = (wanted | {f"n{turn % 7}"}) - {f"n{(turn + 3) % 7}"}
                await asyncio.sleep(0.001 * (turn % 4))
                await daemon.down()
                daemon = await Daemon(address, first_id=1 + turn % 5).up()
            await until(lambda: {s.title for s in daemon.screen.values()} == wanted, f"{wanted} on the screen")
            assert len(daemon.screen) == len(wanted)
            assert next(s for s in daemon.screen.values() if s.title == "stays").body.startswith("99\n")

    play(story())


def test_nothing_of_ours_is_on_the_screen_after_stop(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            one.notifier.show(a_notice("web"))
            await one.displayed(2)
            await one.notifier.stop()
            assert daemon.screen == {}

    play(story())


def test_what_is_being_sent_at_the_end_is_shown_and_then_cleared(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("web"))
            await one.displayed(1)
            daemon.freeze()
            one.notifier.show(a_notice("api"))
            await until(lambda: daemon.held, "the call of Notify")
            stopping = asyncio.create_task(one.notifier.stop())
            await asyncio.sleep(0)
            daemon.thaw()
            await stopping
            assert daemon.screen == {}
            assert daemon.calls[-3:] == ["Notify", "CloseNotification", "CloseNotification"]

    play(story())


def test_what_is_withdrawn_while_it_is_being_sent_is_cleared_once_it_is_shown(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            daemon.on_notify = lambda _: one.notifier.withdraw(API)
            one.notifier.show(a_notice("api"))
            await until(lambda: daemon.calls.count("CloseNotification") == 1, "it to be closed")
            assert daemon.screen == {}

    play(story())


def test_a_slow_daemon_gets_only_the_newest(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            daemon.on_notify = lambda _: [
                one.notifier.show(a_notice("web", detail=str(n))) for n in range(9 if len(daemon.screen) == 1 else 0)
            ]
            one.notifier.show(a_notice("api"))
            await one.displayed(2)
            assert daemon.calls.count("Notify") == 2
            assert daemon.screen[2].body.startswith("8\n")

    play(story())


def test_a_daemon_that_is_too_slow_is_lost_and_what_it_shows_later_is_not_doubled(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk(patience=0.1) as one:
            one.notifier.show(a_notice("db"))
            await one.displayed(1)
            daemon.freeze()
            one.notifier.show(a_notice("api"))
            await until(lambda: one.heard("lost"), "lost")
            daemon.thaw()
            await until(lambda: len(daemon.screen) == 2, "the late notification")
            one.notifier.show(a_notice("api", "question"))
            await until(lambda: "question" in daemon.screen[2].body, "the newer one in its place")
            assert len(daemon.screen) == 2
            await until(lambda: one.heard("back"), "back")
            await one.notifier.stop()
            assert daemon.screen == {}

    play(story())


@pytest.mark.long
def test_a_single_notice_that_was_refused_is_shown_once_the_daemon_takes_it(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        daemon.refuses = True
        async with desk() as one:
            one.notifier.show(a_notice("api", sound="bell"))
            await until(lambda: one.heard("lost"), "lost")
            daemon.refuses = False
            await until(lambda: one.heard("back"), "back")
            assert (len(daemon.screen), one.played) == (1, ["bell"])

    play(story())


@pytest.mark.long
def test_a_daemon_that_hung_when_the_only_notice_came_gets_it_once_it_answers(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk(patience=0.1) as one:
            daemon.freeze("GetServerInformation")
            one.notifier.show(a_notice("api"))
            await until(lambda: one.heard("lost"), "lost")
            daemon.thaw()
            await one.displayed(1)
            await until(lambda: one.heard("back"), "back")
            assert daemon.calls.count("Notify") == 1

    play(story())


def test_what_a_daemon_shows_late_is_displayed_and_rings_and_is_not_sent_again(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk(patience=0.1) as one:
            daemon.freeze("Notify")
            one.notifier.show(a_notice("api", sound="bell"))
            await until(lambda: one.heard("lost"), "lost")
            one.notifier.withdraw("nobody")
            one.notifier.show(a_notice("web"))
            await until(lambda: len(daemon.held or ()) == 2, "the other one")
            daemon.thaw()
            await until(lambda: one.heard("back"), "back")
            assert daemon.calls.count("Notify") == 2
            assert sorted(shown.title for shown in daemon.screen.values()) == ["api", "web"]
            assert sorted(told.slot for told in one.heard("displayed")) == sorted([API, a_notice("web").slot])
            assert one.played == ["bell"]

    play(story())


def test_what_a_daemon_refuses_late_is_sent_again(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk(patience=0.1) as one:
            daemon.freeze("Notify")
            one.notifier.show(a_notice("api"))
            await until(lambda: one.heard("lost"), "lost")
            daemon.refuses = True
            daemon.thaw()
            await until(lambda: daemon.refused, "the refusal")
            daemon.refuses = False
            one.notifier.show(a_notice("web"))
            await one.displayed(2)
            assert len(daemon.screen) == 2

    play(story())


def test_what_is_shown_late_though_it_was_withdrawn_meanwhile_is_closed(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk(patience=0.1) as one:
            daemon.freeze("Notify")
            one.notifier.show(a_notice("api"))
            await until(lambda: one.heard("lost"), "lost")
            one.notifier.withdraw(API)
            await until(lambda: one.heard("back"), "back")
            daemon.thaw()
            await until(lambda: "CloseNotification" in daemon.calls, "its end")
            assert daemon.screen == {}

    play(story())


def test_what_is_shown_late_under_a_newer_one_is_closed(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk(patience=0.1) as one:
            daemon.freeze("Notify")
            one.notifier.show(a_notice("api"))
            await until(lambda: one.heard("lost"), "lost")
            late, daemon.held = list(daemon.held or ()), None
            one.notifier.show(a_notice("api", "question"))
            await one.displayed(1)
            daemon.held = late
            daemon.thaw()
            await until(lambda: "CloseNotification" in daemon.calls, "the end of the late one")
            (shown,) = daemon.screen.values()
            assert "question" in shown.body
            assert len(one.heard("displayed")) == 1

    play(story())


@pytest.mark.parametrize("error", UNSURE)
def test_an_error_of_the_bus_in_place_of_an_answer_is_no_refusal(address: str, error: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            daemon.freeze("Notify")
            one.notifier.show(a_notice("api"))
            await until(lambda: daemon.held, "the call of Notify")
            assert daemon.held
            daemon.bus.send(Message.new_error(daemon.held[0], error, "too late"))
            await until(lambda: one.heard("lost"), "lost")
            one.notifier.show(a_notice("web"))
            await until(lambda: len(daemon.held or ()) == 2, "the other one")
            assert [message.body[3] for message in daemon.held] == ["api", "web"]

    play(story())


def test_for_a_daemon_that_never_answers_the_newest_calls_are_kept() -> None:
    async def story() -> None:
        calls = Calls()
        for serial in range(1, 3 * MOST):
            calls.begin(serial, Notification("api", "", identifier=str(serial)), "")
        assert [calls.are_open(str(serial)) for serial in (1, 2 * MOST - 1, 2 * MOST)] == [False, False, True]

    asyncio.run(story())


def test_a_click_on_what_is_shown_too_late_counts(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk(patience=0.1) as one:
            one.notifier.show(a_notice("db"))
            await one.displayed(1)
            daemon.freeze()
            one.notifier.show(a_notice("api"))
            await until(lambda: one.heard("lost"), "lost")
            daemon.thaw()
            await until(lambda: len(daemon.screen) == 2, "the late notification")
            daemon.click(2)
            await until(lambda: one.heard("clicked"), "the click")
            await until(lambda: list(daemon.screen) == [1], "it to be closed")

    play(story())


def test_a_daemon_that_hangs_while_another_takes_over_is_not_waited_for(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk(patience=30) as one:
            one.notifier.show(a_notice("db"))
            await one.displayed(1)
            daemon.freeze()
            one.notifier.show(a_notice("api"))
            await until(lambda: daemon.held, "the call of Notify")
            other = await Daemon(address, "Other").next_in_line()
            await daemon.bus.release_name(NAME)
            await until(lambda: len(other.screen) == 2, "both on the screen of the other")
            assert one.heard("lost") == []

    play(story())


def test_a_daemon_that_refuses_is_lost_until_it_takes_what_it_refused(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        daemon.refuses = True
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await until(lambda: one.heard("lost"), "lost")
            one.notifier.show(a_notice("web"))
            await until(lambda: "web" in daemon.refused, "both to be tried")
            daemon.refuses = False
            one.notifier.show(a_notice("db"))
            await one.displayed(3)
            await until(lambda: one.heard("back"), "back")
            assert sorted(s.title for s in daemon.screen.values()) == ["api", "db", "web"]
            await until(lambda: one.heard("back"), "back")
            assert [t.what for t in one.told if t.what in ("lost", "back")] == ["lost", "back"]

    play(story())
    (said,) = [r for r in caplog.records if r.levelname in ("WARNING", "ERROR")]
    assert "Fake 1.0 refused it: tests.Full" in said.getMessage()


def test_a_daemon_that_knows_no_method_displays_nothing(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        daemon.bus.remove_message_handler(daemon._answer)
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await until(lambda: one.heard("lost"), "lost")

    play(story())


def test_a_second_click_is_no_other_click(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await one.displayed(1)
            daemon.click(1, "no such button")
            daemon.click(1)
            daemon.click(1)
            await until(lambda: not daemon.screen, "an empty screen")
            assert len(one.heard("clicked")) == 1

    play(story())


def test_a_forged_change_of_the_daemon_changes_nothing(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await one.displayed(1)
            for body in ([], [NAME, "", ":9.9"]):
                daemon.bus.send(Message.new_signal(PATH, NAME, "NameOwnerChanged", "s" * len(body), body))
            one.notifier.show(a_notice("web"))
            await one.displayed(2)
            assert one.notifier.daemon == "Fake 1.0"
            assert daemon.calls.count("GetServerInformation") == 1

    play(story())


@pytest.mark.parametrize("body", [[], [NAME], [NAME, ""]], ids=len)
def test_a_malformed_change_of_the_daemon_changes_nothing(address: str, body: list[str]) -> None:
    """Only the bus itself can send it, so it is handed over here."""

    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await one.displayed(1)
            signal = Message.new_signal("/x", DBUS, "NameOwnerChanged", "s" * len(body), body)
            signal.sender = DBUS
            one.backend._on_message(signal)
            assert one.notifier.daemon == "Fake 1.0"
        assert daemon.screen == {}

    play(story())


def test_without_a_session_bus_it_is_lost_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")

    async def story() -> None:
        async with desk() as one:
            await until(lambda: one.told, "lost")
            one.notifier.show(a_notice("api"))
            one.notifier.withdraw(API)
            assert one.told == [ScreenEvent("lost", why="there is no session bus")]

    play(story())


def test_who_would_display_is_known_without_showing_anything(address: str) -> None:
    async def story() -> None:
        assert await identity() is None
        daemon = await Daemon(address, "dunst").up()
        assert await identity() == "dunst 1.0"
        assert daemon.screen == {}

    play(story())


def test_without_a_session_bus_nobody_would_display(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    assert asyncio.run(identity()) is None


def test_it_is_a_backend_of_the_library_by_itself(address: str) -> None:
    """Without a notifier above it, and without anything beside the notification."""

    async def story() -> None:
        daemon = await Daemon(address).up()
        supervisor = Boundary()
        played: list[str] = []
        backend = BusBackend(supervisor, played.append)
        assert await backend.has_authorisation() is False
        assert await backend.get_capabilities() == frozenset()
        heard: list[str] = []
        backend.on_dispatched = heard.append
        await backend.send(Notification("too early", "", identifier="one"))
        assert heard == []
        serving = supervisor.keep("daemon", lambda: backend.serve(lambda: None, lambda _: None, lambda _: None))
        assert await backend.request_authorisation()
        assert await backend.has_authorisation()
        await backend.send(Notification("api", "", identifier="one", sound=Sound(uri="file:///a.oga")))
        assert heard == ["one"]
        assert await backend.get_current_notifications() == ["one"]
        await until(lambda: played == ["/a.oga"], "the sound")
        await backend.clear("unknown")
        await backend.clear_all()
        assert daemon.screen == {}
        assert await backend.get_current_notifications() == []
        serving.cancel()
        await asyncio.wait({serving})

    play(story())


def test_what_is_closed_before_the_answer_of_notify_was_dispatched_first(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        daemon.on_notify = lambda number: daemon.close(number, 2)
        supervisor = Boundary()
        backend = BusBackend(supervisor)
        heard: list[str] = []
        backend.on_dispatched = lambda _: heard.append("dispatched")
        backend.on_dismissed = lambda _: heard.append("dismissed")
        supervisor.keep("daemon", lambda: backend.serve(lambda: None, lambda _: None, lambda _: None))
        assert await backend.request_authorisation()
        await backend.send(Notification("api", ""))
        await until(lambda: len(heard) == 2, "both")
        assert heard == ["dispatched", "dismissed"]
        assert await backend.get_current_notifications() == []
        await supervisor.stopped()

    play(story())
