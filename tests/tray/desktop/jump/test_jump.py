"""Test jumps without a screen: what is said of sessions that cannot be brought to the front, and what is offered."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from deskbell.desktop.focus.processes import environment, terminal_of
from deskbell.desktop.jump import jump, whereabouts, with_screen
from deskbell.desktop.jump.spot import Spot
from deskbell.desktop.jump.tmux import Client, chosen, parsed
from deskbell.session import Session
from deskbell_hooks.client import process_start
from tests.tray.making import session
from tests.waiting import wait

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc, tmux")
NO_SCREEN = {"PATH": os.environ["PATH"]}


def of(pid: int, **more: object) -> Session:
    return session(**{"pid": pid, "pid_start": process_start(pid), "title": "Ship it", **more})


def test_a_session_that_has_ended_may_be_resumed() -> None:
    came = jump(session(status="crashed"), env=NO_SCREEN)
    assert (came.reached, came.complete, came.over) == (None, False, True)
    assert came.sentence == "Ship it has ended."


@pytest.mark.parametrize("gone", [{"pid": 2**30}, {"pid": os.getpid(), "pid_start": 1}])
def test_a_session_that_ended_meanwhile_is_told_of_even_if_its_number_is_taken(gone: dict[str, int]) -> None:
    came = jump(session(title="Ship it", **gone), env=NO_SCREEN)
    assert (came.sentence, came.over) == ("Ship it has ended meanwhile.", True)


def test_a_session_whose_process_is_not_known_is_not_over() -> None:
    came = jump(session(title="Ship it", pid=None), env=NO_SCREEN)
    assert (came.sentence, came.over) == ("It is not known which process runs Ship it.", False)


def test_without_a_display_one_sentence_says_so() -> None:
    with subprocess.Popen(["sleep", "60"], env={}) as process:
        came = jump(of(process.pid), env=NO_SCREEN)
        process.terminate()
    assert came.reached is None
    assert came.sentence.startswith("There is no display here.")
    assert (came.offer, came.over) == ((), False)


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_display_that_has_gone_is_named() -> None:
    came = jump(of(os.getpid()), env=NO_SCREEN | {"DISPLAY": ":9987"})
    assert came.sentence.startswith("The display :9987 does not answer.")


@pytest.mark.parametrize(("id_", "offer"), [("1234abcd-12", ("claude", "attach", "1234abcd")), ("--x;rm -rf", ())])
def test_a_background_session_of_the_client_is_attached_to(id_: str, offer: tuple[str, ...]) -> None:
    with subprocess.Popen(["sleep", "60"], env={}, start_new_session=True) as process:
        came = jump(of(process.pid, kind="background", session_id=id_), env=NO_SCREEN)
        process.terminate()
    assert (came.offer, came.over) == (offer, False)


class Tmux:
    def __init__(self, folder: Path) -> None:
        self.socket = str(folder / "tmux")
        self.run("-f", "/dev/null", "new-session", "-d", "-s", "a 'b", "sleep 60")
        self.pid()

    def run(self, *words: str) -> str:
        return subprocess.run(["tmux", "-S", self.socket, *words], check=True, capture_output=True, text=True).stdout

    def pid(self, pane: str = "%0") -> int:
        """Return the process of a pane, once its program runs: before, it has the environment of the server."""
        found = int(self.run("display-message", "-p", "-t", pane, "#{pane_pid}"))
        wait(lambda: "TMUX" in environment(found), "the program of the pane")
        return found


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    if not shutil.which("tmux"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("tmux is missing: see tests/system-packages.sh")
    one = Tmux(tmp_path)
    yield one
    subprocess.run(["tmux", "-S", one.socket, "kill-server"], check=False, capture_output=True)


def test_a_detached_tmux_offers_to_attach_to_the_very_pane(tmux: Tmux) -> None:
    tmux.run("split-window", "-d", "sleep 60")
    came = jump(of(tmux.pid("%1")), env=NO_SCREEN)
    assert came.offer == ("tmux", "-S", tmux.socket, "attach-session", "-t", "$0:@0.%1")
    assert came.sentence.startswith("It is in tmux session a 'b, pane %1, to which nobody is attached.")
    assert not came.over


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\x85", "\x0b", "\x1c", "\r"])
def test_a_name_with_another_kind_of_line_end_is_one_name(odd: str) -> None:
    name = f"a{odd}pane 1 %9 @9 $9 1 0 b"
    panes, clients = parsed(f"pane 7 %0 @0 $0 1 0 {name}\nclient 8 1 0 $0 %0 {name}\n")
    assert ([one.name for one in panes], [one.name for one in clients]) == ([name], [name])


def test_a_pane_that_was_moved_is_found_where_it_is_now(tmux: Tmux) -> None:
    tmux.run("new-session", "-d", "-s", "second", "sleep 60")
    pid = tmux.pid("%0")
    tmux.run("split-window", "-d", "-t", "a 'b", "sleep 60")
    tmux.run("join-pane", "-d", "-s", "%0", "-t", "second")
    came = jump(of(pid), env=NO_SCREEN)
    assert came.offer[-1] == "$1:@1.%0"


@pytest.mark.long
def test_the_client_that_was_used_last_shows_the_pane(tmux: Tmux) -> None:
    """Without a display the pane is shown all the same: it is the right one once the person gets there."""
    tmux.run("new-session", "-d", "-s", "second", "sleep 60")
    tmux.run("split-window", "-t", "second", "sleep 60")
    attach = ["script", "-qc", f"tmux -S {tmux.socket} attach -t second", "/dev/null"]
    with subprocess.Popen(
        attach, env=NO_SCREEN | {"TERM": "xterm"}, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as client:
        wait(lambda: tmux.run("list-clients") or None, "the client")
        for pane in ("%0", "%1", "%2", "%1", "%0"):
            came = jump(of(tmux.pid(pane)), env=NO_SCREEN)
            assert tmux.run("list-clients", "-F", "#{pane_id}").strip() == pane
            assert (came.reached, came.complete) == ("pane", False), came
            assert "There is no display here." in came.sentence
        client.terminate()


def test_a_tmux_that_hangs_is_reported_in_time(tmux: Tmux, tmp_path: Path) -> None:
    """The server itself is stopped, as a debugger or a full disk does it."""
    pid = tmux.pid()
    server = int(tmux.run("display-message", "-p", "#{pid}"))
    os.kill(server, 19)
    begun = time.monotonic()
    try:
        came = jump(of(pid), env=NO_SCREEN)
    finally:
        os.kill(server, 18)
    assert time.monotonic() - begun < 1
    assert came.sentence.startswith("tmux does not answer.")
    assert (came.reached, came.over, came.offer) == (None, False, ())


def test_variables_of_a_tmux_that_were_inherited_lead_nowhere(tmux: Tmux) -> None:
    """A terminal that was started from a pane has them, but its processes are not below the server."""
    stale = {"TMUX": f"{tmux.socket},1,0", "TMUX_PANE": "%0"}
    with subprocess.Popen(["sleep", "60"], env=stale) as process:
        came = jump(of(process.pid), env=NO_SCREEN)
        process.terminate()
    assert came.sentence.startswith("There is no display here.")


def test_a_terminal_that_was_started_in_a_pane_is_not_in_that_pane(tmux: Tmux, tmp_path: Path) -> None:
    (tmp_path / "xterm").symlink_to("/bin/sh")
    tmux.run("split-window", "-d", f"{tmp_path}/xterm -c 'sleep 60 & echo $! > {tmp_path}/pid; wait'")
    pid = int(wait(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip()))
    came = jump(of(pid), env=NO_SCREEN)
    assert came.sentence.startswith("There is no display here.")
    assert came.offer == ()


@pytest.mark.parametrize("end", [("kill-pane", "-t", "%1"), ("respawn-pane", "-k", "-t", "%1", "sleep 60")])
def test_a_session_that_outlives_its_pane_is_not_in_the_one_that_took_its_place(
    tmux: Tmux, tmp_path: Path, end: tuple[str, ...]
) -> None:
    tmux.run("split-window", "-d", f"trap '' HUP; echo $$ > {tmp_path}/pid; while :; do sleep 1; done")
    pid = int(wait(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip()))
    tmux.run(*end)
    wait(lambda: terminal_of(pid) is None, "the end of its terminal")
    came = jump(of(pid), env=NO_SCREEN)
    os.kill(pid, signal.SIGKILL)
    assert came.sentence == "It still runs, but its pane of tmux was closed."
    assert (came.reached, came.complete, came.over, came.offer) == (None, False, False, ())


def test_a_pane_whose_program_does_not_know_its_server_is_found(tmux: Tmux) -> None:
    """A client of an inner tmux has no TMUX, because tmux refuses to start with it."""
    tmux.run("split-window", "-d", "env -u TMUX sleep 60")
    pid = int(tmux.run("display-message", "-p", "-t", "%1", "#{pane_pid}"))
    wait(lambda: "TMUX_PANE" in environment(pid) and "TMUX" not in environment(pid), "the program of the pane")
    assert jump(of(pid), env=NO_SCREEN).offer[-1] == "$0:@0.%1"


def test_a_server_is_asked_at_its_own_socket_and_not_where_a_variable_leads(tmux: Tmux, tmp_path: Path) -> None:
    tmux.run("split-window", "-d", f"env TMUX={tmp_path}/other,1,0 sleep 60")
    pid = int(tmux.run("display-message", "-p", "-t", "%1", "#{pane_pid}"))
    wait(lambda: environment(pid).get("TMUX", "").endswith("other,1,0"), "the program of the pane")
    assert jump(of(pid), env=NO_SCREEN).offer == ("tmux", "-S", tmux.socket, "attach-session", "-t", "$0:@0.%1")


@contextmanager
def attached(tmux: Tmux, command: Sequence[str] = (), **env: str) -> Iterator[int]:
    """Attach a client by COMMAND, and yield its process."""

    def clients() -> set[int]:
        return {int(pid) for pid in tmux.run("list-clients", "-F", "#{client_pid}").split()}

    ours, its = os.openpty()
    before = clients()
    attach = command or ["tmux", "-S", tmux.socket, "attach"]
    env = {**NO_SCREEN, "TERM": "xterm", **env}
    with subprocess.Popen(attach, env=env, stdin=its, stdout=its, stderr=its) as process:
        client = wait(lambda: clients() - before).pop()
        yield client
        os.kill(client, signal.SIGKILL)
        process.wait(20)
    os.close(ours)
    os.close(its)


CLIENTS = [Client(1, 50, "$0", "%0", "a"), Client(2, 90, "$0", "%0", "b"), Client(3, 99, "$1", "%1", "c")]


@pytest.mark.parametrize(
    ("sessions", "far", "pid"),
    [({"$0"}, (), 2), ({"$1"}, (), 3), ({"$2"}, (), 3), ({"$0"}, (2,), 1), ({"$1"}, (3,), 2), ({"$0"}, (1, 2, 3), 2)],
)
def test_the_client_is_here_shows_the_session_and_was_used_last(
    sessions: set[str], far: tuple[int, ...], pid: int
) -> None:
    found = chosen(CLIENTS, sessions, frozenset(far))
    assert found
    assert found.pid == pid
    assert chosen([], sessions) is None


@pytest.mark.long
@pytest.mark.parametrize(("env", "moved"), [({"SWAYSOCK": "/nowhere"}, "near"), ({}, "far")])
def test_a_client_over_ssh_is_left_alone_by_a_person_at_this_machine(
    tmux: Tmux, tmp_path: Path, env: dict[str, str], moved: str
) -> None:
    """It shows the very session, in no window here."""
    (tmp_path / "sshd").symlink_to("/bin/sh")
    over_ssh = [str(tmp_path / "sshd"), "-c", f"tmux -S {tmux.socket} attach -t second; true"]
    tmux.run("new-session", "-d", "-s", "second", "sleep 60")
    tmux.run("split-window", "-t", "second", "sleep 60")
    here = ["tmux", "-S", tmux.socket, "attach", "-t", "a 'b"]
    with attached(tmux, here) as near, attached(tmux, over_ssh) as far:
        jump(of(tmux.pid("%1")), env=NO_SCREEN | env)
        lines = tmux.run("list-clients", "-F", "#{client_pid} #{pane_id}").splitlines()
        shown = dict(line.split() for line in lines)
    assert shown[str(near if moved == "near" else far)] == "%1"
    assert (shown[str(near)] == "%1") is (moved == "near")


@pytest.mark.long
def test_a_client_that_is_stopped_shows_nothing(tmux: Tmux) -> None:
    with attached(tmux) as client:
        os.kill(client, signal.SIGSTOP)
        came = jump(of(tmux.pid()), env=NO_SCREEN)
        os.kill(client, signal.SIGCONT)
        assert "to which nobody is attached" in came.sentence
        assert jump(of(tmux.pid()), env=NO_SCREEN).sentence.startswith("Chosen: tmux pane %0.")


@pytest.mark.long
def test_a_zoomed_window_shows_the_pane_as_large(tmux: Tmux) -> None:
    tmux.run("split-window", "sleep 60")
    with attached(tmux):
        tmux.run("resize-pane", "-Z", "-t", "%1")
        for pane in ("%1", "%0", "%1"):
            assert jump(of(tmux.pid(pane)), env=NO_SCREEN).reached == "pane"
            shown = tmux.run("list-clients", "-F", "#{pane_id} #{window_zoomed_flag}").split()
            assert shown == [pane, "1"]


def test_a_tmux_that_refuses_to_answer_is_told_of(tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a newer program refuses an older server: it is not said to be in a popup."""
    pid = tmux.pid()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/tmux").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bin/tmux").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin")
    came = jump(of(pid), env=NO_SCREEN)
    monkeypatch.undo()
    assert came.sentence.startswith(f"The tmux at {tmux.socket} does not say what it shows.")


