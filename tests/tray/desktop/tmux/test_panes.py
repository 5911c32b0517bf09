"""Test that the panes of real servers follow the board, and that a server that hangs stops nobody."""

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deskbell.board import Board, board
from deskbell.desktop.own import this_host
from deskbell.desktop.tmux.panes import HUNG_FOR, LOOK_AGAIN, Panes, listed, spot
from deskbell.errors import Problem
from deskbell.session import Place, Session
from deskbell.supervision import Work
from deskbell_hooks.panes import ENDED, ON, OWNER, PREFIX, STAMP, TRAY, command, options, owner
from tests.hooks import recorder
from tests.hooks.said import e, notification, prompt
from tests.tmuxes import Tmux, needs_tmux, tmux
from tests.waiting import wait

pytestmark = [needs_tmux, pytest.mark.skipif(sys.platform == "win32", reason="tmux does not run on Windows")]
NOW = 1e9


class Threads:
    """A Supervisor that has a thread for everything, or none left."""

    def __init__(self, left: bool = True) -> None:
        self.left = left
        self.started: list[threading.Thread] = []

    def keep(self, part: str, work: Work) -> asyncio.Task[None]:
        raise NotImplementedError

    def once(self, part: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        raise NotImplementedError

    def guarded(self, part: str, effect: Callable[..., Any]) -> Callable[..., Any]:
        raise NotImplementedError

    def thread(self, part: str, work: Callable[[], None]) -> bool:
        if self.left:
            self.started.append(threading.Thread(target=work))
            self.started[-1].start()
        return self.left

    def wait(self) -> None:
        for thread in self.started:
            thread.join(60)


class Scene:
    def __init__(self, server: Tmux, state: Path) -> None:
        self.server, self.state = server, state
        state.mkdir(exist_ok=True)
        (state / ON).touch()
        self.threads = Threads()
        self.now = 0.0
        self.panes = self.made()

    def made(self) -> Panes:
        return Panes(self.state, self.threads, clock=lambda: self.now, pauses=(0.0, 0.0))

    def session(self, pane: str = "%0", session_id: str = "5e551011-0000", **more: Any) -> Session:
        tty, pid = self.server.value("#{pane_tty}", pane), int(self.server.value("#{pane_pid}", pane))
        handles = (("TMUX", self.server.variable), ("TMUX_PANE", pane))
        given = {"status": "working", "detail": "Bash: make", "host": this_host(), **more}
        place = given.pop("place", Place(tty, handles))
        return Session(session_id, pid, 1, reason="", since=NOW, heard=NOW, project="p", title="", place=place, **given)

    def show(self, *sessions: Session) -> None:
        self.panes.show(board(sessions, NOW))
        self.threads.wait()

    @property
    def owner(self) -> str:
        return owner(self.state.stat())

    def status(self, pane: str = "%0") -> str:
        return self.server.options(pane).get(f"{PREFIX}deskbell_status", "")


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    with tmux(tmp_path) as server:
        made = Scene(server, tmp_path / "state")
        yield made
        made.threads.wait()


def test_a_pane_follows_its_session(scene: Scene) -> None:
    for status in ("working", "permission", "interrupted", "idle"):
        scene.show(scene.session(status=status))
        assert scene.status() == status
    scene.show()
    assert scene.server.options() == {ENDED: "5e551011-0000"}


def test_the_options_hold_what_the_hooks_said(scene: Scene) -> None:
    session = scene.session(status="permission", detail="Bash: x")
    start, asks = e("SessionStart", source="startup", cwd="/p/api"), notification("permission_prompt")
    for event in (start, prompt(), asks):
        recorder.run(scene.state, {**event, "session_id": session.session_id}, {"CLAUDE_PID": str(session.pid)})
    scene.show(session)
    found = {name.removeprefix(PREFIX): value for name, value in scene.server.options().items()}
    assert found["session_dir"] == "/p/api"
    assert found["latest_hook_event"] == "Notification-permission_prompt"
    assert found["session_id_set_on"] == "UserPromptSubmit"
    assert found["latest_hook_time"].isdigit()


def test_a_session_that_is_over_frees_its_pane_for_the_next_one(scene: Scene) -> None:
    scene.show(scene.session(status="crashed"), scene.session(session_id="next"))
    assert scene.server.options()[f"{PREFIX}session_id"] == "next"
    scene.show(scene.session(session_id="next", status="ended"))
    assert scene.server.options() == {ENDED: "next"}


def test_of_two_in_one_pane_the_one_that_runs_is_shown(scene: Scene) -> None:
    stopped = replace(scene.session(session_id="stopped"), suspended=True, heard=NOW + 9)
    scene.show(stopped, scene.session(session_id="runs", status="idle"))
    assert scene.server.options()[f"{PREFIX}session_id"] == "runs"


def test_nothing_is_written_twice(scene: Scene) -> None:
    scene.show(scene.session())
    stamp = scene.server.shown(STAMP, "-p")
    scene.show(scene.session())
    scene.show(replace(scene.session(), turns=7))
    assert scene.server.shown(STAMP, "-p") == stamp


def test_the_lines_are_drawn_again_once_their_command_runs_again(scene: Scene) -> None:
    scene.show(scene.session())
    assert scene.server.shown("@deskbell_drawn")


@pytest.mark.long
def test_a_change_does_not_wait_for_the_lines(scene: Scene) -> None:
    session = scene.session()
    panes = Panes(scene.state, scene.threads, pauses=(0.0, 4.0))
    panes.show(board([session], NOW))
    wait(lambda: scene.status() == "working", "the first status")
    panes.show(board([replace(session, status="idle")], NOW))
    wait(lambda: scene.status() == "idle", "the next status", within=3.5)


def test_what_somebody_has_changed_is_put_right_after_a_while(scene: Scene) -> None:
    scene.show(scene.session())
    scene.server.run("set-option", "-pt", "%0", f"{PREFIX}status", "nonsense")
    scene.show(scene.session(), scene.session("%0"))
    scene.now += LOOK_AGAIN
    scene.show(scene.session())
    assert scene.server.options()[f"{PREFIX}status"] == "running"


def test_a_session_that_went_while_nobody_looked_is_taken_from_its_pane(scene: Scene) -> None:
    scene.server.run("new-window", "-d", "sleep 600")
    tty = scene.server.value("#{pane_tty}", "%1")
    scene.server.run(*command("%1", tty, 1, {**options("gone", "working", "", {}), OWNER: scene.owner}))
    scene.show(scene.session())
    assert scene.server.options("%1") == {ENDED: "gone"}


def hooked(scene: Scene, session: Session) -> None:
    """Have the hooks of SCENE tell of the session."""
    event = {**e("SessionStart", source="startup", cwd="/p/api"), "session_id": session.session_id}
    recorder.run(scene.state, event, {"CLAUDE_PID": str(session.pid)})


def test_what_another_deskbell_shows_in_a_pane_stays(scene: Scene, tmp_path: Path) -> None:
    scene.server.run("new-window", "-d", "sleep 600")
    other = Scene(scene.server, tmp_path / "other")
    scene.show(scene.session())
    other.show(other.session("%1", "theirs"))
    scene.now += LOOK_AGAIN
    scene.show()
    assert scene.server.options("%0") == {ENDED: "5e551011-0000"}
    assert other.status("%1") == "working"


def test_a_session_that_two_deskbells_know_is_shown_by_the_one_that_its_hooks_tell(
    scene: Scene, tmp_path: Path
) -> None:
    other, session = Scene(scene.server, tmp_path / "other"), scene.session()
    hooked(scene, session)
    for one in (other, scene, other):
        one.now += LOOK_AGAIN
        one.show(session)
    assert scene.server.shown(OWNER, "-p") == scene.owner
    assert scene.server.options()[f"{PREFIX}latest_hook_event"] == "SessionStart"


def test_a_pane_that_another_deskbell_has_taken_since_is_not_cleared(scene: Scene, tmp_path: Path) -> None:
    other, session = Scene(scene.server, tmp_path / "other"), scene.session()
    scene.show(session)
    hooked(other, session)
    other.show(session)
    before = scene.server.options()
    scene.show()
    assert scene.server.options() == before
    assert scene.server.shown(OWNER, "-p") == other.owner


def test_what_another_tool_writes_under_the_same_names_stays(scene: Scene) -> None:
    scene.server.run("new-window", "-d", "sleep 600")
    scene.server.run("set-option", "-pt", "%1", f"{PREFIX}session_id", "theirs")
    before = scene.server.options("%1")
    scene.show(scene.session())
    scene.now += LOOK_AGAIN
    scene.show()
    assert scene.server.options("%1") == before


@pytest.mark.long
def test_many_panes_are_written_in_requests_that_tmux_takes(scene: Scene) -> None:
    for _ in range(29):
        scene.server.run("new-window", "-d", "sleep 600")
    numbers = range(30)
    found = [scene.session(f"%{number}", f"s{number}", detail="#" * 300) for number in numbers]
    scene.show(*found)
    assert {scene.status(f"%{number}") for number in numbers} == {"working"}


def test_panes_of_several_servers_follow(scene: Scene, tmp_path: Path) -> None:
    with tmux(tmp_path, "second") as second:
        other = Scene(second, scene.state)
        scene.show(scene.session(), other.session(session_id="other", status="plan"))
        assert (scene.status(), other.status()) == ("working", "plan")


def test_a_pane_that_moves_keeps_its_marks_and_one_that_is_killed_is_no_error(scene: Scene) -> None:
    scene.server.run("new-window", "-d", "-n", "web", "sleep 600")
    session = scene.session()
    scene.server.run("join-pane", "-d", "-s", "%0", "-t", "%1")
    scene.show(session)
    assert scene.status() == "working"
    scene.server.run("kill-pane", "-t", "%0")
    scene.show(replace(session, status="idle"))
    assert scene.panes.problem is None


NOT_HERE: dict[str, dict[str, Any]] = {
    "on another machine": {"host": "elsewhere"},
    "without a terminal": {"place": Place(None, (("TMUX", "/x,1,0"), ("TMUX_PANE", "%0")))},
    "outside of tmux": {"place": Place("/dev/pts/1", (("TERM", "xterm"),))},
    "with another terminal than the pane": {},
}


@pytest.mark.parametrize("more", NOT_HERE.values(), ids=NOT_HERE)
def test_a_session_that_does_not_run_in_the_pane_is_not_shown_there(scene: Scene, more: dict[str, Any]) -> None:
    session = scene.session(**more)
    if not more:
        session = replace(session, place=replace(session.place, tty="/dev/pts/99999"))
    scene.show(session)
    assert scene.server.options() == {}


def test_a_session_of_which_no_hook_has_told_is_found_by_its_process(scene: Scene) -> None:
    session = replace(scene.session(), place=Place())
    assert session.pid
    found = spot(session)
    assert found
    assert (found.socket, found.pane) == (str(scene.server.socket), "%0")
    assert spot(replace(session, pid=None)) is None


def test_nothing_is_written_before_it_is_installed_or_after_it_was_removed(scene: Scene) -> None:
    (scene.state / ON).unlink()
    scene.show(scene.session())
    assert scene.server.options() == {}
    (scene.state / ON).touch()
    scene.show(scene.session())
    assert (scene.state / TRAY).read_text().split()[0] == str(os.getpid())
    (scene.state / ON).unlink()
    scene.show(scene.session(status="idle"))
    assert scene.status() == "working"
    assert not (scene.state / TRAY).exists()


def test_at_the_end_the_hooks_go_on(scene: Scene) -> None:
    scene.show(scene.session())
    scene.panes.show(None)
    scene.panes.show(None)
    assert not (scene.state / TRAY).exists()
    assert scene.status() == "working"


def test_a_server_that_hangs_is_asked_again_after_a_pause_and_stops_no_other(scene: Scene, tmp_path: Path) -> None:
    with tmux(tmp_path, "second") as second:
        other = Scene(second, scene.state)
        here, there = scene.session(), other.session(session_id="other")
        pid = int(scene.server.value("#{pid}"))
        os.kill(pid, signal.SIGSTOP)
        try:
            scene.show(here, there)
            assert other.status() == "working"
            assert "does not answer" in (scene.panes.problem or "")
            began = time.monotonic()
            scene.show(here, replace(there, status="idle"))
            assert time.monotonic() - began < 5
            assert other.status() == "idle"
        finally:
            os.kill(pid, signal.SIGCONT)
        scene.now += HUNG_FOR
        scene.show(here, replace(there, status="plan"))
        assert (scene.status(), other.status(), scene.panes.problem) == ("working", "plan", None)


def test_a_server_that_has_gone_is_forgotten(scene: Scene) -> None:
    session = scene.session()
    scene.show(session)
    scene.server.end()
    scene.show(replace(session, status="idle"))
    assert scene.panes.problem is None


def test_without_a_thread_it_is_tried_again_later(scene: Scene) -> None:
    session = scene.session()
    scene.threads.left = False
    scene.show(session)
    scene.threads.left = True
    scene.show(replace(session, status="idle"))
    assert scene.status() == "idle"


def test_without_tmux_the_hooks_are_not_told_to_rest(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    session = scene.session()
    monkeypatch.setenv("PATH", "/nowhere")
    scene.show(session)
    assert "not installed" in (scene.panes.problem or "")
    assert not (scene.state / TRAY).exists()


def test_the_loop_does_not_wait_for_tmux(scene: Scene) -> None:
    answers = threading.Event()

    def slow(*_words: str) -> None:
        answers.wait(30)
        raise Problem("too late")

    panes = Panes(scene.state, scene.threads, ask=slow, clock=lambda: scene.now, pauses=(0.0, 0.0))
    session = scene.session()
    began = time.monotonic()
    for status in ("working", "idle", "plan"):
        panes.show(Board((replace(session, status=status),)))  # type: ignore[arg-type]  # three statuses
    assert time.monotonic() - began < 5
    assert len(scene.threads.started) == 1
    answers.set()
    wait(lambda: panes.problem, "the problem")


def test_a_line_of_something_else_is_passed_over() -> None:
    assert listed("") == listed("nonsense\n%1 /dev/pts/1\n%1 /dev/pts/1 - - - - - -\n") == {}
    assert listed("%1 /dev/pts/1 s1 running - working - -\n")["%1"][0] == "/dev/pts/1"
