"""Test `deskbell why` as a person types it."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.home import home
from deskbell.notices import decisions
from deskbell.notices.decisions import Decision
from tests.tray.commands.said import Out, said

ONE = Decision(0.0, "abc", 1, "api", "idle", "not shown", "its pane was focused")


def write(*made: Decision) -> Path:
    decisions.write(home().state, made)
    return home().state / "decisions.jsonl"


def test_it_explains_in_sentences(capsys: Out) -> None:
    write(Decision(time.time(), "abc", 1, "api", "idle", "not shown", "its pane was focused"))
    assert said(capsys, "why").endswith("  idle         api: not shown, its pane was focused\n")


def test_it_prints_one_json_object_a_line(capsys: Out) -> None:
    write(ONE, ONE)
    for line in said(capsys, "why", "--json").splitlines():
        assert json.loads(line) == {
            "version": 1,
            "at": 0.0,
            "session_id": "abc",
            "pid": 1,
            "project": "api",
            "status": "idle",
            "verdict": "not shown",
            "reason": "its pane was focused",
        }


def test_it_prints_the_latest_decisions_about_one_project_or_session(capsys: Out) -> None:
    write(*(Decision(float(n), f"{n}", 1, "api" if n % 2 else "web", None, "shown", f"{n}") for n in range(40)))
    assert len(said(capsys, "why").splitlines()) == 20
    assert [line[-7:] for line in said(capsys, "why", "api", "--last", "2").splitlines()] == ["own, 37", "own, 39"]
    assert said(capsys, "why", "38").endswith("web: shown, 38\n")


def test_it_says_that_no_decision_is_recorded(capsys: Out) -> None:
    assert said(capsys, "why") == "No decision is recorded.\n"
    assert said(capsys, "why", "web") == "No decision about web is recorded.\n"
    assert said(capsys, "why", "web", "--json") == ""


@pytest.mark.parametrize("at", ["1e300", "-1e300", "1e18", "NaN", "Infinity"])
def test_a_time_that_no_clock_shows_is_a_question_mark(capsys: Out, at: str) -> None:
    write(ONE).write_text(
        f'{{"at": {at}, "session_id": "abc", "pid": 1, "project": "api", "status": null, '
        '"verdict": "shown", "reason": "at once"}\n'
    )
    assert said(capsys, "why") == "?                             api: shown at once\n"


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["sentences", "json"])
def test_it_shows_no_secret(capsys: Out, options: tuple[str, ...]) -> None:
    write(replace(ONE, project="API_TOKEN=hunter2secret99", reason="https://me:hunter2secret99@host"))
    shown = said(capsys, "why", *options)
    assert "[redacted]" in shown
    assert "hunter2" not in shown
