"""Test the icon in a tray of the older kind, where this Python can have GTK."""

import subprocess
import sys

import pytest

from tests.desktop.conftest import Program
from tests.desktop.desktop import Desktop, difference, wait_until
from tests.desktop.test_tray_xfce import BUSY, ONE

FIND_GTK = "import sys; sys.path.append('/usr/lib/python3/dist-packages'); import gi; gi.require_version('Gtk', '3.0')"


@pytest.fixture
def trayer(fragile: Desktop) -> Desktop:
    if subprocess.run([sys.executable, "-c", FIND_GTK], capture_output=True, check=False).returncode:
        pytest.skip("the system's GTK is for another Python than this one")
    fragile.start("trayer", "--edge", "top", "--align", "right", "--height", "32", "--widthtype", "request")
    wait_until(lambda: "trayer" in fragile.xdotool("search", "--class", "trayer", "getwindowname"), "trayer")
    return fragile


def colours(one: Desktop) -> int:
    return len(one.shot().crop((1180, 0, 1280, 32)).getcolors(1 << 20) or ())


def test_the_icon_is_shown_and_clicked(trayer: Desktop) -> None:
    program = Program(trayer, "-m", "tests.desktop.faces", "--xembed")
    program.show(ONE, BUSY)
    wait_until(lambda: colours(trayer) > 20, "the icon in the tray")
    before = trayer.shot()
    trayer.click(1264, 16)
    wait_until(lambda: (box := difference(before, trayer.shot())) and box[3] > 100, "an open menu")
    trayer.xdotool("key", "Down", "Right", "Return")
    program.wait_for("Jump", "s1")
    assert program.end() == 0


def test_without_a_tray_there_is_none(fragile: Desktop) -> None:
    program = Program(fragile, "-m", "tests.desktop.faces", "--xembed")
    program.wait_for("no spare tray", None)
    assert program.end() == 0
