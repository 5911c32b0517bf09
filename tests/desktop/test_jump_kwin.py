"""Test that windows come to the front on a real KWin, also by the script that Wayland needs."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.desktop.jump import kwin
from deskbell.desktop.jump.desk import Desk
from deskbell.desktop.jump.spot import spot
from tests.desktop.desktop import Desktop, wait_until
from tests.desktop.terminals import Terminals


@pytest.fixture
def office(parts: None, tmp_path: Path) -> Iterator[Terminals]:
    if not shutil.which("kwin_x11"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("kwin_x11 is missing: see tests/system-packages.sh")
    one = Desktop(tmp_path / "desk")
    one.up(panel=False, manager=("kwin_x11",))
    try:
        wait_until(lambda: one.owned("org.kde.KWin"), "KWin")
        there = Terminals(one)
        for name in ("first", "second", "third"):
            there.xterm(name)
        yield there
    finally:
        one.down()


def test_windows_come_to_the_front_minimised_and_from_another_workspace(office: Terminals) -> None:
    for number in range(9):
        seat = office.seats[number % 3]
        if number % 2:
            office.desktop.xdotool("windowminimize", office.active())
        there = spot(seat.pid or 0)
        assert there
        with Desk(office.desktop.env) as desk:
            step = kwin.window(there, desk, None)
            assert step
            assert step.there() or step.instead() in ("", "the window of xterm")
            step.bring()
            wait_until(step.there, seat.name)
        assert office.type_in() is seat


def test_a_process_without_a_window_has_no_step(office: Terminals) -> None:
    with subprocess.Popen(["sleep", "60"]) as process, Desk(office.desktop.env) as desk:
        there = spot(process.pid)
        assert there
        assert os.getpid() in there.line
        assert kwin.window(there, desk, None) is None
        process.terminate()
