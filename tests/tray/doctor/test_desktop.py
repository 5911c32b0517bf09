"""What the doctor says of the desktop."""

import asyncio

import pytest

from deskbell.desktop.focus import Screen, SilentScreen
from deskbell.desktop.focus.wlroots import Sway
from deskbell.doctor.desktop import daemon, examined
from deskbell.home import home
from tests.tray.desktop.fake_daemon import Daemon, play


def verdicts(who: str | None, looking: Screen) -> list[str]:
    return [check.verdict for check in examined(home(), lambda: who, looking)]


def test_a_whole_desktop_is_ok() -> None:
    assert verdicts("dunst 1.9.0", Sway()) == ["ok", "ok", "ok"]


def test_what_is_missing_is_told_and_how_to_mend_it() -> None:
    found = examined(home(), lambda: None, SilentScreen())
    assert [check.verdict for check in found] == ["ok", "warn", "warn"]
    assert all(check.mend for check in found[1:])


@pytest.mark.parametrize("content", [b"[burst]\nmore_than = 0\n", b"\xff", b"[[["])
def test_settings_that_cannot_be_read_are_bad(content: bytes) -> None:
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_bytes(content)
    assert verdicts("dunst", Sway())[0] == "bad"


def test_the_daemon_is_asked_who_it_is_and_shows_nothing(address: str) -> None:
    async def story() -> None:
        fake = await Daemon(address, "Fake").up()
        assert await asyncio.to_thread(daemon) == "Fake 1.0"
        assert fake.screen == {}

    play(story())


def test_without_a_daemon_or_without_a_bus_there_is_nobody(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert daemon() is None
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
    assert daemon() is None
