"""Test replies to a stand-in client in a real tmux: what arrives, what is refused, and what is told and kept."""

import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from deskbell.desktop.reply.carrier import Screen
from deskbell.errors import Misuse, Problem
from deskbell.home import Home
from deskbell.notices.decisions import read, sentence
from deskbell.program import replying
from deskbell.program.replying import FRESH, Replied, put, refuse, reply
from deskbell.session import Session
from deskbell_hooks.client import process_start
from tests.tmuxes import needs_tmux, tmux
from tests.tray.desktop.reply.clients import Client, client
from tests.tray.making import session
from tests.waiting import wait

pytestmark = [needs_tmux, pytest.mark.skipif(sys.platform != "linux", reason="/proc")]
ID = "3f2a9c10-0000"


class Stage:
    """A stand-in client with its registry file, its journal and its session."""

    def __init__(self, client: Client, root: Path) -> None:
        self.client = client
        self.home = Home(root / "deskbell" / "state", root / "deskbell" / "data", root / "deskbell" / "config")
        self.config = root / "claude"
        (self.config / "sessions").mkdir(parents=True)
        self.copied: list[str] = []
        self.registry("idle")

    def registry(self, status: str, at: int = 1, **more: Any) -> None:
        pid = self.client.pid
        said = {"pid": pid, "sessionId": ID, "procStart": str(process_start(pid)), "status": status}
        file = self.config / "sessions" / f"{pid}.json"
        file.with_suffix(".new").write_text(json.dumps({**said, "statusUpdatedAt": at, **more}))
        file.with_suffix(".new").replace(file)

    def session(self, **more: Any) -> Session:
        pid = self.client.pid
        said = {"session_id": ID, "pid": pid, "pid_start": process_start(pid), "status": "idle", "detail": ""}
        return session(**{**said, "config_dir": str(self.config), **more})

    def copy(self, text: str) -> str:
        self.copied.append(text)
        return ""

    def reply(self, text: str, **more: Any) -> Replied:
        return reply(self.session(**more), text, self.home, self.copy)

    @property
    def receipts(self) -> list[str]:
        return [sentence(one) for one in read(self.home.state, 9)]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with tmux(tmp_path) as server:
        yield Stage(client(server, tmp_path / "one", ID), tmp_path / "one")


@pytest.mark.parametrize(
    ("text", "prompt"), [("hello", "hello"), ("a\nb", "a\nb"), ("!ls", " !ls"), ("x" * 3000, "x" * 3000)]
)
def test_a_reply_arrives_and_has_a_receipt(text: str, prompt: str, stage: Stage) -> None:
    came = stage.reply(text)
    assert (came.delivered, came.sentence) == (True, f"Sent to api in tmux pane {stage.client.pane}.")
    assert stage.client.prompts == [prompt]
    assert stage.copied == []
    assert came.seconds is not None
    (receipt,) = stage.receipts
    assert receipt.startswith(
        f"api: replied, {len(prompt)} characters through tmux pane {stage.client.pane}, submitted after"
    )


def test_replies_follow_one_another(stage: Stage) -> None:
    assert [stage.reply(text).delivered for text in ("one", "two", "three")] == [True] * 3
    assert stage.client.prompts == ["one", "two", "three"]


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "ended": ({"status": "ended"}, "The session has ended. Run `deskbell resume a1` to go on with it."),
    "crashed": ({"status": "crashed"}, "The session has ended."),
    "working": ({"status": "working", "detail": "Bash: make"}, "The session is at work: running make."),
    "in the background": ({"status": "background", "detail": ""}, "The session is at work: in the background."),
    "blocked": (
        {"status": "permission", "detail": "Bash: make"},
        "The session waits for an answer, and not for a prompt: it wants to run make.",
    ),
    "a question": (
        {"status": "question", "detail": "Which?"},
        "The session waits for an answer, and not for a prompt: it asks: Which?",
    ),
    "suspended": ({"status": "idle", "suspended": True}, "The session is suspended. Type fg in its terminal."),
}


@pytest.mark.parametrize(("said", "why"), REFUSED.values(), ids=REFUSED)
def test_a_session_whose_turn_is_not_over_is_refused(said: dict[str, Any], why: str) -> None:
    with pytest.raises(Problem) as refused:
        refuse(session(**said))
    assert str(refused.value).startswith(why)


