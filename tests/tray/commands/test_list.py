"""`deskbell list`: what a person and what a program reads."""

import json
from pathlib import Path

import pytest
from rich.console import Console

from deskbell.__main__ import main
from deskbell.session import STATUSES, Session
from deskbell.text.table import table
from deskbell.text.times import ago
from deskbell_hooks.record import record_event

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
def test_every_status_is_named_in_words(status: str) -> None:
    assert status in drawn(80, session(status=status))


def test_whose_turn_is_over_shows_its_last_words() -> None:
    assert "All 41 tests pass." in drawn(120, session(status="idle", detail="", last_line="All 41 tests pass."))


def test_escape_sequences_and_controls_of_a_title_are_not_shown() -> None:
    shown = drawn(120, session(title="\x1b[31mred\x1b[0m\x07\r\nx \u202eevil", detail="\x1b]0;owned\x07"))

    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "owned" not in shown


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0 s"), (59.9, "59 s"), (60, "1 min"), (7300, "2 h"), (200_000, "2 d"), (-5, "0 s")]
)
def test_times_are_told_in_their_largest_unit(seconds: float, words: str) -> None:
    assert ago(NOW - seconds, NOW) == words


def test_nothing_running_is_said_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert capsys.readouterr().out == "No Claude Code session is running here.\n"


def test_json_is_versioned_and_unknown_things_are_null(
    private_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CLAUDE_PID", str(__import__("os").getpid()))
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ATTENDED", "1")
    asked = {"hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {"command": "npm publish"}}
    record_event(
        str(private_home / "deskbell" / "state"), json.dumps({"session_id": "s-1", "cwd": "/p/api", **asked}).encode()
    )

    assert main(["list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)

    assert told["version"] == 1
    (one,) = told["sessions"]
    assert (one["status"], one["group"], one["detail"], one["project"]) == (
        "permission",
        "needs_you",
        "Bash: npm publish",
        "api",
    )
    for name in ("branch", "model", "cost_usd", "context_percent", "todo"):
        assert one[name] is None
