"""Test what stands in the status line of tmux: who needs the person, in a form that tmux shows and never runs."""

import gc
import os
import runpy
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

if sys.platform == "win32":
    pytest.skip("tmux does not run on Windows", allow_module_level=True)

from deskbell_hooks.segments import Others, Waiting
from deskbell_hooks.tmuxline import line, main, piece, write
from tests.hooks.neighbours import Neighbours, asks, session
from tests.hooks.recorder import BARE_ENV, MAIN
from tests.hooks.said import e, prompt
from tests.tmuxes import needs_tmux, screen, tmux
from tests.waiting import wait


def waiting(*projects: str) -> list[Waiting]:
    return [Waiting(f"5e55101{number}-0000", project, "") for number, project in enumerate(projects)]


LINES = [
    (Others([], []), ""),
    (Others(waiting("api"), []), "1 needs you: api"),
    (Others(waiting("api"), waiting("web")), "2 need you: api, web"),
    (Others([], waiting("web", "web")), "2 need you: web"),
    (Others(waiting("a", "b", "c", "d"), waiting("a", "e")), "6 need you: a, b, c +2"),
    (Others(waiting(""), []), "1 needs you: 5e551010"),
    (Others(waiting("x\x1b[31m\ny"), []), "1 needs you: x y"),
    (Others(waiting("p" * 90), []), f"1 needs you: {'p' * 19}…"),
    (Others([], [], 2), "? 2 unreadable"),
    (Others(waiting(*"x" * 100), []), "100+ need you: x"),
]


@pytest.mark.parametrize(("found", "words"), LINES)
def test_the_blocked_ones_are_named_first(found: Others, words: str) -> None:
    assert line(found) == words


def test_the_colour_says_how_urgent_it_is_and_nothing_is_drawn_for_nobody() -> None:
    assert piece(Others(waiting("api"), [])) == "#[fg=white,bg=red,bold] 1 needs you: api #[default] "
    assert piece(Others([], waiting("api"))) == "#[fg=black,bg=yellow] 1 needs you: api #[default] "
    assert piece(Others([], [])) == ""


def printed(near: Neighbours) -> bytes:
    words = [sys.executable, "-I", "-S", str(MAIN), "tmuxline", str(near.state)]
    done = subprocess.run(words, env={**BARE_ENV, **near.env}, capture_output=True, timeout=60, check=True)
    assert done.stderr == b""
    return done.stdout


def test_the_start_hands_over_the_state_folder_and_the_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[tuple[str, ...]] = []
    piece_of = ModuleType("deskbell_hooks.tmuxline")
    piece_of.__dict__["main"] = lambda *words: called.append(words)
    monkeypatch.setitem(sys.modules, piece_of.__name__, piece_of)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for words in (["/state", "80"], ["/state"], [""]):
        monkeypatch.setattr(sys, "argv", [str(MAIN), "tmuxline", *words])
        runpy.run_path(str(MAIN), run_name="__main__")
    gc.enable()
    assert called == [("/state", "80"), ("/state", "")]


@pytest.fixture
def near(tmp_path: Path) -> Neighbours:
    return Neighbours(tmp_path / "state", tmp_path / "account")


def test_it_reads_the_registry_and_the_records(near: Neighbours) -> None:
    assert printed(near) == b""
    with subprocess.Popen(["sleep", "60"]) as other:
        near.record(session(1), *asks(), folder="api")
        near.record(session(2), prompt(), e("Stop"), pid=other.pid, folder="web")
        near.entry(session(1), "waiting")
        near.entry(session(2), "idle", pid=other.pid, cwd="/home/user/web")
        assert printed(near) == b"#[fg=white,bg=red,bold] 2 need you: api, web #[default] \n"
        other.kill()


def test_what_a_tray_says_goes_before(near: Neighbours) -> None:
    near.record(session(1), *asks(), folder="api")
    near.entry(session(1), "waiting")
    near.board(time.time(), your_turn=[[session(2), "docs", ""]])
    assert printed(near) == b"#[fg=black,bg=yellow] 1 needs you: docs #[default] \n"


def test_a_state_folder_of_rubbish_prints_nothing(near: Neighbours) -> None:
    near.write(session(1), b"\xff{")
    (near.account / "sessions").mkdir(parents=True)
    (near.account / "sessions" / "1.json").write_bytes(b"[" * 5000)
    near.board(0, at="x", blocked=[[1, 2]])
    assert printed(near) == b""


def test_an_output_that_nobody_takes_is_no_error(near: Neighbours) -> None:
    near.board(time.time(), blocked=[[session(2), "docs", ""]])
    reader, writer = os.pipe()
    os.close(reader)
    words = [sys.executable, "-I", "-S", str(MAIN), "tmuxline", str(near.state)]
    done = subprocess.run(words, env={**BARE_ENV, **near.env}, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


HOSTILE = ["#(touch pwned)", "#[fg=red]red", "##[x] ###[y ###", "#{pane_id} %H", "a,b}c"]


@needs_tmux
@pytest.mark.parametrize("project", HOSTILE)
def test_a_real_tmux_shows_a_project_as_it_is(near: Neighbours, tmp_path: Path, project: str) -> None:
    (tmp_path / "piece").write_text(piece(Others(waiting(project), [])))
    with tmux(tmp_path) as server:
        server.run("set-option", "-g", "@deskbell_line", f"#(cat {tmp_path}/piece)")
        server.run("set-option", "-g", "status-right", "#{E:@deskbell_line}")
        server.run("set-option", "-g", "status-right-length", "90")
        with screen(server, tmp_path) as seen:
            wait(lambda: f"1 needs you: {project}" in seen.shot().replace("\u2060", ""), "the line", seen=seen.shot)
    assert not (tmp_path / "pwned").exists()


def test_the_line_is_written_once_and_the_process_ends(
    near: Neighbours, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    written, left = list[bytes](), list[str]()
    main(str(near.state), "80", written.append, lambda: left.append("before"))
    near.board(time.time(), blocked=[[session(2), "docs", ""]])
    for columns in ("", "160", "x", "80"):
        main(str(near.state), columns, written.append, lambda: left.append("after"))
    whole, short = (b"#[fg=white,bg=red,bold] 1 needs you%s #[default] \n" % names for names in (b": docs", b""))
    assert written == [whole, whole, whole, short]
    assert left == ["before", *["after"] * 4]
    write(written[0])
    assert capfdbinary.readouterr().out == written[0]
