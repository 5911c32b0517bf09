"""Test that the orders of the board are carried out as the clicks in the menu are."""

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from deskbell.cards.keys import CopyId, ResumeHere
from deskbell.commands._hands import RealHands
from deskbell.commands._world import world
from deskbell.errors import Problem
from deskbell.face.actions import Answer, Jump, Mute, Reply, Resume, Snooze
from deskbell.home import home
from deskbell.notices import quiet
from deskbell.session import Place, Session
from deskbell.sessions.crashes import DAY, CrashFile
from tests.tray.commands.said import crashed, running
from tests.tray.making import session


@pytest.fixture
def hands(private_home: Path) -> RealHands:
    home().state.mkdir(parents=True)
    return RealHands(home())


KEY = ("a1", 100)
OVER = session(status="ended", pid=None)


def test_a_mute_and_a_snooze_are_written_and_shown(hands: RealHands) -> None:
    now = time.time()
    assert hands.do(Mute(KEY, True), session()) == "Muted api: Ship it."
    assert hands.facts(now).muted == {"a1"}
    assert hands.do(Mute(KEY, False), session()) == "Unmuted api: Ship it."
    assert hands.facts(now).muted == frozenset()
    assert hands.do(Snooze("1h"), None).startswith("Snoozed until ")
    assert (hands.facts(now).snoozed_until or 0) > now + 3500
    assert hands.do(Snooze(None), None) == "Notifications ring again."
    assert quiet.read(home().state).snooze(now) is None


def test_what_is_broken_is_shown_after_the_look(hands: RealHands) -> None:
    assert hands.facts(0).problem is None
    hands.look()
    assert "hooks are not installed" in str(hands.facts(0).problem)


def test_replies_are_offered_once_the_person_has_switched_them_on(hands: RealHands) -> None:
    hands.look()
    assert not hands.facts(0).replies
    with pytest.raises(Problem, match="switched off"):
        hands.do(Reply(KEY, "go on"), session(status="idle"))
    home().config.mkdir(parents=True)
    for content, offered in (("[answers]\nreply = true\n", True), ("[answers\n", False), ("", False)):
        (home().config / "config.toml").write_text(content)
        hands.look()
        assert hands.facts(0).replies is offered


def test_a_reply_that_does_not_arrive_is_reported(hands: RealHands) -> None:
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_text("[answers]\nreply = true\n")
    said = hands.do(Reply(KEY, "go on"), session(status="working"))
    assert said.startswith("Not delivered: the session is at work: Thinking.")
    assert "not on the clipboard either: nothing can fill the clipboard" in said
    with pytest.raises(Problem, match="no longer exists"):
        hands.do(Reply(KEY, "go on"), None)
    hands.close()


@pytest.mark.skipif(sys.platform == "win32", reason="a named pipe takes its place")
def test_an_answer_counts_only_for_what_was_on_the_screen(hands: RealHands) -> None:
    from tests.tray.answers.desk_server import program, said
    from tests.tray.commands.test_requests import ASKING, REQUEST

    waits, order = session(status="permission", asking=ASKING), Answer(KEY, "c0de", "allow")

    def answered(message: dict[str, str]) -> bytes:
        return said(requests=[REQUEST]) if message["wish"] == "list" else said(done=True, said="Allowed.")

    with program(home().state, answered) as heard:
        assert hands.requests() == {KEY: ASKING}
        assert hands.do(order, waits) == "Allowed."
        with pytest.raises(Problem, match="It asks something else now"):
            hands.do(order, replace(waits, asking=replace(ASKING, whole=("npm",))))
    assert [one["wish"] for one in heard] == ["list", "list", "shown", "answer", "list"]


@pytest.mark.parametrize("order", [Resume(KEY), ResumeHere(KEY)])
def test_a_session_that_runs_is_not_resumed(hands: RealHands, order: Resume | ResumeHere) -> None:
    there = session(place=Place("pts/3"))
    with pytest.raises(Problem, match=r"api is still running in pts/3\. Resuming it would start it twice\."):
        hands.do(order, there)


def test_a_session_that_is_over_goes_on_here(hands: RealHands) -> None:
    assert hands.do(ResumeHere(KEY), OVER) == ""


def test_where_no_terminal_opens_the_next_key_is_named(hands: RealHands) -> None:
    with pytest.raises(Problem, match="Press R to leave the board and resume it here"):
        hands.do(Resume(KEY), OVER)


def test_no_jump_leads_to_a_session_that_is_over(hands: RealHands) -> None:
    with pytest.raises(Problem, match=r"api: Ship it is over\. Press r to go on with it\."):
        hands.do(Jump(KEY), OVER)


def test_a_jump_says_how_far_it_came(hands: RealHands) -> None:
    assert hands.do(Jump(KEY), session(pid=None)) == "It is not known which process runs Ship it."
    assert not hands.is_shown()


def test_an_id_is_copied_or_sent_to_the_terminal(hands: RealHands, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert hands.do(CopyId(KEY), session()) == "Sent to the clipboard of the terminal: a1"
    monkeypatch.setenv("DISPLAY", ":99999")  # of the machine at the other end
    monkeypatch.setenv("SSH_CONNECTION", "there 1 here 2")
    assert hands.do(CopyId(KEY), session()) == "Sent to the clipboard of the terminal: a1"


def test_an_order_about_no_session_is_refused(hands: RealHands) -> None:
    with pytest.raises(Problem, match="no longer exists"):
        hands.do(Jump(KEY), None)


def printed(hands: RealHands, one: Session) -> str:
    console = Console(width=100)
    with console.capture() as capture:
        console.print(hands.details(one, time.time()))
    return capture.get()


def test_the_details_are_those_of_show(hands: RealHands, monkeypatch: pytest.MonkeyPatch) -> None:
    running("s-1", "/p/api", os.getpid(), monkeypatch)
    (one,) = world().read(time.time())
    text = printed(hands, one)
    assert "/p/api" in text
    assert "Timeline" in text
    assert "UserPromptSubmit" in text


def test_the_details_of_a_crash_say_how_it_is_resumed_and_are_seen(
    hands: RealHands, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashed("s-1", "/p/api", monkeypatch)
    there = world(ended_for=DAY)
    (one,) = there.read(time.time())
    CrashFile(home().state).follow([one], time.time())
    assert "claude --resume s-1" in printed(hands, one)
    (noted,) = CrashFile(home().state).known().values()
    assert noted.until < (one.kept_until or 0)


@pytest.mark.skipif(sys.platform == "win32", reason="a program of POSIX fills the clipboard")
def test_a_desktop_with_a_clipboard_gets_the_id(
    hands: RealHands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program, got = tmp_path / "wl-copy", tmp_path / "got"
    program.write_text(f"#!/bin/sh\ncat > {got}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    assert hands.do(CopyId(KEY), session()) == "Copied a1."
    assert got.read_text() == "a1"
    hands.close()
