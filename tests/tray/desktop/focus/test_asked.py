"""Terminals and compositors that are asked by their own programs, each played by a script on the PATH."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from deskbell.desktop.focus import Active, Eyes, SilentScreen, tabs
from deskbell.desktop.focus.wlroots import Hyprland, Sway
from deskbell.desktop.senses import Person
from deskbell.program.boundary import Boundary
from deskbell.session import Place
from tests.tray.story import session

Program = Callable[[str, str], None]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    def written(name: str, says: str) -> None:
        (tmp_path / name).write_text(f"#!/bin/sh\n[ \"$*\" ] && cat <<'END'\n{says}\nEND\n")
        (tmp_path / name).chmod(0o755)

    return written


def place(tty: str | None = None, **handles: str) -> Place:
    return Place(tty, tuple(handles.items()))


KITTY = json.dumps([{"tabs": [{"windows": [{"id": 7, "is_focused": True}]}]}])
TABS: dict[str, tuple[str, str, Place, bool | None]] = {
    "kitty, focused": ("kitty", KITTY, place(KITTY_LISTEN_ON="unix:/k", KITTY_WINDOW_ID="7"), True),
    "kitty without remote control": ("kitty", "", place(KITTY_LISTEN_ON="unix:/k", KITTY_WINDOW_ID="7"), None),
    "kitty that does not listen": ("kitty", KITTY, place(KITTY_WINDOW_ID="7"), None),
    "wezterm, focused": ("wezterm", '[{"focused_pane_id": 3}]', place(WEZTERM_PANE="3"), True),
    "wezterm, another pane": ("wezterm", '[{"focused_pane_id": 4}]', place(WEZTERM_PANE="3"), False),
    "iTerm2, focused": ("osascript", "/dev/ttys003", place("/dev/ttys003", TERM_PROGRAM="iTerm.app"), True),
    "Terminal, another tab": ("osascript", "/dev/ttys004", place("/dev/ttys003", TERM_PROGRAM="Apple_Terminal"), False),
    "a terminal that has no program to ask": ("kitty", KITTY, place(TERM_PROGRAM="xterm"), None),
}


@pytest.mark.parametrize(("name", "says", "there", "focused"), TABS.values(), ids=TABS)
def test_a_terminal_says_which_tab_is_focused(
    program: Program, name: str, says: str, there: Place, focused: bool | None
) -> None:
    program(name, says)
    assert tabs.focused(there, 1) is focused


def test_compositors_say_which_window_is_focused(program: Program) -> None:
    program("swaymsg", json.dumps({"nodes": [{"focused": True, "pid": 12}]}))
    program("hyprctl", json.dumps({"pid": 13}))
    assert (Sway().active(), Hyprland().active()) == (Active(12), Active(13))


class Held:
    started = 0

    def start(self) -> None:
        self.started += 1

    def now(self) -> str | None:
        return "dunst is paused"

    def stop(self) -> None:
        self.started -= 1


def test_of_the_person_both_is_known() -> None:
    held = Held()
    person = Person(Boundary(), lambda: None, Eyes(SilentScreen()), held)
    person.start()
    assert (person.focused(session("api")), person.dnd(), held.started) == (None, "dunst is paused", 1)
    person.stop()
    assert held.started == 0
