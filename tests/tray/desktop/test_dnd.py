"""Test do-not-disturb of each desktop."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from deskbell.desktop.bus import close
from deskbell.desktop.dnd.linux import BusDnd
from deskbell.desktop.dnd.macos import focus
from deskbell.program.boundary import Boundary
from tests.tray.desktop.fake_daemon import play, until

DAEMON = "org.freedesktop.Notifications"


class Keeper:
    """A service that keeps one switch, and tells when it changes."""

    def __init__(self, name: str, asked: list[str], tells: tuple[str, str, str, str, list[object]]) -> None:
        self.name, self.asked, self.tells, self.on = name, asked, tells, False

    async def up(self, address: str) -> "Keeper":
        self.bus = await MessageBus(bus_address=address).connect()
        self.bus.add_message_handler(self._answer)
        await self.bus.request_name(self.name)
        return self

    def switch(self, on: bool) -> None:
        self.on = on
        path, interface, member, signature, body = self.tells
        self.bus.send(Message.new_signal(path, interface, member, signature, body))

    def _answer(self, message: Message) -> Message | None:
        if message.message_type is MessageType.METHOD_CALL and message.body == self.asked:
            return Message.new_method_return(message, "v", [Variant("b", self.on)])
        return None


def properties(interface: str) -> tuple[str, str, str, str, list[object]]:
    path = "/org/freedesktop/Notifications"
    return path, "org.freedesktop.DBus.Properties", "PropertiesChanged", "sa{sv}as", [interface, {}, []]


KEEPERS = {
    "do not disturb is on": Keeper(DAEMON, [DAEMON, "Inhibited"], properties(DAEMON)),
    "dunst is paused": Keeper(DAEMON, ["org.dunstproject.cmd0", "paused"], properties("org.dunstproject.cmd0")),
    "Xfce's do not disturb is on": Keeper(
        "org.xfce.Xfconf",
        ["xfce4-notifyd", "/do-not-disturb"],
        (
            "/org/xfce/Xfconf",
            "org.xfce.Xfconf",
            "PropertyChanged",
            "ssv",
            ["xfce4-notifyd", "/do-not-disturb", Variant("b", True)],
        ),
    ),
}


@pytest.mark.parametrize(("words", "keeper"), KEEPERS.items(), ids=KEEPERS)
def test_it_is_known_at_once_and_reported_when_it_changes(address: str, words: str, keeper: Keeper) -> None:
    async def story() -> None:
        boundary = Boundary()
        await keeper.up(address)
        keeper.on = True
        changes: list[None] = []
        dnd = BusDnd(boundary, lambda: changes.append(None))
        dnd.start()
        await until(lambda: dnd.now() == words, words)
        keeper.switch(False)
        await until(lambda: dnd.now() is None, "that it is over")
        keeper.switch(True)
        await until(lambda: dnd.now() == words, words)
        assert len(changes) == 3
        await close(keeper.bus)
        dnd.stop()
        await boundary.stopped()

    play(story())


@pytest.mark.parametrize("reachable", [True, False], ids=["a bus", "no bus"])
def test_it_is_known_once_the_system_has_been_asked_though_nothing_is_on(
    address: str, reachable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not reachable:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")

    async def story() -> None:
        boundary = Boundary()
        changes: list[None] = []
        dnd = BusDnd(boundary, lambda: changes.append(None))
        dnd.start()
        assert dnd.known is False
        await until(lambda: dnd.known, "that it has been asked")
        assert (dnd.now(), len(changes)) == (None, 1)
        dnd.stop()
        await boundary.stopped()

    play(story())


def test_another_daemon_is_asked_again_and_without_one_nothing_is_held_back(address: str) -> None:
    async def story() -> None:
        boundary = Boundary()
        dnd = BusDnd(boundary, lambda: None)
        dnd.start()
        keeper = KEEPERS["dunst is paused"]
        keeper.on = True
        await keeper.up(address)
        await until(lambda: dnd.now() == "dunst is paused", "that it is paused")
        await close(keeper.bus)
        await until(lambda: dnd.now() is None, "that nobody holds back")
        dnd.stop()
        await boundary.stopped()

    play(story())


@pytest.mark.parametrize("banners", ["false", "true"])
def test_gnome_keeps_it_in_a_setting(
    address: str, banners: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gsettings").write_text(f"#!/bin/sh\necho {banners}\n")
    (tmp_path / "gsettings").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    async def story() -> None:
        boundary = Boundary()
        dnd = BusDnd(boundary, lambda: None, "ubuntu:GNOME")
        dnd.start()
        if banners == "false":
            await until(lambda: dnd.now() == "GNOME's do not disturb is on", "that it is on")
        bus = await MessageBus(bus_address=address).connect()
        (tmp_path / "gsettings").write_text("#!/bin/sh\necho false\n")
        bus.send(Message.new_signal("/ca/desrt/dconf/Writer/user", "ca.desrt.dconf.Writer", "Notify", "s", ["/x"]))
        await until(lambda: dnd.now() == "GNOME's do not disturb is on", "that it is on")
        await close(bus)
        dnd.stop()
        await boundary.stopped()

    play(story())


@pytest.fixture
def hung(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Put a gsettings that hangs on the PATH. Return a function that names its process,
    empty before it is asked and for a moment after it, in which Deskbell has come to wait."""
    pid = tmp_path / "pid"
    (tmp_path / "gsettings").write_text(f"#!/bin/sh\nsleep 0.2\necho $$ > {pid}\nexec sleep 600\n")
    (tmp_path / "gsettings").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return lambda: pid.read_text().strip() if pid.exists() else ""


def test_a_gsettings_that_hangs_has_ended_when_deskbell_ends(address: str, hung: Callable[[], str]) -> None:
    """A process that nobody has waited for is still listed, and its transport outlives the loop."""

    async def story() -> None:
        boundary = Boundary()
        dnd = BusDnd(boundary, lambda: None, "ubuntu:GNOME")
        dnd.start()
        await until(hung, "gsettings to be asked")
        dnd.stop()
        await asyncio.sleep(0)
        await boundary.stopped()  # cancels a second time
        assert not Path("/proc", hung()).exists()

    play(story())


ON = '{"data": [{"storeAssertionRecords": [{"assertionDetails": {}}]}]}'


@pytest.mark.parametrize(("text", "on"), [(ON, True), ('{"data": [{}]}', False), ("[]", False), ("no json", False)])
def test_a_focus_of_macos_is_read(text: str, on: bool) -> None:
    assert focus(text.encode()) is on
