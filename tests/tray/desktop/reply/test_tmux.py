"""Test the carrier of tmux with a real server: what is pasted arrives as it is, or nothing does."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.answers.prompt import typed_text
from deskbell.desktop.jump.spot import Spot, spot
from deskbell.desktop.reply import tmux as way
from deskbell.desktop.reply.carrier import Carrier
from deskbell.desktop.reply.tmux import Pane
from deskbell.errors import Problem
from tests.tmuxes import Tmux, needs_tmux, tmux
from tests.tray.desktop.reply.clients import Client, client
from tests.waiting import wait

pytestmark = [needs_tmux, pytest.mark.skipif(sys.platform != "linux", reason="/proc")]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Tmux]:
    with tmux(tmp_path) as one:
        yield one


@pytest.fixture
def one(server: Tmux, tmp_path: Path) -> Client:
    return client(server, tmp_path / "one")


def carried(to: Client) -> Carrier:
    found = way.carrier(to.spot)
    assert found
    return found


def typed(way: Carrier) -> str | None:
    seen = way.look()
    return typed_text(seen.lines, seen.cursor)


def put(to: Client, text: str) -> None:
    way = carried(to)
    assert typed(way) == ""
    way.paste(text, way.look())
    wait(lambda: typed(way), "the text", seen=lambda: to.screen)
    way.enter(way.look())


TEXTS = {
    "a line": "hello there",
    "lines": "one\ntwo\n  three",
    "what a shell would read": " !echo $HOME; `ls` #{pane_id} \\; ; -t %0",
    "much": "x" * 3000,
    "very much": "word " * 1999 + "word",
    "signs": "héllo 👩‍👩‍👧 日本語 ✅️",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_text_arrives_to_the_byte(text: str, one: Client) -> None:
    put(one, text)
    wait(lambda: one.prompts, "a prompt", seen=lambda: one.screen)
    assert one.prompts == [text]
    assert "deskbell" not in one.tmux.run("list-buffers")


def test_only_the_pane_of_the_client_gets_it(server: Tmux, one: Client, tmp_path: Path) -> None:
    other = client(server, tmp_path / "other")
    put(one, "for one")
    put(other, "for the other")
    wait(lambda: one.prompts and other.prompts, "both prompts")
    assert (one.prompts, other.prompts) == (["for one"], ["for the other"])


def test_a_client_that_was_started_from_a_shell_is_found(server: Tmux, tmp_path: Path) -> None:
    inside = client(server, tmp_path / "inside", shell=True)
    put(inside, "hello")
    wait(lambda: inside.prompts == ["hello"], "the prompt", seen=lambda: inside.screen)


def test_a_process_outside_of_tmux_is_not_carried_to() -> None:
    assert way.carrier(Spot(1, (1,), "/dev/pts/0")) is None


def copy_mode(to: Client) -> None:
    to.tmux.run("copy-mode", "-t", to.pane)


def together(to: Client) -> None:
    to.tmux.run("split-window", "-t", to.pane, "sleep 600")
    to.tmux.run("set-option", "-w", "-t", to.pane, "synchronize-panes", "on")


def deaf(to: Client) -> None:
    to.tmux.run("select-pane", "-d", "-t", to.pane)


def replaced(to: Client) -> None:
    to.tmux.run("respawn-pane", "-k", "-t", to.pane, "--", "env", "sleep", "600")
    wait(
        lambda: not Path(f"/proc/{to.pid}/stat").exists() or "Z" in Path(f"/proc/{to.pid}/stat").read_text(), "its end"
    )


def closed(to: Client) -> None:
    to.tmux.run("kill-pane", "-t", to.pane)


def typed_into(to: Client) -> None:
    to.keys("h", "a", "l", "f")
    to.shows("half")


SPOILS: dict[str, tuple[Callable[[Client], None], str]] = {
    "copy mode": (copy_mode, "copy mode"),
    "synchronised panes": (together, "synchronised"),
    "input that is off": (deaf, "switched off"),
    "another program in the pane": (replaced, "Another program|not there"),
    "a pane that has gone": (closed, "Another program|not there"),
}


@pytest.mark.parametrize(("spoil", "why"), SPOILS.values(), ids=SPOILS)
def test_a_pane_that_would_not_bring_it_to_the_client_alone_is_refused(
    spoil: Callable[[Client], None], why: str, one: Client
) -> None:
    way = carried(one)
    spoil(one)
    with pytest.raises(Problem, match=why):
        way.look()


@pytest.mark.parametrize("spoil", [*(spoil for spoil, _ in SPOILS.values()), typed_into], ids=[*SPOILS, "typing"])
def test_nothing_is_pasted_and_no_key_is_pressed_once_something_has_moved(
    spoil: Callable[[Client], None], one: Client
) -> None:
    way = carried(one)
    seen = way.look()
    spoil(one)
    before = one.screen if spoil not in (closed,) else ""
    for deed in (lambda: way.paste("hello", seen), lambda: way.enter(seen)):
        with pytest.raises(Problem, match="meanwhile"):
            deed()
    assert one.prompts == []
    assert spoil is closed or one.screen == before
    assert "deskbell" not in one.tmux.run("list-buffers")


def test_a_shell_that_the_client_was_stopped_in_gets_nothing(server: Tmux, tmp_path: Path) -> None:
    inside = client(server, tmp_path / "inside", shell=True)
    way = carried(inside)
    os.kill(inside.pid, signal.SIGSTOP)
    inside.shows("Stopped")
    with pytest.raises(Problem, match="Another program"):
        way.look()
    os.kill(inside.pid, signal.SIGKILL)


def test_a_pane_of_another_process_is_not_there_any_more(one: Client) -> None:
    way = carried(one)
    assert isinstance(way, Pane)
    with pytest.raises(Problem, match="no longer exists"):
        replace(way, pid=way.pid + 1).look()


def test_a_process_of_the_server_in_no_pane_is_refused(server: Tmux, tmp_path: Path) -> None:
    """As in a popup."""
    file = tmp_path / "pid"
    server.run("run-shell", "-b", f"echo $$ > {file}.new; mv {file}.new {file}; exec sleep 600")
    wait(file.exists, "the process")
    there = spot(int(file.read_text()))
    assert there
    with pytest.raises(Problem, match="popup"):
        way.carrier(there)
    os.kill(there.pid, signal.SIGKILL)


def test_a_server_whose_socket_has_gone_is_refused(one: Client, server: Tmux) -> None:
    there = one.spot
    server.socket.rename(server.socket.with_name("elsewhere"))
    with pytest.raises(Problem, match="socket is not known"):
        way.carrier(there)
    server.socket.with_name("elsewhere").rename(server.socket)
