"""Test the ways that no test machine has, with programs that write down how they were called."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deskbell.desktop.jump import editors, macos, ssh, warp, wezterm, windows, windows_terminal, zellij
from deskbell.desktop.jump.desk import Desk
from deskbell.desktop.jump.spot import Spot
from deskbell.errors import Problem
from tests.tray.desktop.jump.programs import Programs
from tests.waiting import wait

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs of the shell")
TTY = "/dev/ttys003"


def at(**handles: str) -> Spot:
    return Spot(30, (30, 20, 10), TTY, handles)


def test_wezterm_chooses_the_pane_by_its_number(programs: Programs, tmp_path: Path) -> None:
    (tmp_path / "socket").touch()
    programs.put("wezterm", "", list_clients=[{"focused_pane_id": 4}])
    there = at(WEZTERM_PANE="4", WEZTERM_UNIX_SOCKET=str(tmp_path / "socket"))
    with Desk({}) as desk:
        found = wezterm.tab(there, desk)
        assert found
        found.step.bring()
        assert found.step.there() is True
        assert programs.calls("wezterm")[1] == ["cli", "--no-auto-start", "activate-pane", "--pane-id", "4"]
        assert wezterm.tab(at(WEZTERM_PANE="4", WEZTERM_UNIX_SOCKET="/nowhere"), desk) is None


ROWS = [{"pane_id": 4, "tty_name": "/dev/pts/9"}, {"pane_id": 7, "tty_name": TTY}, "x"]


@pytest.mark.parametrize(
    ("said", "pane"),
    [(ROWS, 7), (ROWS[:1], None), ([{"pane_id": 4}], 4), (None, 4), ({}, 4), ([{"tty_name": TTY}], None)],
)
def test_the_pane_of_wezterm_is_the_one_with_the_terminal_of_the_session(said: Any, pane: int | None) -> None:
    assert wezterm.holding(said, TTY, 4) == pane


@pytest.mark.parametrize(
    ("said", "focused"),
    [([{"focused_pane_id": 4}], True), ([{"focused_pane_id": 5}], False), ([], False), (None, None)],
)
def test_wezterm_tells_which_pane_is_focused(said: Any, focused: bool | None) -> None:
    assert wezterm.focuses(said, 4) is focused


OPENER = "open" if sys.platform == "darwin" else "xdg-open"
GOOD = "warp://session/0a1b2c3d-0000-1111-2222-333344445555"
OF_RELEASES = (GOOD, f"warposs://session/{'0a' * 16}", f"warppreview://session/{'0a' * 16}")
BAD = ("file:///etc/passwd", f"{GOOD} --help", f"{GOOD}\n", "warp://action/new_tab?path=/", "warp://session/../x", "")


@pytest.mark.parametrize("url", OF_RELEASES)
def test_warp_opens_its_own_url(programs: Programs, url: str) -> None:
    programs.put(OPENER)
    with Desk({}) as desk:
        found = warp.tab(at(WARP_FOCUS_URL=url), desk)
        assert found
        found.step.bring()
    assert programs.calls(OPENER) == [[url]]


def test_an_opener_that_takes_its_time_is_left_to_open_the_url(programs: Programs, tmp_path: Path) -> None:
    """xdg-open waits until the editor has started."""
    slow = programs.folder / OPENER
    slow.write_text(
        f'#!/bin/sh\nwhile [ ! -e "{tmp_path}/go" ]; do sleep 0.05; done\necho "$1" > "{tmp_path}/opened"\n'
    )
    slow.chmod(0o755)
    warp.visit(GOOD)
    (tmp_path / "go").touch()
    wait(lambda: (tmp_path / "opened").exists() and (tmp_path / "opened").read_text() == f"{GOOD}\n")


def test_an_opener_that_fails_or_is_missing_is_told_of(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = programs.folder / OPENER
    failing.write_text("#!/bin/sh\nexit 3\n")
    failing.chmod(0o755)
    with pytest.raises(Problem, match="opened no program"):
        warp.visit(GOOD)
    failing.unlink()
    monkeypatch.setenv("PATH", str(programs.folder))
    with pytest.raises(Problem, match="warp could not be opened"):
        warp.visit(GOOD)


@pytest.mark.parametrize("url", BAD)
def test_warp_opens_no_other_url(programs: Programs, url: str) -> None:
    with Desk({}) as desk:
        assert warp.tab(at(WARP_FOCUS_URL=url), desk) is None


TITLES = {
    "the folder": ([(1, "a.py - web - Visual Studio Code"), (2, "b.py - api - Visual Studio Code")], "/src/api", 2),
    "a folder above": ([(1, "a.py - web - Code"), (2, "api – main.py")], "/src/api/tests/x", 2),
    "two of that name": ([(1, "api - Code"), (2, "x - api - Code")], "/src/api", None),
    "none of several": ([(1, "a - Code"), (2, "b - Code")], "/src/api", None),
    "the only one": ([(1, "Welcome")], "/src/api", 1),
    "a part of a name": ([(1, "apis - Code"), (2, "my api-x - Code")], "/src/api", None),
    "a pattern": ([(1, "aXc - Code"), (2, "a.c - Code")], "/src/a.c", 2),
}


@pytest.mark.parametrize(("titles", "folder", "found"), TITLES.values(), ids=TITLES)
def test_the_window_of_an_editor_is_the_one_that_names_the_folder(
    titles: list[tuple[int, str]], folder: str, found: int | None
) -> None:
    assert editors.named(titles, Path(folder)) == found


def test_the_url_for_the_extension_holds_numbers_alone(tmp_path: Path) -> None:
    assert editors.url("vscode", at(PWD="&x=y")) == "vscode://deskbell.deskbell-jump/show?pids=30,20,10"
    assert not editors.has_extension(tmp_path, ".vscode")
    installed = tmp_path / ".vscode/extensions/deskbell.deskbell-jump-0.1.0/package.json"
    installed.parent.mkdir(parents=True)
    installed.touch()
    assert editors.has_extension(tmp_path, ".vscode")


HOSTILE = '"; do shell script "touch /tmp/x"; "'


@pytest.mark.parametrize(("name", "script"), [(n, s) for n, (s, _) in macos.SCRIPTS.items()])
def test_applescript_is_a_fixed_text_that_is_given_the_tty(programs: Programs, name: str, script: str) -> None:
    programs.put("osascript", "found\n", front=f"{TTY}\n", current=f"{TTY}\n")
    with Desk({}) as desk:
        found = macos.tab(at(TERM_PROGRAM=name), desk)
        assert found
        found.step.bring()
        assert found.step.there() is True
    assert programs.calls("osascript")[0] == ["-e", script, TTY]


OPTION = '-edo shell script "touch /tmp/x"'


def test_names_cannot_break_out_of_applescript(programs: Programs) -> None:
    programs.put("osascript", "found\n")
    with Desk({}) as desk:
        window = macos.window(at(__CFBundleIdentifier="com.mitchellh.ghostty"), desk, None)
        ghostty = macos.tab(at(TERM_PROGRAM="ghostty", PWD=f"/{HOSTILE}"), desk)
        assert window
        assert ghostty
        window.bring()
        ghostty.step.bring()
        assert macos.window(at(), desk, None) is None
        for text in (HOSTILE, OPTION, "-", "--"):
            assert macos.tab(at(TERM_PROGRAM=text), desk) is None
            assert macos.tab(at(TERM_PROGRAM="ghostty", PWD=text), desk) is None
            assert macos.window(at(__CFBundleIdentifier=text), desk, None) is None
    assert programs.calls("osascript") == [
        ["-e", macos.ACTIVATE, "com.mitchellh.ghostty"],
        ["-e", macos.GHOSTTY, f"/{HOSTILE}"],
    ]


@pytest.mark.parametrize(
    ("names", "scheme"),
    [
        (["bash", "code"], "vscode"),
        (["pwsh.exe", "Code.exe", "Code.exe"], "vscode"),
        (["Code - Insiders.exe"], "vscode-insiders"),
        (["zsh", "Code Helper", "Electron", "com.microsoft.VSCode"], "vscode"),
        (["VSCodium.exe"], "vscodium"),
        (["Cursor Helper", "com.todesktop.230313mzl4w4u92"], "cursor"),
        (["bash", "xterm", ""], None),
    ],
)
def test_an_editor_is_known_on_every_system(names: list[str], scheme: str | None) -> None:
    found = editors.known(names)
    assert (found[0] if found else None) == scheme


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_what_a_terminal_inherited_from_another_one_is_not_believed(programs: Programs, tmp_path: Path) -> None:
    (tmp_path / "socket").touch()
    (tmp_path / "xterm").symlink_to("/bin/sleep")
    with subprocess.Popen([tmp_path / "xterm", "60"]) as terminal, Desk({}) as desk:
        inherited = {
            "TERM_PROGRAM": "vscode",
            "WARP_FOCUS_URL": GOOD,
            "WEZTERM_PANE": "4",
            "WEZTERM_UNIX_SOCKET": str(tmp_path / "socket"),
        }
        there = Spot(2**30, (2**30, terminal.pid), TTY, inherited)
        wait(lambda: there.terminal == "xterm")
        assert [way(there, desk) for way in (editors.tab, warp.tab, wezterm.tab)] == [None, None, None]
        with subprocess.Popen(["sleep", "60"], start_new_session=True) as editor:  # it was started in the xterm
            in_editor = Spot(2**30, (2**30, editor.pid, terminal.pid), TTY, inherited)
            assert in_editor.terminal == ""
            assert warp.tab(in_editor, desk)
            editor.kill()
        terminal.kill()


def test_a_tab_that_applescript_does_not_find_is_told_of(programs: Programs) -> None:
    programs.put("osascript", "")
    with Desk({}) as desk:
        found = macos.tab(at(TERM_PROGRAM="iTerm.app"), desk)
        assert found
        with pytest.raises(Problem, match="did not show its tab"):
            found.step.bring()


class User32:
    """Two windows of process 10, the first of them hidden, and one of a stranger."""

    owners = {1: 10, 2: 10, 3: 99}  # noqa: RUF012  # a fake

    def __init__(self) -> None:
        self.front = 3
        self.restored: list[tuple[int, int]] = []

    def EnumWindows(self, note: Any, _: int) -> None:
        for number in self.owners:
            note(number, 0)

    def GetWindowThreadProcessId(self, number: int, pid: Any) -> None:
        pid._obj.value = self.owners[number]

    def IsWindowVisible(self, number: int) -> bool:
        return number != 1

    def IsIconic(self, number: int) -> bool:
        return number == 2

    def ShowWindow(self, number: int, how: int) -> None:
        self.restored.append((number, how))

    def SetForegroundWindow(self, number: int) -> None:
        self.front = number

    def GetForegroundWindow(self) -> int:
        return self.front


def test_windows_restores_and_raises_the_visible_window() -> None:
    user32 = User32()
    step = windows.step(at(), user32, lambda function: function)
    assert step
    assert step.there() is False
    step.bring()
    assert (step.there(), user32.restored) == (True, [(2, windows.RESTORE)])
    assert windows.step(Spot(5, (5,), None), user32, lambda function: function) is None


def test_windows_raises_the_window_that_the_terminal_names_wherever_its_process_is() -> None:
    user32 = User32()
    step = windows.step(at(), user32, lambda function: function, named=3)
    assert step
    user32.front = 2
    step.bring()
    assert (step.there(), user32.front) == (True, 3)
    gone = windows.step(at(), user32, lambda function: function, named=77)
    assert gone
    gone.bring()
    assert user32.front == 2


ANSWERS = {
    "selected": ({"window": 123, "selected": True}, (123, True)),
    "not selected": ({"window": 123, "selected": False}, (123, False)),
    "none has the mark": ({}, None),
    "no number": ({"window": "123", "selected": True}, None),
    "no window": ({"window": 0, "selected": True}, None),
    "nothing": ("", None),
    "no object": ([123], None),
    "not JSON": ("At line:1 char:5", None),
}


@pytest.mark.parametrize(("said", "chosen"), ANSWERS.values(), ids=ANSWERS)
def test_windows_terminal_chooses_the_tab_that_shows_the_mark(
    programs: Programs, said: object, chosen: tuple[int, bool] | None
) -> None:
    programs.put("powershell", said)
    with Desk({}) as desk:
        found = windows_terminal.tab(at(WT_SESSION="0a1b2c3d-0000-1111-2222-333344445555"), desk)
    assert ((found.window, found.step.there()) if found else None) == chosen
    ((*options, script),) = programs.calls("powershell")
    assert options == ["-NoProfile", "-NonInteractive", "-Command"]
    assert script == windows_terminal.SCRIPT.strip()


def test_windows_terminal_is_told_the_process_and_a_new_mark_in_the_environment(
    programs: Programs, tmp_path: Path
) -> None:
    said = tmp_path / "said"
    program = programs.folder / "powershell"
    program.write_text(f'#!/bin/sh\necho "$DESKBELL_JUMP_PID $DESKBELL_JUMP_MARK" >> "{said}"\n')
    program.chmod(0o755)
    with Desk({}) as desk:
        for _ in range(2):
            assert windows_terminal.tab(at(WT_SESSION=HOSTILE), desk) is None
    (first, mark), (second, other) = [line.split() for line in said.read_text().splitlines()]
    assert (first, second) == ("30", "30")
    assert mark != other
    assert re.fullmatch("deskbell-[0-9a-f]{10}", mark)


def test_another_terminal_is_not_asked_for_by_powershell(programs: Programs) -> None:
    programs.put("powershell", {"window": 1, "selected": True})
    with Desk({}) as desk:
        assert windows_terminal.tab(at(), desk) is None
    assert programs.calls("powershell") == []


CONNECTIONS = [
    ("10.0.0.1 50000 10.0.0.2 22", (50000, 22)),
    ("fe80::1 50000 fe80::2 22", (50000, 22)),
    ("10.0.0.1 50000", None),
    ("a b c d", None),
    ("1 -5 2 22", None),
    ("1 ٣ 2 22", None),
    ("", None),
]


@pytest.mark.parametrize(("said", "ports"), CONNECTIONS)
def test_the_ports_of_a_connection_are_read(said: str, ports: tuple[int, int] | None) -> None:
    assert ssh.connection(said) == ports


@pytest.mark.skipif(sys.platform != "linux", reason="/proc/net")
def test_the_connection_of_another_program_than_ssh_is_not_chosen() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as client:
            ours = client.getsockname()[1]
            table = Path("/proc/net/tcp").read_text().splitlines()
            assert len(ssh.inodes(table, ssh.Connection(ours, port))) == 1
            assert ssh.holder(f"127.0.0.1 {ours} 127.0.0.1 {port}") is None
            assert ssh.inodes(table, ssh.Connection(1, port)) == set()


PANES = [{"id": 3, "is_plugin": True, "tab_position": 5}, {"id": 3, "is_plugin": False, "tab_position": 1}, "x"]


@pytest.mark.parametrize(
    ("said", "pane", "tab"), [(PANES, 3, 1), (PANES, 4, None), (None, 3, None), ([{"id": 3}], 3, None)]
)
def test_zellij_names_the_tab_of_a_pane(said: Any, pane: int, tab: int | None) -> None:
    assert zellij.tab_of(said, pane) == tab


IMPORT = """
import sys
class Missing:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in ("dbus_fast", "Xlib"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
sys.platform = "darwin"
from deskbell.desktop.jump import TERMINALS
print(*(way.__module__.rpartition(".")[2] for way in TERMINALS))
"""


def test_on_a_mac_the_ways_load_neither_d_bus_nor_x() -> None:
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", IMPORT], env=env, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["kitty", "wezterm", "warp", "editors", "macos"]
