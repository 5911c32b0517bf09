"""Test a click on a real notification of a session in a tmux pane that nothing shows: what is typed arrives there."""

import os
from pathlib import Path

import pytest
from PIL import Image

from tests.client.hearing import Hearing
from tests.desktop.desktop import Desktop, desktop, wait_until
from tests.desktop.terminals import Terminals, missing
from tests.desktop.test_notifications import DAEMONS
from tests.desktop.test_restart import Restarted, box_of


@pytest.fixture
def terminals() -> None:
    if absent := missing():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"terminals are missing: {', '.join(absent)}")


def click(desk: Desktop, empty: Image.Image) -> None:
    """Click on the first button of what is on the screen with xfce4-notifyd, and anywhere on it with dunst."""
    left, _, _, bottom = box_of(desk, empty)
    desk.click(left + 60, bottom - 30)


@pytest.mark.parametrize("daemon", DAEMONS)
def test_a_click_on_a_notification_ends_in_the_pane_that_asked(
    parts: None, terminals: None, daemon: str, tmp_path: Path
) -> None:
    with desktop(tmp_path / "desk", daemon, panel=False) as desk:  # type: ignore[arg-type]  # one of DAEMONS
        office = Terminals(desk)
        attach = office.tmux("tmux", [["shown", "beside it"], ["asks", "idles"]])
        office.open("xterm attached", "-e", *attach)
        office.attached(attach, 1)
        attached = office.active()
        office.xterm("in front")
        for window in (attached, office.active()):
            desk.xdotool("windowmove", window, "10", "300")
        asks = next(seat for seat in office.seats if seat.name == "asks")
        deskbell = Restarted(desk, tmp_path / "home")
        empty = desk.shot()
        deskbell.hook("UserPromptSubmit", pid=asks.pid, prompt="ship it")
        deskbell.hook("PermissionRequest", pid=asks.pid, tool_name="Bash", tool_input={"command": "npm publish"})
        click(desk, empty)
        wait_until(lambda: office.active() == attached, "the window that shows tmux")
        wait_until(lambda: "s1" in office.run(*attach[:-3], "list-clients", "-F", "#{client_session}"), "the session")
        assert office.type_in() is asks
        assert deskbell.end()[0] == 0
        office.close()


@pytest.mark.parametrize("daemon", DAEMONS)
def test_a_session_to_which_nobody_is_attached_opens_in_a_new_terminal(
    parts: None, terminals: None, daemon: str, tmp_path: Path
) -> None:
    with (
        desktop(tmp_path / "desk", daemon, panel=False) as desk,  # type: ignore[arg-type]  # one of DAEMONS
        Hearing(desk.env["DBUS_SESSION_BUS_ADDRESS"]) as hearing,
    ):
        office = Terminals(desk)
        attach = office.tmux("tmux", [["elsewhere"], ["beside it", "asks"]])
        tmux = attach[:-3]
        office.run(*tmux, "select-pane", "-t", "s1:.0")
        wait_until(lambda: all(seat.pid for seat in office.seats), "the sessions")
        asks = next(seat for seat in office.seats if seat.name == "asks")
        deskbell = Restarted(desk, tmp_path / "home")
        with (tmp_path / "home/deskbell/config/config.toml").open("a") as config:
            config.write('[terminal]\ncommand = "xterm"\n')
        empty = desk.shot()
        deskbell.hook("UserPromptSubmit", pid=asks.pid, prompt="ship it")
        deskbell.hook("PermissionRequest", pid=asks.pid, tool_name="Bash", tool_input={"command": "npm publish"})
        click(desk, empty)
        wait_until(lambda: any("nobody is attached" in letter.body for letter in hearing.on_screen()), "the message")
        _, _, right, bottom = box_of(desk, empty)
        desk.click(right - 60, bottom - 30)  # its only button is at the right with xfce4-notifyd
        office.attached(attach, 1)
        wait_until(lambda: office.run(*tmux, "list-clients", "-F", "#{client_session}").strip() == "s1", "its session")
        wait_until(lambda: desk.xdotool("getactivewindow", "getwindowname").strip(), "the terminal in front")
        assert office.type_in() is asks
        assert "you clicked one of its messages to open it in a terminal" in deskbell.why()
        assert deskbell.end()[0] == 0
        office.close()
