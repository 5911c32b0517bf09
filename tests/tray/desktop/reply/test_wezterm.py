"""Test the carrier of WezTerm with a program that answers as its documentation says."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from deskbell.desktop.jump.spot import Spot
from deskbell.desktop.reply import wezterm
from deskbell.desktop.reply.carrier import Screen
from deskbell.errors import Problem
from tests.tray.commands.terminals import Terminal
from tests.tray.desktop.jump.programs import Programs

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs of the shell")
PANE = {"pane_id": 4, "cursor_x": 2, "cursor_y": 7, "tty_name": "/dev/pts/9"}


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    (tmp_path / "bin").mkdir()
    return Programs(tmp_path / "bin", monkeypatch)


@pytest.fixture
def there(tmp_path: Path) -> Any:
    """A process that is in front of a terminal, in pane 4 of a WezTerm."""
    (tmp_path / "socket").touch()
    with Terminal(["sh", "-c", "echo I am $$.; sleep 600"]) as terminal:
        terminal.until(".")
        pid = int(terminal.written.split("I am ")[1].split(".")[0])
        handles = {"WEZTERM_PANE": "4", "WEZTERM_UNIX_SOCKET": str(tmp_path / "socket")}
        yield Spot(pid, (pid,), "/dev/pts/9", handles)


def carried(there: Spot) -> wezterm.Pane:
    found = wezterm.carrier(there)
    assert isinstance(found, wezterm.Pane)
    return found


def test_a_text_goes_by_stdin_and_enter_goes_unbracketed(programs: Programs, there: Spot, tmp_path: Path) -> None:
    programs.put("wezterm", "", list=[PANE], get_text="a\n❯\u00a0\n")
    program = programs.folder / "wezterm"
    keep = f'case "$*" in *send-text*) cat >> "{tmp_path}/given" ;; esac\n'
    program.write_text(program.read_text().replace("#!/bin/sh\n", f"#!/bin/sh\n{keep}"))
    way = carried(there)
    seen = way.look()
    assert way.what == "WezTerm pane 4"
    assert seen == Screen(["a", "❯\u00a0", ""], (2, 7))
    way.paste("a private text", seen)
    way.enter(seen)
    assert (tmp_path / "given").read_bytes() == b"a private text\r"
    sent = [call[2:] for call in programs.calls("wezterm") if "send-text" in call]
    assert sent == [["send-text", "--pane-id", "4"], ["send-text", "--pane-id", "4", "--no-paste"]]


def test_nothing_is_sent_once_the_screen_has_changed(programs: Programs, there: Spot) -> None:
    programs.put("wezterm", "", list=[PANE], get_text="a\n❯\u00a0\n")
    way = carried(there)
    seen = way.look()
    programs.put("wezterm", "", list=[PANE], get_text="a\n❯\u00a0half\n")
    with pytest.raises(Problem, match="meanwhile"):
        way.paste("text", seen)
    assert not [call for call in programs.calls("wezterm") if "send-text" in call]


@pytest.mark.parametrize(("fails", "why"), [("get-text", "does not tell"), ("send-text", "did not take")])
def test_a_command_that_fails_is_told_of(fails: str, why: str, programs: Programs, there: Spot) -> None:
    programs.put("wezterm", "", list=[PANE], get_text="a\n❯\u00a0\n")
    program = programs.folder / "wezterm"
    fail = f'case "$*" in *{fails}*) exit 1 ;; esac\n'
    program.write_text(program.read_text().replace("#!/bin/sh\n", f"#!/bin/sh\n{fail}"))
    way = carried(there)
    with pytest.raises(Problem, match=why):
        way.paste("text", way.look())


@pytest.mark.parametrize("panes", [[], None, [{**PANE, "tty_name": "/dev/pts/8"}], [{**PANE, "pane_id": 5}], [3]])
def test_a_pane_that_is_not_that_of_the_client_is_refused(panes: Any, programs: Programs, there: Spot) -> None:
    programs.put("wezterm", "", list=panes, get_text="a\n")
    with pytest.raises(Problem, match="which pane"):
        carried(there).look()


@pytest.mark.parametrize(("column", "row"), [(None, 1), (1, "x")])
def test_a_pane_without_a_cursor_is_refused(column: Any, row: Any) -> None:
    assert wezterm.place([{**PANE, "cursor_x": column, "cursor_y": row}], 4, "/dev/pts/9") is None


@pytest.mark.parametrize(
    "handles", [{}, {"WEZTERM_PANE": "4"}, {"WEZTERM_PANE": "4", "WEZTERM_UNIX_SOCKET": "/nowhere"}]
)
def test_another_terminal_is_not_carried_to(handles: dict[str, str]) -> None:
    assert wezterm.carrier(Spot(os.getpid(), (os.getpid(),), "/dev/pts/9", handles)) is None
