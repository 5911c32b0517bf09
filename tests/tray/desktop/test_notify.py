"""Notices on a real bus, with a notification daemon that remembers what it was told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from deskbell.desktop.bus import close
from deskbell.desktop.notify import sound
from deskbell.desktop.notify.linux import BusNotifier, arguments
from deskbell.desktop.notify.linux import Daemon as Seen
from deskbell.face.actions import Jump, Mute
from deskbell.notices.notice import Notice, notice
from deskbell.notices.policy import Policy
from deskbell.notices.screen import Told
from deskbell_hooks.schema import Status
from tests.tray.desktop.fake_daemon import Daemon, play, until
from tests.tray.story import NOON, session


def a_notice(project: str, status: Status = "permission", detail: str = "", **more: object) -> Notice:
    made = notice(session(project, status, detail=detail), Policy(), "at once", NOON)
    return replace(made, **more)  # type: ignore[arg-type]  # the fields of Notice


@dataclass
class Desk:
    notifier: BusNotifier
    told: list[Told] = field(default_factory=list)
    played: list[str] = field(default_factory=list)

    def heard(self, what: str) -> list[Told]:
        return [t for t in self.told if t.what == what]

    async def displayed(self, times: int) -> None:
        await until(lambda: len(self.heard("displayed")) >= times, f"{times} displayed, {self.told}")


@asynccontextmanager
async def desk() -> AsyncIterator[Desk]:
    told: list[Told] = []
    played: list[str] = []
    notifier = BusNotifier(told.append, played.append)
    notifier.start()
    try:
        yield Desk(notifier, told, played)
    finally:
        notifier.stop()
        await asyncio.wait(notifier._tasks)


def test_a_notice_is_shown_with_all_it_has(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api", detail="Bash: make", sound="default"))
            await one.displayed(1)
            (shown,) = daemon.screen.values()
            assert shown.title == "api"
            assert shown.body.startswith("Bash: make\n")
            assert shown.actions[::2] == ["default", "go", "snooze", "mute"]
            assert shown.timeout == 0
            pixels = shown.hints.pop("image-data")
            assert (pixels[0] * pixels[1] * 4, pixels[2]) == (len(pixels[6]), pixels[0] * 4)
            assert shown.hints == {
                "urgency": 2,
                "desktop-entry": "deskbell",
                "category": "x-deskbell.permission",
                "sound-name": "message-new-instant",
            }
            assert one.told[-1] == Told("displayed", "api-id:414", "Fake 1.0")

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
            assert "Question" in daemon.screen[1].body

    play(story())


def test_a_withdrawn_notice_leaves_the_screen_and_an_unknown_one_is_no_error(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await one.displayed(1)
            one.notifier.withdraw("nobody")
            one.notifier.withdraw("api-id:414")
            await until(lambda: not daemon.screen, "an empty screen")
            assert one.heard("closed") == []

    play(story())


def test_what_is_withdrawn_before_it_was_shown_is_never_shown(address: str) -> None:
    async def story() -> None:
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await until(lambda: one.heard("lost"), "word that there is no daemon")
            one.notifier.withdraw("api-id:414")
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
            assert (type(click.action), click.slot, click.token) == (wish, "api-id:414", "tok")
            await until(lambda: not daemon.screen, "an empty screen")

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


def test_what_a_daemon_says_before_its_answer_is_not_lost(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        daemon.on_notify = lambda id_: daemon.close(id_, 2)
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await until(lambda: one.heard("closed"), "that it was closed")

    play(story())


@pytest.mark.parametrize(("reason", "told"), [(1, 1), (2, 1), (3, 0), (4, 0)], ids=["expired", "dismissed", "us", "?"])
def test_it_is_told_when_the_person_or_time_closes_it(address: str, reason: int, told: int) -> None:
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


def test_signals_about_the_notifications_of_others_are_not_ours(address: str) -> None:
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


def test_without_a_daemon_it_is_told_once_and_works_when_one_comes(address: str) -> None:
    async def story() -> None:
        async with desk() as one:
            for name in ("api", "web", "db"):
                one.notifier.show(a_notice(name))
            await until(lambda: one.heard("lost"), "word that there is no daemon")
            daemon = await Daemon(address).up()
            await one.displayed(3)
            assert sorted(s.title for s in daemon.screen.values()) == ["api", "db", "web"]
            assert [t.what for t in one.told if t.what in ("lost", "back")] == ["lost", "back"]

    play(story())


def test_another_daemon_is_asked_what_it_can(address: str) -> None:
    async def story() -> None:
        first = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api", detail="a < b"))
            await one.displayed(1)
            assert "a &lt; b" in first.screen[1].body
            await first.down()
            second = await Daemon(address, "Plain", capabilities=("body",), first_id=7).up()
            await one.displayed(2)
            assert "a < b" in second.screen[7].body
            assert second.screen[7].actions == []
            assert one.notifier.daemon == "Plain 1.0"

    play(story())


def test_a_daemon_killed_and_replaced_many_times_during_traffic_loses_and_doubles_nothing(address: str) -> None:
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


def test_everything_is_cleared_from_the_screen_at_the_end(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            one.notifier.show(a_notice("web"))
            await one.displayed(2)
        await until(lambda: not daemon.screen, "an empty screen")

    play(story())


def test_a_daemon_that_understands_nothing_is_none(address: str) -> None:
    async def story() -> None:
        daemon = await Daemon(address).up()
        daemon.bus.remove_message_handler(daemon._answer)
        async with desk() as one:
            one.notifier.show(a_notice("api"))
            await until(lambda: one.heard("lost"), "word that nothing is displayed")

    play(story())


XFCE = Seen("Xfce Notify Daemon", "0.7.3", frozenset(("actions", "body", "body-markup")))
PLAIN = Seen("Plain", "1", frozenset(("body",)))
GNOME = Seen("gnome-shell", "43", frozenset(("actions", "body", "body-markup", "sound")))


def test_a_daemon_that_draws_the_default_action_as_a_button_gets_no_second_one() -> None:
    actions = arguments(a_notice("api"), XFCE, 0)[5]
    assert actions == ["default", "Go", "snooze", "Snooze 30 min", "mute", "Mute session"]


def test_a_notice_that_leads_nowhere_has_nothing_to_click_on() -> None:
    notice = Notice("deskbell", (), "idle", "Deskbell", "The bell on the desk", "normal", None)
    assert arguments(notice, XFCE, 0)[5] == []


@pytest.mark.parametrize(
    ("notice", "expires"),
    [
        (Notice("a", (), "idle", "Done", "", "normal", None), -1),
        (Notice("a", (), "question", "Well?", "", "critical", None), 0),
        (Notice("a", (), "idle", "Welcome", "", "normal", None, stays=True), 0),
    ],
)
def test_what_waits_for_an_answer_does_not_go_by_itself(notice: Notice, expires: int) -> None:
    assert arguments(notice, GNOME, 0)[7] == expires


def test_markup_is_escaped_only_where_it_is_parsed() -> None:
    hostile = a_notice("api", detail='<a href="x">&</a>')
    assert str(arguments(hostile, GNOME, 0)[4]).startswith('&lt;a href="x"&gt;&amp;&lt;/a&gt;\n')
    assert str(arguments(hostile, PLAIN, 0)[4]).startswith('<a href="x">&</a>\n')


def test_a_daemon_that_does_not_say_whether_it_parses_markup_gets_none() -> None:
    """dunst 1.9 without a `markup` setting: it draws <i> in italics, and draws &lt; as it is when markup is off."""
    dunst = Seen("dunst", "1.9.0", frozenset(("actions", "body", "body-hyperlinks")))
    assert str(arguments(a_notice("api", detail="<i>&"), dunst, 0)[4]).startswith("‹i›&\n")


def test_a_sound_is_played_by_what_the_system_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sound_file, out = tmp_path / "ding.oga", tmp_path / "out"
    sound_file.touch()
    (tmp_path / "canberra-gtk-play").write_text(f'#!/bin/sh\necho "$@" >> {out}\n')
    (tmp_path / "canberra-gtk-play").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")

    async def story() -> None:
        sound.play(str(tmp_path / "not there.oga"))
        sound.play("../../etc/passwd")
        sound.play(str(sound_file))
        await until(out.exists, "the sound")

    play(story())
    assert out.read_text() == f"-f {sound_file}\n"


SOUNDS = {
    "none": ("", False, {"suppress-sound": True}),
    "the default": ("default", False, {"sound-name": "message-new-instant"}),
    "a name": ("bell", False, {"sound-name": "bell"}),
    "a file": ("/a/b.oga", False, {"sound-file": "/a/b.oga"}),
    "an update in place": ("bell", True, {"suppress-sound": True}),
}


@pytest.mark.parametrize(("sound", "quiet", "hint"), SOUNDS.values(), ids=SOUNDS)
def test_the_sound_is_the_one_of_the_notice(sound: str, quiet: bool, hint: dict[str, object]) -> None:
    hints = arguments(replace(a_notice("api"), sound=sound, quiet=quiet), GNOME, 0)[6]
    assert {key: v.value for key, v in hints.items() if "sound" in key} == hint  # type: ignore[attr-defined]  # a dict
