"""Test `deskbell board`: what it prints, and that it follows the sessions on a real terminal."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from deskbell.__main__ import main
from deskbell.commands._world import world
from deskbell.commands.board import _named, probe_card
from deskbell.commands.list import KEPT
from deskbell.home import home
from deskbell.notices import quiet
from deskbell_hooks.record import record_event
from tests.tray.commands.said import Out, crashed, recorded, running, said
from tests.tray.making import NOON, session
from tests.waiting import wait


def test_it_prints_the_board_as_it_is_now(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "90")
    running("s-1", "/p/api", os.getpid(), monkeypatch)
    crashed("s-2", "/p/web", monkeypatch)
    quiet.write(home().state, quiet.Quiet(snoozed_until=4e9).with_mute("sessions", "s-1"))
    head, *lines = said(capsys, "board", "--once").splitlines()
    assert head.startswith(" Deskbell  1 running, 1 crashed")
    assert "snoozed until" in head
    text = "\n".join(lines)
    assert "! The hooks are not installed" in text
    assert "Needs You 0" in text
    assert "▶ api" in text
    assert "muted" in text
    assert "✖ web" in text
    assert max(map(len, lines)) <= 90


def test_it_prints_what_has_ended_on_request(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    running("s-1", "/p/api", os.getpid(), monkeypatch)
    record_event(str(home().state), b'{"session_id": "s-1", "hook_event_name": "SessionEnd", "cwd": "/p/api"}')
    assert "Ended 1  ▸ e shows them" in said(capsys, "board", "--once")
    assert "· api" in said(capsys, "board", "--once", "--all")


def test_an_empty_board_is_no_error(capsys: Out) -> None:
    assert "No session is running" in said(capsys, "board", "--once")


def test_without_a_terminal_it_says_what_to_do_instead(capsys: Out) -> None:
    assert said(capsys, "board", code=2) == (
        "deskbell: The board needs a terminal. Print it with `deskbell board --once`, or use `deskbell list --watch`.\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="it needs a terminal of POSIX")
@pytest.mark.parametrize("elsewhere", ["</dev/null", ">/dev/null", "2>/dev/null", "<&-", ">&-", "2>&-"])
def test_the_board_needs_a_terminal_for_input_output_and_errors(private_home: Path, elsewhere: str) -> None:
    from tests.tray.commands.terminals import Terminal

    with Terminal(["sh", "-c", f'exec "$0" -m deskbell board {elsewhere}', sys.executable]) as board:
        assert board.ended() == 2
        assert "\x1b[?1049h" not in board.written


def test_a_printed_board_is_never_of_one_session(capsys: Out) -> None:
    error = "deskbell: --once prints all sessions. Leave web out, or run `deskbell show web`."
    assert said(capsys, "board", "web", "--once", code=2).strip() == error


def test_a_session_that_no_card_can_show_is_noticed_before() -> None:
    probe_card(session(), NOON)
    with pytest.raises(TypeError):
        probe_card(session(cost_usd="x"), NOON)


@pytest.mark.skipif(sys.platform == "win32", reason="it needs a terminal of POSIX")
def test_it_follows_every_change_on_a_terminal_until_it_is_ended(
    private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.tray.commands.terminals import Terminal

    running("s-1", "/p/api", os.getpid(), monkeypatch)
    with Terminal([sys.executable, "-m", "deskbell", "board"]) as board:
        board.until("▶ api")
        event = (
            b'{"session_id": "s-1", "hook_event_name": "Stop", "cwd": "/p/api", "last_assistant_message": "All done."}'
        )
        record_event(str(home().state), event)
        board.until("All done.")
        board.type("m")
        board.until("Muted api")
        wait(lambda: bool(quiet.read(home().state).names("sessions", 0.0)), "the mute")
        board.type("q")
        assert board.ended() == 0
        assert board.was_left_as_it_was()


@pytest.mark.skipif(sys.platform == "win32", reason="it needs a terminal of POSIX")
def test_it_begins_at_the_session_that_is_named(private_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.tray.commands.terminals import Terminal

    running("s-1", "/p/api", os.getpid(), monkeypatch)
    crashed("s-2", "/p/web", monkeypatch)
    home_of_it, moved = os.environ["DESKBELL_HOME"], {"DESKBELL_HOME": "/nowhere"}
    with Terminal([sys.executable, "-m", "deskbell", "board", "web", "--home", home_of_it], **moved) as board:
        board.until("█✖ web")
        board.type("q")
        assert board.ended() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="it needs a terminal of POSIX")
def test_it_begins_with_the_details_of_the_session_that_is_named_and_goes_back_to_the_board(
    private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.tray.commands.terminals import Terminal

    running("s-1", "/p/api", os.getpid(), monkeypatch)
    with Terminal([sys.executable, "-m", "deskbell", "board", "--details", "--hold", "--", "s-1"]) as board:
        board.until("/p/api")
        board.type("q")
        board.until("█▶ api")
        board.type("q")
        assert board.ended() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="it needs a terminal of POSIX")
def test_of_several_clients_the_one_that_is_meant_is_chosen(
    private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen(["sleep", "60"]) as other:
        running("s-1", "/p/api", os.getpid(), monkeypatch)
        running("s-1", "/p/api", other.pid, monkeypatch)
        there = world(ended_for=KEPT)
        for pid in (os.getpid(), other.pid):
            assert _named("s-1", pid, there).pid == pid
        other.terminate()


def test_a_session_that_ended_within_a_day_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    running("s-1", "/p/api", os.getpid(), monkeypatch)
    record_event(str(home().state), b'{"session_id": "s-1", "hook_event_name": "SessionEnd", "cwd": "/p/api"}')
    assert _named("api", None, world(ended_for=KEPT)).status == "ended"


def test_details_need_a_session(capsys: Out) -> None:
    assert "--details needs a session" in said(capsys, "board", "--details", code=2)


def test_a_session_that_has_left_the_board_cannot_be_chosen(capsys: Out) -> None:
    recorded("s-9", "old")
    assert said(capsys, "board", "old", code=1) == (
        "deskbell: Session s-9 has left the board. Run `deskbell show s-9` to see what is known of it.\n"
    )


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="it needs a terminal of POSIX")
@pytest.mark.parametrize(("how", "code"), [("ctrl+c", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_however_it_ends_the_terminal_is_given_back(private_home: Path, how: str, code: int) -> None:
    from tests.tray.commands.terminals import Terminal

    recorded("s-1")
    with Terminal([sys.executable, "-m", "deskbell", "board"]) as board:
        board.until("Nothing needs you.")
        board.type("\x03") if how == "ctrl+c" else board.signal(how)
        assert board.ended() == code
        assert board.was_left_as_it_was()


@pytest.mark.skipif(sys.platform == "win32", reason="it needs a terminal of POSIX")
@pytest.mark.parametrize("shell", ["exec", "trap '' HUP; exec"], ids=["a window", "a window and nohup"])
def test_it_ends_with_its_terminal(private_home: Path, shell: str) -> None:
    from tests.tray.commands.terminals import Terminal

    with Terminal(["sh", "-c", f'{shell} "$0" -m deskbell board', sys.executable]) as board:
        board.until("Nothing needs you.")
        board.hang_up()
        assert board.ended() == 129


@pytest.mark.skipif(sys.platform == "win32", reason="it needs a terminal of POSIX")
def test_after_ctrl_z_it_gives_the_terminal_back_and_draws_all_again_when_it_goes_on(private_home: Path) -> None:
    from tests.tray.commands.terminals import Terminal

    with Terminal([sys.executable, "-m", "deskbell", "board"]) as board:
        board.until("Nothing needs you.")
        board.type("\x1a")
        board.until("\x1b[?1049l")
        wait(board.is_stopped)
        board.signal("SIGCONT")
        board.until("Nothing needs you.")
        board.type("q")
        assert board.ended() == 0


def test_help_names_its_options(capsys: Out) -> None:
    with pytest.raises(SystemExit):
        main(["board", "--help"])
    assert "--once" in capsys.readouterr().out


HARMLESS = bytes({*range(32), *range(127, 256), *b"[]<;:0123456789?~uMOP\\$"} - {3, 13, 17, 26})
"""Bytes that are no key of the board, and those of which sequences are made."""
ODD_BYTES = {
    "Latin-1": b"caf\xe9 \xff\xfe",
    "a paste without an end": b"\x1b[200~text without an end",
    "a mouse outside of the screen": b"\x1b[<0;9999;9999M\x1b[<0;9999;9999m\x1b[<0;1M\x1b[M\x20\xff\xff",
    "impossible numbers": b"\x1b[48;24;80;0;0t\x1b[1:2u\x1b[999999u\x1b[O",
    "answers that nobody asked for": b"\x1b]11;rgb:0/0/0\x07\x1bP1$r0m\x1b\\\x1b[12;40R",
    "noise": bytes(random.Random(24).choices(HARMLESS, k=4000)),
}


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="it needs a terminal of POSIX")
@pytest.mark.parametrize("odd", ODD_BYTES)
def test_whatever_the_terminal_sends_ctrl_c_ends_the_board_in_order(
    odd: str, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.tray.commands.terminals import Terminal

    running("s-1", "/p/api", os.getpid(), monkeypatch)
    with Terminal([sys.executable, "-m", "deskbell", "board"]) as board:
        board.until("▶ api")
        board.send(ODD_BYTES[odd])
        board.resize(90, 28)
        board.until("api")  # it is still drawn
        while not board.has_ended(2.0):
            board.send(b"\x03")
        assert board.ended() == 130
        assert "Traceback" not in board.written
        assert board.was_left_as_it_was()