@pytest.mark.parametrize("takes_connections", [True, False])
def test_a_display_that_hangs_is_told_of_in_time(takes_connections: bool) -> None:
    """A server that has stopped takes connections, and answers nothing; a host that drops packets takes none."""
    backlog = 5 if takes_connections else 0
    with socket.create_server(("127.0.0.1", 0), backlog=backlog) as server, ExitStack() as full:
        address = server.getsockname()
        for _ in range(0 if takes_connections else 3):
            filler = full.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(address)
        begun = time.monotonic()
        came = jump(of(os.getpid()), env=NO_SCREEN | {"DISPLAY": f"127.0.0.1:{address[1] - 6000}"})
    assert time.monotonic() - begun < 2
    assert "does not answer." in came.sentence


def test_the_socket_of_somebody_else_is_not_used(tmux: Tmux) -> None:
    if os.getuid():
        pytest.skip("only root can give a file away")
    pid = tmux.pid()
    os.chown(tmux.socket, 12345, -1)
    came = jump(of(pid), env=NO_SCREEN)
    os.chown(tmux.socket, 0, -1)
    assert came.sentence.startswith("The socket of tmux has gone or belongs to somebody else:")


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_command_without_a_display_uses_that_of_the_client_that_shows_the_pane(tmux: Tmux) -> None:
    """The server, and so the session, may know another one: it was started over ssh, or before the last login."""
    with attached(tmux, DISPLAY=":9988"):
        assert "The display :9988 does not answer." in jump(of(tmux.pid()), env=NO_SCREEN).sentence


