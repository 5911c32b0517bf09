"""Test sway and Hyprland with programs that answer as `swaymsg` and `hyprctl` do."""

import os
import sys
from typing import Any

import pytest

from deskbell.desktop.jump.desk import Desk
from deskbell.desktop.jump.spot import Spot, program
from deskbell.desktop.jump.wlroots import hyprland, sway, sway_windows
from tests.tray.desktop.jump.programs import Programs

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs of the shell")

GONE = 2**30
SPOT = Spot(30, (30, 20, 10), None)
TREE = {
    "id": 1,
    "nodes": [
        {"id": 7, "pid": 10, "name": "foot", "focused": False},
        {"id": 8, "pid": 99, "name": "other", "focused": True},
    ],
    "floating_nodes": [{"id": 9, "pid": 20, "name": "nearer", "focused": True}],
}


def test_sway_focuses_the_window_of_the_nearest_process(programs: Programs) -> None:
    programs.put("swaymsg", TREE, focus="")
    with Desk({}) as desk:
        step = sway(SPOT, desk, None)
        assert step
        step.bring()
        assert programs.calls("swaymsg")[-1] == ["[con_id=9] focus"]
        programs.put("swaymsg", {"nodes": [{"id": 9, "pid": 20, "focused": True}]})
        assert step.there() is True
        programs.put("swaymsg", {"nodes": [{"id": 8, "pid": os.getpid(), "focused": True}]})
        assert step.there() is False
        assert step.instead() == f"the window of {program(os.getpid())}"
        programs.put("swaymsg", {"nodes": [{"id": 8, "pid": GONE, "focused": True}]})
        assert step.instead() == "the window of another program"
        programs.put("swaymsg", {"nodes": [{"id": 8, "pid": GONE}]})
        assert step.instead() == ""


CLIENTS = [{"address": "0x5a", "pid": 10, "title": "kitty"}, {"address": "0x5b; exec rm", "pid": 20, "title": "evil"}]


def test_hyprland_focuses_a_window_by_its_address_and_takes_no_other_text(programs: Programs) -> None:
    programs.put("hyprctl", "", clients=CLIENTS, activewindow={"address": "0x5a"})
    with Desk({}) as desk:
        step = hyprland(SPOT, desk, None)
        assert step
        step.bring()
        assert programs.calls("hyprctl")[-1] == ["dispatch", "focuswindow", "address:0x5a"]
        assert step.there() is True


@pytest.mark.parametrize("answer", ["", "null", "[]", '{"nodes": [{"pid": 5, "id": 1}]}'])
def test_where_no_window_belongs_to_the_session_there_is_no_step(programs: Programs, answer: str) -> None:
    programs.put("swaymsg", answer)
    programs.put("hyprctl", "[]")
    with Desk({}) as desk:
        assert sway(SPOT, desk, None) is None
        assert hyprland(SPOT, desk, None) is None


@pytest.mark.parametrize("tree", [None, [], "x", {}])
def test_what_is_no_tree_has_no_windows(tree: Any) -> None:
    assert list(sway_windows(tree)) == []
