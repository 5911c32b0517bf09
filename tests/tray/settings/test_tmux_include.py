"""Test the file that tmux reads: a real tmux takes it, shows the marks, and binds the keys."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.settings.tmux_include import (
    GONE,
    LINE,
    PANE,
    PLACES,
    WINDOW,
    Wish,
    bound_keys,
    checked_key,
    reference,
    text,
)
from deskbell_hooks.panes import command, options
from tests.tmuxes import Tmux, needs_tmux, screen, tmux
from tests.waiting import wait

WISH = Wish(("/opt/my bin/deskbell",), ("echo", "2 need you: api"))
real = [needs_tmux, pytest.mark.skipif(sys.platform == "win32", reason="tmux does not run on Windows")]


def test_the_keys_are_those_that_were_wished_for() -> None:
    assert bound_keys(text(WISH)) == ["u", "b"]
    assert bound_keys(text(Wish(("d",), ("e",), "M-j", "none"))) == ["M-j"]
    assert bound_keys(text(Wish(("d",), ("e",), "none", "F5"))) == ["F5"]


@pytest.mark.parametrize("key", ["u", "U", "C-u", "M-S-F5", "F12", "none", "Home", "/"])
def test_a_key_is_named_as_tmux_names_it(key: str) -> None:
    assert checked_key(key) == key


@pytest.mark.parametrize("key", ["", "uu", "u ; kill-server", "'", ";", "#", "C-", "~", "\\", "{", "%if\n"])
def test_anything_else_is_no_key(key: str) -> None:
    with pytest.raises(Problem, match="not a key"):
        checked_key(key)


@pytest.mark.parametrize("path", ["/opt/a#(x)/deskbell", "/opt/it's", "/opt/100%", "/a;b", "/a\n", "/a$b", "/a,b}"])
def test_a_path_that_tmux_would_read_as_something_else_is_refused(path: str) -> None:
    for wish in (Wish((path,), ("echo",)), Wish(("deskbell",), (path,))):
        with pytest.raises(Problem, match="would expand signs"):
            text(wish)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Tmux]:
    (tmp_path / "deskbell.conf").write_text(text(WISH))
    with tmux(tmp_path) as one:
        yield one


class TestInARealTmux:
    pytestmark = real

    def test_the_formats_of_the_person_get_references_to_ours(self, server: Tmux, tmp_path: Path) -> None:
        server.run("set-option", "-g", "status-right", 'mine #{?a,b,c} %H "#W" #(true)')
        before = {option: server.shown(option, flags) for flags, option, _, _ in PLACES}
        for _ in range(2):
            server.run("source-file", str(tmp_path / "deskbell.conf"))
            for flags, option, ours, where in PLACES:
                parts = reference(ours), before[option]
                assert server.shown(option, flags) == "".join(parts if where == "before" else parts[::-1])
        assert server.shown("pane-border-status", "-gw") == "top"
        assert server.shown("@deskbell_was_border") == "off"
        assert int(server.shown("status-right-length")) == 100

    def test_a_reference_that_the_person_put_elsewhere_is_not_doubled(self, server: Tmux, tmp_path: Path) -> None:
        mine = f"left {reference(LINE)} right"
        server.run("set-option", "-g", "status-right", mine)
        server.run("source-file", str(tmp_path / "deskbell.conf"))
        assert server.shown("status-right") == mine

    def test_what_the_person_has_set_stays(self, server: Tmux, tmp_path: Path) -> None:
        server.run("set-option", "-g", "status-interval", "2", ";", "set-option", "-g", "status-right-length", "150")
        server.run("set-option", "-gw", "pane-border-status", "bottom")
        server.run("source-file", str(tmp_path / "deskbell.conf"))
        shown = server.shown("status-interval"), server.shown("status-right-length")
        assert (*shown, server.shown("pane-border-status", "-gw")) == ("2", "150", "bottom")

    def test_the_keys_are_bound(self, server: Tmux, tmp_path: Path) -> None:
        server.run("source-file", str(tmp_path / "deskbell.conf"))
        keys = [" ".join(line.split()) for line in server.run("list-keys", "-T", "prefix").splitlines()]
        (jump,) = [line for line in keys if " prefix u " in line]
        (board,) = [line for line in keys if " prefix b " in line]
        assert "-r" not in jump  # a second u, typed after a look at the session, would be typed into the session
        assert "'/opt/my bin/deskbell' jump --next" in jump
        assert ("display-popup" if server.value("#{>=:#{version},3.2}") == "1" else "new-window") in board
        assert "board --popup" in board

    @pytest.mark.parametrize(("code", "said"), [(None, GONE[:40]), (1, "no session needs you"), (0, "jumped")])
    def test_the_jump_key_says_what_came_of_it(self, server: Tmux, tmp_path: Path, code: int | None, said: str) -> None:
        program = tmp_path / "deskbell"
        if code is not None:
            program.write_text(f"#!/bin/sh\n[ {code} = 1 ] || tmux display-message jumped\nexit {code}\n")
            program.chmod(0o700)
        (tmp_path / "deskbell.conf").write_text(text(Wish((str(program),), ("echo",))))
        server.run("source-file", str(tmp_path / "deskbell.conf"))
        with screen(server, tmp_path) as seen:
            wait(lambda: "[work]" in seen.shot(), "the client", seen=seen.shot)
            seen.run("send-keys", "-t", "%0", "C-b", "u")
            wait(lambda: said in seen.shot(), "the message", seen=seen.shot)

    def test_the_board_key_says_that_the_program_is_gone(self, server: Tmux, tmp_path: Path) -> None:
        server.run("source-file", str(tmp_path / "deskbell.conf"))
        with screen(server, tmp_path) as seen:
            wait(lambda: "[work]" in seen.shot(), "the client", seen=seen.shot)
            seen.run("send-keys", "-t", "%0", "C-b", "b")
            wait(lambda: GONE[:40] in seen.shot(), "the message", seen=seen.shot)
            seen.run("send-keys", "-t", "%0", "Enter")
            wait(lambda: GONE[:40] not in seen.shot(), "its end", seen=seen.shot)

    SHOWN = (
        ("working", "[▶] 5e551011 Bash: make", ""),
        ("permission", "[⏸] 5e551011 Bash: make", "(⏸)"),
        ("idle", "[⏸] 5e551011 Bash: make", "(⏸)"),
        ("new", "[·] 5e551011 Bash: make", ""),
        ("ended", "[■] 5e551011", ""),
    )

    @pytest.mark.parametrize(("status", "border", "window"), SHOWN)
    def test_the_border_and_the_window_show_the_session(
        self, server: Tmux, tmp_path: Path, status: str, border: str, window: str
    ) -> None:
        server.run("source-file", str(tmp_path / "deskbell.conf"))
        tty = server.value("#{pane_tty}")
        server.run("split-window", "-d", "-t", "%0", "sleep 600")
        server.run(*command("%0", tty, 1, options("5e551011-0000", status, "Bash: make", {})))
        with screen(server, tmp_path) as seen:
            wait(lambda: f" {border} " in seen.shot(), "the border", seen=seen.shot)
            bar = seen.shot().strip().splitlines()[-1]
            assert ("(⏸)" in bar) is bool(window)
            assert "2 need you: api" in wait(lambda: "need" in seen.shot() and seen.shot(), "the line", seen=seen.shot)

    def test_a_status_that_nobody_knows_is_a_question(self, server: Tmux, tmp_path: Path) -> None:
        server.run("source-file", str(tmp_path / "deskbell.conf"))
        server.run("set-option", "-pt", "%0", "@meta.claude.session_id", "5e551011-0000")
        server.run("set-option", "-pt", "%0", "@meta.claude.status", "elsewhere")
        assert "[?] 5e551011" in server.value(reference(PANE))
        assert server.value(reference(WINDOW)) == ""

    def test_a_pane_without_a_session_shows_nothing(self, server: Tmux, tmp_path: Path) -> None:
        server.run("source-file", str(tmp_path / "deskbell.conf"))
        assert server.value(f"{reference(PANE)}{reference(WINDOW)}").strip() == ""

    def test_the_mark_moves_with_its_pane(self, server: Tmux, tmp_path: Path) -> None:
        server.run("source-file", str(tmp_path / "deskbell.conf"))
        tty = server.value("#{pane_tty}")
        server.run("new-window", "-d", "-n", "web", "sleep 600")
        server.run(*command("%0", tty, 1, options("5e551011-0000", "plan", "", {})))
        server.run("join-pane", "-d", "-s", "%0", "-t", "%1")
        assert "(⏸)" in server.value(reference(WINDOW), "%1")
