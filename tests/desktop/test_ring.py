"""Test a ring in a real kitty: kitty shows a notification, and a click on it leads to the very tab and window."""

import os
import time
from pathlib import Path

import pytest
from PIL import Image

from deskbell.desktop.jump.ringing import ring_in_terminal
from tests.client.hearing import Hearing
from tests.desktop.desktop import Desktop, desktop, difference, wait_until
from tests.desktop.terminals import Terminals, missing
from tests.desktop.test_notifications import DAEMONS

CORNER = (640, 0, 1280, 260)
"""Where notifications are, and no window that was moved to the left edge below it."""


def corner(desk: Desktop) -> Image.Image:
    return desk.shot().crop(CORNER)


def bottom_right(desk: Desktop, empty: Image.Image) -> tuple[int, int]:
    """Return where the notification ends once it is drawn."""
    shots = [empty, corner(desk)]
    while difference(*shots) or not difference(empty, shots[1]):
        time.sleep(0.15)
        shots = [shots[1], corner(desk)]
    _, _, right, bottom = difference(empty, shots[1]) or (0, 0, 0, 0)
    return CORNER[0] + right, bottom


@pytest.mark.parametrize("daemon", DAEMONS)
def test_a_click_on_the_notification_of_kitty_ends_in_the_tab_that_rang(
    parts: None, daemon: str, tmp_path: Path
) -> None:
    if absent := missing():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"terminals are missing: {', '.join(absent)}")
    with (
        desktop(tmp_path / "desk", daemon, panel=False) as desk,  # type: ignore[arg-type]  # one of DAEMONS
        Hearing(desk.env["DBUS_SESSION_BUS_ADDRESS"]) as hearing,
    ):
        office, empty = Terminals(desk), corner(desk)
        office.kitty(["shown"], ["rings", "beside it"])
        behind = office.active()
        office.xterm("in front")
        for window in (behind, office.active()):
            desk.xdotool("windowmove", "--sync", window, "10", "300")
        wait_until(lambda: not difference(empty, corner(desk)), "an empty corner")
        rings = next(seat for seat in office.seats if seat.name == "rings")
        ring_in_terminal(rings.session, "api; ünï", "wants to run `ls`; twice")
        wait_until(hearing.on_screen, "the notification of kitty")
        letter = hearing.on_screen()[0]
        assert (letter.title, letter.body) == ("api; ünï", "wants to run `ls`; twice")
        right, bottom = bottom_right(desk, empty)
        desk.click(right - 60, bottom - 25)  # the button of xfce4-notifyd; anywhere on dunst
        kitty = str(desk.pid("kitty"))
        wait_until(lambda: desk.xdotool("getactivewindow", "getwindowpid").strip() == kitty, "kitty in front")
        assert office.type_in().name == "rings"
        office.close()
