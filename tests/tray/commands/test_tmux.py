"""Test `deskbell tmux` with a server that runs: install, status, line and uninstall."""

import errno
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.__main__ import main
from deskbell.home import claude_dir, home
from deskbell_hooks import panes
from deskbell_hooks.client import process_start
from deskbell_hooks.codec import encode
from tests.bench.world import registered
from tests.faults.injector import failing
from tests.hooks.said import SESSION
from tests.tmuxes import Tmux, needs_tmux, tmux
from tests.tray.commands.said import Out, said

pytestmark = [needs_tmux, pytest.mark.skipif(sys.platform == "win32", reason="tmux does not run on Windows")]
ROOT = Path(__file__).parents[3]


@pytest.fixture
def server(private_home: Path) -> Iterator[Tmux]:
    folder = private_home / f"tmux-{os.getuid()}"
    folder.mkdir(mode=0o700)
    with tmux(folder, "default") as one:
        yield one


@pytest.fixture
def conf(private_home: Path) -> Path:
    return private_home / ".tmux.conf"


def test_it_is_installed_and_removed_without_a_trace(out: Out, server: Tmux, conf: Path) -> None:
    conf.write_text("set -g history-limit 9000")
    said(out, "tmux", "status", code=3)
    shown = said(out, "tmux", "install")
    assert f"✓ {server.socket}: tmux {server.value('#{version}')} shows the sessions." in shown
    assert "The last line of ~/.tmux.conf makes tmux read that file." in shown
    assert conf.read_text().startswith("set -g history-limit 9000\nsource-file -q ")
    assert "Already installed" in said(out, "tmux", "install")
    assert conf.read_text().count("source-file") == 1
    status = said(out, "tmux", "status")
    assert "✓ tmux shows the sessions." in status
    assert f"✓ {server.socket}" in status
    removed = said(out, "tmux", "uninstall")
    assert "Removed from tmux." in removed
    assert "restored" in removed
    assert conf.read_text() == "set -g history-limit 9000"
    assert "@deskbell" not in server.run("show-options", "-g")
    assert "Nothing was installed" in said(out, "tmux", "uninstall")


def test_the_sessions_that_run_already_are_shown_at_once(out: Out, server: Tmux, private_home: Path) -> None:
    pid = int(server.value("#{pane_pid}"))
    (claude_dir() / "sessions").mkdir(parents=True)
    registered(claude_dir() / "sessions", SESSION, pid)
    said(out, "tmux", "install")
    shown = server.options()
    assert (shown[panes.SESSION], shown[panes.STATUS]) == (SESSION, "running")
    said(out, "tmux", "uninstall")
    assert server.options() == {}


@pytest.fixture
def out(capsys: Out) -> Out:
    return capsys


def test_a_new_server_reads_the_line(out: Out, private_home: Path, conf: Path) -> None:
    said(out, "tmux", "install")
    env = {**os.environ, "TMUX_TMPDIR": str(private_home), "TERM": "xterm-256color"}
    words = ["tmux", "-f", str(conf), "-L", "fresh"]
    subprocess.run([*words, "new-session", "-d", "sleep 60"], env=env, check=True)
    try:
        done = subprocess.run([*words, "show-options", "-gv", "status-right"], env=env, capture_output=True, check=True)
    finally:
        subprocess.run([*words, "kill-server"], env=env, check=True)
    assert done.stdout.startswith(b"#{E:@deskbell_line}")


def test_the_usual_keys_are_left_alone_where_they_do_something_else(out: Out, server: Tmux) -> None:
    server.run("bind-key", "u", "display-message", "mine")
    shown = said(out, "tmux", "install")
    assert "The key u does something else in your tmux" in shown
    assert "prefix b: open the board." in shown
    assert "mine" in server.run("list-keys", "-T", "prefix")
    assert "prefix M-u: go to" in said(out, "tmux", "install", "--jump-key", "M-u", "--board-key", "none")


WRONG = [
    ("install --jump-key ;", "is not a key", 1),
    ("status --no-conf", "Only `deskbell tmux install` takes", 2),
    ("line --board-key x", "Only `deskbell tmux install` takes", 2),
]


