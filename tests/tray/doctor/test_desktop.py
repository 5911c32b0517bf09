"""Test what the doctor says of the settings and the desktop."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from deskbell.desktop.clipboard import Way
from deskbell.desktop.focus import SilentScreen
from deskbell.desktop.focus.wlroots import Sway
from deskbell.desktop.tray.panel import Panel
from deskbell.doctor import Check
from deskbell.doctor.desktop import Desktop, clipboard, daemon, examined, notifications, opener, tray
from deskbell.errors import Problem
from deskbell.home import Home, home
from tests.tray.desktop.fake_daemon import Daemon, play

WHOLE = Desktop(
    panel=lambda: "status notifier",
    icon=lambda: True,
    daemon=lambda: "The daemon dunst 1.9.0",
    screen=Sway,
    clipboard=lambda: "X11",
    opener=lambda: "/usr/bin/xdg-open",
    browser=lambda: "firefox.desktop",
    terminal=lambda _: "kitty",
)


def no_terminal(_: Home) -> str:
    raise Problem("No terminal was found.", "Name one.")


BROKEN = {
    "tray": replace(WHOLE, panel=lambda: None),
    "notifications": replace(WHOLE, daemon=lambda: None),
    "focus": replace(WHOLE, screen=SilentScreen),
    "clipboard": replace(WHOLE, clipboard=lambda: None),
    "files": replace(WHOLE, opener=lambda: None),
    "pages": replace(WHOLE, browser=lambda: None),
    "terminal": replace(WHOLE, terminal=no_terminal),
}


def not_ok(checks: Sequence[Check]) -> list[Check]:
    return [check for check in checks if check.verdict != "ok"]


def test_a_whole_desktop_is_ok() -> None:
    checks = examined(home(), WHOLE)

    assert not_ok(checks) == []
    assert [check.name for check in checks] == ["settings of Deskbell", *BROKEN]


@pytest.mark.parametrize(("link", "desktop"), BROKEN.items(), ids=BROKEN)
def test_a_missing_part_of_the_desktop_is_a_warning_with_what_to_do(link: str, desktop: Desktop) -> None:
    [check] = not_ok(examined(home(), desktop))

    assert (check.name, check.verdict) == (link, "warn")
    assert check.sentence.endswith(".")
    assert check.mend


def test_an_editor_that_is_set_for_pages_is_a_warning() -> None:
    [check] = not_ok(examined(home(), replace(WHOLE, browser=lambda: "vim.desktop", is_browser=lambda _: False)))

    assert (check.name, check.verdict) == ("pages", "warn")
    assert "vim.desktop would show the source of a page" in check.sentence


@pytest.mark.parametrize(("panel", "verdict"), [("system", "ok"), ("status notifier", "ok"), ("xembed", "warn")])
def test_each_kind_of_panel_has_its_verdict(panel: Panel, verdict: str) -> None:
    [check] = tray(panel)

    assert check.verdict == verdict
    assert ("GTK" in check.mend) == (panel == "xembed")


@pytest.mark.parametrize(("icon", "verdict"), [(True, "ok"), (None, "ok"), (False, "warn")])
def test_an_icon_that_the_panel_has_not_taken_is_a_warning(icon: bool | None, verdict: str) -> None:
    [check] = tray("status notifier", icon)

    assert check.verdict == verdict
    assert ("Deskbell is among them" in check.sentence) == (icon is True)


@pytest.mark.parametrize(("way", "verdict"), [("X11", "ok"), ("wl-copy", "ok"), ("pbcopy", "ok"), ("XWayland", "warn")])
def test_each_way_to_the_clipboard_has_its_verdict(way: Way, verdict: str) -> None:
    [check] = clipboard(way)

    assert check.verdict == verdict
    assert ("wl-clipboard" in check.mend) == (verdict == "warn")


@pytest.mark.parametrize(("name", "extension"), [("ubuntu:GNOME", True), ("XFCE", False)])
def test_gnome_needs_an_extension(name: str, extension: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", name)
    [check] = tray(None)

    assert ("extension/615" in check.mend) == extension


SETTINGS = {
    "a value out of range": b"[burst]\nmore_than = 0\n",
    "no UTF-8": b"\xff",
    "no TOML": b"[[[",
    "nested deeply": b"a = " + b"[" * 100_000,
}


@pytest.mark.parametrize("content", SETTINGS.values(), ids=SETTINGS)
def test_settings_that_cannot_be_read_are_bad(content: bytes) -> None:
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_bytes(content)

    [check] = not_ok(examined(home(), WHOLE))

    assert (check.name, check.verdict) == ("settings of Deskbell", "bad")
    assert str(home().config / "config.toml") in check.sentence
    assert check.mend


def test_a_folder_in_the_place_of_the_settings_is_bad() -> None:
    (home().config / "config.toml").mkdir(parents=True)

    [check] = not_ok(examined(home(), WHOLE))

    assert check.sentence.endswith("config.toml cannot be read: it is a folder.")


def test_valid_settings_are_ok() -> None:
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_text("")

    assert examined(home(), WHOLE)[0].sentence.endswith("config.toml is valid.")


def test_the_daemon_is_asked_for_its_name_and_shows_nothing(address: str) -> None:
    async def story() -> None:
        fake = await Daemon(address, "Fake").up()
        assert await asyncio.to_thread(daemon) == "The daemon Fake 1.0"
        assert fake.screen == {}

    play(story())


def test_without_a_daemon_or_without_a_bus_there_is_no_name(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert daemon() is None
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
    assert daemon() is None


@pytest.mark.parametrize("who", ["The daemon dunst 1.9.0", "This system"])
def test_who_displays_notifications_is_named_as_it_is(who: str) -> None:
    (check,) = notifications(who)
    assert check.sentence == f"{who} displays them. Run `deskbell notify-test` to see one."


@pytest.mark.skipif("sys.platform == 'linux'", reason="Linux has a daemon and xdg-open")
def test_other_systems_display_and_open_things_themselves() -> None:
    assert (daemon(), opener()) == ("This system", "the programs of this system")


@pytest.mark.skipif("sys.platform != 'linux'", reason="other systems open files themselves")
def test_xdg_open_is_looked_for_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert opener() is None
    assert Desktop().clipboard() is None


def test_a_token_that_is_not_encrypted_is_a_warning() -> None:
    channel = 'name = "phone"\nkind = "ntfy"\nurl = "http://ntfy.example/topic"\nsecret = "env:TOKEN"\n'
    home().config.mkdir(parents=True, exist_ok=True)
    (home().config / "config.toml").write_text(f"[[channels]]\n{channel}")
    [check] = not_ok(examined(home(), WHOLE))
    assert (check.name, check.verdict, check.mend) == ("channels", "warn", "Use an https:// url.")
    assert "phone sends its token without encryption" in check.sentence
