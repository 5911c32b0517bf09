"""Test the terminals that are called on the session bus, with a program that answers as they do, on Wayland."""

import asyncio
import os
import pty
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from deskbell.desktop.bus import close
from deskbell.desktop.focus import processes
from deskbell.desktop.jump import ghostty, gnome_terminal, jump_to, ptyxis, terminator, tilix
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot
from deskbell.errors import Problem
from tests.tray.desktop.fake_daemon import play
from tests.waiting import wait

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="D-Bus")
SCREEN = "/org/gnome/Terminal/screen/6d989501_8088_433e_a14f_52a11690070e"
UUID = "6d989501-8088-433e-a14f-52a11690070e"
WAYLAND = {"WAYLAND_DISPLAY": "wayland-0", "XDG_CURRENT_DESKTOP": "GNOME"}


class Terminal:
    """Owns NAME and writes down the calls. It runs in the process of the test."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.calls: list[tuple[str, list[Any]]] = []

    async def up(self, address: str) -> "Terminal":
        self.bus = await MessageBus(bus_address=address).connect()
        self.bus.add_message_handler(self._answer)
        await self.bus.request_name(self.name)
        return self

    def _answer(self, message: Message) -> Message | None:
        if message.message_type is not MessageType.METHOD_CALL or message.interface == "org.freedesktop.DBus.Peer":
            return None
        self.calls.append((str(message.member), list(message.body)))
        if message.member == "Introspect":
            return Message.new_method_return(message, "s", ['<node><node name="3"/><node name="../x"/></node>'])
        if message.member == "Describe":
            return Message.new_method_return(message, "(bgav)", [[True, "i", [Variant("i", 2)]]])
        if message.member == "GetInitialResultSet":
            return Message.new_method_return(message, "as", [[]])
        return Message.new_method_return(message)

    def said(self, member: str) -> list[list[Any]]:
        return [body for name, body in self.calls if name == member]


def at(**handles: str) -> Spot:
    return Spot(os.getpid(), (os.getpid(),), None, handles)


def chosen(
    address: str, way: Callable[[Spot, Desk], Tab | None], terminal: Terminal, spot: Spot, token: str | None
) -> bool:
    """Let WAY choose the tab of SPOT, and return whether it found one."""
    found: list[Tab | None] = []

    def work() -> None:
        with Desk(WAYLAND | {"DBUS_SESSION_BUS_ADDRESS": address}, token) as desk:
            found.append(way(spot, desk))
            if found[0]:
                found[0].step.bring()

    async def story() -> None:
        await terminal.up(address)
        try:
            await asyncio.to_thread(work)
        finally:
            await close(terminal.bus)

    play(story())
    return found[0] is not None


def test_gnome_terminal_gets_the_token_of_the_click_before_it_chooses_the_tab(address: str) -> None:
    terminal = Terminal("org.gnome.Terminal")
    assert chosen(address, gnome_terminal.tab, terminal, at(GNOME_TERMINAL_SCREEN=SCREEN), "a token")
    assert terminal.said("ActivateResult") == [[UUID, [], 0]]
    ((action, state, platform),) = terminal.said("SetState")
    assert (action, state.value) == ("active-tab", 2)
    assert {name: one.value for name, one in platform.items()} == {
        "activation-token": "a token",
        "desktop-startup-id": "a token",
    }
    order = [name for name, _ in terminal.calls if name in ("SetState", "ActivateResult")]
    assert order == ["SetState", "ActivateResult"]


def test_without_a_token_gnome_terminal_chooses_the_tab_alone(address: str) -> None:
    terminal = Terminal("org.gnome.Terminal")
    assert chosen(address, gnome_terminal.tab, terminal, at(GNOME_TERMINAL_SCREEN=SCREEN), None)
    assert (terminal.said("SetState"), len(terminal.said("ActivateResult"))) == ([], 1)


STRANGE = (f"{SCREEN}/x", "/org/gnome/Terminal/screen/1", "", f"{SCREEN}\n", f" {SCREEN}")


@pytest.mark.parametrize("screen", STRANGE)
def test_a_screen_of_another_shape_is_not_asked_for(address: str, screen: str) -> None:
    terminal = Terminal("org.gnome.Terminal")
    assert not chosen(address, gnome_terminal.tab, terminal, at(GNOME_TERMINAL_SCREEN=screen), None)
    assert terminal.calls == []


def test_tilix_gets_the_id_and_the_token(address: str) -> None:
    terminal = Terminal("com.gexperts.Tilix")
    assert chosen(address, tilix.tab, terminal, at(TILIX_ID=UUID), "a token")
    ((action, given, platform),) = terminal.said("Activate")
    assert (action, [one.value for one in given]) == ("activate-terminal", [UUID])
    assert platform["desktop-startup-id"].value == "a token"
    assert not chosen(address, tilix.tab, Terminal("com.gexperts.Tilix"), at(TILIX_ID=f"{UUID[:-3]}'x'"), None)


def test_ghostty_gets_the_number_of_the_surface(address: str) -> None:
    terminal = Terminal("com.mitchellh.ghostty")
    assert chosen(address, ghostty.tab, terminal, at(GHOSTTY_SURFACE_ID="0xffffffffffffffff"), None)
    ((action, given, platform),) = terminal.said("Activate")
    assert (action, [(one.signature, one.value) for one in given]) == ("present-surface", [("t", 2**64 - 1)])
    assert platform == {}


@pytest.mark.parametrize("surface", ["", "7", "0x", f"0x1{'0' * 16}", "0x7\n", "0x_7", "0x٣", "-0x7"])
def test_a_surface_of_another_shape_is_not_asked_for(address: str, surface: str) -> None:
    terminal = Terminal("com.mitchellh.ghostty")
    assert not chosen(address, ghostty.tab, terminal, at(GHOSTTY_SURFACE_ID=surface), None)
    assert terminal.calls == []


def test_ptyxis_gets_the_token_of_the_click(address: str) -> None:
    terminal = Terminal("org.gnome.Ptyxis")
    assert chosen(address, ptyxis.tab, terminal, at(), "a token")
    ((platform,),) = terminal.said("Activate")
    assert {name: one.value for name, one in platform.items()} == {
        "activation-token": "a token",
        "desktop-startup-id": "a token",
    }
    assert not chosen(address, ptyxis.tab, Terminal("org.gnome.Ptyxis"), at(), None)
    assert not chosen(address, ptyxis.tab, Terminal("org.gnome.Ptyxis"), Spot(2**30, (2**30,)), "a token")


def test_of_several_tabs_of_ptyxis_it_is_said_that_none_can_be_chosen(address: str) -> None:
    """The reader of another tab has the test as its parent, as the one of this tab has."""
    with terminals(2) as pids:
        spot = Spot(pids[0], (pids[0], os.getpid()), "/dev/pts/none")
        with pytest.raises(Problem, match="No other program can choose a tab"):
            chosen(address, ptyxis.tab, Terminal("org.gnome.Ptyxis"), spot, "a token")


@contextmanager
def terminals(many: int) -> Iterator[list[int]]:
    """Run MANY programs below this process, each in a terminal of its own."""
    pids, ours = list[int](), list[int]()
    for _ in range(many):
        pid, master = pty.fork()
        if pid == 0:
            os.execlp("sleep", "sleep", "60")
        pids.append(pid)
        ours.append(master)
    try:
        wait(lambda: processes.terminals(os.getpid()) == many, "the terminals")
        yield pids
    finally:
        for pid, master in zip(pids, ours, strict=True):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            os.close(master)


@pytest.mark.parametrize("name", ["org.evil.Terminator", "net.tenshu.Terminator2.x", "net.tenshu.Terminator2/", ":1.7"])
def test_a_terminator_of_another_name_is_not_asked(address: str, name: str) -> None:
    terminal = Terminal("org.evil.Terminator")
    assert not chosen(address, terminator.tab, terminal, at(TERMINATOR_DBUS_NAME=name, TERMINATOR_UUID=UUID), None)
    assert terminal.calls == []


def test_a_terminator_is_left_to_its_window_where_accessibility_is_off(address: str) -> None:
    name = "net.tenshu.Terminator2abc"
    terminal = Terminal(name)
    assert not chosen(address, terminator.tab, terminal, at(TERMINATOR_DBUS_NAME=name, TERMINATOR_UUID=UUID), None)
    assert terminal.calls == []


def test_a_terminal_of_another_process_is_not_the_one(address: str) -> None:
    stranger = Spot(2**30, (2**30,), None, {"GNOME_TERMINAL_SCREEN": SCREEN, "TILIX_ID": UUID})
    assert not chosen(address, gnome_terminal.tab, Terminal("org.gnome.Terminal"), stranger, None)
    assert not chosen(address, tilix.tab, Terminal("com.gexperts.Tilix"), stranger, None)


def test_on_gnome_wayland_a_window_without_a_terminal_that_raises_it_stays_and_a_sentence_says_so() -> None:
    came = jump_to(at(), env=WAYLAND)
    assert came.complete is False
    assert came.sentence.startswith("This desktop lets no program bring the window of another to the front.")
