"""Click on a real notification of a session in a tmux pane that nothing shows, and type: the pane gets it."""

import os
from pathlib import Path

import pytest

from tests.desktop.desktop import desktop, wait_until
from tests.desktop.terminals import Terminals, missing
from tests.desktop.test_notifications import DAEMONS
from tests.desktop.test_restart import Restarted, box_of


@pytest.mark.parametrize("daemon", DAEMONS)
def test_a_click_on_a_notification_ends_in_the_pane_that_asked(parts: None, daemon: str, tmp_path: Path) -> None:
    if absent := missing():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"terminals are missing: {', '.join(absent)}")
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
        left, _, _, bottom = box_of(desk, empty)
        desk.click(left + 60, bottom - 30)  # the first button of xfce4-notifyd; anywhere on dunst
        wait_until(lambda: office.active() == attached, "the window that shows tmux")
        wait_until(lambda: "s1" in office.run(*attach[:-3], "list-clients", "-F", "#{client_session}"), "the session")
        assert office.type_in() is asks
        assert deskbell.end()[0] == 0
        office.close()