@pytest.mark.parametrize("status", ["idle", "interrupted", "error"])
def test_a_session_whose_turn_is_over_is_not_refused(status: str) -> None:
    refuse(session(status=status))


def test_an_empty_text_is_a_misuse(stage: Stage) -> None:
    with pytest.raises(Misuse):
        stage.reply(" ")
    assert (stage.client.prompts, stage.copied, stage.receipts) == ([], [], [])


@pytest.mark.parametrize(("text", "why"), [("/clear", "would be a command"), ("exit", "would end Claude Code")])
def test_a_text_that_is_no_prompt_is_kept(text: str, why: str, stage: Stage) -> None:
    came = stage.reply(text)
    assert (came.delivered, stage.copied, stage.client.prompts) == (False, [text], [])
    assert why in came.sentence


def lost(stage: Stage, text: str, why: str, **more: Any) -> None:
    """Reply, and look that nothing was submitted, and that the person has their text and the reason."""
    came = stage.reply(text, **more)
    assert (came.delivered, came.kept) == (False, True)
    assert came.sentence.startswith("Not delivered: ")
    assert why in came.sentence
    assert came.sentence.endswith("The text is on the clipboard.")
    assert stage.copied == [text]
    assert stage.client.prompts == []
    assert why.split(".")[0] in stage.receipts[-1]
    assert text not in stage.receipts[-1]


def test_half_typed_text_is_left_alone(stage: Stage) -> None:
    stage.client.keys("h", "a", "l", "f")
    stage.client.shows("half")
    before = stage.client.screen
    lost(stage, "my reply", "something is typed in its prompt")
    assert stage.client.screen == before


def test_a_dialog_gets_no_key(stage: Stage) -> None:
    stage.client.draws("dialog")
    stage.client.keys("x")
    stage.client.shows("Do you want")
    lost(stage, "my reply", "its prompt is not on the screen")


@pytest.mark.long
def test_a_dialog_that_opens_after_the_paste_gets_no_enter(stage: Stage) -> None:
    stage.client.draws("dialog after a paste")
    lost(stage, "my reply", "Enter was not pressed")


def test_copy_mode_is_refused(stage: Stage) -> None:
    stage.client.tmux.run("copy-mode", "-t", stage.client.pane)
    lost(stage, "my reply", "copy mode")


@pytest.mark.parametrize(
    ("registry", "why"),
    [
        ({"status": "busy"}, "its client is at work"),
        ({"status": "waiting"}, "its client waits for an answer"),
        ({"status": "shell"}, "its client is at work"),
        ({"status": "odd"}, "does not report whether it is idle"),
        ({"status": "idle", "sessionId": "another"}, "does not report whether it is idle"),
        ({"status": "idle", "procStart": "1"}, "its client has ended. Run `deskbell resume"),
    ],
)
def test_a_client_that_does_not_say_that_it_is_idle_is_refused(registry: Any, why: str, stage: Stage) -> None:
    stage.registry(**registry)
    lost(stage, "my reply", why)


def test_a_client_without_a_registry_is_refused(stage: Stage) -> None:
    lost(stage, "my reply", "does not report whether it is idle", config_dir=None)


def test_a_client_whose_registry_file_has_gone_is_refused(stage: Stage) -> None:
    (stage.config / "sessions" / f"{stage.client.pid}.json").unlink()
    lost(stage, "my reply", "does not report whether it is idle")


def test_a_session_that_no_hook_tells_of_is_refused(stage: Stage) -> None:
    (stage.home.events / f"{ID}.jsonl").unlink()
    lost(stage, "my reply", "no hook reports this session")


@pytest.mark.parametrize("gone", [{"pid": None}, {"pid_start": 1}, {"host": "elsewhere"}])
def test_a_process_that_is_not_here_is_refused(gone: dict[str, Any], stage: Stage) -> None:
    lost(stage, "my reply", "not known which process", **gone)


def test_a_turn_that_begins_meanwhile_is_left_alone(stage: Stage) -> None:
    """The client says so between the paste and Enter."""
    tmux = stage.client.tmux
    file = stage.config / "sessions" / f"{stage.client.pid}.json"
    busy = file.read_text().replace('"idle"', '"busy"')
    (stage.config / "busy").write_text(busy)
    tmux.run("set-hook", "-g", "after-load-buffer", f"run-shell 'cp {stage.config}/busy {file}'")
    lost(stage, "my reply", "its client is at work")


