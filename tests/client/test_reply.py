"""Test `deskbell reply` with the real client in tmux: what the model is sent is the text, to the byte, or nothing."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deskbell.answers.reply import LONGEST
from deskbell_hooks.pasted import without_tags
from tests.client.api import Api
from tests.client.claude import Claude, Tui
from tests.client.test_situations import register
from tests.waiting import wait

pytestmark = pytest.mark.timeout(300)


class Stage:
    """An account with Deskbell's hooks in which replies are switched on."""

    def __init__(self, claude: Claude, api: Api) -> None:
        self.claude, self.api = claude, api
        register(claude)
        config = claude.home / "deskbell" / "config"
        config.mkdir(parents=True)
        (config / "config.toml").write_text("[answers]\nreply = true\n")

    def start(self, project: str = "proj", **more: Any) -> Tui:
        """Start a client, and wait until a hook has reported it."""
        tui = self.claude.start(project=project, **more)
        journal = self.claude.home / "deskbell" / "state" / "events" / f"{tui.session_id}.jsonl"
        wait(journal.exists, "the journal")
        return tui

    def reply(self, tui: Tui, text: str) -> dict[str, Any]:
        env = {**self.claude.environment, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-m", "deskbell", "reply", tui.session_id, "-", "--json"]
        done = subprocess.run(command, env=env, input=text.encode(), capture_output=True, timeout=60, check=False)
        assert done.stdout, done.stderr.decode()
        told: dict[str, Any] = json.loads(done.stdout)
        assert done.returncode == (0 if told["delivered"] else 1)
        return told

    def refused(self, tui: Tui, text: str) -> str:
        env = {**self.claude.environment, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-m", "deskbell", "reply", tui.session_id, "-"]
        done = subprocess.run(command, env=env, input=text.encode(), capture_output=True, timeout=60, check=False)
        assert done.returncode == 1
        return done.stderr.decode()

    def hears(self, tui: Tui, text: str) -> None:
        """Wait until the model was sent TEXT, to the byte, and the turn is over."""
        wait(lambda: text in self.heard(), repr(text[:60]), seen=lambda: f"{self.heard()}\n{tui.pane.screen()}")
        tui.wait_status("idle")

    def heard(self) -> list[str]:
        """Return the texts of the person in the newest conversation that the model was sent."""
        told = [request for request in self.api.requests if request.get("tools")]
        return [text for message in (told[-1]["messages"] if told else ()) for text in texts(message)]


def texts(message: dict[str, Any]) -> list[str]:
    if message["role"] != "user":
        return []
    content = message["content"]
    parts = [content] if isinstance(content, str) else [one.get("text", f"<{one['type']}>") for one in content]
    said = [part for part in parts if not part.startswith(("<system-reminder>", "# Environment"))]
    return [without_tags(part) for part in said]


@pytest.fixture
def stage(claude: Claude, api: Api) -> Stage:
    api.requests.clear()
    return Stage(claude, api)


ARRIVES = {
    "one line": "run the tests again",
    "three lines": "one\ntwo\n  three",
    "a line of a shell": "!touch made.txt",
    "3,000 characters": "word " * 599 + "word.",
    "as many characters as a reply may have": ("word " * 2000)[: LONGEST - 1] + ".",
    "as many in many lines": ("\n".join(["word " * 25] * 100))[: LONGEST - 1] + ".",
    "3,000 characters in 100 lines": "\n".join(["a line of thirty characters .."] * 100)[:3000],
    "unicode and emoji": "héllo 👩‍👩‍👧 日本語 ✅️ ñ — «quoted»",
    "what tmux and a shell would read": "say #{pane_id} $(touch made.txt) `id` ; \\; -t %0 'x' \"y\"",
    "the end of a paste": "before\x1b[201~after\r",
    "a file that is completed": "look at @rea",
    "commands in the middle": "then /help and #12 and !ls",
    "a question": "?",
}
BECOMES = {"a line of a shell": " !touch made.txt", "the end of a paste": "beforeafter"}


def test_texts_arrive_to_the_byte_and_as_one_prompt_each(stage: Stage) -> None:
    tui = stage.start()
    (stage.claude.project() / "readme.md").write_text("It is read.")
    for name, text in ARRIVES.items():
        told = stage.reply(tui, text)
        assert told["delivered"], f"{name}: {told}\n{tui.pane.screen()}"
        stage.hears(tui, BECOMES.get(name, text))
    said = [text for text in stage.heard() if text in {BECOMES.get(name, text) for name, text in ARRIVES.items()}]
    assert said == [BECOMES.get(name, text) for name, text in ARRIVES.items()], "each once, in their order"
    assert not (stage.claude.project() / "made.txt").exists()


REFUSED = ["/clear", " /exit", "\u200b/clear", "# remember this", "ends in a \\", "exit", " :q\n", "\x1b[201~/clear"]


def test_a_text_that_would_be_a_command_is_refused_and_touches_nothing(stage: Stage) -> None:
    tui = stage.start()
    before = prompt_of(tui)
    for text in REFUSED:
        assert "Nothing was sent." in stage.refused(tui, text)
    assert prompt_of(tui) == before == "❯"
    assert stage.heard() == []


def half_typed(tui: Tui) -> None:
    tui.pane.type("half a sentence")
    tui.pane.wait_for("half a sentence")


def half_typed_with_the_cursor_at_its_start(tui: Tui) -> None:
    half_typed(tui)
    tui.pane.keys("C-a")
    wait(
        lambda: tui.pane.terminal.run("display-message", "-pt", tui.pane.id, "#{cursor_x}").strip() == "2", "the start"
    )


def a_blank(tui: Tui) -> None:
    tui.pane.type(" ")
    wait(
        lambda: tui.pane.terminal.run("display-message", "-pt", tui.pane.id, "#{cursor_x}").strip() == "3", "the blank"
    )


def shell_mode(tui: Tui) -> None:
    tui.pane.type("!")
    tui.pane.wait_for("for shell mode")


def model_list(tui: Tui) -> None:
    tui.pane.type("/model")
    tui.pane.wait_for("/model ")
    tui.pane.keys("Enter")
    tui.pane.wait_for("Select model")


def transcript(tui: Tui) -> None:
    tui.pane.keys("C-o")
    tui.pane.wait_for("Showing detailed transcript")


def search(tui: Tui) -> None:
    tui.pane.keys("C-r")
    tui.pane.wait_for("Search prompts")


def copy_mode(tui: Tui) -> None:
    tui.pane.terminal.run("copy-mode", "-t", tui.pane.id)


def synchronised(tui: Tui) -> None:
    tui.pane.terminal.run("split-window", "-d", "-t", tui.pane.id, "sleep 600")
    tui.pane.terminal.run("set-option", "-w", "-t", tui.pane.id, "synchronize-panes", "on")


def permission(tui: Tui) -> None:
    tui.scenario("permission")
    tui.wait_status("waiting")
    tui.pane.wait_for("Do you want to proceed?")


def at_work(tui: Tui) -> None:
    tui.scenario("longbash")
    tui.wait_status("busy")


SPOILS: dict[str, tuple[Callable[[Tui], None], str]] = {
    "half-typed text": (half_typed, "something is typed"),
    "half-typed text, the cursor at its start": (half_typed_with_the_cursor_at_its_start, "something is typed"),
    "a blank": (a_blank, "something is typed"),
    "shell mode": (shell_mode, "not on the screen"),
    "a list": (model_list, "prompt is not on the screen|Its client|its client"),
    "the transcript": (transcript, "not on the screen"),
    "the search": (search, "not on the screen"),
    "copy mode": (copy_mode, "copy mode"),
    "synchronised panes": (synchronised, "synchronised"),
    "a permission": (permission, "waits for an answer"),
    "a turn": (at_work, "at work"),
}


@pytest.mark.parametrize("name", SPOILS)
def test_what_is_not_an_empty_prompt_is_refused_and_left_as_it_is(name: str, stage: Stage) -> None:
    spoil, why = SPOILS[name]
    tui = stage.start()
    spoil(tui)
    requests = len(stage.api.requests)
    before = settled_prompt_of(tui)
    told = stage.reply(tui, "a reply that must not arrive")
    assert not told["delivered"]
    assert any(one in told["sentence"] for one in why.split("|")), told
    assert settled_prompt_of(tui) == before
    assert "must not arrive" not in tui.pane.screen()
    assert len(stage.api.requests) == requests or spoil in (permission, at_work)


def settled_prompt_of(tui: Tui) -> str:
    """Return the prompt once it has stayed the same for a moment: the client draws a pane of a new size in steps."""
    seen = [prompt_of(tui)]

    def is_settled() -> bool:
        time.sleep(0.4)
        seen.append(prompt_of(tui))
        return seen[-1] == seen[-2]

    wait(is_settled, "a prompt that stays", seen=lambda: seen)
    return seen[-1]


def prompt_of(tui: Tui) -> str:
    """Return the last row with the sign of a prompt."""
    rows = [row for row in tui.pane.screen().splitlines() if "❯" in row or row.startswith("!")]
    return rows[-1].strip() if rows else ""


def test_a_suggestion_of_the_client_is_no_text_of_the_person(stage: Stage) -> None:
    tui = stage.start(environment={"CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION": "true"})
    tui.pane.wait_for('Try "')
    assert stage.reply(tui, "instead of it")["delivered"]
    stage.hears(tui, "instead of it")


def test_another_program_in_the_pane_gets_nothing(stage: Stage) -> None:
    tui = stage.claude.start_in_shell()
    journals = stage.claude.home / "deskbell" / "state" / "events"
    (journal,) = wait(lambda: journals.exists() and list(journals.iterdir()), "the journal")
    assert stage.reply(tui, "through a shell")["delivered"]
    stage.hears(tui, "through a shell")
    wait(lambda: '"Stop"' in journal.read_text(), "the end of the turn")
    tui.pane.keys("C-z")
    tui.pane.wait_for("suspended", "Stopped")
    before = tui.pane.screen()
    told = stage.reply(tui, "touch made.txt")
    assert not told["delivered"]
    assert "suspended" in told["sentence"] or "Another program" in told["sentence"]
    assert tui.pane.screen() == before


def test_of_two_panes_the_right_one_gets_it(stage: Stage) -> None:
    one, other = stage.start("one"), stage.start("other")
    assert stage.reply(other, "for the other")["delivered"]
    stage.hears(other, "for the other")
    assert "for the other" not in one.pane.screen()
    assert stage.reply(one, "for one")["delivered"]
    stage.hears(one, "for one")
    assert "for the other" not in stage.heard()
    assert "for one" not in other.pane.screen().splitlines()


def test_a_dialog_that_opens_after_the_paste_gets_no_enter(stage: Stage) -> None:
    """The person opens the search in the moment between the paste and Enter, which would choose an older prompt."""
    tui = stage.start()
    assert stage.reply(tui, "an older prompt")["delivered"]
    stage.hears(tui, "an older prompt")
    terminal = tui.pane.terminal
    terminal.run("set-hook", "-g", "after-paste-buffer", f"send-keys -t {tui.pane.id} C-r")
    told = stage.reply(tui, "a reply that is not submitted")
    assert not told["delivered"]
    assert "Enter was not pressed" in told["sentence"]
    assert "Search prompts" in tui.pane.screen()
    assert "a reply that is not submitted" not in stage.heard()


def test_a_prompt_of_vim_takes_it_in_both_modes(stage: Stage) -> None:
    stage.claude.standing["editorMode"] = "vim"
    stage.claude.set_settings()
    tui = stage.start()
    tui.pane.wait_for("-- INSERT --")
    assert stage.reply(tui, "in the insert mode")["delivered"]
    stage.hears(tui, "in the insert mode")
    tui.pane.keys("Escape")
    wait(lambda: "-- INSERT --" not in tui.pane.screen(), "the normal mode")
    assert stage.reply(tui, "in the normal mode")["delivered"]
    stage.hears(tui, "in the normal mode")
    assert [text for text in stage.heard() if "mode" in text] == ["in the insert mode", "in the normal mode"]


def test_the_receipt_is_in_why_without_the_text(stage: Stage) -> None:
    tui = stage.start()
    assert stage.reply(tui, "a private text")["delivered"]
    log = Path(stage.claude.home, "deskbell", "state", "decisions.jsonl").read_text()
    assert '"verdict": "replied"' in log
    assert "private" not in log
