"""Test whether the person looks at a session: first the rules, then each part that asks the system."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from deskbell.desktop.focus import NOBODY, Active, AskedScreen, Eyes, SilentScreen, asked, screen
from deskbell.desktop.focus.processes import ancestors, terminals, window_id
from deskbell.desktop.focus.tabs import focused, kitty, wezterm
from deskbell.desktop.focus.tmux import active_in, clients
from deskbell.desktop.focus.wlroots import hyprland, sway
from deskbell.desktop.jump.spot import program
from deskbell.session import Place
from tests.tray.desktop.fake_daemon import play, until
from tests.waiting import wait

TERMINAL, SHELL, CLAUDE, BROWSER, CLIENT, SERVER = 10, 11, 12, 20, 13, 14
PARENTS = {CLAUDE: {CLAUDE, SHELL, TERMINAL, 1}, CLIENT: {CLIENT, SHELL, TERMINAL, 1}}
XTERM = Place("/dev/pts/1", (("WINDOWID", "77"),))
BARE = Place("/dev/pts/1")
TMUX = Place("/dev/pts/1", (("TMUX", "/tmp/tmux-0/default,14,0"), ("TMUX_PANE", "%3"), ("WINDOWID", "5")))
IN_CODE = Place("/dev/pts/1", (("TERM_PROGRAM", "vscode"),))
IN_ZELLIJ = Place("/dev/pts/1", (("ZELLIJ", "0"),))


@dataclass
class Screen(AskedScreen):
    now: Active | None
    name = "a test"

    def active(self) -> Active | None:
        return self.now


def eyes(
    active: Active | None,
    *,
    tabs: int | None = 1,
    tab: bool | None = None,
    looking: Sequence[int] | None = (),
    client_window: int | None = 77,
    in_tmux: bool = True,
) -> Eyes:
    servers = {SERVER: {CLAUDE, SERVER, 1}} if looking != () else {}
    return Eyes(
        screen=Screen(active),
        clients=lambda _socket, _pane: looking,
        ancestors=lambda pid: frozenset({**PARENTS, **servers}.get(pid, {pid})),
        is_in_tmux=lambda _pid: in_tmux,
        terminals=lambda _pid: tabs,
        window_id=lambda _pid: client_window,
        tab=lambda _place, _pid: tab,
    )


LOOKS = {
    "its own window": (XTERM, eyes(Active(TERMINAL, 77)), True),
    "its own window, without a number": (BARE, eyes(Active(TERMINAL, 77)), True),
    "another window of the same terminal": (XTERM, eyes(Active(TERMINAL, 78)), False),
    "another program": (XTERM, eyes(Active(BROWSER, 99)), False),
    "nothing": (XTERM, eyes(NOBODY), False),
    "its window among several tabs": (XTERM, eyes(Active(TERMINAL, 77), tabs=2), None),
    "its window, whose terminals cannot be counted": (XTERM, eyes(Active(TERMINAL, 77), tabs=None), None),
    "its own tab, as the terminal says": (XTERM, eyes(Active(TERMINAL, 77), tabs=9, tab=True), True),
    "another tab, as the terminal says": (XTERM, eyes(Active(TERMINAL, 77), tabs=9, tab=False), False),
    "another window, though the tab was last focused": (XTERM, eyes(Active(BROWSER, 99), tab=True), False),
    "an editor that holds a terminal": (IN_CODE, eyes(Active(TERMINAL)), None),
    "another program than that editor": (IN_CODE, eyes(Active(BROWSER)), False),
    "a multiplexer that cannot be asked": (IN_ZELLIJ, eyes(Active(TERMINAL)), None),
    "a window without a process, by its number": (XTERM, eyes(Active(None, 77)), True),
    "a window without a process and another number": (XTERM, eyes(Active(None, 78)), None),
    "a screen that does not say": (XTERM, eyes(None), None),
    "its pane, in a focused client": (TMUX, eyes(Active(TERMINAL, 77), looking=[CLIENT]), True),
    "its pane, in a client in another window": (TMUX, eyes(Active(BROWSER, 99), looking=[CLIENT]), False),
    "its pane, in another window of the terminal": (TMUX, eyes(Active(TERMINAL, 78), looking=[CLIENT]), False),
    "another pane, or nobody attached": (TMUX, eyes(Active(TERMINAL, 77), looking=[]), False),
    "a tmux that does not answer": (TMUX, eyes(Active(TERMINAL, 77), looking=None), None),
    "another window, which inherited the variables of a pane that the person looks at": (
        TMUX,
        eyes(Active(BROWSER, 99), looking=[CLIENT], in_tmux=False),
        False,
    ),
    "its own window, which inherited the variables of a pane": (
        TMUX,
        eyes(Active(TERMINAL, 5), looking=[], in_tmux=False),
        True,
    ),
    "its pane in two clients, one of them focused": (TMUX, eyes(Active(TERMINAL, 77), looking=[999, CLIENT]), True),
}


@pytest.mark.parametrize(("place", "eyes", "looked"), LOOKS.values(), ids=LOOKS)
def test_whether_the_person_looks_at_a_session(place: Place, eyes: Eyes, looked: bool | None) -> None:
    assert eyes.focused(place, CLAUDE) is looked


def test_a_session_without_a_process_cannot_be_looked_at() -> None:
    assert eyes(Active(TERMINAL)).focused(XTERM, None) is None


SCREENS = {
    "sway": ({"SWAYSOCK": "/s", "WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":0"}, "sway"),
    "Hyprland": ({"HYPRLAND_INSTANCE_SIGNATURE": "x", "WAYLAND_DISPLAY": "w"}, "Hyprland"),
    "KDE on Wayland": ({"WAYLAND_DISPLAY": "w", "XDG_CURRENT_DESKTOP": "KDE"}, "KWin"),
    "GNOME on Wayland": (
        {"WAYLAND_DISPLAY": "w", "XDG_CURRENT_DESKTOP": "ubuntu:GNOME", "DISPLAY": ":0"},
        SilentScreen.name,
    ),
    "X11": ({"DISPLAY": ":5"}, "X11 (:5)"),
    "no screen": ({}, SilentScreen.name),
}


@pytest.mark.parametrize(("environment", "name"), SCREENS.values(), ids=SCREENS)
def test_the_screen_is_chosen_by_the_environment(environment: dict[str, str], name: str) -> None:
    assert screen(environment).name == name


# python-xlib leaves its sockets open when it cannot connect
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_missing_display_gives_no_answer() -> None:
    assert screen({"DISPLAY": ":9987"}).active() is None


def test_of_tmux_clients_those_count_whose_active_pane_it_is() -> None:
    assert active_in("101 %3\n102 %4\n103 %3\nnonsense\n", "%3") == [101, 103]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    if not shutil.which("tmux"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("tmux is missing: see tests/system-packages.sh")
    socket = str(tmp_path / "tmux")
    subprocess.run(["tmux", "-S", socket, "-f", "/dev/null", "new-session", "-d", "-s", "one", "cat"], check=True)
    yield socket
    subprocess.run(["tmux", "-S", socket, "kill-server"], check=False)


def test_a_real_tmux_says_which_pane_each_of_its_clients_looks_at(server: str) -> None:
    async def story() -> None:
        tmux = ["tmux", "-S", server]
        first = asked.text(*tmux, "display-message", "-p", "#{pane_id}")
        assert first
        assert clients(server, first.strip()) == []
        with subprocess.Popen(
            [*tmux, "-C", "attach", "-t", "one"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
        ) as client:
            await until(lambda: clients(server, first.strip()) == [client.pid], "the client")
            second = asked.text(*tmux, "split-window", "-t", "one", "-P", "-F", "#{pane_id}", "cat")
            assert second
            assert clients(server, first.strip()) == []
            assert clients(server, second.strip()) == [client.pid]
            client.terminate()

    play(story())


def test_a_tmux_that_is_not_there_does_not_answer(tmp_path: Path) -> None:
    assert clients(str(tmp_path / "none"), "%0") is None


def test_programs_that_are_missing_fail_or_hang_give_no_answer() -> None:
    assert asked.text("/nowhere/program") is None
    assert asked.text("false") is None
    assert asked.text("sleep", "60") is None
    assert asked.answer("echo", "no json") is None


TREE = {
    "focused": False,
    "nodes": [
        {"focused": False, "pid": 1, "nodes": [{"focused": False, "pid": 2}]},
        {"focused": False, "floating_nodes": [{"focused": True, "pid": 7, "window": 99}]},
    ],
}
SWAYS: dict[str, tuple[Any, Active | None]] = {
    "a focused window": (TREE, Active(7, 99)),
    "an empty workspace": ({"nodes": [{"focused": True, "type": "workspace"}]}, NOBODY),
    "no answer": (None, None),
}


@pytest.mark.parametrize(("tree", "active"), SWAYS.values(), ids=SWAYS)
def test_sway_names_the_focused_window(tree: Any, active: Active | None) -> None:
    assert sway(tree) == active


@pytest.mark.parametrize(("said", "active"), [({"pid": 7}, Active(7)), ({}, NOBODY), (None, None)])
def test_hyprland_names_the_focused_window(said: Any, active: Active | None) -> None:
    assert hyprland(said) == active


KITTY = [{"tabs": [{"windows": [{"id": 1, "is_focused": True}, {"id": 2, "is_focused": False}]}]}]


@pytest.mark.parametrize(
    ("said", "window", "focused"), [(KITTY, "1", True), (KITTY, "2", False), (KITTY, "3", None), (None, "1", None)]
)
def test_kitty_says_whether_a_window_is_focused(said: Any, window: str, focused: bool | None) -> None:
    assert kitty(json.loads(json.dumps(said)), window) is focused


@pytest.mark.parametrize(
    ("said", "focused"),
    [([{"focused_pane_id": 4}], True), ([{"focused_pane_id": 5}], False), ([], None), (["x"], None)],
)
def test_wezterm_says_whether_a_pane_is_focused(said: Any, focused: bool | None) -> None:
    assert wezterm(said, "4") is focused


@pytest.mark.skipif(sys.platform != "linux", reason="psutil is asked elsewhere")
def test_the_ancestors_are_those_that_psutil_knows() -> None:
    assert ancestors(os.getpid()) == {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}


IN_TERMINALS = """
import os, pty, time
ready, tell = os.pipe()
for fork in pty.fork, pty.fork, os.fork:
    if fork() in (0, (0, -1)):
        if fork is os.fork:
            os.setsid()  # it has no terminal then
        os.write(tell, b"1")
        time.sleep(60)
    os.read(ready, 1)