def test_a_whole_turn_that_passes_meanwhile_is_noticed(stage: Stage) -> None:
    """The client is idle again, and not since the same moment."""
    file = stage.config / "sessions" / f"{stage.client.pid}.json"
    (stage.config / "later").write_text(file.read_text().replace('"statusUpdatedAt": 1', '"statusUpdatedAt": 9000'))
    stage.client.tmux.run("set-hook", "-g", "after-load-buffer", f"run-shell 'cp {stage.config}/later {file}'")
    lost(stage, "my reply", "its turn has begun again meanwhile")


class Slow:
    """A terminal of a machine that is so busy that every look at it takes long."""

    what = "a slow terminal"

    def __init__(self) -> None:
        self.typed = ""
        self.entered = False

    def look(self) -> Screen:
        time.sleep(FRESH + 0.01)
        rule = "─" * 20
        return Screen(["", rule, f"❯\u00a0{self.typed}", rule], (2 + len(self.typed), 2))

    def paste(self, text: str, seen: Screen) -> None:
        self.typed = text

    def enter(self, seen: Screen) -> None:
        self.entered = True


def test_enter_is_not_pressed_where_the_look_before_it_is_old() -> None:
    slow = Slow()
    with pytest.raises(Problem, match="too busy"):
        put(slow, "my reply", lambda: None)
    assert (slow.typed, slow.entered) == ("my reply", False)


@pytest.mark.long
def test_a_prompt_that_is_not_heard_was_not_delivered(tmp_path: Path) -> None:
    """The client is deaf: no hook says anything, though the journal is there."""
    with tmux(tmp_path) as server:
        stage = Stage(client(server, tmp_path / "one"), tmp_path / "one")
        stage.home.events.mkdir(parents=True)
        (stage.home.events / f"{ID}.jsonl").touch()
        begun = time.monotonic()
        came = stage.reply("my reply")
        assert 2 <= time.monotonic() - begun < 4
        assert not came.delivered
        assert "no prompt followed within 2 s" in came.sentence
        assert stage.copied == ["my reply"]


def test_another_prompt_is_not_taken_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replying, "HEARD_WITHIN", 0.3)
    with tmux(tmp_path) as server:
        one = client(server, tmp_path / "one", "another-id")
        stage = Stage(one, tmp_path / "one")
        journal = stage.home.events / f"{ID}.jsonl"
        journal.symlink_to(stage.home.events / "another-id.jsonl")
        other = {"v": 1, "event": "UserPromptSubmit", "at": time.time(), "facts": {"prompt": "my reply"}}
        (stage.home.events / "another-id.jsonl").write_text(json.dumps(other) + "\n")
        came = stage.reply("my reply")
        assert came.delivered is False, "an older prompt, and a journal behind a link"


def test_a_clipboard_that_fails_is_reported(stage: Stage) -> None:
    def copy(_: str) -> str:
        raise Problem("Nothing can fill the clipboard.", "Copy it yourself.")

    stage.client.draws("dialog")
    stage.client.keys("x")
    stage.client.shows("Do you want")
    came = reply(stage.session(), "my reply", stage.home, copy)
    assert "The text is not on the clipboard either: nothing can fill the clipboard. Copy it yourself." in came.sentence
    assert not came.kept
    assert not reply(stage.session(), "my reply", stage.home).kept


def test_a_text_is_kept_and_nothing_is_claimed_where_deskbell_fails(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    session = stage.session(place=None)
    came = reply(session, "go on", stage.home, stage.copy)
    assert (came.delivered, came.kept, stage.copied) == (False, True, ["go on"])
    assert came.sentence.startswith(f"{replying.UNKNOWN} AttributeError: ")
    assert came.sentence.endswith(" Look at its terminal. The text is on the clipboard.")
    assert [record.exc_info is not None for record in caplog.records] == [True]
    (verdict,) = [one.verdict for one in read(stage.home.state, 9)]
    assert verdict == "not replied"


def test_a_full_disk_keeps_nobody_from_a_session(stage: Stage) -> None:
    (stage.home.state / "decisions.jsonl").mkdir(parents=True)
    assert stage.reply("hello").delivered


def test_two_replies_at_once_never_become_one_prompt(stage: Stage) -> None:
    with ThreadPoolExecutor(2) as both:
        came = list(both.map(stage.reply, ("the first", "the second")))
    wait(lambda: len(stage.client.prompts) == sum(one.delivered for one in came), "the prompts")
    assert set(stage.client.prompts) <= {"the first", "the second"}
