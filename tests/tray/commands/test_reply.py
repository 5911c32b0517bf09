"""Test `deskbell reply`: what a person or a script reads, and the exit code."""

import io
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbell.home import claude_dir, home
from deskbell_hooks.client import process_start
from deskbell_hooks.record import record_event
from tests.tmuxes import needs_tmux, tmux
from tests.tray.commands.said import Out, crashed, recorded, running, said
from tests.tray.desktop.reply.clients import Client, client

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc, tmux")
ID = "aaaa1111"


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKBELL_HOME", str(tmp_path / "one" / "deskbell"))
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def on() -> None:
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_text("[answers]\nreply = true\n")


def idle(pid: int, monkeypatch: pytest.MonkeyPatch, session_id: str = ID) -> None:
    """A session whose turn is over, run by the process PID."""
    running(session_id, "/tmp/web", pid, monkeypatch)
    record_event(str(home().state), json.dumps({"hook_event_name": "Stop", "session_id": session_id}).encode())
    (claude_dir() / "sessions").mkdir(parents=True, exist_ok=True)
    start, now = str(process_start(pid)), int(time.time() * 1000) + 5
    entry = {"pid": pid, "sessionId": session_id, "procStart": start, "status": "idle", "statusUpdatedAt": now}
    (claude_dir() / "sessions" / f"{pid}.json").write_text(json.dumps(entry))


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    with tmux(tmp_path) as server:
        one = client(server, tmp_path / "one", ID)
        idle(one.pid, monkeypatch)
        yield one


@needs_tmux
@pytest.mark.usefixtures("on")
def test_a_text_is_sent_and_one_sentence_says_so(there: Client, capsys: Out) -> None:
    assert said(capsys, "reply", "web", "run the tests") == f"Sent to web in tmux pane {there.pane}.\n"
    assert there.prompts == ["run the tests"]
    assert f"web: replied, 13 characters through tmux pane {there.pane}" in said(capsys, "why", "web")


@needs_tmux
@pytest.mark.usefixtures("on")
def test_a_text_is_read_from_stdin(there: Client, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("one\nzwei é\n".encode())))
    said(capsys, "reply", "aaaa", "-")
    assert there.prompts == ["one\nzwei é"]


@needs_tmux
@pytest.mark.usefixtures("on")
def test_json_says_what_came_of_it(there: Client, capsys: Out) -> None:
    told = json.loads(said(capsys, "reply", "aaaa", "hello", "--json"))
    assert told.pop("seconds") < 2
    assert told == {
        "version": 1,
        "session_id": ID,
        "pid": there.pid,
        "delivered": True,
        "sentence": f"Sent to web in tmux pane {there.pane}.",
        "where": f"tmux pane {there.pane}",
        "clipboard": False,
    }


@needs_tmux
@pytest.mark.usefixtures("on")
def test_what_is_not_delivered_ends_with_an_error(there: Client, capsys: Out) -> None:
    there.keys("x")
    there.shows("x")
    text = said(capsys, "reply", "aaaa", "hello", code=1)
    assert text.startswith("deskbell: Not delivered: something is typed in its prompt already.")
    assert "not on the clipboard either" in text
    told = said(capsys, "reply", "aaaa", "hello", "--json", code=1)
    assert told == "", "the JSON goes to standard output"
    assert there.prompts == []


@needs_tmux
def test_replies_are_off_unless_the_person_says_so(there: Client, capsys: Out) -> None:
    text = said(capsys, "reply", "aaaa", "hello", code=1)
    assert text == ("deskbell: Replies are switched off. Switch them on: `deskbell answers on reply`.\n")
    assert there.prompts == []
    said(capsys, "config", "set", "answers.reply", "true")
    said(capsys, "reply", "aaaa", "hello")
    assert there.prompts == ["hello"]


REFUSED = {
    "a command": ("/clear", 1, "would be a command"),
    "the end of the client": ("exit", 1, "would end Claude Code"),
    "nothing": ("", 2, "The reply is empty."),
}


@needs_tmux
@pytest.mark.usefixtures("on")
@pytest.mark.parametrize(("text", "code", "why"), REFUSED.values(), ids=REFUSED)
def test_a_text_that_is_no_prompt_is_refused(text: str, code: int, why: str, there: Client, capsys: Out) -> None:
    assert why in said(capsys, "reply", "aaaa", text, code=code)
    assert there.prompts == []


@pytest.mark.usefixtures("on")
def test_a_text_is_not_read_from_a_terminal(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    front, back = os.openpty()
    with os.fdopen(back) as tty:
        monkeypatch.setattr(sys, "stdin", tty)
        assert "There is nothing on stdin." in said(capsys, "reply", "aaaa", "-", code=2)
    os.close(front)


@pytest.mark.usefixtures("on")
def test_a_session_that_is_over_is_offered_to_be_resumed(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    crashed("cccc1111", "/tmp", monkeypatch)
    recorded("dddd1111", "old")
    assert "Run `deskbell resume cccc1111` to go on with it." in said(capsys, "reply", "cccc", "hello", code=1)
    assert said(capsys, "reply", "old", "hello", code=1) == (
        "deskbell: Session dddd1111 has ended. Run `deskbell resume dddd1111` to go on with it.\n"
    )


@pytest.mark.usefixtures("on")
def test_an_unknown_session_is_not_found(capsys: Out) -> None:
    assert "No session matches" in said(capsys, "reply", "nobody", "hello", code=3)


@pytest.mark.usefixtures("on")
def test_a_session_in_two_terminals_is_not_guessed(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    idle(os.getpid(), monkeypatch)
    idle(os.getppid(), monkeypatch)
    assert "runs in several terminals" in said(capsys, "reply", "aaaa", "hello", code=2)