@pytest.mark.parametrize(("words", "why", "code"), WRONG)
def test_what_is_wrong_is_refused_and_changes_nothing(out: Out, conf: Path, words: str, why: str, code: int) -> None:
    assert why in said(out, "tmux", *words.split(), code=code)
    assert not conf.exists()
    assert not (home().data / "tmux").exists()


def test_a_tmux_conf_that_cannot_be_edited_stops_everything(out: Out, conf: Path) -> None:
    conf.mkdir()
    assert "Cannot read" in said(out, "tmux", "install", code=1)
    assert not (home().data / "tmux").exists()


@pytest.mark.skipif("os.getuid() != 0", reason="only root can give a file away")
def test_an_installation_that_cannot_write_tmux_conf_is_undone(out: Out, conf: Path) -> None:
    conf.write_text("a\n")
    os.chown(conf, 1234, -1)
    with failing("os.chown", errno.EPERM):
        refused = said(out, "tmux", "install", code=1)
    assert refused.endswith("belongs to another user. The file is as it was. Run this as that user.\n")
    assert conf.read_text() == "a\n"
    assert "- tmux does not show the sessions." in say_status(out)
    assert not (home().data / "tmux").exists()


@pytest.mark.skipif("os.getuid() != 0", reason="only root can give a file away")
def test_an_update_that_cannot_write_tmux_conf_says_only_of_that_file_that_it_is_as_it_was(
    out: Out, conf: Path
) -> None:
    said(out, "tmux", "install", "--no-conf")
    conf.write_text("a\n")
    os.chown(conf, 1234, -1)
    with failing("os.chown", errno.EPERM):
        refused = said(out, "tmux", "install", "--jump-key", "F5", code=1)
    assert "Nothing was changed" not in refused
    assert "bind-key F5" in (home().data / "tmux" / "deskbell.conf").read_text()


def say_status(out: Out) -> str:
    """What `deskbell tmux status` prints while nothing is installed."""
    out.readouterr()
    assert main(["tmux", "status"]) == 3
    return out.readouterr().out


def test_a_plugin_manager_needs_no_line(out: Out, server: Tmux, conf: Path) -> None:
    said(out, "tmux", "install", "--no-conf")
    assert not conf.exists()
    assert "does not name that file" in said(out, "tmux", "status")
    assert "@deskbell_line" in server.shown("status-right")


def test_the_plugin_installs_itself_where_deskbell_is(server: Tmux, private_home: Path, conf: Path) -> None:
    (private_home / "bin").mkdir()
    program = private_home / "bin" / "deskbell"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={os.pathsep.join(sys.path)} exec {sys.executable} -m deskbell "$@"\n')
    program.chmod(0o755)
    env = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "TMUX": server.variable}
    server.run("set-option", "-g", "@deskbell-jump-key", "M-j")
    subprocess.run([str(ROOT / "deskbell.tmux")], env=env, check=True)
    assert "@deskbell_line" in server.shown("status-right")
    assert " M-j " in server.run("list-keys", "-T", "prefix")
    assert not conf.exists()


def test_the_plugin_says_what_it_misses(server: Tmux, private_home: Path) -> None:
    env = {**os.environ, "PATH": "/usr/bin:/bin", "TMUX": server.variable}
    subprocess.run([str(ROOT / "deskbell.tmux")], env=env, check=True)
    assert "@deskbell_line" not in server.shown("status-right")


def test_the_line_is_for_people_and_for_tmux(out: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = home().statusline
    folder.mkdir(parents=True)
    who = [["5e551011", "api", "wants"]]
    tray = {"v": 1, "at": time.time(), "pid": os.getpid(), "start": process_start("self")}
    (folder / "board.json").write_bytes(encode({**tray, "blocked": who, "your_turn": [["6", "web", ""]]}))
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert said(out, "tmux", "line") == "2 need you: api, web\n"
    (folder / "board.json").write_bytes(encode({**tray, "blocked": [], "your_turn": []}))
    assert said(out, "tmux", "line") == ""
    monkeypatch.delenv("FORCE_COLOR")
    (folder / "board.json").write_bytes(encode({**tray, "blocked": who, "your_turn": []}))
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = [sys.executable, "-m", "deskbell", "tmux", "line"]
    done = subprocess.run(words, env=env, capture_output=True, check=True)
    assert done.stdout == b"#[fg=white,bg=red,bold] 1 needs you: api #[default] \n"
