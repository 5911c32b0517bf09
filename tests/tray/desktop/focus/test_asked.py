"""Test terminals and compositors that their own programs ask, each played by a script on the PATH."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from deskbell.desktop.focus import Active, tabs
from deskbell.desktop.focus.asked import HUNG_FOR, Asker, answer
from deskbell.desktop.focus.wlroots import Hyprland, Sway
from deskbell.session import Place

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


def hang(tmp_path: Path, name: str) -> Path:
    """Make a program that hangs, and return the file into which it writes a line each time that it is run."""
    asked_at = tmp_path / f"{name} was asked"
    (tmp_path / name).write_text(f"#!/bin/sh\necho >> '{asked_at}'\nexec sleep 60\n")
    (tmp_path / name).chmod(0o755)
    return asked_at


def test_a_program_that_hangs_is_asked_again_only_after_a_pause(program: Program, tmp_path: Path) -> None:
    asked_at = hang(tmp_path, "tmux")
    program("swaymsg", "here")
    now = [100.0]
    asker = Asker(lambda: now[0])

    def asked(seconds: float, again: bool) -> int:
        now[0] += seconds
        if again:
            asker.ask_again()
        assert asker.text("tmux", "list-clients") is None
        return len(asked_at.read_text())

    assert [asked(0, False), asked(0, False), asked(1, True)] == [1, 1, 1]
    assert (asker.hung, asker.text("swaymsg", "-r")) == (True, "here\n")
    assert asked(HUNG_FOR, False) == 1, "nobody waits for its answer then"
    assert [asked(0, True), asked(1, True)] == [2, 2]
    program("tmux", "well again")
    now[0] += HUNG_FOR
    asker.ask_again()
    assert (asker.hung, asker.text("tmux", "list-clients")) == (False, "well again\n")


@pytest.mark.parametrize("name", ["tmux", "kitty", "wezterm"])
def test_a_server_that_hangs_is_remembered_by_its_socket_and_the_others_are_asked(
    program: Program, tmp_path: Path, name: str
) -> None:
    program(name, "here")
    asked_at = tmp_path / "asked"
    file = tmp_path / name
    file.write_text(f"#!/bin/sh\n[ \"$2$SOCKET\" = hangs ] || exec echo here\necho >> '{asked_at}'\nexec sleep 60\n")
    now = [100.0]
    asker = Asker(lambda: now[0])
    for _ in range(3):
        assert asker.text(name, "-S", "hangs", socket="hangs") is None
        assert asker.text(name, "-S", "well", socket="well") == "here\n"
    assert len(asked_at.read_text()) == 1, "its deadline is waited for once"
    now[0] += HUNG_FOR
    file.write_text("#!/bin/sh\necho $SOCKET\n")
    asker.ask_again()
    assert (asker.hung, asker.text(name, "-S", "hangs", socket="hangs")) == (False, "\n")


def test_a_server_that_is_named_by_a_variable_is_asked_again_with_it(program: Program, tmp_path: Path) -> None:
    said = tmp_path / "said"
    (tmp_path / "wezterm").write_text(f"#!/bin/sh\necho $SOCKET >> '{said}'\nexec sleep 60\n")
    (tmp_path / "wezterm").chmod(0o755)
    now = [100.0]
    asker = Asker(lambda: now[0])
    assert asker.text("wezterm", "cli", socket="one", env={**os.environ, "SOCKET": "one"}) is None
    now[0] += HUNG_FOR
    asker.ask_again()
    assert said.read_text() == "one\none\n"


def test_the_server_of_wezterm_is_the_one_that_the_session_names(program: Program, tmp_path: Path) -> None:
    (tmp_path / "wezterm").write_text(
        """#!/bin/sh\n[ "$WEZTERM_UNIX_SOCKET" = /b ] && echo '[{"focused_pane_id": 3}]'\n"""
    )
    (tmp_path / "wezterm").chmod(0o755)
    assert tabs.focused(place(WEZTERM_PANE="3", WEZTERM_UNIX_SOCKET="/b"), 1) is True
    assert tabs.focused(place(WEZTERM_PANE="3", WEZTERM_UNIX_SOCKET="/a"), 1) is None


def test_a_program_that_fails_is_asked_again_at_once(tmp_path: Path, program: Program) -> None:
    asker = Asker()
    assert asker.text("tmux", "list-clients") is None
    program("tmux", "here")
    assert (asker.text("tmux", "list-clients"), asker.hung) == ("here\n", False)


def test_a_program_that_leaves_a_child_has_answered(tmp_path: Path) -> None:
    file = tmp_path / "wezterm"
    file.write_text("#!/bin/sh\nsleep 60 &\necho here\n")
    file.chmod(0o755)
    assert Asker().text(str(file)) == "here\n"


def test_an_answer_that_is_not_utf_8_or_json_is_none(tmp_path: Path) -> None:
    file = tmp_path / "swaymsg"
    for text in (r"printf '\377'", "echo {", "head -c 200000 /dev/zero | tr '\\0' '['"):
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)
        assert answer(str(file)) is None