print("started", flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_the_terminals_of_the_children_are_counted_each_once() -> None:
    command = [sys.executable, "-c", IN_TERMINALS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"started\n"
        counted = terminals(holder.pid)
        for child in psutil.Process(holder.pid).children():
            child.kill()
        holder.kill()
    assert counted == 2


def test_processes_are_found_with_their_ancestors_and_terminals() -> None:
    assert {os.getpid(), os.getppid()} <= ancestors(os.getpid())
    assert ancestors(2**30) == frozenset()
    assert terminals(2**30) is None
    assert window_id(2**30) is None


def test_the_window_of_a_process_is_the_one_it_was_started_in() -> None:
    async def story() -> None:
        with subprocess.Popen(["sleep", "60"], env={"WINDOWID": "4711"}) as child:
            await until(lambda: window_id(child.pid) == 4711, "its environment")
            assert terminals(child.pid) == 0
            child.terminate()

    play(story())


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_a_terminal_does_not_ask_the_one_in_which_it_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An xterm that was started in kitty has its variables, and kitty would say that another window is focused."""
    (tmp_path / "xterm").symlink_to("/bin/sleep")
    for name in ("kitty", "wezterm"):
        (tmp_path / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/asked\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.delenv("DISPLAY", raising=False)
    inherited = {"KITTY_LISTEN_ON": "unix:/nowhere", "KITTY_WINDOW_ID": "1", "WEZTERM_PANE": "1"}
    with subprocess.Popen([tmp_path / "xterm", "60"]) as process:
        wait(lambda: program(process.pid) == "xterm")
        assert focused(Place("/dev/pts/1", tuple(inherited.items())), process.pid) is None
        process.kill()
    assert not (tmp_path / "asked").exists()
