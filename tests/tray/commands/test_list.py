"""Test `deskbell list`: what a person reads, and what a program reads."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from deskbell.__main__ import main
from deskbell.commands._world import world
from deskbell.commands.list import _print_json, probe_row
from deskbell.home import home
from deskbell.sessions.crashes import CrashFile
from deskbell_hooks.record import record_event
from tests.tray.commands.said import crashed
from tests.tray.making import NOON, session


def test_without_a_session_it_prints_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert capsys.readouterr().out == "No session is running\n"


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
    names, blocked, first, _, running, second, _, counts = capsys.readouterr().out.splitlines()
    assert (names.split(), blocked, running) == (["id", "for", "project", "what", "title"], "Blocked", "Running")
    assert "s-2" in first
    assert "wants to run npm publish" in first
    assert "s-1" in second
    assert counts == "1 blocked, 1 running"


@pytest.mark.parametrize("columns", ["40", "80"])
def test_columns_of_the_environment_bound_a_list_in_a_pipe(
    record: Callable[..., None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: str
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    record("s-2", "PermissionRequest", tool_name="Bash", tool_input={"command": "x" * 150})
    assert main(["list"]) == 0
    assert "x" * 150 in capsys.readouterr().out
    monkeypatch.setenv("COLUMNS", columns)
    assert main(["list"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) == int(columns)


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


def test_a_session_that_cannot_be_written_as_json_does_not_take_the_others_away(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _print_json([session(session_id="bad", cost_usd=float("nan")), session(session_id="good")], NOON)
    bad, good = json.loads(capsys.readouterr().out)["sessions"]
    assert bad == {
        "session_id": "bad",
        "error": "cannot be written (ValueError: Out of range float values are not JSON compliant)",
    }
    assert (good["session_id"], good["detail"]) == ("good", "Thinking")


def test_a_session_that_the_table_cannot_hold_is_listed_with_the_reason() -> None:
    with pytest.raises(TypeError, match="its title"):
        probe_row(session(title=7), NOON)
    probe_row(session(context_percent=12.5), NOON)
