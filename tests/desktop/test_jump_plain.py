"""Test jumps without accessibility, to a terminal that was closed, and while another window takes the focus."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.desktop.jump import jump, x11
from deskbell.desktop.jump.desk import Desk
from deskbell.desktop.jump.spot import spot
from deskbell.errors import Problem
from deskbell_hooks.record import record_event
from tests.desktop.conftest import PYTHONPATH
from tests.desktop.desktop import Desktop, wait_until
from tests.desktop.terminals import Terminals, missing


@pytest.fixture
def there(fragile: Desktop) -> Iterator[Terminals]:
    if absent := missing():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"terminals are missing: {', '.join(absent)}")
    one = Terminals(fragile)
    yield one
    one.close()


def test_gnome_terminal_is_searched_tab_by_tab_and_other_windows_keep_theirs(there: Terminals) -> None:
    there.gnome_terminal([["one-1", "one-2"], ["two-1", "two-2", "two-3"]], accessible=False)
    seats = {seat.name: seat for seat in there.seats}
    for name in ("two-3", "one-2", "two-1", "one-1", "two-2", "two-2"):
        came = jump(seats[name].session, env=there.desktop.env)
        assert (came.reached, came.complete) == ("tab", True), f"{name}: {came.sentence}"
        assert there.type_in() is seats[name]
    assert jump(seats["one-2"].session, env=there.desktop.env).complete
    assert there.type_in() is seats["one-2"]


def test_where_the_tab_is_not_known_the_window_comes_and_a_sentence_says_what_helps(there: Terminals) -> None:
    there.xterm("xterm")
    there.xfce4_terminal("tab-1", "tab-2", "tab-3")
    came = jump(there.seats[1].session, env=there.desktop.env)
    assert (came.reached, came.complete) == ("window", False)
    assert "it is not known which one is shown. xfce4-terminal was started with NO_AT_BRIDGE=1, which" in came.sentence


def test_the_title_of_a_tab_is_as_it_was(there: Terminals) -> None:
    there.xterm("xterm")
    there.gnome_terminal([["one"], ["two"]], accessible=False)
    title = there.desktop.xdotool("getactivewindow", "getwindowname")
    assert jump(there.seats[0].session, env=there.desktop.env).complete
    assert jump(there.seats[2].session, env=there.desktop.env).complete
    wait_until(lambda: there.desktop.xdotool("getactivewindow", "getwindowname") == title, f"the title {title!r}")


def test_a_terminal_that_was_closed_leaves_its_pane_to_be_attached(there: Terminals) -> None:
    attach = there.tmux("tmux", [["pane-1", "pane-2"]])
    there.open("xterm attached", "-e", *attach)
    there.attached(attach, 1)
    assert jump(there.seats[1].session, env=there.desktop.env).complete
    there.desktop.stop("xterm attached")
    there.attached(attach, 0)
    came = jump(there.seats[1].session, env=there.desktop.env)
    assert (came.reached, came.complete, came.over) == (None, False, False)
    assert came.offer[-2:] == ("-t", "$0:@0.%1")


def test_a_session_whose_terminal_was_closed_under_it_has_ended(there: Terminals) -> None:
    there.xterm("closed")
    session = there.seats[0].session
    there.desktop.stop("xterm closed")
    wait_until(lambda: not spot(session.pid or 0), "the end of the reader")
    came = jump(session, env=there.desktop.env)
    assert (came.over, came.sentence) == (True, "closed has ended meanwhile.")


def test_a_process_without_a_window_is_told_of(there: Terminals) -> None:
    there.xterm("xterm")
    with subprocess.Popen(["setsid", "sleep", "60"], env={}) as process:
        there.seats[0].file.with_name("seat-0.pid").write_text(str(process.pid))
        came = jump(there.seats[0].session, env=there.desktop.env)
        process.terminate()
    assert (came.reached, came.complete) == (None, False)
    assert came.sentence.startswith("No window of its terminal was found.")


def test_an_x_server_that_stops_on_the_way_is_told_of(there: Terminals) -> None:
    there.xterm("xterm")
    session = there.seats[0].session
    seat = spot(session.pid or 0)
    assert seat
    with Desk(there.desktop.env) as desk:
        step = x11.window(seat, desk, None)
        assert step
        os.kill(there.desktop.pid("Xvfb"), signal.SIGSTOP)
        try:
            for ask in (step.bring, lambda: x11.window(seat, desk, None), lambda: x11.marked(seat, desk)):
                with pytest.raises(Problem, match="does not answer"):
                    ask()
            assert step.there() is False
        finally:
            os.kill(there.desktop.pid("Xvfb"), signal.SIGCONT)


WINDOW = """
import sys
from Xlib import X, Xatom, display
pid, machine, kind = int(sys.argv[1]), sys.argv[2], sys.argv[3]
there = display.Display()
window = there.screen().root.create_window(0, 0, 99, 99, 0, X.CopyFromParent)
window.change_property(there.intern_atom("_NET_WM_PID"), Xatom.CARDINAL, 32, [pid])
window.change_property(there.intern_atom("_NET_WM_WINDOW_TYPE"), Xatom.ATOM, 32, [there.intern_atom(kind)])
window.set_wm_client_machine(machine)
window.set_wm_name("strange")
window.map()
there.sync()
sys.stdin.read()
"""
NORMAL, DOCK = "_NET_WM_WINDOW_TYPE_NORMAL", "_NET_WM_WINDOW_TYPE_DOCK"
HERE = os.uname().nodename
STRANGE = {
    "of a container, in which it is the first process": (1, HERE, NORMAL, None),
    "of another machine": (None, "far.example.org", NORMAL, None),
    "of a panel": (None, HERE, DOCK, None),
    "of this machine by its long name": (None, f"{HERE}.example.org", NORMAL, "window"),
}


@pytest.mark.parametrize(("pid", "machine", "kind", "reached"), STRANGE.values(), ids=STRANGE)
def test_a_window_is_only_that_of_a_process_here(
    there: Terminals, pid: int | None, machine: str, kind: str, reached: str | None
) -> None:
    """The number of its process is that of a process above the session, or of the first process of all."""
    there.xterm("xterm")
    command = [sys.executable, "-c", WINDOW, str(pid or os.getpid()), machine, kind]
    with (
        subprocess.Popen(command, env=there.desktop.env, stdin=subprocess.PIPE) as window,
        subprocess.Popen(["sleep", "60"], env={}) as process,
    ):
        wait_until(lambda: there.desktop.xdotool("search", "--name", "^strange$"), "the window")
        there.seats[0].file.with_name("seat-0.pid").write_text(str(process.pid))
        came = jump(there.seats[0].session, env=there.desktop.env)
        process.terminate()
        window.terminate()
    assert came.reached == reached, came.sentence


def test_a_hot_key_goes_to_those_who_wait_one_after_the_other(
    there: Terminals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there.xterm("first")
    there.xterm("second")
    for seat in there.seats:
        event = {"hook_event_name": "Stop", "session_id": f"{seat.name}-1", "cwd": str(tmp_path)}
        monkeypatch.setenv("CLAUDE_PID", str(seat.pid))
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ATTENDED", "1")
        (tmp_path / "home/state").mkdir(parents=True, exist_ok=True)
        record_event(str(tmp_path / "home/state"), json.dumps(event).encode())
    home = {"DESKBELL_HOME": str(tmp_path / "home"), "CLAUDE_CONFIG_DIR": str(tmp_path / "claude")}
    command = [sys.executable, "-m", "deskbell", "jump"]
    env = there.desktop.env | home | {"PYTHONPATH": PYTHONPATH}
    arrived = []
    for words in (["--next"], ["--next"], ["--next"], ["second"]):
        done = subprocess.run([*command, *words], env=env, capture_output=True, text=True, timeout=30)
        assert (done.returncode, done.stderr, done.stdout) == (0, "", "In front: the window of xterm.\n")
        arrived.append(there.type_in().name)
    assert arrived == ["first", "second", "first", "second"]