WHEREABOUTS = {
    "ended": ({"status": "crashed"}, "it has ended."),
    "ended meanwhile": ({"pid": 2**30}, "it has ended meanwhile."),
    "no process": ({"pid": None}, "it is not known where."),
    "another machine": ({"host": "far\x1b[2J"}, "on far."),
}


@pytest.mark.parametrize(("known", "said"), WHEREABOUTS.values(), ids=WHEREABOUTS)
def test_what_is_said_of_a_session_that_is_not_here(known: dict[str, object], said: str) -> None:
    assert whereabouts(session(**{"pid": os.getpid(), **known}), env=NO_SCREEN) == said


X0, X1 = {"DISPLAY": ":0", "DBUS_SESSION_BUS_ADDRESS": "unix:zero"}, {"DISPLAY": ":1", "XAUTHORITY": "/x1"}
WAYLAND = {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0", "SWAYSOCK": "/run/sway"}
OTHER_SCREENS = {
    "none here": ({"PATH": "/bin"}, X1, {"PATH": "/bin", **X1}),
    "that of a server that began elsewhere": ({"PATH": "/bin", **X0}, X1, {"PATH": "/bin", **X1}),
    "Wayland, where X11 was before": ({"DISPLAY": ":7"}, WAYLAND, WAYLAND),
    "X11, where Wayland was before": ({"WAYLAND_DISPLAY": "wayland-9", "SWAYSOCK": "/gone"}, X1, X1),
}
SAME_SCREENS = {
    "the same": ({"PATH": "/bin", **X0}, X0),
    "the same, told in part": (WAYLAND, {"WAYLAND_DISPLAY": "wayland-0"}),
    "one that the terminal does not tell": (X0, {"XAUTHORITY": "/x"}),
    "one that ssh forwards": (X0, {"DISPLAY": "localhost:10.0"}),
    "none at all": ({"PATH": "/bin"}, {}),
}


@pytest.mark.parametrize(("ours", "theirs", "used"), OTHER_SCREENS.values(), ids=OTHER_SCREENS)
def test_the_screen_of_the_terminal_is_used(ours: dict[str, str], theirs: dict[str, str], used: dict[str, str]) -> None:
    assert with_screen(ours, Spot(1, (1,), None, theirs)) == used


@pytest.mark.parametrize(("ours", "theirs"), SAME_SCREENS.values(), ids=SAME_SCREENS)
def test_the_screen_that_is_known_is_kept(ours: dict[str, str], theirs: dict[str, str]) -> None:
    assert with_screen(ours, Spot(1, (1,), None, theirs)) == ours
