"""`deskbell list`: what a person and what a program reads."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from deskbell.__main__ import main
from deskbell.commands._world import world
from deskbell.commands.list import _print_json, _probe
from deskbell.home import home
from deskbell.session import STATUSES, Session
from deskbell.sessions.crashes import CrashFile
from deskbell.text.table import table
from deskbell_hooks.record import record_event
from tests.tray.commands.said import crashed

NOW = 1_000_000.0


def session(**fields: object) -> Session:
    plain = {"session_id": "abc", "pid": 1, "pid_start": 1, "status": "working", "detail": "Thinking", "reason": "r"}
    return Session(**{**plain, "since": NOW - 75, "heard": NOW, "project": "api", "title": "Fix it", **fields})  # type: ignore[arg-type]


def drawn(width: int, *sessions: Session) -> str:
    console = Console(width=width, record=True, force_terminal=False, file=None)
    with console.capture() as captured:
        console.print(table(sessions, NOW, width))
    return captured.get()


@pytest.mark.parametrize("width", [20, 60, 80, 120, 250])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    long = session(project="p" * 90, title="t" * 300, detail="Bash: " + "d" * 300, branch="b" * 90, model="m" * 90)

    assert max(len(line) for line in drawn(width, long).splitlines()) <= width


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_is_written_out(status: str) -> None:
    assert status in drawn(80, session(status=status))


def test_an_idle_session_shows_its_last_line() -> None:
    assert "All 41 tests pass." in drawn(120, session(status="idle", detail="", last_line="All 41 tests pass."))


def test_escape_sequences_in_a_title_are_not_shown() -> None:
    shown = drawn(120, session(title="\x1b[31mred\x1b[0m\x07\r\nx \u202eevil", detail="\x1b]0;owned\x07"))

    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "owned" not in shown


def test_without_a_session_it_prints_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert capsys.readouterr().out == "No Claude Code session is running here.\n"


@pytest.fixture
def record(private_home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Record an event of a client that runs in this process."""
    monkeypatch.setenv("CLAUDE_PID", str(os.getpid()))
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ATTENDED", "1")

    def record(session_id: str, name: str, **event: object) -> None:
        event = {"session_id": session_id, "hook_event_name": name, "cwd": "/p/api", **event}
        record_event(str(home().state), json.dumps(event).encode())

    return record


ASKED = {"tool_name": "Bash", "tool_input": {"command": "npm publish"}}


def test_a_person_reads_a_table_and_the_counts(record: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    record("s-1", "UserPromptSubmit", prompt="Ship it")
    record("s-2", "PermissionRequest", **ASKED)
    assert main(["list"]) == 0
    head, first, second, _, counts = capsys.readouterr().out.splitlines()
    assert head.split() == ["status", "project", "title", "what", "since"]
    assert "permission" in first
    assert "working" in second
    assert counts.strip() == "1 blocked, 1 running"


def test_all_adds_hidden_and_ended_sessions_behind_the_others(
    record: Callable[..., None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record("ended", "SessionEnd", reason="other")
    data = json.loads((home().sessions / "ended.json").read_bytes())
    for name in ("since", "last_at"):
        data[name] -= 60
    (home().sessions / "ended.json").write_text(json.dumps(data))
    record("shown", "UserPromptSubmit", prompt="Ship it")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ATTENDED", "0")
    record("hidden", "UserPromptSubmit", prompt="Ship it")

    def listed(*arguments: str) -> list[str]:
        assert main(["list", "--json", *arguments]) == 0
        return [one["session_id"] for one in json.loads(capsys.readouterr().out)["sessions"]]

    assert listed() == ["shown"]
    assert listed("--all") == ["shown", "hidden", "ended"]


def test_the_json_has_a_version_and_null_for_what_is_not_known(
    record: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    record("s-1", "PermissionRequest", **ASKED)

    assert main(["list", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)

    assert printed["version"] == 1
    assert printed["counts"] == {"blocked": 1, "your_turn": 0, "running": 0, "crashed": 0}
    (one,) = printed["sessions"]
    assert (one["status"], one["group"], one["blocked"]) == ("permission", "needs_you", True)
    assert (one["detail"], one["project"]) == ("Bash: npm publish", "api")
    for name in ("branch", "model", "cost_usd", "context_percent", "todo"):
        assert one[name] is None


def test_a_crash_is_listed_until_it_is_dismissed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    crashed("s-1", "/p/api", monkeypatch)

    def listed(*options: str) -> list[tuple[str, str, str, float]]:
        assert main(["list", "--json", *options]) == 0
        rows = json.loads(capsys.readouterr().out)["sessions"]
        return [(row["session_id"], row["status"], row["group"], row["since"]) for row in rows]

    died = json.loads((home().sessions / "s-1.json").read_bytes())["last_at"]
    assert listed() == [("s-1", "crashed", "crashed", died)]
    assert main(["list"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].strip() == "1 crashed"

    (one,) = world().read(time.time())
    CrashFile(home().state).dismiss([one], time.time())
    assert listed() == []
    assert listed("--all") == [("s-1", "crashed", "crashed", died)]


def test_a_suspended_session_is_marked() -> None:
    assert "suspended - wants to run npm publish" in drawn(
        120, session(status="permission", detail="Bash: npm publish", suspended=True)
    )
    assert "suspended" in drawn(120, session(status="idle", detail="", last_line="All tests pass.", suspended=True))


def test_a_session_that_cannot_be_written_as_json_does_not_take_the_others_away(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _print_json([session(session_id="bad", cost_usd=float("nan")), session(session_id="good")], NOW)
    bad, good = json.loads(capsys.readouterr().out)["sessions"]
    assert bad == {
        "session_id": "bad",
        "error": "cannot be written (ValueError: Out of range float values are not JSON compliant)",
    }
    assert (good["session_id"], good["detail"]) == ("good", "Thinking")


def test_a_session_that_the_table_cannot_hold_is_listed_with_the_reason() -> None:
    with pytest.raises(TypeError, match="its title"):
        _probe(session(title=7), NOW)
    _probe(session(context_percent=12.5), NOW)
